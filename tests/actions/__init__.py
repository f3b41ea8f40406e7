"""Actions: numbers of moves for machine learning."""
