\ Rithmomachia from the article's fragments, with the initial set-up and large enough arrays.
\ This file owns the set-up (rules/rithmomachia.md, section 2) and the size of the arrays.

\ The fragment "Battle methods" makes arrays of MAXS cells for values that a capture may use.
100 CONSTANT MAXS
LOAD rithmomachia-body.4th

{board-setup
	{setup} Black S361 c14
	{setup} Black S225 d14
	{setup} Black S121 i14
	{setup} Black S49 j14
	{setup} Black P190 c13
	{setup} Black S120 d13
	{setup} Black T64 e13
	{setup} Black T56 f13
	{setup} Black T30 g13
	{setup} Black T36 h13
	{setup} Black S66 i13
	{setup} Black S28 j13
	{setup} Black T100 c12
	{setup} Black T90 d12
	{setup} Black R81 e12
	{setup} Black R49 f12
	{setup} Black R25 g12
	{setup} Black R9 h12
	{setup} Black T12 i12
	{setup} Black T16 j12
	{setup} Black R9 e11
	{setup} Black R7 f11
	{setup} Black R5 g11
	{setup} Black R3 h11
	{setup} White R2 e6
	{setup} White R4 f6
	{setup} White R6 g6
	{setup} White R8 h6
	{setup} White T9 c5
	{setup} White T6 d5
	{setup} White R4 e5
	{setup} White R16 f5
	{setup} White R36 g5
	{setup} White R64 h5
	{setup} White T72 i5
	{setup} White T81 j5
	{setup} White S15 c4
	{setup} White S45 d4
	{setup} White T25 e4
	{setup} White T20 f4
	{setup} White T42 g4
	{setup} White T49 h4
	{setup} White P91 i4
	{setup} White S153 j4
	{setup} White S25 c3
	{setup} White S81 d3
	{setup} White S169 i3
	{setup} White S289 j3
	{setup} White S36 l1
	{setup} White S25 l2
	{setup} White T16 l3
	{setup} White T9 l4
	{setup} White R4 l5
	{setup} White R1 l6
	{setup} Black S64 a16
	{setup} Black S49 a15
	{setup} Black T36 a14
	{setup} Black T25 a13
	{setup} Black R16 a12
board-setup}
