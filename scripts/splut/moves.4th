\ The moves of trolls, dwarfs, wizards and the cleaner.

\ A direction word moves `here` and returns whether there was a neighbour; 'dir is the xt of a direction word.
\ pieces.4th defines the lists of the move words, and the pieces.

: copy-piece ( pos goal -- )            \ the move puts a copy of the piece on pos on goal
	>R DUP owner-at SWAP piece-type-at R> create-player-piece-type-at
;
: carry ( pos goal -- )                 \ the move carries a stone to goal, which must be empty by then
	DUP empty-at? IF move ELSE OVER SWAP copy-piece capture-at ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate do not look at the list, and leave
\ the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves
TRUE CONSTANT hooks-ignore-moves

\ --- All pieces: a step ---
: step ( 'dir -- )
	may-act EXECUTE verify empty? verify
	from here move
	end-spell add-move
;
: step-n ( -- ) ['] north step ;
: step-s ( -- ) ['] south step ;
: step-e ( -- ) ['] east  step ;
: step-w ( -- ) ['] west  step ;

\ --- Troll: pull the stone behind ---
: pull ( 'dir 'opposite -- )
	may-act EXECUTE verify stone? verify
	here SWAP                               ( stone 'dir )
	back EXECUTE verify empty? verify
	from here move                          ( stone )
	DUP from carry
	compile-last-mover-at
	end-spell add-move
;
: pull-n ( -- ) ['] north ['] south pull ;
: pull-s ( -- ) ['] south ['] north pull ;
: pull-e ( -- ) ['] east  ['] west  pull ;
: pull-w ( -- ) ['] west  ['] east  pull ;

\ --- Troll: step onto a stone and throw it, in one move ---

\ The troll has left its square, but the board still shows it there.
: stops-before? ( -- ? )
	from here = IF FALSE ELSE piece-type TROLL = stone? OR ENDIF
;
: landing-square ( 'dir -- goal )       \ the square on which a stone thrown from here lands
	here SWAP
	BEGIN                                   ( goal 'dir )
		DUP EXECUTE IF stops-before? NOT ELSE FALSE ENDIF
		IF SWAP DROP here SWAP wizard? ELSE TRUE ENDIF
	UNTIL
	DROP
;

\ Runs when the throw is made: removes all pieces of the team.
: remove-team ( player -- )
	#arena 0 DO
		I arena[] @ OVER OVER owner-at = IF (remove-piece) ELSE DROP ENDIF
	LOOP
	DROP
	turn-limit @ IF -1 quiet-turns! ENDIF   ( the end of this turn makes it 0 )
;
: hit ( pos -- )
	DUP piece-type-at WIZARD =
	IF owner-at COMPILE-LITERAL COMPILE remove-team ELSE DROP ENDIF
;
: land ( player type goal -- )          \ the end of every throw
	DUP >R OVER >R create-player-piece-type-at
	R> R> hit compile-last-mover                      ( R> R>: type, then goal )
	LOCK my thrown compile-set-memory
	add-move
;
: throw ( 'throw 'go -- )
	may-act EXECUTE verify stone? verify
	here SWAP landing-square                ( stone goal )
	2DUP <> verify
	from 2 PICK move
	SWAP DUP owner-at SWAP piece-type-at ROT
	land
;
\ Sixteen words: the direction to the stone first, then the direction of the throw.
: throw-nn ( -- ) ['] north ['] north throw ;
: throw-ns ( -- ) ['] south ['] north throw ;
: throw-ne ( -- ) ['] east  ['] north throw ;
: throw-nw ( -- ) ['] west  ['] north throw ;
: throw-sn ( -- ) ['] north ['] south throw ;
: throw-ss ( -- ) ['] south ['] south throw ;
: throw-se ( -- ) ['] east  ['] south throw ;
: throw-sw ( -- ) ['] west  ['] south throw ;
: throw-en ( -- ) ['] north ['] east  throw ;
: throw-es ( -- ) ['] south ['] east  throw ;
: throw-ee ( -- ) ['] east  ['] east  throw ;
: throw-ew ( -- ) ['] west  ['] east  throw ;
: throw-wn ( -- ) ['] north ['] west  throw ;
: throw-ws ( -- ) ['] south ['] west  throw ;
: throw-we ( -- ) ['] east  ['] west  throw ;
: throw-ww ( -- ) ['] west  ['] west  throw ;

\ --- Troll: step onto a stone and throw it in two moves, with throw=partial ---

\ The first move is partial: it takes the stone off the board, into the memory, and requires a second move
\ of the type `hurling`.  There always is one, since the troll's former square is empty.
DEFER HURLING
: take ( 'go -- )
	may-act EXECUTE verify stone? verify
	HURLING partial-move-type
	from here move
	piece thrown compile-set-memory
	add-move
;
: take-n ( -- ) ['] north take ;
: take-s ( -- ) ['] south take ;
: take-e ( -- ) ['] east  take ;
: take-w ( -- ) ['] west  take ;

: hurl ( 'dir -- )
	thrown piece-type-at stone-type? verify
	landing-square DUP from <> verify       ( goal )
	thrown owner-at thrown piece-type-at ROT
	land
;
: hurl-n ( -- ) ['] north hurl ;
: hurl-s ( -- ) ['] south hurl ;
: hurl-e ( -- ) ['] east  hurl ;
: hurl-w ( -- ) ['] west  hurl ;

\ --- Dwarf: push a row of pieces ---
: push ( 'dir -- )
	may-act DUP EXECUTE verify not-empty? verify
	here SWAP                               ( first 'dir )
	BEGIN DUP EXECUTE verify empty? UNTIL   ( ends the move word where the row reaches the edge )
	OVER to from here move
	BEGIN
		here OVER EXECUTE DROP              ( first 'dir pos )
		DUP here copy-piece compile-last-mover-at
		empty?
	UNTIL
	2DROP end-spell add-move
;
: push-n ( -- ) ['] north push ;
: push-s ( -- ) ['] south push ;
: push-e ( -- ) ['] east  push ;
: push-w ( -- ) ['] west  push ;

\ --- Wizard: a step, and a stone on any square moves in the same direction ---
VARIABLE wizard-goal
: lift-one ( 'dir type -- )             \ adds the move of this stone, if it has a goal
	DUP stone-pos-of @ to
	SWAP EXECUTE empty? from here = OR AND
	IF from wizard-goal @ move DUP stone-pos-of @ here carry compile-levitation add-move ELSE DROP ENDIF
;
: lift ( 'dir -- )                      \ one word adds up to four moves
	may-act DUP EXECUTE verify empty? verify
	here wizard-goal !
	ESTONE 1+ SSTONE DO
		I stone-pos-of @ 0< NOT IF I may-levitate? IF DUP I lift-one ENDIF ENDIF
	LOOP
	DROP
;
: lift-n ( -- ) ['] north lift ;
: lift-s ( -- ) ['] south lift ;
: lift-e ( -- ) ['] east  lift ;
: lift-w ( -- ) ['] west  lift ;

\ --- Wizard: step onto a stone, which is levitated onward ---
: shove ( 'dir -- )
	may-act DUP EXECUTE verify stone? verify
	piece-type may-levitate? verify
	here SWAP EXECUTE verify empty? verify  ( stone )
	from OVER move
	DUP here copy-piece
	piece-type-at compile-levitation add-move
;
: shove-n ( -- ) ['] north shove ;
: shove-s ( -- ) ['] south shove ;
: shove-e ( -- ) ['] east  shove ;
: shove-w ( -- ) ['] west  shove ;

\ --- Cleaner: clear all memory, once a round ---
\ The cleaner always has one move.  If the memory is empty, the move is a pass, because a move without edits has no
\ text.
: sweep ( -- )
	FALSE
	thrown 1+ sstone-by DO
		I not-empty-at? IF DROP TRUE I capture-at ENDIF
	LOOP
	IF add-move ELSE Pass ENDIF
;
