\ Draws, and the end of the game.

\ --- fifty moves, and repetition -------------------------------------------------------------------

\ A hash of all pieces and marks (FNV: 16777619 is its 32-bit prime).  It does not include the player to move, because
\ two keys are only compared if the same player is to move in both positions.
: key ( -- n ) 0 $positions @ 0 DO I piece-at XOR 16777619 * LOOP ;

\ The key of each earlier position by turn number.  The keys are not part of the board, so taking back a move does not
\ restore them.  That is not needed: a search writes only at turn numbers after those of the game.
256 [] keys[]
: key-of ( turn -- addr ) 255 AND keys[] ;

\ Each move calls one of these two words before its edits.  A position before a pawn move or a capture cannot occur
\ again, so only the positions since then are compared; the clock counts them.
: tick ( -- ) key turn-number key-of ! clock ++ ;
: reset-clock ( -- ) clock OFF ;

\ How often did the current position occur during the last n plies?
: occurrences-in-last ( n -- times )
	0 key ROT                               ( times key n )
	turn-number SWAP - turn-number 4 - DO
		I key-of @ OVER = IF SWAP 1+ SWAP ENDIF
	-2 +LOOP
	DROP
;

\ Is it the third occurrence?  A position can occur again after two moves of each side at the earliest.
: comparable-plies ( -- n ) clock @ turn-number 1- MIN ;
: repeated? ( -- ? ) comparable-plies DUP 8 < IF DROP FALSE ELSE occurrences-in-last 1 > ENDIF ;

\ The host ignores the variables cleared here when it compares positions.  Of the earlier positions only the number
\ of occurrences matters; the other values are computed for each move list.
: earlier-occurrences ( -- times ) comparable-plies DUP 4 < IF DROP 0 ELSE occurrences-in-last ENDIF ;
: OnForget ( -- )
	earlier-occurrences 0 keys[] 256 CELLS ERASE 0 keys[] !
	us OFF them OFF king OFF checked OFF best-capture OFF
	0 pinned[] #squares CELLS ERASE
;

\ --- insufficient material -------------------------------------------------------------------------

VARIABLE play-dead-positions?
: dead-positions=drawn ( -- ) play-dead-positions? OFF ; \ a position where no player can be mated is a draw (default)
: dead-positions=played ( -- ) play-dead-positions? ON ; \ the game continues, as in published counts of moves

\ No player can be mated if the only pieces besides the kings are one knight, or bishops on squares of one
\ colour.  `n` is the sum of 4 for each knight, combined by OR with 1 or 2 if there are bishops on squares of that
\ colour, and with 8 if there are other pieces.
: colour-of ( pos -- 1|2 ) DUP rank-of SWAP file-of + 2 MOD 1+ ;
: count-force ( n pos -- n' )
	DUP piece-type-at
	DUP BISHOP = IF DROP colour-of OR ELSE
	SWAP DROP
	DUP KNIGHT = IF DROP 4 + ELSE
	DUP 0= SWAP KING = OR NOT IF 8 OR ENDIF ENDIF ENDIF
;
\ 0 is no piece, 1 and 2 are bishops of one colour, 4 is one knight; every other n is enough.
: enough-force? ( n -- ? ) DUP 3 = SWAP 4 > OR ;
: insufficient-material? ( -- ? )
	0 0                                     ( n pos )
	BEGIN 2DUP #squares < SWAP enough-force? NOT AND WHILE DUP >R count-force R> 1+ REPEAT
	DROP enough-force? NOT
;
: dead? ( -- ? ) play-dead-positions? @ IF FALSE ELSE insufficient-material? ENDIF ;

\ --- the end ---------------------------------------------------------------------------------------

: mover-in-check? ( -- ? ) current-player set-sides in-check? ;

\ The words after ^" say why the game has ended.
: OnIsGameOver ( -- result )
	stalemate? IF
		mover-in-check? IF ^" checkmate" #LossScore ELSE ^" stalemate" #DrawScore ENDIF
	ELSE
		clock @ 99 > IF ^" fifty moves without a capture or a pawn move" #DrawScore ELSE
		repeated? IF ^" the position has occurred three times" #DrawScore ELSE
		dead? IF ^" a dead position: no player can be checkmated" #DrawScore ELSE
			#UnknownScore
		ENDIF ENDIF ENDIF
	ENDIF
;

\ Announcements to the players.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: OnAnnounce ( -- ) mover-in-check? IF current-player .player ."  is in check" CR ENDIF ;
