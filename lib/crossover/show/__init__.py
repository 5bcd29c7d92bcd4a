"""What a reader sees: figures, explorables."""
