"""`forthvm run`: the prompt of a human player, engines, and errors of scripts."""
