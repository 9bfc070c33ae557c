"""What is true of a deck: formats, lists, pools, the check."""
