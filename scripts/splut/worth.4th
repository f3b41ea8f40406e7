\ The score of a position for the current player of the article's engine, with the article's points and weights.

: side ( pos own other -- own | other )          \ depending on the owner of the piece on pos
	ROT friend-at? IF DROP ELSE SWAP DROP ENDIF
;

: in-line? ( pos pos' -- ? )
	2DUP row-of SWAP row-of = >R
	column-of SWAP column-of = R> OR
;
: stones-in-line ( pos -- n )
	0
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK in-line? IF 1+ ENDIF ENDIF LOOP
	SWAP DROP
;
: steps-to-stones ( pos -- n )
	0
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK apart + ENDIF LOOP
	SWAP DROP
;

: wizard-worth ( pos -- n )             \ a stone in line endangers the wizard
	DUP stones-in-line OVER -500 100 side *
	SWAP 9000 -3000 side +
;
: dwarf-worth ( pos -- n ) 300 -100 side ;
: troll-worth ( pos -- n ) DUP steps-to-stones SWAP -30 10 side * ;

: worth ( pos -- n )
	DUP piece-type-at
	DUP WIZARD = IF DROP wizard-worth ELSE
	DUP DWARF  = IF DROP dwarf-worth ELSE
	TROLL = IF troll-worth ELSE DROP 0 ENDIF ENDIF ENDIF
;
: evaluate ( -- score ) find-stones 0 #arena 0 DO I arena[] @ worth + LOOP ;

\ --- For the built-in search ---
\ The search changes the sign of a score if the next player is not a friend of the last.  The cleaner between two
\ enemies would change it twice, so it counts as a friend of the player before it, not of the player after it.
\ The cleaner's view of a position has no meaning, so the search does not stop at its turn.
\ (With four teams the search treats the next team as the only enemy; the engine below does not.)
: OnFriends? ( player next -- ? ) DUP cleaner = IF 2DROP TRUE ELSE = ENDIF ;
: OnIsTerminal? ( -- ? ) current-player cleaner <> ;
