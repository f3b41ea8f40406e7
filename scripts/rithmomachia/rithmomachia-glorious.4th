\ Rithmomachia: Glorious Victories, three numbers in progression; White wins in two moves.
LOAD rithmomachia.4th

glory=magna
magna=any                               \ arithmetic, geometric or harmonic
1 glory-own=
arrangement=line-or-corner
