\ A stronger engine than the article's: the same search with threats, a transposition table and move ordering.

\ It uses words of custom-engine.4th.  As there, the searcher stays current-player, all other players count as one
\ hostile player, and the search itself advances the turn.  The differences:
\   - a kill within the steps that a player has left is computed, not searched (threats.4th);
\   - iterative deepening: the depth grows from 1, and each iteration begins with the best move of the last one;
\   - moves are ordered: the stored best move, throws, killer moves, the other moves;
\   - scores are stored by position: the three steps of a turn lead to the same position in up to six orders;
\   - a single legal move (a pass, the cleaner's move) costs no depth, and neither does half a throw.

LOAD threats.4th

\ --- The variables of the recursive word for each ply ---------------------------------------------------

\ Here the index counts plies from the root, since some plies cost no depth.
40 CONSTANT #most-plies
VARIABLE ply
: each-ply ( -- ) #most-plies 1+ [] ;   \ defines an array with the name that follows
each-ply ply-turns[]
each-ply ply-types[]
each-ply depths[]
each-ply costs[]
each-ply ply-alphas[]
each-ply ply-betas[]
each-ply old-bounds[]
each-ply ply-moves[]
each-ply keys[]
each-ply hash-moves[]
each-ply killers[]
each-ply killers2[]
: ply-turn ( -- addr ) ply @ ply-turns[] ;
: ply-type ( -- addr ) ply @ ply-types[] ;
: depth-left ( -- addr ) ply @ depths[] ;
: move-cost ( -- addr ) ply @ costs[] ;         \ the depth that a move from here costs
: ply-alpha ( -- addr ) ply @ ply-alphas[] ;
: ply-beta ( -- addr ) ply @ ply-betas[] ;
: old-bound ( -- addr ) ply @ old-bounds[] ;    \ the initial value of the bound that changes on this ply
: ply-move ( -- addr ) ply @ ply-moves[] ;
: ply-key ( -- addr ) ply @ keys[] ;
: hash-move ( -- addr ) ply @ hash-moves[] ;    \ the hash of the best move known for this position
: killer ( -- addr ) ply @ killers[] ;          \ killer moves: moves that refuted others on this ply
: killer2 ( -- addr ) ply @ killers2[] ;

: ply-mover ( -- player ) ply-turn @ turn-offset-to-player ;
: ply-ours? ( -- ? ) ply-mover current-player = ;
: bound ( -- addr ) ply-ours? IF ply-alpha ELSE ply-beta ENDIF ;

\ The hash of a move is the third cell of its record in every version of the library.  The hash distinguishes the moves
\ of a position.  A move with the same hash in another position counts as the same move.
: .moveHash ( move -- addr ) .moveType CELLSIZE + ;

\ --- Transposition table ----------------------------------------------------------------------------------

\ An entry is: key, four times the depth plus the kind of the score, score, hash of the best move.  A score is the
\ exact score, an upper bound or a lower bound.
\ The table is cleared when the engine has finished: a saved position contains the memory of the script, and a cleared
\ table takes little space in it.
8192 CONSTANT #entries
4 CONSTANT #entry-cells
#entries #entry-cells * [] table[]
: clear-table ( -- ) 0 table[] #entries #entry-cells * CELLS ERASE ;
: entry ( -- addr ) ply-key @ #entries 1- AND #entry-cells * table[] ;
: .depth ( entry -- addr ) CELLSIZE + ;
: .score ( entry -- addr ) [ 2 CELLS ] LITERAL + ;
: .hash-move ( entry -- addr ) [ 3 CELLS ] LITERAL + ;

: set-key ( -- )                        \ 1640531527 and 40503 are odd numbers that mix the bits of turn and type
	board-key @ ply-turn @ 1640531527 * + ply-type @ 40503 * +
	DUP 65536 / XOR ply-key !
;
: position-stored? ( -- ? ) entry @ ply-key @ = ;

0 CONSTANT #upper                       \ kinds of scores: upper bound
1 CONSTANT #lower                       \ lower bound
2 CONSTANT #exact                       \ exact score
: usable? ( score kind -- ? )
	DUP #exact = IF 2DROP TRUE ELSE
	#lower = IF ply-beta @ >= ELSE ply-alpha @ <= ENDIF ENDIF
;
: stored-score ( -- score TRUE | FALSE )
	hash-move OFF
	position-stored? IF
		entry .hash-move @ hash-move !
		entry .depth @ 4 /MOD               ( kind depth )
		depth-left @ = IF entry .score @ SWAP 2DUP usable? IF DROP TRUE ELSE 2DROP FALSE ENDIF
		ELSE DROP FALSE ENDIF
	ELSE FALSE ENDIF
;
: kind-of ( score -- kind )
	ply-ours?
	IF DUP old-bound @ > NOT IF DROP #upper ELSE ply-beta @ < IF #exact ELSE #lower ENDIF ENDIF
	ELSE DUP old-bound @ < NOT IF DROP #lower ELSE ply-alpha @ > IF #exact ELSE #upper ENDIF ENDIF ENDIF
;
: store-score ( score -- )
	ply-key @ entry !
	DUP kind-of depth-left @ 4 * + entry .depth !
	entry .score ! hash-move @ entry .hash-move !
;

\ --- Order of moves -----------------------------------------------------------------------------------------

\ The engine may change the links of a list that it has generated.  It distributes the moves over five buckets, best
\ moves first, and joins the buckets to one list.
1024 [] history[]                       \ how often a move was the best, by its hash
: times-best ( move -- addr ) .moveHash @ 1023 AND history[] ;
: clear-history ( -- )
	0 history[] 1024 CELLS ERASE
	0 killers[] #most-plies CELLS ERASE 0 killers2[] #most-plies CELLS ERASE
;
: bucket-of ( move -- n )
	DUP .moveHash @
	DUP hash-move @ = IF 2DROP 0 ELSE
	DUP killer @ = SWAP killer2 @ = OR IF DROP 2 ELSE
	DUP .moveType @ throwing = IF DROP 1 ELSE
	times-best @ 0> IF 3 ELSE 4 ENDIF ENDIF ENDIF ENDIF
;
5 [] buckets[]                          \ the first move of each bucket, 0 if it is empty
5 [] bucket-ends[]                      \ address of the link to the next move; the link is the first cell of a move
: clear-buckets ( -- ) 5 0 DO I buckets[] DUP OFF I bucket-ends[] ! LOOP ;
: append-to-bucket ( move -- )
	DUP OFF DUP bucket-of                   ( move n )
	2DUP bucket-ends[] @ ! bucket-ends[] !
;
: join-buckets ( -- move )
	0
	0 4 DO I bucket-ends[] @ ! I buckets[] @ -1 +LOOP       ( -1 +LOOP runs for the limit 0, too )
;
: ordered-moves ( -- move )
	clear-buckets
	$FirstMove BEGIN DUP WHILE DUP $NextMove SWAP append-to-bucket REPEAT DROP
	join-buckets
;
: note-good-move ( -- )                 \ notes that the move just tried was good
	ply-move @ .moveHash @ DUP hash-move !
	killer @ OVER = IF DROP ELSE killer @ killer2 ! killer ! ENDIF
	ply-move @ times-best ++
;

\ --- The search -----------------------------------------------------------------------------------------------

VARIABLE own-wizards
VARIABLE other-wizards
VARIABLE last-other                     \ owner of one of the other wizards
: count-wizards ( -- )
	own-wizards OFF other-wizards OFF
	wizard-count @ IF
		wizard-count @ 0 DO
			I wizards[] @ owner-at
			DUP current-player = IF DROP own-wizards ++ ELSE last-other ! other-wizards ++ ENDIF
		LOOP
	ENDIF
;
: won-in ( n -- score ) depth-left @ SWAP - #won + ;    \ an earlier win scores higher

\ Is the game decided, or can the player to move decide it before another player moves?  Positions within a partial
\ throw are excluded: the thrown stone is not on the board.
: decided-soon ( -- score TRUE | FALSE )
	count-wizards ply-turn @ read-turn
	other-wizards @ 0= IF 0 won-in TRUE ELSE
	own-wizards @ 0= IF 0 won-in NEGATE TRUE ELSE
	ply-type @ IF FALSE ELSE
	ply-ours? IF
		last-other @ steps-to-kill DUP in-time? other-wizards @ 1 = AND IF won-in TRUE ELSE DROP FALSE ENDIF
	ELSE
		current-player steps-to-kill DUP in-time? IF won-in NEGATE TRUE ELSE DROP FALSE ENDIF
	ENDIF ENDIF ENDIF ENDIF
;

DEFER ply-node                          \ ( -- score ) of the position on the board

: search-below ( -- score )
	ply-alpha @ ply-beta @ ply-turn @
	$partial @ IF $ofType @ 0 ELSE turn-after 0 move-cost @ ENDIF
	depth-left @ SWAP -                     ( alpha beta turn type depth )
	ply ++
	depth-left ! ply-type ! ply-turn ! ply-beta ! ply-alpha !
	ply-node
	ply --
;
: score-of-reply ( -- score ) ply-move @ make search-below $DeallocateBoard ;
: better? ( score -- ? ) ply-ours? IF ply-alpha @ > ELSE ply-beta @ < ENDIF ;
: use-score ( score -- ) DUP better? stop? NOT AND IF bound ! note-good-move ELSE DROP ENDIF ;
: window-open? ( -- ? ) ply-alpha @ ply-beta @ < stop? NOT AND ;

: all-replies ( -- score )
	ply-mover FALSE ply-type @ $GenerateMoves
	move-count 1 = IF 0 ELSE 1 ENDIF move-cost !
	ordered-moves ply-move !
	bound @ old-bound !
	BEGIN ply-move @ IF window-open? ELSE FALSE ENDIF WHILE
		score-of-reply use-score
		ply-move @ $NextMove ply-move !
	REPEAT
	$DeallocateMoves
	bound @
	stop? NOT IF DUP store-score ENDIF
;
: at-leaf? ( -- ? ) depth-left @ 1 < ply-type @ 0= AND ply @ #most-plies = OR ;
: search-ply ( -- score )
	nodes ++ $Yield
	analyse-board
	decided-soon NOT IF
		at-leaf? IF board-worth ELSE
			set-key stored-score NOT IF all-replies ENDIF
		ENDIF
	ENDIF
;
' search-ply IS ply-node

\ --- The root ---------------------------------------------------------------------------------------------------

\ The host's list must not change, so the addresses of its moves are copied to an array: first the best move of the
\ last iteration, then the others in random order, because the first of several equal moves is chosen.  As in
\ custom-engine.4th, a random number (`die`) is added to the score of each move, but not to a decided score.  Two
\ players that compute all threats may repeat positions for ever; therefore the greatest random number grows with the
\ length of the game.
256 [] roots[]
VARIABLE root-count
: swap-roots ( i j -- ) roots[] SWAP roots[] 2DUP @ SWAP @ ROT ! SWAP ! ;
: collect-roots ( -- )
	root-count OFF
	$FirstMove BEGIN
		DUP root-count @ roots[] ! root-count ++
		$NextMove DUP 0= root-count @ 256 = OR
	UNTIL DROP
	root-count @ 1 DO I 0 I $RAND-WITHIN swap-roots LOOP
;
VARIABLE best-root
30 CONSTANT #max-iteration-depth        \ the greatest depth of an iteration
: die ( -- n ) 0 turn-number 8 / $RAND-WITHIN ;
: add-unless-decided ( score n -- score' ) OVER ABS #won #max-iteration-depth - > IF DROP ELSE + ENDIF ;
: consider-root ( i -- )
	DUP roots[] @ DUP ply-move ! $MoveString CurrentMove!
	die best-score @ OVER - ply-alpha !
	score-of-reply SWAP add-unless-decided          ( i score )
	DUP best-score @ > stop? NOT AND IF
		best-score !
		DUP best-root ! roots[] @ DUP best-move ! $MoveString BestMove!
	ELSE 2DROP ENDIF
	nodes @ Nodes!
;
: search-iteration ( depth -- )
	depth-left ! best-root OFF
	#infinity NEGATE best-score ! #infinity ply-beta !
	0 BEGIN DUP consider-root 1+ DUP root-count @ >= stop? OR UNTIL DROP
	best-score @ #infinity NEGATE > IF
		best-score @ Score! 0 best-root @ swap-roots
		stop? NOT IF depth-left @ Depth! ENDIF
	ENDIF
;

\ Iterative deepening, to the same limits as custom-engine.4th, or until the game is decided.
: chosen-iteration-depth ( -- depth )
	time-limit? IF #max-iteration-depth ELSE search-depth @ ENDIF
	$depthLimit @ DUP 0> IF MIN ELSE DROP ENDIF
	1 MAX
;
: last-iteration? ( depth -- ? )
	chosen-iteration-depth > best-score @ ABS #won #max-iteration-depth - > OR stop? OR
;
: deepen ( -- )
	clear-history collect-roots
	0 ply ! turn-offset ply-turn ! 0 ply-type ! 1 move-cost !
	1 BEGIN DUP search-iteration 1+ DUP last-iteration? UNTIL DROP
	clear-table
;

\ Called with the legal moves in the move list, like any engine.
: Strong-Engine ( -- )
	nodes OFF
	$FirstMove DUP best-move ! $MoveString BestMove! 0 Score! 1 Nodes! 0 Depth!
	$partial @ $ofType @
	move-count 1 > IF deepen ENDIF
	$ofType ! $partial !
;
