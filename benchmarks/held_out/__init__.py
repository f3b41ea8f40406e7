"""Programs that were not used to choose superinstructions, and their expected results."""
