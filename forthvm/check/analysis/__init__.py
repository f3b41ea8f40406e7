"""Static analysis of stack effects: abstract interpretation of all paths of each definition."""
