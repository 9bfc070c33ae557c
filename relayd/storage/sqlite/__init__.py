"""The stores in SQLite files. ``sqlite3`` is imported only here."""
