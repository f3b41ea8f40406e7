"""Parts of `forthvm run`: the play prompt, the seats of players and engines, script errors."""
