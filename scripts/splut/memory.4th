\ What a game remembers besides the squares: who moved which stone, what flies, who has thrown.

\ A move is compiled, not made: the board does not change while it is put together.  To write into the
\ memory when the move is made, `note` compiles the two numbers and a call of `put` into it.
\ The words that begin with a bracket edit the board at once and keep its hash key.
: put ( piece pos -- )
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	(add-piece)
;
: note ( piece pos -- ) SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE put ;

: my ( type -- piece ) current-player OR ;

\ --- Who moved a stone ------------------------------------------------------------------------------

\ With lock=round a stone's memory holds a lock of its last mover, until the cleaner comes.  The other rules must
\ know every team that moved the stone in its latest turn: a set.  One piece can say it: its owner is the
\ first team of the set, its type says who of the later teams belongs to it, counting down from lock: they are
\ three at most, eight cases.  So a set of one team is again a lock of that team.
: unpack ( piece -- set )
	DUP #PieceType AND LOCK SWAP - 2* 1+    ( piece set ) \ as if its first team were the first of all
	SWAP player-index
	BEGIN DUP 0> WHILE SWAP 2* SWAP 1- REPEAT
	DROP
;
: pack ( set -- piece )                 \ not for the empty set
	#PlayerBase SWAP
	BEGIN DUP 1 AND 0= WHILE 2/ SWAP #PlayerBase + SWAP REPEAT
	2/ LOCK SWAP - OR
;
: movers ( pos -- set ) piece-at DUP IF unpack ENDIF ;

: memory ( type -- pos ) SSTONE - sstone-by + ;
: with-me ( pos -- piece )
	lock-rule @ IF movers current-player team-bit OR pack ELSE DROP LOCK my ENDIF
;
: remember ( type -- ) memory DUP with-me SWAP note ;
: remember-at ( pos -- ) piece-type-at DUP stone-type? IF remember ELSE DROP ENDIF ;

\ --- Locked stones ----------------------------------------------------------------------------------

: team-before ( player -- player' ) DUP #PlayerBase = IF DROP 4 #PlayerBase * ELSE #PlayerBase - ENDIF ;
: previous ( -- player )                \ who had the turn before, of those who are still in the game
	current-player
	BEGIN team-before DUP alive? OVER current-player = OR UNTIL
;
: all-others ( -- set ) alive @ current-player team-bit INVERT AND ;
: lockers ( -- set )                    \ whose moves lock a stone for the current player
	lock-rule @ 1 = IF previous team-bit ELSE TRUE ENDIF all-others AND
;
: locked? ( type -- ? )
	memory lock-rule @ IF movers lockers AND 0<> ELSE enemy-at? ENDIF
;

\ --- Levitation and throws --------------------------------------------------------------------------

\ One stone a turn may be levitated, in successive steps.
: casting? ( -- ? ) spell friend-at? ;
: may-fly? ( type -- ? )
	DUP locked?
	IF DROP FALSE ELSE casting? IF spell piece-type-at = ELSE DROP TRUE ENDIF ENDIF
;
: fly ( type -- ) DUP remember my spell note ;
: end-spell ( -- ) casting? IF LOCK my spell note ENDIF ;

\ A throw ends the turn: no move word goes past this any more, and the passes are forced.
: may-act ( -- ) thrown friend-at? NOT verify ;

\ --- Forgetting -------------------------------------------------------------------------------------

\ With lock=round the cleaner wipes everything, once a round: see `sweep`.  Otherwise a team that begins a turn
\ forgets what it did in its last one.
: wipe ( pos -- ) DUP not-empty-at? IF (remove-piece) ELSE DROP ENDIF ;
: leave-set ( team pos -- )             \ takes a team out of a stone's memory
	DUP movers ROT team-bit INVERT AND      ( pos set )
	OVER wipe
	DUP IF pack SWAP (add-piece) ELSE 2DROP ENDIF
;
: leave-mark ( team pos -- ) DUP owner-at ROT = IF wipe ELSE DROP ENDIF ;
: forget ( team -- )
	spell sstone-by DO DUP I leave-set LOOP
	DUP spell leave-mark
	thrown leave-mark
;

\ --- Quiet turns --------------------------------------------------------------------------------------

\ The upper half of a cell of the board is an attribute, free for a game to use: the broom's counts the turns
\ without an elimination, if there is a limit of them.  Set up without a broom the game gets one.
5 #PlayerBase * CONSTANT cleaner        \ the fifth player
65536 CONSTANT #attribute
: quiet-turns ( -- n ) shed piece-at DUP #PiecePlayer AND - #attribute / ;
: quiet-turns! ( n -- )
	shed empty-at? IF cleaner BROOM OR shed (add-piece) ENDIF
	#attribute * shed piece-at #PiecePlayer AND OR shed board[] !
;
