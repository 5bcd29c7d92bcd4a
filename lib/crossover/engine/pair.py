from pathlib import Path
PAIR = Path(__file__).parent.parent / "data" / "pair"
