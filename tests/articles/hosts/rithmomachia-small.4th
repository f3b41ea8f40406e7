\ Rithmomachia with the small constant of the original script: eruption-values[] has 8 cells, and
\ the fragment writes up to MAXE values (trap 4 of the reference).
\ This file owns the size of the array.  The tests set up their own pieces.

8 CONSTANT MAXS
LOAD rithmomachia-body.4th

{board-setup
	{setup} White R2 e6
	{setup} Black R3 h11
board-setup}
