"""Programs that take no part in the choice of superinstructions, and their answers."""
