\ A search engine to start from: alpha-beta with ordered moves, quiescence and memory, for any game of two.

\ Copy this file beside a script of yours, and change what you like: docs/tutorials/write-an-engine.md explains it step by
\ step.  The script loads it behind the game and gives it to the players:
\
\     LOAD my-game.4th
\     LOAD engine-template.4th
\     {players
\         {player} White {search-engine} Template-Engine
\         {player} Black {search-engine} Template-Engine
\     players}
\     {turn-order  {turn} White  {turn} Black  turn-order}
\
\ Beyond the page it follows partial moves, several turns in a row, and players who have no move and must pass.
\ It is not for games with dice, nor for more than two players (scripts/splut/custom-engine.4th is), nor where
\ moves change script memory outside the board.

\ --- yours to choose -----------------------------------------------------------------------------------------

\ Move types that the search follows beyond its depth, to where nothing of the kind is left to do; there must be
\ an end to them.  A game that gives its captures a type of their own says, say, `taking loud-type !`.
VARIABLE loud-type                              \ 0: none, and evaluate where the depth ends

\ A limit that does not depend on the clock makes games repeat.
VARIABLE nodes                                  \ positions that this move has cost so far
VARIABLE node-limit
: nodes= ( n -- ) node-limit ! ;                \ positions that a move may cost; 0: any number (default)

8192 CONSTANT #entries                          \ positions remembered, a power of two
60 CONSTANT #plies                              \ moves that a line may have

\ --- what is kept for each move of a line ----------------------------------------------------------------------

\ A word that calls itself keeps what it must not lose in arrays; the index is the number of moves from the root.
VARIABLE ply
: each-ply ( -- ) #plies 2 + [] ;               \ makes an array of the name that follows
each-ply depths[]       : depth ( -- addr ) ply @ depths[] ;            \ moves still to be made
each-ply turns[]        : this-turn ( -- addr ) ply @ turns[] ;         \ whose turn it is,
each-ply partials[]     : this-partial ( -- addr ) ply @ partials[] ;   \ in the middle of a move?
each-ply types[]        : this-type ( -- addr ) ply @ types[] ;         \ and the type that goes on with it
each-ply movers[]       : mover ( -- addr ) ply @ movers[] ;
each-ply alphas[]       : alpha ( -- addr ) ply @ alphas[] ;            \ what the player is sure of
each-ply betas[]        : beta ( -- addr ) ply @ betas[] ;              \ what the other will grant him
each-ply floors[]       : floor ( -- addr ) ply @ floors[] ;            \ alpha as it was at first
each-ply killers[]      : killer ( -- addr ) ply @ killers[] ;          \ the last refutation
each-ply hopes[]        : hope ( -- addr ) ply @ hopes[] ;              \ the best move known here
each-ply checks[]       : check ( -- addr ) ply @ checks[] ;
each-ply entries[]      : entry ( -- addr ) ply @ entries[] @ ;

: stop? ( -- ? )
	node-limit @ IF nodes @ node-limit @ < NOT ELSE FALSE ENDIF
	SearchStatus@ #KeepSearching <> OR
;
: open? ( -- ? ) alpha @ beta @ < stop? NOT AND ;

\ --- moves made and taken back ---------------------------------------------------------------------------------

: generate ( -- ) for-player FALSE of-type $GenerateMoves ;
: note-state ( -- )
	turn-offset this-turn ! current-player mover !
	$partial @ this-partial ! $ofType @ this-type !
;
\ Half a move is followed by the other half, if there is one; it costs no depth.
: goes-on? ( -- ? ) $partial @ IF generate move-count 0> $DeallocateMoves ELSE FALSE ENDIF ;
: end-turn ( -- ) goes-on? IF depth @ ELSE $partial OFF OnNextTurn depth @ 1- ENDIF ;
: make ( move -- )                              \ 0: the player has none, and passes
	note-state $CloneBoard
	$partial OFF DUP IF .moveCFA EXECUTE ELSE DROP ENDIF
	end-turn ply ++ depth !
;
: take-back ( -- )
	ply -- $DeallocateBoard
	this-turn @ $SetTurn this-partial @ $partial ! this-type @ $ofType !
;

\ --- scores ------------------------------------------------------------------------------------------------------

100000000 CONSTANT #won                         \ more than OnEvaluate ever says
200000000 CONSTANT #infinity
: decided ( -- score TRUE | FALSE )             \ the sooner won the better, the sooner lost the worse
	$partial @ IF FALSE ELSE
		OnIsGameOver
		DUP #WinScore = IF DROP #won depth @ + TRUE ELSE
		DUP #LossScore = IF DROP #won depth @ + NEGATE TRUE ELSE
		#DrawScore = IF 0 TRUE ELSE FALSE ENDIF ENDIF ENDIF
	ENDIF
;

\ --- the order of moves --------------------------------------------------------------------------------------------

: id ( move -- n ) .moveType CELLSIZE + @ ;     \ a number that tells moves apart
: loud? ( move -- ? ) loud-type @ DUP IF SWAP .moveType @ = ELSE SWAP DROP ENDIF ;
4 CONSTANT #ranks
: rank ( move -- n )                            \ 0 is tried first; have as many ranks as you have ideas
	DUP id hope @ = IF DROP 0 ELSE
	DUP loud? IF DROP 1 ELSE
	id killer @ = IF 2 ELSE 3 ENDIF ENDIF ENDIF
;

\ The links of a fresh list are ours to change until it is dropped.
#ranks [] firsts[]                              \ the first move of each rank
#ranks [] ends[]                                \ the cell that is to hold the next one
: clear-ranks ( -- ) #ranks 0 DO I firsts[] DUP OFF I ends[] ! LOOP ;
: append ( move rank -- ) OVER OFF 2DUP ends[] @ ! ends[] ! ;
: join ( -- move )                              \ each rank linked to the one behind it
	0
	#ranks 0 DO #ranks 1- I - SWAP OVER ends[] @ ! firsts[] @ LOOP
;
: in-order ( -- move )
	clear-ranks
	$FirstMove BEGIN DUP WHILE DUP $NextMove SWAP DUP rank append REPEAT DROP
	join
;

\ --- memory ------------------------------------------------------------------------------------------------------

4 CONSTANT #entry                               \ cells: check, four times the depth and the kind, score, best move
#entries #entry * [] memory[]
: forget ( -- ) 0 memory[] #entries #entry * CELLS ERASE ;
: .depth ( entry -- addr ) CELLSIZE + ;
: .score ( entry -- addr ) [ 2 CELLS ] LITERAL + ;
: .hope ( entry -- addr ) [ 3 CELLS ] LITERAL + ;

\ A position is told by two numbers made of it in different ways: one says where its entry is, one is kept there.
: mix ( a b n -- a' b' ) SWAP OVER + 69069 * ROT ROT XOR 16777619 * SWAP ;
: find-entry ( -- )
	1 1 turn-offset mix $partial @ mix $ofType @ mix
	$board @ $boardSize @ + $board @ DO I @ mix CELLSIZE +LOOP
	65536 / #entries 1- AND #entry * memory[] ply @ entries[] !
	check !
;

0 CONSTANT #most                                \ what a score is: no more than this,
1 CONSTANT #least                               \ no less,
2 CONSTANT #exact                               \ just this
: answers? ( score kind -- ? )
	DUP #exact = IF 2DROP TRUE ELSE
	#least = IF beta @ < NOT ELSE alpha @ > NOT ENDIF ENDIF
;
: recall ( -- score TRUE | FALSE )
	find-entry hope OFF
	entry @ check @ = IF
		entry .hope @ hope !
		entry .depth @ 4 /MOD                   ( kind depth )
		depth @ = IF entry .score @ SWAP OVER SWAP answers? ELSE FALSE ENDIF
		DUP NOT IF SWAP DROP ENDIF
	ELSE FALSE ENDIF
;
: kind ( score -- kind )
	DUP beta @ < NOT IF DROP #least ELSE floor @ > IF #exact ELSE #most ENDIF ENDIF
;
: remember ( score -- )
	check @ entry !
	DUP kind depth @ 4 * + entry .depth !
	entry .score ! hope @ entry .hope !
;

\ --- the search --------------------------------------------------------------------------------------------------

DEFER value                                     \ ( -- score ) of the position, for the player to move

\ The other one sees the window, and the score, from his side.
: other? ( -- ? ) current-player ply @ 1- movers[] @ <> ;
: hand-down ( alpha beta -- ) other? IF NEGATE SWAP NEGATE ENDIF beta ! alpha ! ;
: try ( move -- score )
	alpha @ beta @ ROT make hand-down
	value other? IF NEGATE ENDIF
	take-back
;
: learn ( move score -- )
	stop? NOT OVER alpha @ > AND IF
		alpha ! id DUP hope !
		alpha @ beta @ < IF DROP ELSE killer ! ENDIF
	ELSE 2DROP ENDIF
;

: quiet? ( -- ? ) depth @ 1 < $partial @ NOT AND ;
: room? ( -- ? ) ply @ #plies < ;
: replies ( -- score )
	in-order
	BEGIN DUP IF open? ELSE FALSE ENDIF WHILE
		DUP loud? quiet? NOT OR IF DUP DUP try learn ENDIF
		$NextMove
	REPEAT DROP
	alpha @
;
: stand ( -- ) OnEvaluate alpha @ MAX alpha ! ; \ nobody has to do what is loud: so much is certain
: search-quiet ( -- score ) stand loud-type @ IF replies ELSE alpha @ ENDIF ;
: search-deep ( -- score )
	alpha @ floor !
	move-count IF replies ELSE 0 try alpha @ MAX beta @ MIN ENDIF
	stop? NOT IF DUP remember ENDIF
;
: search-moves ( -- score )
	generate
	decided NOT IF
		room? NOT IF OnEvaluate ELSE quiet? IF search-quiet ELSE search-deep ENDIF ENDIF
	ENDIF
	$DeallocateMoves
;
: search ( -- score )
	nodes ++ $Yield
	quiet? IF hope OFF FALSE ELSE recall ENDIF
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
: consider-all ( -- )                           \ the best move of the last look first
	best-move @ DUP consider
	$FirstMove                                  ( first move )
	BEGIN DUP IF stop? NOT ELSE FALSE ENDIF WHILE
		2DUP <> IF DUP consider ENDIF
		$NextMove
	REPEAT 2DROP
;
: look ( depth -- )
	depth ! #infinity NEGATE best !
	consider-all
	stop? NOT IF depth @ Depth! best @ Score! best-move @ $MoveString BestMove! ENDIF
;

\ Deeper and deeper, as far as the host allows, or until it is decided.
: deepest ( -- depth ) $depthLimit @ #plies MIN 1 MAX ;
: enough? ( depth -- ? ) deepest < NOT best @ ABS #won < NOT OR stop? OR ;
: Template-Engine ( -- )
	nodes OFF ply OFF
	0 killers[] #plies 2 + CELLS ERASE
	$FirstMove DUP best-move ! $MoveString BestMove!        \ whatever happens, some move has been named
	0 BEGIN 1+ DUP look DUP enough? UNTIL DROP
	forget                                      \ so that saved positions stay small
;
