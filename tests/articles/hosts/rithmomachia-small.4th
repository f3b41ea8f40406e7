\ The same with the original's small constant: eruption-values[] has 8 cells, and the
\ fragment writes up to MAXE of them (trap 4 of the reference).
\ Owns that size, and nobody's pieces: the tests bring their own.

8 CONSTANT MAXS
LOAD rithmomachia-body.4th

{board-setup
	{setup} White R2 e6
	{setup} Black R3 h11
board-setup}
