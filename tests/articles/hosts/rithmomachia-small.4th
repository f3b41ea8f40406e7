\ Rithmomachia with the array size of the original script: eruption-values[] has MAXS = 8 cells, but
\ the fragment "Battle methods" writes up to MAXE = 100 values, also past the end of the array.
\ This file owns the size of the array.  The tests set up their own pieces.

8 CONSTANT MAXS
LOAD rithmomachia-body.4th

{board-setup
	{setup} White R2 e6
	{setup} Black R3 h11
board-setup}
