\ Rithmomachia with Glorious Victories: three numbers in progression in the enemy's territory win, too.
LOAD rithmomachia.4th

glory=magna
magna=any                               \ arithmetic, geometric or harmonic
1 glory-own=
arrangement=line-or-corner
