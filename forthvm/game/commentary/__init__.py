"""What a move did, as values and as sentences, and what the script prints for players."""
