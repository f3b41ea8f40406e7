\ A template for search engines: alpha-beta with move ordering, quiescence and a transposition table, for two players.

\ Copy this file to the folder of your script and change it: docs/tutorials/write-an-engine.md explains it step by
\ step.  The script loads it after the game and names Template-Engine as the engine of the players:
\
\     LOAD my-game.4th
\     LOAD engine-template.4th
\     {players
\         {player} White {search-engine} Template-Engine
\         {player} Black {search-engine} Template-Engine
\     players}
\     {turn-order  {turn} White  {turn} Black  turn-order}
\
\ In addition to the engine of that page it supports partial moves, several turns in a row, and forced passes.
\ It does not support dice, more than two players (see scripts/splut/custom-engine.4th), and moves that change
\ script memory outside the board.

\ --- options -------------------------------------------------------------------------------------------------

\ At depth 0 the search continues with the moves of this type (loud moves), until there are none.  Sequences of loud
\ moves must be finite.  If captures of your game have a move type, set it, for example `taking loud-type !`.
VARIABLE loud-type                              \ 0: none, positions are evaluated at depth 0

\ With a limit of positions instead of time, games are repeatable.
VARIABLE nodes                                  \ positions searched for this move
VARIABLE node-limit
: nodes= ( n -- ) node-limit ! ;                \ limit of positions for a move; 0: no limit (default)

8192 CONSTANT #entries                          \ entries of the table, a power of two
60 CONSTANT #plies                              \ longest sequence of moves

\ --- the search stack --------------------------------------------------------------------------------------------

\ Recursive words store their variables in arrays, indexed by the number of moves from the root.
VARIABLE ply
: each-ply ( -- ) #plies 2 + [] ;               \ makes an array of the name that follows
each-ply depths[]       : depth ( -- addr ) ply @ depths[] ;            \ moves still to be made
each-ply turns[]        : this-turn ( -- addr ) ply @ turns[] ;         \ the turn
each-ply partials[]     : this-partial ( -- addr ) ply @ partials[] ;   \ whether a partial move was made
each-ply types[]        : this-type ( -- addr ) ply @ types[] ;         \ the required move type
each-ply movers[]       : mover ( -- addr ) ply @ movers[] ;            \ the player to move
each-ply alphas[]       : alpha ( -- addr ) ply @ alphas[] ;            \ lower bound for the player to move
each-ply betas[]        : beta ( -- addr ) ply @ betas[] ;              \ upper bound for the player to move
each-ply floors[]       : floor ( -- addr ) ply @ floors[] ;            \ alpha at the start of the search of this position
each-ply killers[]      : killer ( -- addr ) ply @ killers[] ;          \ the last move that reached beta on this ply
each-ply table-moves[]  : table-move ( -- addr ) ply @ table-moves[] ;  \ the best move in the table for this position
each-ply checks[]       : check ( -- addr ) ply @ checks[] ;            \ the number stored to identify the position
each-ply entries[]      : entry ( -- addr ) ply @ entries[] @ ;         \ the position's entry in the table

: stop? ( -- ? )
	node-limit @ IF nodes @ node-limit @ < NOT ELSE FALSE ENDIF
	SearchStatus@ #KeepSearching <> OR
;
: open? ( -- ? ) alpha @ beta @ < stop? NOT AND ;

\ --- making and unmaking moves ---------------------------------------------------------------------------------

: generate ( -- ) for-player FALSE of-type $GenerateMoves ;
: save-turn ( -- )
	turn-offset this-turn ! current-player mover !
	$partial @ this-partial ! $ofType @ this-type !
;
\ After a partial move the same player continues if it can; a partial move does not reduce the depth.
: continues? ( -- ? ) $partial @ IF generate move-count 0> $DeallocateMoves ELSE FALSE ENDIF ;
: end-turn ( -- ) continues? IF depth @ ELSE $partial OFF OnNextTurn depth @ 1- ENDIF ;
: make ( move | 0 -- )                          \ 0 is a pass of a player without moves
	save-turn $CloneBoard
	$partial OFF DUP IF .moveCFA EXECUTE ELSE DROP ENDIF
	end-turn ply ++ depth !
;
: take-back ( -- )
	ply -- $DeallocateBoard
	this-turn @ $SetTurn this-partial @ $partial ! this-type @ $ofType !
;

\ --- scores ------------------------------------------------------------------------------------------------------

100000000 CONSTANT #won                         \ more than any value of OnEvaluate
200000000 CONSTANT #infinity
: decided ( -- score TRUE | FALSE )             \ earlier wins have higher scores, earlier losses lower scores
	$partial @ IF FALSE ELSE
		OnIsGameOver
		DUP #WinScore = IF DROP #won depth @ + TRUE ELSE
		DUP #LossScore = IF DROP #won depth @ + NEGATE TRUE ELSE
		#DrawScore = IF 0 TRUE ELSE FALSE ENDIF ENDIF ENDIF
	ENDIF
;

\ --- the order of moves --------------------------------------------------------------------------------------------

: id ( move -- n ) .moveType CELLSIZE + @ ;     \ a number that identifies a move
: loud? ( move -- ? ) loud-type @ DUP IF SWAP .moveType @ = ELSE SWAP DROP ENDIF ;
4 CONSTANT #ranks
: rank ( move -- n )                            \ rank 0 is tried first; add ranks for your own rules
	DUP id table-move @ = IF DROP 0 ELSE
	DUP loud? IF DROP 1 ELSE
	id killer @ = IF 2 ELSE 3 ENDIF ENDIF ENDIF
;

\ The engine may change the links of a list that it generated.  Each rank is a linked list.
#ranks [] firsts[]                              \ the first move of each rank
#ranks [] ends[]                                \ the link at the end of each rank, to which the next move is appended
: clear-ranks ( -- ) #ranks 0 DO I firsts[] DUP OFF I ends[] ! LOOP ;
: append ( move rank -- ) OVER OFF 2DUP ends[] @ ! ends[] ! ;
: join ( -- move )                              \ links the end of each rank to the next rank; returns the first move
	0
	#ranks 0 DO #ranks 1- I - SWAP OVER ends[] @ ! firsts[] @ LOOP
;
: in-order ( -- move )
	clear-ranks
	$FirstMove BEGIN DUP WHILE DUP $NextMove SWAP DUP rank append REPEAT DROP
	join
;

\ --- the transposition table ---------------------------------------------------------------------------------------

4 CONSTANT #entry                               \ four cells: check, 4 * depth + kind of the score, score, best move
#entries #entry * [] memory[]
: forget ( -- ) 0 memory[] #entries #entry * CELLS ERASE ;
: .depth ( entry -- addr ) CELLSIZE + ;
: .score ( entry -- addr ) [ 2 CELLS ] LITERAL + ;
: .table-move ( entry -- addr ) [ 3 CELLS ] LITERAL + ;

\ Two numbers identify a position: one selects its entry, the other is stored in the entry and compared.
\ `mix` adds n to two hashes, which use different odd multipliers.
: mix ( a b n -- a' b' ) SWAP OVER + 69069 * ROT ROT XOR 16777619 * SWAP ;
: find-entry ( -- )
	1 1 turn-offset mix $partial @ mix $ofType @ mix
	$board @ $boardSize @ + $board @ DO I @ mix CELLSIZE +LOOP
	65536 / #entries 1- AND                         \ the entry's number: some of the upper bits of a hash
	#entry * memory[] ply @ entries[] !
	check !
;

0 CONSTANT #upper-bound                         \ kind of a score: upper bound,
1 CONSTANT #lower-bound                         \ lower bound,
2 CONSTANT #exact                               \ exact value
: sufficient? ( score kind -- ? )               \ whether a score of this kind is sufficient for this window
	DUP #exact = IF 2DROP TRUE ELSE
	#lower-bound = IF beta @ < NOT ELSE alpha @ > NOT ENDIF ENDIF
;
: recall ( -- score TRUE | FALSE )
	find-entry table-move OFF
	entry @ check @ = IF
		entry .table-move @ table-move !
		entry .depth @ 4 /MOD                   ( kind depth )
		depth @ = IF entry .score @ SWAP OVER SWAP sufficient? ELSE FALSE ENDIF
		DUP NOT IF SWAP DROP ENDIF
	ELSE FALSE ENDIF
;
: kind ( score -- kind )
	DUP beta @ < NOT IF DROP #lower-bound ELSE floor @ > IF #exact ELSE #upper-bound ENDIF ENDIF
;
: remember ( score -- )
	check @ entry !
	DUP kind depth @ 4 * + entry .depth !
	entry .score ! table-move @ entry .table-move !
;

\ --- the search --------------------------------------------------------------------------------------------------

DEFER value                                     \ ( -- score ) of the position, for the player to move

\ If the player to move changes, the bounds are negated and exchanged, and the score is negated.
: other? ( -- ? ) current-player ply @ 1- movers[] @ <> ;
: set-window ( alpha beta -- ) other? IF NEGATE SWAP NEGATE ENDIF beta ! alpha ! ;
: try ( move -- score )
	alpha @ beta @ ROT make set-window
	value other? IF NEGATE ENDIF
	take-back
;
: learn ( move score -- )                       \ stores a better score, and the move that reached it
	stop? NOT OVER alpha @ > AND IF
		alpha ! id DUP table-move !
		alpha @ beta @ < IF DROP ELSE killer ! ENDIF
	ELSE 2DROP ENDIF
;

: quiet? ( -- ? ) depth @ 1 < $partial @ NOT AND ;
: can-go-deeper? ( -- ? ) ply @ #plies < ;      \ whether the arrays have a cell for another ply
: replies ( -- score )
	in-order
	BEGIN DUP IF open? ELSE FALSE ENDIF WHILE
		DUP loud? quiet? NOT OR IF DUP DUP try learn ENDIF
		$NextMove
	REPEAT DROP
	alpha @
;
: stand-pat ( -- ) OnEvaluate alpha @ MAX alpha ! ; \ loud moves are optional, so this is a lower bound
: search-quiet ( -- score ) stand-pat loud-type @ IF replies ELSE alpha @ ENDIF ;
: search-deep ( -- score )
	alpha @ floor !
	move-count IF replies ELSE 0 try alpha @ MAX beta @ MIN ENDIF
	stop? NOT IF DUP remember ENDIF
;
: search-moves ( -- score )
	generate
	decided NOT IF
		can-go-deeper? NOT IF OnEvaluate ELSE quiet? IF search-quiet ELSE search-deep ENDIF ENDIF
	ENDIF
	$DeallocateMoves
;
: search ( -- score )
	nodes ++ $Yield
	quiet? IF table-move OFF FALSE ELSE recall ENDIF
	NOT IF search-moves ENDIF
;
' search IS value

\ --- the root ------------------------------------------------------------------------------------------------------

VARIABLE best
VARIABLE best-move
: consider ( move -- )
	DUP $MoveString CurrentMove!
	best @ alpha ! #infinity beta !
	DUP try                                     ( move score )
	DUP best @ > stop? NOT AND IF best ! best-move ! ELSE 2DROP ENDIF
	nodes @ Nodes!
;
: consider-all ( -- )                           \ begins with the best move of the last iteration
	best-move @ DUP consider
	$FirstMove                                  ( first move )
	BEGIN DUP IF stop? NOT ELSE FALSE ENDIF WHILE
		2DUP <> IF DUP consider ENDIF
		$NextMove
	REPEAT 2DROP
;
: iterate ( depth -- )                          \ one iteration
	depth ! #infinity NEGATE best !
	consider-all
	stop? NOT IF depth @ Depth! best @ Score! best-move @ $MoveString BestMove! ENDIF
;

\ Iterative deepening, until the host stops it or the game is decided.
: deepest ( -- depth ) $depthLimit @ #plies MIN 1 MAX ;
: enough? ( depth -- ? ) deepest < NOT best @ ABS #won < NOT OR stop? OR ;
: Template-Engine ( -- )
	nodes OFF ply OFF
	0 killers[] #plies 2 + CELLS ERASE
	$FirstMove DUP best-move ! $MoveString BestMove!        \ states a move at the start, in case of an early end
	0 BEGIN 1+ DUP iterate DUP enough? UNTIL DROP
	forget                                      \ keeps saved positions small
;
