"""The daemon's own site: pages for players, hosts, judges and the hall, and the same as JSON."""
