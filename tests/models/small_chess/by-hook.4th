\ Move words add all moves.  OnMovesGenerated tries each on a clone of the board and removes those after which the
\ player's king is attacked.

LOAD board.4th

: add ( -- ) testing @ IF test-target ELSE from here move add-move ENDIF ;
: add-as ( type -- ) testing @ IF DROP test-target ELSE from here move change-type add-move ENDIF ;

LOAD pieces.4th

: unsafe? ( move -- ? ) $CloneBoard .moveCFA EXECUTE current-player exposed? $DeallocateBoard ;
: remove-unsafe ( -- )
	$FirstMove BEGIN DUP WHILE DUP unsafe? IF DUP $RemoveMove ENDIF $NextMove REPEAT DROP
;
: clear-test ( -- ) target OFF hit OFF attacker OFF ; \ equal memory: the kernel may reuse the list
: OnMovesGenerated ( -- ) remove-unsafe clear-test ;
