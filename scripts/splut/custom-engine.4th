\ A search engine in Forth: alpha-beta for any number of players with several steps a turn.

\ Loaded by splut.4th, and of no use alone: it needs the words `evaluate ( -- score )` and
\ `standing ( -- own others )`, both seen by the current player, and `following ( off -- off' )`, the turn after a
\ turn.  It knows nothing else of the game.

\ All other players are taken for one hostile player: where the searcher is to move the best score counts,
\ everywhere else the worst.  Scores are always the searcher's own, and he stays current-player throughout:
\ making a move by hand passes no turn.  The turn is a number that we step on ourselves, level by level, so
\ that a player may have several levels in a row.  After a partial move it stays, and only the type of
\ moves that the partial move asked for is generated: making the move leaves both in $partial and $ofType.

VARIABLE search-depth                   \ single steps to look ahead; a script that loads this may set it
4 search-depth !
15 CONSTANT #deepest

100000 CONSTANT #won                    \ more than anything evaluate says
200000 CONSTANT #infinity

\ What a recursive word must keep for each level: arrays, with the level as index.
VARIABLE level                          \ steps still to be searched
#deepest 1+ [] moves[]
#deepest 1+ [] turns[]
#deepest 1+ [] types[]
#deepest 1+ [] alphas[]
#deepest 1+ [] betas[]
: this-move ( -- addr ) level @ moves[] ;
: this-turn ( -- addr ) level @ turns[] ;
: this-type ( -- addr ) level @ types[] ;
: alpha ( -- addr ) level @ alphas[] ;  \ what the searcher is sure of
: beta ( -- addr ) level @ betas[] ;    \ what the others will grant him

: mover ( -- player ) this-turn @ turn-offset-to-player ;
: ours? ( -- ? ) mover current-player = ;

VARIABLE nodes
: stop? ( -- ? ) SearchStatus@ #KeepSearching <> ;

DEFER node                              \ ( -- score ) of the position on the board: the recursion

: descend ( -- score )                  \ the next level starts with our window and the next turn
	alpha @ beta @ this-turn @
	$partial @ IF $ofType @ ELSE following 0 ENDIF
	level --
	this-type ! this-turn ! beta ! alpha !
	node
	level ++
;
: make ( move -- ) $partial OFF $CloneBoard .moveCFA EXECUTE ;
: try ( -- score ) this-move @ make descend $DeallocateBoard ;

: narrow ( score -- ) ours? IF alpha @ MAX alpha ! ELSE beta @ MIN beta ! ENDIF ;
: open? ( -- ? ) alpha @ beta @ < stop? NOT AND ;

: replies ( -- score )                  \ a list is never empty: see $passTurnForced
	mover FALSE this-type @ $GenerateMoves
	$FirstMove this-move !
	BEGIN
		this-move @ IF open? ELSE FALSE ENDIF
	WHILE
		try narrow
		this-move @ $NextMove this-move !
	REPEAT
	$DeallocateMoves
	ours? IF alpha ELSE beta ENDIF @
;

: decided ( -- score | 0 )              \ the sooner, the better or the worse
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

\ The die that makes games differ, 0 ... 5, is cast before the move is searched and lowers the bar instead of
\ raising the score: a move that fails to reach the bar comes back with the bar itself as its score.
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

\ A look that was broken off counts only if there was none before.
VARIABLE looked                         \ depth of the last look that counts
: wasted? ( -- ? ) best @ #infinity NEGATE = stop? looked @ 0> AND OR ;
: look ( depth -- )
	DUP level ! turn-offset this-turn !
	#infinity NEGATE best !
	consider-all
	wasted? IF DROP ELSE
		DUP looked ! Depth!
		best @ Score! best-move @ $MoveString BestMove!
	ENDIF
;

\ Against the clock: deeper and deeper, as time allows.  Without one: once, to the depth that is set.
\ The host may allow less by a limit of its own.
: clock? ( -- ? ) $searchTime @ 0> ;
: deepest ( -- depth )
	clock? IF #deepest ELSE search-depth @ ENDIF
	#deepest MIN
	$depthLimit @ DUP 0> IF MIN ELSE DROP ENDIF
	1 MAX
;
: settled? ( -- ? ) best @ ABS #won 10 - > ;
: search-all ( -- )
	deepest clock? IF 1 ELSE DUP ENDIF      ( last depth )
	BEGIN DUP look 1+ 2DUP < stop? OR settled? OR UNTIL
	2DROP
;

\ Called with the legal moves in place.  Whatever happens, some move has been named.
: Custom-Engine ( -- )
	nodes OFF looked OFF
	$FirstMove best-move !
	best-move @ $MoveString BestMove! 0 Score! 1 Nodes! 0 Depth!
	$partial @ $ofType @                    ( it may be the second half of a move that we are asked for )
	move-count 1 > IF search-all ENDIF
	$ofType ! $partial !
;
