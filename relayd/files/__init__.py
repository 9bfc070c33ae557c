"""Files that come in and go out: how each format is read, or made of a state (S109, S110, H208)."""
