"""The gateway: our end of the WebSocket that the plugin of a duel server opens (docs/protocol.md)."""
