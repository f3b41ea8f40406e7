"""The server of a table: requests of people, and replies of engines."""
