\ perpetual-check.4th: repetition while one player gives check with every move.  LOAD perpetual-check.4th

\ It contains repetition.4th.  OnNewGame calls `forget-checks`, OnGenerateMoves `( is the player to move in check? )
\ note-check`, OnForget `clear-checks`.  Then `occurrences @` is how often the position has occurred, and
\ `4 perpetual-check` is the result if it has occurred four times and one player has given check with every move
\ since the first time: this player loses.
LOAD repetition.4th

512 CONSTANT #remembered                \ turns that are remembered; a power of two
#remembered [] keys[]                   \ by turn: a key of the position
#remembered [] checks[]                 \ and in how many of its player's last positions, with this one, it was in check
: remembered ( turn -- i ) [ #remembered 1- ] LITERAL AND ;
: checks-at ( turn -- n ) remembered checks[] @ ;

\ A hash of all pieces (FNV: 16777619 is its 32-bit prime).  Only keys with the same player to move are compared.
: key ( -- n ) 0 $positions @ 0 DO I piece-at XOR 16777619 * LOOP ;

\ Searches write at later turns than the game.  Entries of moves that were taken back are written again before they
\ are read.
: clear-checks ( -- ) 0 keys[] #remembered CELLS ERASE 0 checks[] #remembered CELLS ERASE ;
: forget-checks ( -- ) forget-positions clear-checks ;
: note-check ( ? -- )
	note-position
	key turn-number remembered keys[] !
	IF turn-number 2- checks-at 1+ [ #remembered 2/ 1- ] LITERAL MIN ELSE 0 ENDIF
	turn-number remembered checks[] !
;

\ How often does the position occur among the last n earlier ones of its player?
: repeats-in ( n -- times )
	0 SWAP turn-number                      ( times n turn )
	BEGIN OVER WHILE
		2- SWAP 1- SWAP
		DUP remembered keys[] @ turn-number remembered keys[] @ =
		IF ROT 1+ ROT ROT ENDIF
	REPEAT
	2DROP
;
: checked-through? ( n -- ? )           \ n occurrences, and the player to move in check all the time
	turn-number checks-at DUP IF 1- repeats-in 1+ ENDIF <=
;
: checking-through? ( n -- ? )          \ n occurrences, and the other player in check all the time
	turn-number 1- checks-at repeats-in 1+ <=
;
: perpetual-check ( n -- result )       \ #UnknownScore if neither player or both gave check with every move
	DUP checked-through? SWAP checking-through?
	2DUP = IF 2DROP #UnknownScore EXIT ENDIF
	DROP IF #WinScore ELSE #LossScore ENDIF
;
