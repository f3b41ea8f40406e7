\ Draws, and the end of the game.

\ --- fifty moves, and repetition -------------------------------------------------------------------

\ A key of all pieces and marks.  It does not include the player to move, because keys are only compared with
\ those of the same player.
: key ( -- n ) 0 $positions @ 0 DO I piece-at XOR 16777619 * LOOP ;

\ The key of each earlier position by turn number.  The keys are not part of the board and need no undo:
\ a search writes only at its own turn numbers, which come after those of the game.
256 [] keys[]
: key-of ( turn -- addr ) 255 AND keys[] ;

\ Moves compile calls of these two words before their edits.  A position before a pawn move or a capture cannot
\ occur again, so only positions within the range of the clock are compared.
: tick ( -- ) key turn-number key-of ! clock ++ ;
: reset-clock ( -- ) clock OFF ;

\ How often has this position occurred during the last n moves?
: times-among ( n -- times )
	0 key ROT                               ( times key n )
	turn-number SWAP - turn-number 4 - DO
		I key-of @ OVER = IF SWAP 1+ SWAP ENDIF
	-2 +LOOP
	DROP
;

\ Is it the third occurrence?  A position can occur again after two moves of each side at the earliest.
: calm-moves ( -- n ) clock @ turn-number 1- MIN ;
: repeated? ( -- ? ) calm-moves DUP 8 < IF DROP FALSE ELSE times-among 1 > ENDIF ;

\ The host ignores the variables cleared here when it compares positions.  Of the earlier positions only the number
\ of occurrences matters; the other values are computed for each move list.
: times-before ( -- times ) calm-moves DUP 4 < IF DROP 0 ELSE times-among ENDIF ;
: OnForget ( -- )
	times-before 0 keys[] 256 CELLS ERASE 0 keys[] !
	us OFF them OFF king OFF checked OFF prize OFF
	0 pinned[] #squares CELLS ERASE
;

\ --- insufficient material -------------------------------------------------------------------------

VARIABLE play-on?
: dead-positions=drawn ( -- ) play-on? OFF ;    \ a position in which no player can be mated is a draw (default)
: dead-positions=played ( -- ) play-on? ON ;    \ the game continues, as in published counts of moves

\ No player can be mated if the only pieces besides the kings are one knight, or bishops on squares of one
\ colour.  Bishops count as 1 or 2 by colour, knights as 4 each, all other pieces as 8.
: colour-of ( pos -- 1|2 ) DUP rank-of SWAP file-of + 2 MOD 1+ ;
: count-force ( n pos -- n' )
	DUP piece-type-at
	DUP BISHOP = IF DROP colour-of OR ELSE
	SWAP DROP
	DUP KNIGHT = IF DROP 4 + ELSE
	DUP 0= SWAP KING = OR NOT IF 8 OR ENDIF ENDIF ENDIF
;
: enough? ( n -- ? ) DUP 3 = SWAP 4 > OR ;
: insufficient-material? ( -- ? )
	0 0                                     ( n pos )
	BEGIN 2DUP #squares < SWAP enough? NOT AND WHILE DUP >R count-force R> 1+ REPEAT
	DROP enough? NOT
;
: dead? ( -- ? ) play-on? @ IF FALSE ELSE insufficient-material? ENDIF ;

\ --- the end ---------------------------------------------------------------------------------------

: checked? ( -- ? ) current-player side in-check? ;

: OnIsGameOver ( -- result )
	stalemate? IF
		checked? IF #LossScore ELSE #DrawScore ENDIF
	ELSE
		clock @ 99 > repeated? OR dead? OR IF #DrawScore ELSE #UnknownScore ENDIF
	ENDIF
;

\ Announcements to the players.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: OnAnnounce ( -- ) checked? IF current-player .player ."  is in check" CR ENDIF ;
