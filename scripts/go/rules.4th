\ The rules of Go.  The file that loads this one has defined the board, with a variable `passes`.

LOAD columns-without-i.4th              \ points have the names that players of Go use

{directions
	-1  0 {direction} n     0 -1 {direction} w
	 0  1 {direction} e     1  0 {direction} s
directions}

{players
	{player} Black {player} White
players}
{turn-order
	{turn} Black {turn} White
turn-order}

{scratch                                \ OnGenerateMoves notes the groups again
LOAD groups.4th                         \ neighbours, note-groups, group-at, liberties, area
scratch}
LOAD superko.4th                        \ record-position, repeats?

\ --- settings --------------------------------------------------------------------------------------

VARIABLE double-komi                    \ points that White is given, times two
: komi=7 ( -- ) 14 double-komi ! ;      \ points for White (default)
: komi=7.5 ( -- ) 15 double-komi ! ;    \ points for White
: komi=6.5 ( -- ) 13 double-komi ! ;    \ points for White
: komi=5.5 ( -- ) 11 double-komi ! ;    \ points for White
: komi=0.5 ( -- ) 1 double-komi ! ;     \ points for White, for games with stones given in advance
: komi=0 ( -- ) double-komi OFF ;       \ no points for White, for games with stones given in advance
komi=7

VARIABLE suicide-legal?
: suicide=illegal ( -- ) suicide-legal? OFF ;   \ no move may take the last liberty of its own group (default)
: suicide=legal ( -- ) suicide-legal? ON ;      \ such a move removes its own group, as by the rules of Tromp and Taylor

\ --- what a new stone captures ---------------------------------------------------------------------

{scratch
4 [] victims[]                          \ groups that a stone on `here` captures, or own groups that die with it
VARIABLE victims                        \ number of groups in victims[]
VARIABLE breathes                       \ does the new stone have a liberty?
scratch}

: victim? ( group -- ? )
	FALSE victims @ IF victims @ 0 DO OVER I victims[] @ = OR LOOP ENDIF SWAP DROP
;
: add-victim ( group -- ) DUP victim? IF DROP ELSE victims @ victims[] ! victims ++ ENDIF ;
: in-atari? ( group -- ? ) liberties 2 < ;

\ A neighbour that is empty, an own group with another liberty, and a captured group give the new stone a liberty.
: look-at-stone ( pos -- )
	DUP group-at SWAP friend-at? IF
		in-atari? NOT IF breathes ON ENDIF
	ELSE
		DUP in-atari? IF add-victim breathes ON ELSE DROP ENDIF
	ENDIF
;
: look-for-victims ( -- )
	victims OFF breathes OFF
	here neighbours BEGIN DUP @ DUP 0< NOT WHILE
		DUP empty-at? IF DROP breathes ON ELSE look-at-stone ENDIF CELLSIZE +
	REPEAT 2DROP
;
: look-for-suicide ( -- )               \ the own groups next to `here` die
	here neighbours BEGIN DUP @ DUP 0< NOT WHILE
		DUP friend-at? IF group-at add-victim ELSE DROP ENDIF CELLSIZE +
	REPEAT 2DROP
;

\ --- moves -----------------------------------------------------------------------------------------

1 CONSTANT STONE                        \ the only type of pieces
: toggle-stone ( -- ) current-player STONE OR here toggle ;
: toggle-group ( group -- ) group-range DO I member piece-at I member toggle LOOP ;
: toggle-victims ( -- ) victims @ IF victims @ 0 DO I victims[] @ toggle-group LOOP ENDIF ;
: new-position? ( -- ? ) begin-key toggle-victims breathes @ IF toggle-stone ENDIF repeats? NOT ;

: capture-group ( group -- ) group-range DO I member capture-at LOOP ;
: capture-victims ( -- ) victims @ IF victims @ 0 DO I victims[] @ capture-group LOOP ENDIF ;

: played ( -- ) record-position passes OFF ;
: passed ( -- ) record-position passes ++ ;

: put ( -- )
	empty? verify look-for-victims breathes @ verify new-position? verify
	COMPILE played create capture-victims
	add-move
;
: put-suicide ( -- )
	suicide-legal? @ verify
	empty? verify look-for-victims breathes @ NOT verify
	look-for-suicide new-position? verify
	COMPILE played create capture-victims capture
	add-move
;
: pass ( -- ) COMPILE passed Pass ;

{moves stone-drops
	{move} put {move} put-suicide {move} pass
moves}
{pieces
	{piece} stone {drops} stone-drops
pieces}

: OnGenerateMoves ( -- ) note-groups note-key ;

\ After OnGenerateMoves each move word adds the same moves, whichever other move words have run.  OnIsGameOver and
\ OnEvaluate do not look at the list, and leave the board as it is.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves
TRUE CONSTANT hooks-ignore-moves

\ Of the earlier positions only those matter that a move can recreate now: the points of these moves are kept.
: superko-forbids? ( -- ? )
	empty? NOT IF FALSE EXIT ENDIF
	look-for-victims
	breathes @ NOT IF
		suicide-legal? @ NOT IF FALSE EXIT ENDIF
		look-for-suicide
	ENDIF
	new-position? NOT
;
: forbidden-points ( -- n ) 0 #points 0 DO I to superko-forbids? XOR 16777619 * LOOP ;
: OnForget ( -- ) OnGenerateMoves forbidden-points forget-recorded 0 low-keys[] ! ;

\ --- the end ---------------------------------------------------------------------------------------

: double-lead ( -- n ) Black area White area - 2* double-komi @ - ;    \ of Black
: result-by-area ( -- result )
	^" two passes, the areas count"
	double-lead current-player White = IF NEGATE ENDIF
	DUP 0> IF DROP #WinScore ELSE 0< IF #LossScore ELSE #DrawScore ENDIF ENDIF
;
: OnIsGameOver ( -- result )
	passes @ 1 > IF note-groups result-by-area ELSE #UnknownScore ENDIF
;

\ For programs and records of games.
: final-lead ( -- n ) note-groups double-lead ;

\ For players: the areas as they are.
: .area ( player -- ) DUP player-index CELLS $players @ + @ CFA>NFA @ TYPE ."  has an area of " area . CR ;
: OnExplain ( -- ) note-groups Black .area White .area ;
