\ The score of a position for the current player of the article's engine, with the article's points and weights.

: by-owner ( pos own other -- own | other )      \ depending on the owner of the piece on pos
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
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK steps-between + ENDIF LOOP
	SWAP DROP
;

: wizard-worth ( pos -- n )             \ a stone in line endangers the wizard
	DUP stones-in-line OVER -500 100 by-owner *
	SWAP 9000 -3000 by-owner +
;
: dwarf-worth ( pos -- n ) 300 -100 by-owner ;
: troll-worth ( pos -- n ) DUP steps-to-stones SWAP -30 10 by-owner * ;

: worth ( pos -- n )
	DUP piece-type-at
	DUP WIZARD = IF DROP wizard-worth ELSE
	DUP DWARF  = IF DROP dwarf-worth ELSE
	TROLL = IF troll-worth ELSE DROP 0 ENDIF ENDIF ENDIF
;
: evaluate ( -- score ) find-stones 0 #arena 0 DO I arena[] @ worth + LOOP ;

\ --- For the built-in search ---
\ The search negates a score between two players that are not friends.  Between two teams the cleaner has a turn, and
\ the score must be negated once, not twice.  So the cleaner is a friend of the player before it, not of the player
\ after it.  A score from the cleaner's point of view has no meaning, so the search does not stop at its turn.
\ The built-in search treats the next team as the only enemy, even with four teams; custom-engine.4th does not.
: OnFriends? ( player next -- ? ) DUP cleaner = IF 2DROP TRUE ELSE = ENDIF ;
: OnIsTerminal? ( -- ? ) current-player cleaner <> ;
