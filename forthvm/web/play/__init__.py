"""The server of a table: the requests of people, and the moves of engines."""
