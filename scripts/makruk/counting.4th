\ Counting.

\ Without pawns on the board moves are counted, and the game is drawn when the count exceeds its limit.
: how-many ( piece -- n ) 0 board[] 64 $CountCells ;
: men-of ( player -- n ) 0 64 0 DO OVER I player-at = IF 1+ ENDIF LOOP SWAP DROP ;
: pawns? ( -- ? ) White pawn OR how-many Black pawn OR how-many OR ;
: bare? ( player -- ? ) men-of 1 = ;
: all-men ( -- n ) White men-of Black men-of + ;

\ The limit in moves against a king alone, by the pieces of the other player.
: moves-to-mate ( player -- n )
	DUP rook OR how-many
	DUP 1 > IF 2DROP 8 EXIT ENDIF
	IF DROP 16 EXIT ENDIF
	DUP khon OR how-many 1 > IF DROP 22 EXIT ENDIF
	DUP knight OR how-many 1 > IF DROP 32 EXIT ENDIF
	khon OR how-many IF 44 ELSE 64 ENDIF
;
\ The first move of the king that is counted has the number of all pieces on the board plus 1.
: count-against-king ( player -- )
	moves-to-mate 2* limit ! all-men 2* count !
;
: count-for-all ( -- ) 128 limit ! count OFF ;
: begin-count ( player -- )
	DUP opponent bare? IF count-against-king ELSE
	DUP bare? IF opponent count-against-king count -- ELSE DROP count-for-all ENDIF ENDIF
;
\ Each move calls one of these two words with its player when it has been made.
: count-move ( player -- )
	pawns? IF DROP EXIT ENDIF
	limit @ IF DROP count ++ ELSE begin-count ENDIF
;
: count-capture ( player -- )           \ the count begins again when only a king is left
	pawns? IF DROP EXIT ENDIF
	DUP opponent bare? IF count-against-king ELSE count-move ENDIF
;
