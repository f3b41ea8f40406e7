\ A variant of three-dice in which a runner needs an exact throw to finish, so all players may have to pass.
LOAD three-dice.4th
exact ON
