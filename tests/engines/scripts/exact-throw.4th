\ Three racers who need exact throws: all may have to wait, for as long as the die wants it.
LOAD three-dice.4th
exact ON
