\ The settings of Rhythmomachia 2, organized like settings.4th: the default of each group first.

\ The word of an option with a single value only names the rule, and stores nothing.

\ --- moves and turns ----------------------------------------------------------------------------------
: r2-moves=on ( -- ) ;                              \ circle 1 straight, triangle 2 diagonally, square 3 (default)
: r2-first=blue ( -- ) first-player OFF ;           \ blue begins: White (default)
: r2-attack-time=around ( -- ) ;                    \ any number of attacks before and after the move (default)

\ --- attacks ------------------------------------------------------------------------------------------
: r2-attack=reduce ( -- ) ;                         \ attacks lower a rating; a piece with rating 0 is taken (default)
: r2-once=on ( -- ) ;                               \ a piece attacks the same victim once in a turn (default)
: r2-direction=on ( -- ) ;                          \ a piece attacks in directions in which it moves (default)

VARIABLE joint-attacks
: r2-direct=equal ( -- ) joint-attacks OFF ;        \ a piece that could move there takes an equal rating (default)
: r2-direct=also-joint ( -- ) joint-attacks ON ;    \ ambuscade: ratings of several pieces that could move there add up

VARIABLE must-take-alone
: r2-formation=on ( -- ) must-take-alone OFF ;      \ several attacks at a distance may lower one rating (default)
: r2-formation=off ( -- ) must-take-alone ON ;      \ an attack at a distance must take the victim by itself

VARIABLE siege-allowed
: r2-siege=off ( -- ) siege-allowed OFF ;           \ surrounded pieces cannot be taken (default)
: r2-siege=on ( -- ) siege-allowed ON ;             \ surrounded pieces can be taken

VARIABLE parts-only
: r2-pyramid=total ( -- ) parts-only OFF ;          \ a pyramid's sum attacks and is attacked, too (default)
: r2-pyramid=parts ( -- ) parts-only ON ;           \ only its parts attack and are attacked

VARIABLE no-swap
: r2-swap=on ( -- ) no-swap OFF ;                   \ an identical piece may replace a lost part (default)
: r2-swap=off ( -- ) no-swap ON ;                   \ lost parts cannot be replaced

\ --- victories ----------------------------------------------------------------------------------------
VARIABLE harmonies                      \ kinds of progression, as a mask: see victories.4th
: r2-harmony=all ( -- ) 7 harmonies ! ;             \ any of the three progressions wins (default)
: r2-harmony=arithmetic ( -- ) #arithmetic harmonies ! ; \ only progressions such as 2 4 6
: r2-harmony=geometric ( -- ) #geometric harmonies ! ; \ only progressions such as 2 4 8
: r2-harmony=harmonic ( -- ) #harmonic harmonies ! ; \ only progressions such as 3 4 6

VARIABLE no-lines
VARIABLE no-triangles
: r2-shape=both ( -- ) no-lines OFF no-triangles OFF ; \ in line or in a right-angled triangle (default)
: r2-shape=line ( -- ) no-lines OFF no-triangles ON ; \ at equal distances on a row, column or diagonal
: r2-shape=triangle ( -- ) no-lines ON no-triangles OFF ; \ at the corners of a triangle along row and column

VARIABLE own-only
: r2-enemy=1 ( -- ) own-only OFF ;                  \ one of the three may be the enemy's (default)
: r2-enemy=0 ( -- ) own-only ON ;                   \ all three must be own pieces

VARIABLE no-annihilation
: r2-annihilation=on ( -- ) no-annihilation OFF ;   \ taking all enemy pieces wins (default)
: r2-annihilation=off ( -- ) no-annihilation ON ;   \ only a harmony wins

\ --- options of the base game with other defaults -----------------------------------------------------
: draw-after= ( n -- ) draw-after= ;                \ turns without a capture that make a draw; 40, 0: never

r2-harmony=all
40 draw-after=
0 n-pieces= 0 value-white= 0 value-black=           \ no common victories
