"""Programs that are not used to choose superinstructions, and their results."""
