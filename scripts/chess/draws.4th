\ Draws, and the end of the game.

\ --- fifty moves, and positions that come back -----------------------------------------------------

\ A key of all that stands on the board and beside it.  The player to move is not in it: keys are compared
\ with those of the same player only.
: key ( -- n ) 0 $positions @ 0 DO I piece-at XOR 16777619 * LOOP ;

\ The key of each position on the way here, by turn number.  It is no part of the board and need not be
\ taken back: a search writes only where its own turns are, behind all that the game has come through.
256 [] keys[]
: key-of ( turn -- addr ) 255 AND keys[] ;

\ These two are compiled into moves, before their edits.  After a move of a pawn or a capture no earlier
\ position can come back: only those count that the clock reaches back to.
: tick ( -- ) key turn-number key-of ! clock ++ ;
: fresh ( -- ) clock OFF ;

\ How often has this position stood during the last n moves?
: times-among ( n -- times )
	0 key ROT                               ( times key n )
	turn-number SWAP - turn-number 4 - DO
		I key-of @ OVER = IF SWAP 1+ SWAP ENDIF
	-2 +LOOP
	DROP
;

\ The third time?  Two moves of each side are the least for a position to come back.
: calm-moves ( -- n ) clock @ turn-number 1- MIN ;
: repeated? ( -- ? ) calm-moves DUP 8 < IF DROP FALSE ELSE times-among 1 > ENDIF ;

\ The host compares positions without what is cleared here.  Of the way to a position it matters only how
\ often it has stood before; the rest is worked out anew for each list of moves.
: times-before ( -- times ) calm-moves DUP 4 < IF DROP 0 ELSE times-among ENDIF ;
: OnForget ( -- )
	times-before 0 keys[] 256 CELLS ERASE 0 keys[] !
	us OFF them OFF king OFF checked OFF prize OFF
	0 pinned[] #squares CELLS ERASE
;

\ --- too little material ---------------------------------------------------------------------------

VARIABLE play-on?
: dead-positions=drawn ( -- ) play-on? OFF ;    \ where nobody can be mated any more the game is drawn (default)
: dead-positions=played ( -- ) play-on? ON ;    \ it goes on, as in published counts of moves

\ Nobody can be mated where there is, besides the kings, one knight at most, or bishops on squares of one
\ colour only.  Bishops are noted as 1 and 2, knights counted as 4 each, all else is 8.
: colour-of ( pos -- 1|2 ) DUP rank-of SWAP file-of + 2 MOD 1+ ;
: note-force ( n pos -- n' )
	DUP piece-type-at
	DUP BISHOP = IF DROP colour-of OR ELSE
	SWAP DROP
	DUP KNIGHT = IF DROP 4 + ELSE
	DUP 0= SWAP KING = OR NOT IF 8 OR ENDIF ENDIF ENDIF
;
: enough? ( n -- ? ) DUP 3 = SWAP 4 > OR ;
: barren? ( -- ? )
	0 0                                     ( n pos )
	BEGIN 2DUP #squares < SWAP enough? NOT AND WHILE DUP >R note-force R> 1+ REPEAT
	DROP enough? NOT
;
: dead? ( -- ? ) play-on? @ IF FALSE ELSE barren? ENDIF ;

\ --- the end ---------------------------------------------------------------------------------------

: checked? ( -- ? ) current-player side in-check? ;

: OnIsGameOver ( -- result )
	stalemate? IF
		checked? IF #LossScore ELSE #DrawScore ENDIF
	ELSE
		clock @ 99 > repeated? OR dead? OR IF #DrawScore ELSE #UnknownScore ENDIF
	ENDIF
;

\ What players are told when it becomes true.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: OnAnnounce ( -- ) checked? IF current-player .player ."  is in check" CR ENDIF ;
