"""`forthvm run`: the prompt for a person, engines that play, and scripts that fail."""
