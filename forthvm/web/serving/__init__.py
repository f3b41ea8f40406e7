"""The parts of every server of a page: access checks, connections, requests."""
