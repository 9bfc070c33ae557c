"""JSON-RPC 2.0 for hosts, judges and operators, over a unix socket and over WebSocket (decisions 6)."""
