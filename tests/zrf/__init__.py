"""Rule files and saved games of Zillions of Games."""
