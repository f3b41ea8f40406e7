\ A search engine in Forth: alpha-beta for any number of players with several steps a turn.

\ Not a game: splut.4th loads it.  Of the game it uses only three words: `evaluate ( -- score )`
\ and `wizard-totals ( -- own others )`, both for the current player, and `turn-after ( off -- off' )`, the turn after
\ a turn.  A turn is identified by its offset in the turn order.

\ The searcher is the player for whom the engine runs.  All other players count as one hostile player: the best score
\ counts when the searcher is to move, otherwise the worst.  Executing a move does not end the turn, so the searcher
\ remains the current player during the search, and all scores are the searcher's.  The search itself advances the
\ turn, level by level, so a player may have several consecutive levels.  After a partial move the turn is not
\ advanced, and only moves of the required type are generated: executing the partial move sets $partial and $ofType.

VARIABLE search-depth                   \ search depth in single steps; a script that loads this file may set it
4 search-depth !
15 CONSTANT #max-depth

100000 CONSTANT #won                    \ greater than every result of evaluate
200000 CONSTANT #infinity

\ The variables of the recursive word for each level: arrays, with the level as index.
VARIABLE level                          \ number of steps still to be searched
#max-depth 1+ [] moves[]                \ the move being searched
#max-depth 1+ [] turns[]                \ the offset of the turn
#max-depth 1+ [] types[]                \ the required move type, 0 for any
#max-depth 1+ [] alphas[]
#max-depth 1+ [] betas[]
: this-move ( -- addr ) level @ moves[] ;
: this-turn ( -- addr ) level @ turns[] ;
: this-type ( -- addr ) level @ types[] ;
: alpha ( -- addr ) level @ alphas[] ;  \ lower bound: the score that the searcher already has
: beta ( -- addr ) level @ betas[] ;    \ upper bound: the score that the others allow

: mover ( -- player ) this-turn @ turn-offset-to-player ;
: searcher-moves? ( -- ? ) mover current-player = ;

VARIABLE nodes
: stop? ( -- ? ) SearchStatus@ #KeepSearching <> ;

DEFER node-score                        \ ( -- score ) of the position on the board: the recursive word

: descend ( -- score )                  \ searches the next level, with the current bounds and the next turn
	alpha @ beta @ this-turn @
	$partial @ IF $ofType @ ELSE turn-after 0 ENDIF
	level --
	this-type ! this-turn ! beta ! alpha !
	node-score
	level ++
;
: make ( move -- ) $partial OFF $CloneBoard .moveCFA EXECUTE ;
: score-of-move ( -- score ) this-move @ make descend $DeallocateBoard ;

: narrow-window ( score -- ) searcher-moves? IF alpha @ MAX alpha ! ELSE beta @ MIN beta ! ENDIF ;
: continue? ( -- ? )                    \ can a further move change the score, and is there time for it?
	alpha @ beta @ < stop? NOT AND ;

: search-replies ( -- score )           \ the list is never empty: see $passTurnForced
	mover FALSE this-type @ $GenerateMoves
	$FirstMove this-move !
	BEGIN
		this-move @ IF continue? ELSE FALSE ENDIF
	WHILE
		score-of-move narrow-window
		this-move @ $NextMove this-move !
	REPEAT
	$DeallocateMoves
	searcher-moves? IF alpha ELSE beta ENDIF @
;

: score-if-decided ( -- score | 0 )     \ a win scores higher the earlier it is, a loss lower
	wizard-totals
	0= IF DROP #won level @ + ELSE 0= IF #won level @ + NEGATE ELSE 0 ENDIF ENDIF
;
: search-node ( -- score )
	nodes ++ $Yield
	score-if-decided DUP 0= IF DROP level @ 0> IF search-replies ELSE evaluate ENDIF ENDIF
;
' search-node IS node-score

\ --- The moves at the root ---
VARIABLE best-score
VARIABLE best-move

\ A random number from 0 to 5 is added to the score of each move, so that games differ.  The search of the move begins
\ with the best score minus this number as lower bound, and returns the bound if the move does not reach it.
: consider ( move -- )
	DUP $MoveString CurrentMove!
	DUP this-move !
	0 5 $RAND-WITHIN                        ( move random )
	best-score @ OVER - alpha ! #infinity beta !
	score-of-move +
	DUP best-score @ > stop? NOT AND IF best-score ! best-move ! ELSE 2DROP ENDIF
	nodes @ Nodes!
;
: consider-all ( -- )
	$FirstMove
	BEGIN DUP consider $NextMove DUP 0= stop? OR UNTIL
	DROP
;

\ The result of an interrupted iteration is discarded if an earlier iteration was completed.
VARIABLE completed-depth                \ depth of the last completed iteration, 0 if there is none
: discarded? ( -- ? ) best-score @ #infinity NEGATE = stop? completed-depth @ 0> AND OR ;
: search-to-depth ( depth -- )
	DUP level ! turn-offset this-turn !
	#infinity NEGATE best-score !
	consider-all
	discarded? IF DROP ELSE
		DUP completed-depth ! Depth!
		best-score @ Score! best-move @ $MoveString BestMove!
	ENDIF
;

\ With a time limit, the engine searches by iterative deepening while time remains.  Without a time limit, it makes
\ one search to `search-depth`.  In both cases the host may set a lower limit in $depthLimit.
: time-limit? ( -- ? ) $searchTime @ 0> ;
: chosen-depth ( -- depth )
	time-limit? IF #max-depth ELSE search-depth @ ENDIF
	#max-depth MIN
	$depthLimit @ DUP 0> IF MIN ELSE DROP ENDIF
	1 MAX
;
: score-decided? ( -- ? ) best-score @ ABS #won 10 - > ;
: search-all ( -- )
	chosen-depth time-limit? IF 1 ELSE DUP ENDIF    ( last depth )
	BEGIN DUP search-to-depth 1+ 2DUP < stop? OR score-decided? OR UNTIL
	2DROP
;

\ Called with the legal moves in the move list.  It always chooses a move.
: Custom-Engine ( -- )
	nodes OFF completed-depth OFF
	$FirstMove best-move !
	best-move @ $MoveString BestMove! 0 Score! 1 Nodes! 0 Depth!
	$partial @ $ofType @                    ( the search may be for the second half of a partial move )
	move-count 1 > IF search-all ENDIF
	$ofType ! $partial !
;
