\ Splut!: four teams of wizard, dwarf and troll; throw a stone at every other wizard.

\ Game by Tommy De Coninck (2009), for non-commercial use: see README.md.  This is the four-player game
\ with the rules called `article`; splut-duel.4th and splut-random.4th load it and change players and set-up.
\ The file is meant to be read from top to bottom:
\   1 board   2 what is where   3 memory   4 moves   5 lists, pieces   6 the end   7 worth   8 engine   9 players

\ === 1 Board =======================================================================================

\ The arena is a diamond of 41 squares inside a grid of 9 by 9.  The positions after the grid are no squares:
\ pieces on them are the game's memory.  So the memory is part of the position, is copied, hashed and
\ taken back with it, and a search needs to know nothing about it.
{board
	9 9 {grid}
	{position} shed                 \ the cleaner keeps a broom here
	{dummy-positions}               \ what follows is never visited by move generation
	{position} sstone-by            \ a lock of the player who moved this stone last
	{position} wstone-by
	{position} nstone-by
	{position} estone-by
	{position} spell                \ a player's mark: the stone he is levitating, or a lock if he has ended it
	{position} thrown               \ a lock of the player whose turn was ended by a throw
board}

81 CONSTANT #grid
41 CONSTANT #arena

\ A link that leads out of the diamond is cut, so that no word below has to look where the board ends.
{directions
	-1  0 {direction} north
	 1  0 {direction} south
	 0  1 {direction} east
	 0 -1 {direction} west
	{unlink} north a5 {unlink} north b6 {unlink} north c7 {unlink} north d8
	{unlink} north f8 {unlink} north g7 {unlink} north h6 {unlink} north i5
	{unlink} south a5 {unlink} south b4 {unlink} south c3 {unlink} south d2
	{unlink} south f2 {unlink} south g3 {unlink} south h4 {unlink} south i5
	{unlink} east  e9 {unlink} east  f8 {unlink} east  g7 {unlink} east  h6
	{unlink} east  h4 {unlink} east  g3 {unlink} east  f2 {unlink} east  e1
	{unlink} west  e9 {unlink} west  d8 {unlink} west  c7 {unlink} west  b6
	{unlink} west  b4 {unlink} west  c3 {unlink} west  d2 {unlink} west  e1
directions}

: row-of ( pos -- n ) 9 / ;
: column-of ( pos -- n ) 9 MOD ;
: apart ( pos pos' -- n )               \ steps from one to the other
	2DUP row-of SWAP row-of - ABS >R
	column-of SWAP column-of - ABS R> +
;

\ The squares of the arena in a table, filled once, while the script loads.
#arena [] arena[]
: lay-out ( -- )
	0
	#grid 0 DO
		I e5 apart 4 > NOT IF I OVER arena[] ! 1+ ENDIF
	LOOP
	DROP
;
lay-out

\ === 2 What is where ===============================================================================

\ Pieces are defined below, with their moves; until then DEFER stands for their numbers.
DEFER SSTONE
DEFER ESTONE
DEFER WIZARD
DEFER DWARF
DEFER TROLL
DEFER LOCK

: stone-type? ( type -- ? ) DUP SSTONE >= SWAP ESTONE <= AND ;
: stone? ( -- ? ) piece-type stone-type? ;
: wizard? ( -- ? ) piece-type WIZARD = ;
: owner-at ( pos -- player ) piece-at #Player AND ;

\ Where the four stones are, or -1.  Worked out anew from the board whenever it is wanted, so it is no part
\ of the position and may lie outside of it.
4 [] stone-pos[]
: place ( type -- addr ) SSTONE - stone-pos[] ;
: find-stones ( -- )
	4 0 DO -1 I stone-pos[] ! LOOP
	#arena 0 DO
		I arena[] @ DUP piece-type-at
		DUP stone-type? IF place ! ELSE 2DROP ENDIF
	LOOP
;

\ The engine runs this word before it generates a list.
: OnGenerateMoves ( -- ) find-stones ;

\ === 3 Memory ======================================================================================

\ A move is compiled, not made: the board does not change while it is put together.  To write into the
\ memory when the move is made, `note` compiles the two numbers and a call of `put` into it.
\ The words that begin with a bracket edit the board at once and keep its hash key.
: put ( piece pos -- )
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	(add-piece)
;
: note ( piece pos -- ) SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE put ;

: my ( type -- piece ) current-player OR ;

\ Who moved a stone last?  It is locked for all others until the cleaner comes.
: memory ( type -- pos ) SSTONE - sstone-by + ;
: remember ( type -- ) LOCK my SWAP memory note ;
: remember-at ( pos -- ) piece-type-at DUP stone-type? IF remember ELSE DROP ENDIF ;
: locked? ( type -- ? ) memory enemy-at? ;

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

\ === 4 Moves =======================================================================================

\ A direction word moves `here` and tells whether there was a way; 'dir is its token.

: copy-piece ( pos goal -- )            \ what stands on pos will stand on goal, too
	>R DUP owner-at SWAP piece-type-at R> create-player-piece-type-at
;
: carry ( pos goal -- )                 \ a stone moves; the piece on its goal will have gone by then
	DUP empty-at? IF move ELSE OVER SWAP copy-piece capture-at ENDIF
;

\ --- Any piece: a plain step ---
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
	remember-at
	end-spell add-move
;
: pull-n ( -- ) ['] north ['] south pull ;
: pull-s ( -- ) ['] south ['] north pull ;
: pull-e ( -- ) ['] east  ['] west  pull ;
: pull-w ( -- ) ['] west  ['] east  pull ;

\ --- Troll: go onto a stone and throw it, all in one step ---

\ The thrower has left its square, but the board still shows it there.
: stops-before? ( -- ? )
	from here = IF FALSE ELSE piece-type TROLL = stone? OR ENDIF
;
: flight ( 'dir -- goal )               \ where a stone thrown from here lands
	here SWAP
	BEGIN                                   ( goal 'dir )
		DUP EXECUTE IF stops-before? NOT ELSE FALSE ENDIF
		IF SWAP DROP here SWAP wizard? ELSE TRUE ENDIF
	UNTIL
	DROP
;

\ Runs when the throw is made: takes all that the team has, wherever it stands by then.
: remove-team ( player -- )
	#arena 0 DO
		I arena[] @ OVER OVER owner-at = IF (remove-piece) ELSE DROP ENDIF
	LOOP
	DROP
;
: hit ( pos -- )
	DUP piece-type-at WIZARD =
	IF owner-at COMPILE-LITERAL COMPILE remove-team ELSE DROP ENDIF
;


: throw ( 'throw 'go -- )
	may-act EXECUTE verify stone? verify
	here SWAP flight                        ( stone goal )
	2DUP <> verify
	from 2 PICK move
	2DUP copy-piece
	hit remember-at
	LOCK my thrown note
	add-move
;
\ Sixteen words: the way to the stone first, then the way of the throw.
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

\ --- Dwarf: push a whole row of pieces ---
: push ( 'dir -- )
	may-act DUP EXECUTE verify not-empty? verify
	here SWAP                               ( first 'dir )
	BEGIN DUP EXECUTE verify empty? UNTIL   ( ends the move word where the row reaches the edge )
	OVER to from here move
	BEGIN
		here OVER EXECUTE DROP              ( first 'dir pos )
		DUP here copy-piece remember-at
		empty?
	UNTIL
	2DROP end-spell add-move
;
: push-n ( -- ) ['] north push ;
: push-s ( -- ) ['] south push ;
: push-e ( -- ) ['] east  push ;
: push-w ( -- ) ['] west  push ;

\ --- Wizard: a step, and a stone anywhere steps the same way ---
VARIABLE wizard-goal
: lift-one ( 'dir type -- )             \ adds the move with this stone, if it has a goal
	DUP place @ to
	SWAP EXECUTE empty? from here = OR AND
	IF from wizard-goal @ move DUP place @ here carry fly add-move ELSE DROP ENDIF
;
: lift ( 'dir -- )                      \ one word, up to four moves
	may-act DUP EXECUTE verify empty? verify
	here wizard-goal !
	ESTONE 1+ SSTONE DO
		I place @ 0< NOT IF I may-fly? IF DUP I lift-one ENDIF ENDIF
	LOOP
	DROP
;
: lift-n ( -- ) ['] north lift ;
: lift-s ( -- ) ['] south lift ;
: lift-e ( -- ) ['] east  lift ;
: lift-w ( -- ) ['] west  lift ;

\ --- Wizard: go onto a stone, which is levitated out of the way ---
: shove ( 'dir -- )
	may-act DUP EXECUTE verify stone? verify
	piece-type may-fly? verify
	here SWAP EXECUTE verify empty? verify  ( stone )
	from OVER move
	DUP here copy-piece
	piece-type-at fly add-move
;
: shove-n ( -- ) ['] north shove ;
: shove-s ( -- ) ['] south shove ;
: shove-e ( -- ) ['] east  shove ;
: shove-w ( -- ) ['] west  shove ;

\ --- Cleaner: wipe all memory, once a round ---
\ Its list always has one move.  A move without edits would have no text, so then it is a pass.
: sweep ( -- )
	FALSE
	thrown 1+ sstone-by DO
		I not-empty-at? IF DROP TRUE I capture-at ENDIF
	LOOP
	IF add-move ELSE Pass ENDIF
;

\ Who has no move must pass, as often as he has steps: so does a team that is out of the game.
$passTurnForced ON

\ === 5 Lists of moves, pieces ======================================================================

{moves wizard-moves
	{move} step-n  {move} step-s  {move} step-e  {move} step-w
	{move} lift-n  {move} lift-s  {move} lift-e  {move} lift-w
	{move} shove-n {move} shove-s {move} shove-e {move} shove-w
moves}
{moves dwarf-moves
	{move} step-n {move} step-s {move} step-e {move} step-w
	{move} push-n {move} push-s {move} push-e {move} push-w
moves}
{moves troll-moves
	{move} step-n   {move} step-s   {move} step-e   {move} step-w
	{move} pull-n   {move} pull-s   {move} pull-e   {move} pull-w
	{move} throw-nn {move} throw-ns {move} throw-ne {move} throw-nw
	{move} throw-sn {move} throw-ss {move} throw-se {move} throw-sw
	{move} throw-en {move} throw-es {move} throw-ee {move} throw-ew
	{move} throw-wn {move} throw-ws {move} throw-we {move} throw-ww
moves}
{moves broom-moves
	{move} sweep
moves}

\ The stones must be numbered in a row, in the order of the positions that remember them.
{pieces
	{piece} sstone
	{piece} wstone
	{piece} nstone
	{piece} estone
	{piece} wizard {moves} wizard-moves 4 {value}
	{piece} dwarf  {moves} dwarf-moves  3 {value}
	{piece} troll  {moves} troll-moves  2 {value}
	{piece} broom  {moves} broom-moves
	{piece} lock
pieces}
' sstone IS SSTONE
' estone IS ESTONE
' wizard IS WIZARD
' dwarf  IS DWARF
' troll  IS TROLL
' lock   IS LOCK

\ === 6 The end =====================================================================================

: standing ( -- own others )            \ wizards of the current player, wizards of all others
	0 0
	#arena 0 DO
		I arena[] @ DUP piece-type-at WIZARD =
		IF friend-at? IF SWAP 1+ SWAP ELSE 1+ ENDIF ELSE DROP ENDIF
	LOOP
;

\ Asked for the player about to move: he has won when all wizards are his.  After the throw that decided it
\ he is not about to move but to pass: that is played first.
: last-wizard? ( -- ? ) standing 0= SWAP 0> AND ;
: OnIsGameOver ( -- result )
	#UnknownScore
	last-wizard? thrown friend-at? NOT AND IF DROP #WinScore ENDIF
;

\ === 7 What a position is worth to the current player ==============================================

: side ( pos own other -- n ) ROT friend-at? IF DROP ELSE SWAP DROP ENDIF ;

: in-line? ( pos pos' -- ? )
	2DUP row-of SWAP row-of = >R
	column-of SWAP column-of = R> OR
;
: stones-in-line ( pos -- n )
	0
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK in-line? IF 1+ ENDIF ENDIF LOOP
	SWAP DROP
;
: way-to-stones ( pos -- n )
	0
	4 0 DO I stone-pos[] @ DUP 0< IF DROP ELSE 2 PICK apart + ENDIF LOOP
	SWAP DROP
;

: wizard-worth ( pos -- n )             \ a stone in line is a danger
	DUP stones-in-line OVER -500 100 side *
	SWAP 9000 -3000 side +
;
: dwarf-worth ( pos -- n ) 300 -100 side ;
: troll-worth ( pos -- n ) DUP way-to-stones SWAP -30 10 side * ;

: worth ( pos -- n )
	DUP piece-type-at
	DUP WIZARD = IF DROP wizard-worth ELSE
	DUP DWARF  = IF DROP dwarf-worth ELSE
	TROLL = IF troll-worth ELSE DROP 0 ENDIF ENDIF ENDIF
;
: evaluate ( -- score ) find-stones 0 #arena 0 DO I arena[] @ worth + LOOP ;

\ --- For the built-in search ---
\ It changes the sign of a score where the next player is no friend of the last.  The cleaner between two
\ enemies would change it twice: so he passes for a friend of the player before him, not of the one after.
\ And his view of a position is worth nothing: where it is his turn the search goes on.
\ (With four teams it still takes the next team for the only enemy.  The engine below does not.)
: cleaner ( -- player ) shed owner-at ;
: OnFriends? ( player next -- ? ) DUP cleaner = IF 2DROP TRUE ELSE = ENDIF ;
: OnIsTerminal? ( -- ? ) current-player cleaner <> ;
: OnEvaluate ( -- score ) evaluate ;

\ === 8 The engine ==================================================================================

LOAD custom-engine.4th

\ === 9 Players, turns, set-up ======================================================================

\ A name that begins with a question mark is a random player: the host moves for it.
{players
	{player} South    {search-engine} Custom-Engine
	{player} West     {search-engine} Custom-Engine
	{player} North    {search-engine} Custom-Engine
	{player} East     {search-engine} Custom-Engine
	{player} ?Cleaner {random}
	{neutral} Nobody
players}

\ One step, then two, then always three.
{turn-order
	{turn} South
	{turn} West  {turn} West
	{turn} North {turn} North {turn} North
	{turn} East  {turn} East  {turn} East
	{repeat}
	{turn} ?Cleaner
	{turn} South {turn} South {turn} South
	{turn} West  {turn} West  {turn} West
	{turn} North {turn} North {turn} North
	{turn} East  {turn} East  {turn} East
turn-order}

\ At the start every team counts as the last mover of its own stone.
{board-setup
	{setup} Nobody sstone e1
	{setup} South wizard d2 {setup} South dwarf e2 {setup} South troll f2
	{setup} Nobody wstone a5
	{setup} West wizard b6 {setup} West dwarf b5 {setup} West troll b4
	{setup} Nobody nstone e9
	{setup} North wizard f8 {setup} North dwarf e8 {setup} North troll d8
	{setup} Nobody estone i5
	{setup} East wizard h4 {setup} East dwarf h5 {setup} East troll h6
	{setup} South lock sstone-by
	{setup} West lock wstone-by
	{setup} North lock nstone-by
	{setup} East lock estone-by
	{setup} ?Cleaner broom shed
board-setup}
