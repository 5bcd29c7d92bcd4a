"""Numbers nobody here made, and numbers this machine makes."""
