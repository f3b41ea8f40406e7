\ The settings of Rithmomachia: a group of words for each option of the rules, the default first.

\ A word `option=value` chooses that value when it is run, a word `option=` takes a number.  A variant is a file
\ that loads the game and runs some of them.  The words only store a value, which is read when a game starts or
\ while it runs.

\ --- moves --------------------------------------------------------------------------------------------
: moves=leaps ( -- ) 0 leaping-ways[] ways ! ;      \ straight runs and leaps like a knight's (default)
: moves=straight ( -- ) 0 marching-ways[] ways ! ;  \ only runs, in all eight directions: 1, 2 or 3 squares

VARIABLE long-runs
: pyramid-diagonal=off ( -- ) long-runs OFF ;       \ a pyramid moves as its parts do (default)
: pyramid-diagonal=on ( -- ) long-runs ON ;         \ while complete it also runs 3 squares diagonally

VARIABLE first-player
: first=white ( -- ) first-player OFF ;             \ White begins (default)
: first=black ( -- ) first-player ON ;              \ Black begins

\ --- captures -----------------------------------------------------------------------------------------
VARIABLE natural-siege
: siege=adjacent ( -- ) natural-siege OFF ;         \ by pieces on all straight or all diagonal neighbours (default)
: siege=natural ( -- ) natural-siege ON ;           \ Distant Siege: all its own moves blocked, also from afar

VARIABLE sandwich
: ambush=reach ( -- ) sandwich OFF ;                \ by two pieces that could both move there (default)
: ambush=sandwich ( -- ) sandwich ON ;              \ by two pieces beside it on opposite sides

VARIABLE products-only
: eruption=both ( -- ) products-only OFF ;          \ distance times one value gives the other (default)
: eruption=product ( -- ) products-only ON ;        \ only the attacker's value times the distance counts

VARIABLE intact-totals
: pyramid-total=always ( -- ) intact-totals OFF ;   \ the sum of the remaining parts of a pyramid counts (default)
: pyramid-total=intact ( -- ) intact-totals ON ;    \ only the sum of a complete pyramid counts

VARIABLE dies-whole
: pyramid-dies=parts ( -- ) dies-whole OFF ;        \ a pyramid can lose single parts (default)
: pyramid-dies=whole ( -- ) dies-whole ON ;         \ a number that matches a part captures the whole pyramid

\ --- counting captures --------------------------------------------------------------------------------
VARIABLE counting                       \ 0 parts, 1 one, 2 script
: pyramid-count=parts ( -- ) 0 counting ! ;         \ each part of a pyramid is a piece (default)
: pyramid-count=one ( -- ) 1 counting ! ;           \ a pyramid captured as a whole is one piece, its total
: pyramid-count=script ( -- ) 2 counting ! ;        \ both: each part, and the total as one more piece

\ --- common victories ---------------------------------------------------------------------------------
\ Goals and limits for captures, by side: White, Black.
2 [] value-goal[]
2 [] digit-limit[]
2 [] piece-limit[]

VARIABLE piece-goal
: n-pieces= ( n -- ) piece-goal ! ;                 \ De Corpore: pieces to take; 15, 0: off
15 n-pieces=
: value-white= ( n -- ) 0 value-goal[] ! ;          \ De Bonis and after: value that White must take; 1315, 0: off
: value-black= ( n -- ) 1 value-goal[] ! ;          \ De Bonis and after: value that Black must take; 984, 0: off
1315 value-white= 984 value-black=
: value= ( n -- ) DUP value-white= value-black= ;   \ the same value for both; 0: off
: n-digits-white= ( n -- ) 0 digit-limit[] ! ;      \ De Lite: maximum of digits on White's captures; 0: off
: n-digits-black= ( n -- ) 1 digit-limit[] ! ;      \ De Lite: maximum of digits on Black's captures; 0: off
: n-max-white= ( n -- ) 0 piece-limit[] ! ;         \ De Honore: maximum of pieces that White takes; 0: off
: n-max-black= ( n -- ) 1 piece-limit[] ! ;         \ De Honore: maximum of pieces that Black takes; 0: off
: n-digits= ( n -- ) DUP n-digits-white= n-digits-black= ;      \ the same digits for both; 0: off
: n-max= ( n -- ) DUP n-max-white= n-max-black= ;   \ the same number of pieces for both; 0: off

VARIABLE no-bonis
: de-bonis=on ( -- ) no-bonis OFF ;                 \ taking the value wins (default)
: de-bonis=off ( -- ) no-bonis ON ;                 \ the value only counts for De Lite, De Honore, De Honore Liteque

VARIABLE lite
: de-lite=off ( -- ) lite OFF ;                     \ the value with few digits wins only if n-digits is set (default)
: de-lite=on ( -- ) lite ON ;                       \ the value with at most n-digits wins; 34 / 28 if not set

VARIABLE honore
: de-honore=off ( -- ) honore OFF ;                 \ the value with few pieces wins only if n-max is set (default)
: de-honore=on ( -- ) honore ON ;                   \ the value with at most n-max pieces wins; 13 / 11 if not set

VARIABLE honore-lite
: de-honore-liteque=off ( -- ) honore-lite OFF ;    \ both limits win only if n-digits and n-max are set (default)
: de-honore-liteque=on ( -- ) honore-lite ON ;      \ the value within both limits wins; 34, 13 / 28, 11 if not set

VARIABLE pyramid-wins
: pyramid-win=off ( -- ) pyramid-wins OFF ;         \ a captured pyramid only adds to the counts (default)
: pyramid-win=on ( -- ) pyramid-wins ON ;           \ taking the last part of the enemy's pyramid wins

\ --- glorious victories -------------------------------------------------------------------------------
VARIABLE glory                          \ 0 off, 1 magna, 2 all
: glory=off ( -- ) 0 glory ! ;                      \ no glorious victories (default)
: glory=magna ( -- ) 1 glory ! ;                    \ Victoria Magna: three pieces in progression
: glory=all ( -- ) 2 glory ! ;                      \ Major and Excellentissima too: four pieces

VARIABLE any-magna
: magna=arithmetic ( -- ) any-magna OFF ;           \ Magna needs an arithmetic progression (default)
: magna=any ( -- ) any-magna ON ;                   \ arithmetic, geometric or harmonic

VARIABLE own-needed
: glory-own= ( n -- ) own-needed ! ;                \ minimum of own pieces in a set; 1
1 glory-own=

VARIABLE arranging                      \ 0 line-or-corner, 1 line, 2 free
: arrangement=line-or-corner ( -- ) 0 arranging ! ; \ in line at equal distances, or corners of a square (default)
: arrangement=line ( -- ) 1 arranging ! ;           \ in line at equal distances, in any direction
: arrangement=free ( -- ) 2 arranging ! ;           \ anywhere in the enemy's territory

VARIABLE after-pyramid
: glory-needs-pyramid=off ( -- ) after-pyramid OFF ; \ glory counts at any time (default)
: glory-needs-pyramid=on ( -- ) after-pyramid ON ;   \ glory counts once the enemy's pyramid is taken

\ --- how games end without a victory ------------------------------------------------------------------
VARIABLE stuck-loses
: stalemate=draw ( -- ) stuck-loses OFF $passTurnForced OFF ;  \ a draw if a player cannot move (default)
: stalemate=pass ( -- ) stuck-loses OFF $passTurnForced ON ;   \ a player that cannot move passes; two passes: a draw
: stalemate=loss ( -- ) stuck-loses ON $passTurnForced OFF ;   \ a player that cannot move has lost

VARIABLE quiet-limit
: draw-after= ( n -- ) quiet-limit ! ;              \ moves without a capture that make a draw; 0: never
