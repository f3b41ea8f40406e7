\ The memory of the game besides the squares: last movers of stones, levitation, throws.

\ A move word compiles the move: the board does not change until the move is made.  `compile-set-memory` compiles
\ two numbers and a call of `set-memory` into the move, which writes the memory when the move is made.
\ The library words whose names are in parentheses edit the board immediately and update its hash key.
: set-memory ( piece pos -- )
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	(add-piece)
;
: compile-set-memory ( piece pos -- ) SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE set-memory ;

: my ( type -- piece ) current-player OR ;      \ a piece of the current player

\ --- Last movers of stones --------------------------------------------------------------------------

\ Each stone has a memory position.  With lock=round it contains a lock (a type of piece) that is owned by the stone's
\ last mover, until the cleaner removes it.  The other rules need the set of teams that moved the stone in their
\ most recent turn.  One piece encodes the set.  Its owner is the first team of the set.  Its type is the type of lock
\ minus a number from 0 to 7, whose three bits are the teams after the first one.  So a set of one team is a lock.
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

: memory-of ( type -- pos ) SSTONE - sstone-by + ;
: with-current-team ( pos -- piece )
	lock-rule @ IF movers current-player team-bit OR pack ELSE DROP LOCK my ENDIF
;
: compile-last-mover ( type -- ) memory-of DUP with-current-team SWAP compile-set-memory ;
: compile-last-mover-at ( pos -- ) piece-type-at DUP stone-type? IF compile-last-mover ELSE DROP ENDIF ;

\ --- Locked stones ----------------------------------------------------------------------------------

: team-before ( player -- player' ) DUP #PlayerBase = IF DROP 4 #PlayerBase * ELSE #PlayerBase - ENDIF ;
: previous-team ( -- player )           \ the team that moved before the current one, eliminated teams excluded
	current-player
	BEGIN team-before DUP alive? OVER current-player = OR UNTIL
;
: all-others ( -- set ) alive @ current-player team-bit INVERT AND ;
: lockers ( -- set )                    \ the teams whose moves lock a stone for the current player
	lock-rule @ 1 = IF previous-team team-bit ELSE TRUE ENDIF all-others AND
;
: locked? ( type -- ? )
	memory-of lock-rule @ IF movers lockers AND 0<> ELSE enemy-at? ENDIF
;

\ --- Levitation and throws --------------------------------------------------------------------------

\ One stone per turn may be levitated, in consecutive steps.  `spell` contains a copy of the stone, with the current
\ player as owner.  A step without levitation replaces the copy by a lock, so that no stone can be levitated.
: levitating? ( -- ? ) spell friend-at? ;
: may-levitate? ( type -- ? )
	DUP locked?
	IF DROP FALSE ELSE levitating? IF spell piece-type-at = ELSE DROP TRUE ENDIF ENDIF
;
: compile-levitation ( type -- ) DUP compile-last-mover my spell compile-set-memory ;
: end-spell ( -- ) levitating? IF LOCK my spell compile-set-memory ENDIF ;

\ A throw ends the turn: every move word fails here afterwards, so the passes are forced.
: may-act ( -- ) thrown friend-at? NOT verify ;

\ --- Clearing the memory ----------------------------------------------------------------------------

\ With lock=round the cleaner clears the complete memory once a round: see `sweep` in moves.4th.  With the other rules,
\ the memory of a team's turn is removed when its next turn begins.
: remove-any ( pos -- ) DUP not-empty-at? IF (remove-piece) ELSE DROP ENDIF ;
: remove-from-set ( team pos -- )       \ removes a team from a stone's memory
	DUP movers ROT team-bit INVERT AND      ( pos set )
	OVER remove-any
	DUP IF pack SWAP (add-piece) ELSE 2DROP ENDIF
;
: remove-mark ( team pos -- ) DUP owner-at ROT = IF remove-any ELSE DROP ENDIF ;
: forget-last-turn ( team -- )
	spell sstone-by DO DUP I remove-from-set LOOP
	DUP spell remove-mark
	thrown remove-mark
;

\ --- Turns without elimination ------------------------------------------------------------------------

\ The upper half of a cell of the board is an attribute that a game may use.  With max-turns the attribute of the
\ cleaner's broom counts the turns without an elimination.  If a position was set up without a broom, one is added.
5 #PlayerBase * CONSTANT cleaner        \ the fifth player
65536 CONSTANT #attribute
: quiet-turns ( -- n ) shed piece-at DUP #PiecePlayer AND - #attribute / ;
: quiet-turns! ( n -- )
	shed empty-at? IF cleaner BROOM OR shed (add-piece) ENDIF
	#attribute * shed piece-at #PiecePlayer AND OR shed board[] !
;
