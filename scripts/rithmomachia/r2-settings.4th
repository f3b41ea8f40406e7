\ The settings of Rhythmomachia 2, in the manner of settings.4th: the default of each group first.

\ Some options have one value only: they tell the rule, and there is nothing to store.

\ --- moves and turns ----------------------------------------------------------------------------------
: r2-moves=on ( -- ) ;                              \ circle 1 straight, triangle 2 diagonally, square 3 (default)
: r2-first=blue ( -- ) first-player OFF ;           \ blue begins: White (default)
: r2-attack-time=around ( -- ) ;                    \ any number of attacks before and after the move (default)

\ --- attacks ------------------------------------------------------------------------------------------
: r2-attack=reduce ( -- ) ;                         \ attacks lower a rating; at 0 the piece is taken (default)
: r2-once=on ( -- ) ;                               \ a piece attacks the same victim once in a turn (default)
: r2-direction=on ( -- ) ;                          \ a piece attacks in directions in which it moves (default)

VARIABLE joint
: r2-direct=equal ( -- ) joint OFF ;                \ who could move there takes what has its rating (default)
: r2-direct=also-joint ( -- ) joint ON ;            \ ambuscade: several who could move there add up

VARIABLE alone
: r2-formation=on ( -- ) alone OFF ;                \ attackers from afar lower one rating together (default)
: r2-formation=off ( -- ) alone ON ;                \ an attack from afar must take the piece by itself

VARIABLE sieging
: r2-siege=off ( -- ) sieging OFF ;                 \ nothing is taken by surrounding it (default)
: r2-siege=on ( -- ) sieging ON ;                   \ surrounded pieces can be taken

VARIABLE parts-only
: r2-pyramid=total ( -- ) parts-only OFF ;          \ a pyramid's sum attacks and is attacked, too (default)
: r2-pyramid=parts ( -- ) parts-only ON ;           \ only its parts attack and are attacked

VARIABLE no-swap
: r2-swap=on ( -- ) no-swap OFF ;                   \ a piece may take the place of a lost part like it (default)
: r2-swap=off ( -- ) no-swap ON ;                   \ a part that is lost is lost

\ --- victories ----------------------------------------------------------------------------------------
VARIABLE harmonies                      \ kinds of progression, as a mask: see victories.4th
: r2-harmony=all ( -- ) 7 harmonies ! ;             \ any of the three progressions wins (default)
: r2-harmony=arithmetic ( -- ) #arithmetic harmonies ! ; \ only 2 4 6 and the like
: r2-harmony=geometric ( -- ) #geometric harmonies ! ; \ only 2 4 8 and the like
: r2-harmony=harmonic ( -- ) #harmonic harmonies ! ; \ only 3 4 6 and the like

VARIABLE no-lines
VARIABLE no-triangles
: r2-shape=both ( -- ) no-lines OFF no-triangles OFF ; \ in line or in a right-angled triangle (default)
: r2-shape=line ( -- ) no-lines OFF no-triangles ON ; \ at equal distances on a row, column or diagonal
: r2-shape=triangle ( -- ) no-lines ON no-triangles OFF ; \ at the corners of a triangle along row and column

VARIABLE own-only
: r2-enemy=1 ( -- ) own-only OFF ;                  \ one of the three may be the enemy's (default)
: r2-enemy=0 ( -- ) own-only ON ;                   \ all three must be one's own

VARIABLE no-annihilation
: r2-annihilation=on ( -- ) no-annihilation OFF ;   \ who has taken all enemy pieces wins (default)
: r2-annihilation=off ( -- ) no-annihilation ON ;   \ only a harmony wins

\ --- the base game's, with other defaults -------------------------------------------------------------
: draw-after= ( n -- ) draw-after= ;                \ turns without a capture that make a draw; 40, 0: never

r2-harmony=all
40 draw-after=
0 n-pieces= 0 value-white= 0 value-black=           \ no common victories
