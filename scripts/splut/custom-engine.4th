\ A search engine in Forth: alpha-beta for any number of players with several steps a turn.

\ Loaded by splut.4th; not a game.  It needs the words `evaluate ( -- score )` and `standing ( -- own others )`,
\ both for the current player, and `following ( off -- off' )`, which returns the turn after a turn.  It must
\ not know anything else of the game.

\ All other players count as one hostile player: the best score counts when the searcher is to move, otherwise
\ the worst.  Scores are always those of the searcher, which remains the current player during the search,
\ because executing a move does not end the turn.  The search itself advances the turn, level by level, so
\ that a player may have several consecutive levels.  A partial move keeps the turn, and then only moves of the
\ required type are generated: executing a move stores both facts in $partial and $ofType.

VARIABLE search-depth                   \ search depth in single steps; a script that loads this file may set it
4 search-depth !
15 CONSTANT #deepest

100000 CONSTANT #won                    \ greater than every result of evaluate
200000 CONSTANT #infinity

\ The variables of the recursive word for each level: arrays, with the level as index.
VARIABLE level                          \ number of steps still to be searched
#deepest 1+ [] moves[]
#deepest 1+ [] turns[]
#deepest 1+ [] types[]
#deepest 1+ [] alphas[]
#deepest 1+ [] betas[]
: this-move ( -- addr ) level @ moves[] ;
: this-turn ( -- addr ) level @ turns[] ;
: this-type ( -- addr ) level @ types[] ;
: alpha ( -- addr ) level @ alphas[] ;  \ lower bound: the score that the searcher already has
: beta ( -- addr ) level @ betas[] ;    \ upper bound: the score that the others allow

: mover ( -- player ) this-turn @ turn-offset-to-player ;
: searcher-moves? ( -- ? ) mover current-player = ;

VARIABLE nodes
: stop? ( -- ? ) SearchStatus@ #KeepSearching <> ;

DEFER node                              \ ( -- score ) of the position on the board: the recursive word

: descend ( -- score )                  \ the next level starts with the current window and the next turn
	alpha @ beta @ this-turn @
	$partial @ IF $ofType @ ELSE following 0 ENDIF
	level --
	this-type ! this-turn ! beta ! alpha !
	node
	level ++
;
: make ( move -- ) $partial OFF $CloneBoard .moveCFA EXECUTE ;
: try ( -- score ) this-move @ make descend $DeallocateBoard ;

: narrow ( score -- ) searcher-moves? IF alpha @ MAX alpha ! ELSE beta @ MIN beta ! ENDIF ;
: open? ( -- ? ) alpha @ beta @ < stop? NOT AND ;

: replies ( -- score )                  \ the list is never empty: see $passTurnForced
	mover FALSE this-type @ $GenerateMoves
	$FirstMove this-move !
	BEGIN
		this-move @ IF open? ELSE FALSE ENDIF
	WHILE
		try narrow
		this-move @ $NextMove this-move !
	REPEAT
	$DeallocateMoves
	searcher-moves? IF alpha ELSE beta ENDIF @
;

: decided ( -- score | 0 )              \ an earlier end scores higher for the winner and lower for the loser
	standing
	0= IF DROP #won level @ + ELSE 0= IF #won level @ + NEGATE ELSE 0 ENDIF ENDIF
;
: search-node ( -- score )
	nodes ++ $Yield
	decided DUP 0= IF DROP level @ 0> IF replies ELSE evaluate ENDIF ENDIF
;
' search-node IS node

\ --- The moves at the root ---
VARIABLE best
VARIABLE best-move

\ A random number from 0 to 5, drawn before the move is searched, makes games differ.  It lowers the bound instead
\ of raising the score: a move that does not reach the bound returns the bound as its score.
: consider ( move -- )
	DUP $MoveString CurrentMove!
	DUP this-move !
	0 5 $RAND-WITHIN                        ( move die )
	best @ OVER - alpha ! #infinity beta !
	try +
	DUP best @ > stop? NOT AND IF best ! best-move ! ELSE 2DROP ENDIF
	nodes @ Nodes!
;
: consider-all ( -- )
	$FirstMove
	BEGIN DUP consider $NextMove DUP 0= stop? OR UNTIL
	DROP
;

\ The result of an interrupted iteration counts only if there was none before.
VARIABLE completed-depth                \ depth of the last completed iteration
: wasted? ( -- ? ) best @ #infinity NEGATE = stop? completed-depth @ 0> AND OR ;
: search-to-depth ( depth -- )
	DUP level ! turn-offset this-turn !
	#infinity NEGATE best !
	consider-all
	wasted? IF DROP ELSE
		DUP completed-depth ! Depth!
		best @ Score! best-move @ $MoveString BestMove!
	ENDIF
;

\ With a time limit: iterative deepening while time remains.  Without: one search to the chosen depth.
\ The host may set a lower limit.
: time-limit? ( -- ? ) $searchTime @ 0> ;
: deepest ( -- depth )
	time-limit? IF #deepest ELSE search-depth @ ENDIF
	#deepest MIN
	$depthLimit @ DUP 0> IF MIN ELSE DROP ENDIF
	1 MAX
;
: score-decided? ( -- ? ) best @ ABS #won 10 - > ;
: search-all ( -- )
	deepest time-limit? IF 1 ELSE DUP ENDIF      ( last depth )
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
