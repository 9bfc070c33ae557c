"""Where facts are kept: the ports, what is common to all stores, and a folder for each store."""
