\ A move word adds only moves after which its own king is not attacked.

LOAD board.4th

: put-cell ( piece pos -- ) board[] ! ;
: safe? ( -- ? )                        \ is the king safe when the piece on `from` stands on `here`?
	here piece-at from piece-at             ( old piece )
	DUP here put-cell 0 from put-cell
	current-player exposed? NOT
	SWAP from put-cell SWAP here put-cell
;
: add ( -- ) testing @ IF test-target ELSE safe? IF from here move add-move ENDIF ENDIF ;
: add-as ( type -- )
	testing @ IF DROP test-target ELSE safe? IF from here move change-type add-move ELSE DROP ENDIF ENDIF
;

LOAD pieces.4th
