\ The memory of the game besides the squares: last movers of stones, levitation, throws.

\ A move is compiled, not made: the board does not change while the move is built.  To write into the
\ memory when the move is made, `note` compiles two numbers and a call of `put` into it.
\ The words whose names are in parentheses edit the board immediately and update its hash key.
: put ( piece pos -- )
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	(add-piece)
;
: note ( piece pos -- ) SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE put ;

: my ( type -- piece ) current-player OR ;

\ --- Last movers of stones --------------------------------------------------------------------------

\ With lock=round a stone's memory is a lock of its last mover, until the cleaner's move.  The other rules need
\ the set of teams that moved the stone in their most recent turn.  One piece encodes the set: its owner is the
\ first team of the set, and its type, counted down from lock, encodes the later teams of the set: at most
\ three, so eight cases.  A set of one team is therefore also a lock of that team.
: unpack ( piece -- set )
	DUP #PieceType AND LOCK SWAP - 2* 1+    ( piece set ) \ the set, shifted so that its first team is bit 0
	SWAP player-index
	BEGIN DUP 0> WHILE SWAP 2* SWAP 1- REPEAT
	DROP
;
: pack ( set -- piece )                 \ the set must not be empty
	#PlayerBase SWAP
	BEGIN DUP 1 AND 0= WHILE 2/ SWAP #PlayerBase + SWAP REPEAT
	2/ LOCK SWAP - OR
;
: movers ( pos -- set ) piece-at DUP IF unpack ENDIF ;

: memory ( type -- pos ) SSTONE - sstone-by + ;
: with-current-team ( pos -- piece )
	lock-rule @ IF movers current-player team-bit OR pack ELSE DROP LOCK my ENDIF
;
: remember ( type -- ) memory DUP with-current-team SWAP note ;
: remember-at ( pos -- ) piece-type-at DUP stone-type? IF remember ELSE DROP ENDIF ;

\ --- Locked stones ----------------------------------------------------------------------------------

: team-before ( player -- player' ) DUP #PlayerBase = IF DROP 4 #PlayerBase * ELSE #PlayerBase - ENDIF ;
: previous ( -- player )                \ the previous player among those that are still in the game
	current-player
	BEGIN team-before DUP alive? OVER current-player = OR UNTIL
;
: all-others ( -- set ) alive @ current-player team-bit INVERT AND ;
: lockers ( -- set )                    \ the teams whose moves lock a stone for the current player
	lock-rule @ 1 = IF previous team-bit ELSE TRUE ENDIF all-others AND
;
: locked? ( type -- ? )
	memory lock-rule @ IF movers lockers AND 0<> ELSE enemy-at? ENDIF
;

\ --- Levitation and throws --------------------------------------------------------------------------

\ One stone per turn may be levitated, in consecutive steps.
: casting? ( -- ? ) spell friend-at? ;
: may-levitate? ( type -- ? )
	DUP locked?
	IF DROP FALSE ELSE casting? IF spell piece-type-at = ELSE DROP TRUE ENDIF ENDIF
;
: note-levitation ( type -- ) DUP remember my spell note ;
: end-spell ( -- ) casting? IF LOCK my spell note ENDIF ;

\ A throw ends the turn: every move word fails here afterwards, so the passes are forced.
: may-act ( -- ) thrown friend-at? NOT verify ;

\ --- Clearing the memory ----------------------------------------------------------------------------

\ With lock=round the cleaner clears everything once a round: see `sweep`.  Otherwise, a team's entries of its
\ last turn are removed when its next turn begins.
: remove-any ( pos -- ) DUP not-empty-at? IF (remove-piece) ELSE DROP ENDIF ;
: leave-set ( team pos -- )             \ removes a team from a stone's memory
	DUP movers ROT team-bit INVERT AND      ( pos set )
	OVER remove-any
	DUP IF pack SWAP (add-piece) ELSE 2DROP ENDIF
;
: leave-mark ( team pos -- ) DUP owner-at ROT = IF remove-any ELSE DROP ENDIF ;
: forget ( team -- )
	spell sstone-by DO DUP I leave-set LOOP
	DUP spell leave-mark
	thrown leave-mark
;

\ --- Turns without elimination ------------------------------------------------------------------------

\ The upper half of a cell of the board is an attribute that a game may use: the broom's attribute counts turns
\ without an elimination, if they are limited.  A position that is set up without a broom gets one.
5 #PlayerBase * CONSTANT cleaner        \ the fifth player
65536 CONSTANT #attribute
: quiet-turns ( -- n ) shed piece-at DUP #PiecePlayer AND - #attribute / ;
: quiet-turns! ( n -- )
	shed empty-at? IF cleaner BROOM OR shed (add-piece) ENDIF
	#attribute * shed piece-at #PiecePlayer AND OR shed board[] !
;
