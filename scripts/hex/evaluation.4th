\ Evaluation: how many stones does each player still need to join its edges?

\ The search goes through the board in levels: level n has the cells that the player reaches from the first edge by adding
\ n stones.  An own stone has the level of the neighbour from which it is reached, an empty cell the next level.
{scratch
#cells [] reached[]                     \ by cell: has the search found it?
#cells [] level[]                       \ cells of the current level that wait
#cells [] next-level[]                  \ cells of the next level
VARIABLE waiting                        \ number of cells in level[]
VARIABLE next-waiting                   \ number of cells in next-level[]
VARIABLE joiner                         \ the player
scratch}

: wait ( pos -- ) waiting @ level[] ! waiting ++ ;
: wait-for-next ( pos -- ) next-waiting @ next-level[] ! next-waiting ++ ;
: reach ( pos -- )
	DUP reached[] @ OVER joiner @ enemy-of? OR IF DROP ELSE
		DUP reached[] ON
		DUP empty-at? IF wait-for-next ELSE wait ENDIF
	ENDIF
;
: reach-neighbours ( pos -- ) neighbours BEGIN DUP @ DUP 0< NOT WHILE reach CELLSIZE + REPEAT 2DROP ;
: reach-first-edge ( -- ) #side 0 DO I joiner @ on-first-edge reach LOOP ;
: at-last-edge? ( pos -- ? )
	joiner @ Red = IF #cells #side - < NOT ELSE #side MOD #side 1- = ENDIF
;
: take ( -- pos ) waiting -- waiting @ level[] @ ;
: begin-next-level ( -- )
	0 next-level[] 0 level[] next-waiting @ MOVE
	next-waiting @ waiting ! next-waiting OFF
;
: distance ( player -- n )              \ number of stones needed
	joiner ! waiting OFF next-waiting OFF 0 reached[] #cells CELLS ERASE
	reach-first-edge
	0                                       ( level )
	BEGIN
		waiting @ 0= IF begin-next-level 1+ ENDIF
		waiting @ IF take DUP at-last-edge? ELSE 0 TRUE ENDIF   \ without cells, the enemy is between the edges
	NOT WHILE reach-neighbours REPEAT
	DROP
;

\ In the opening all distances are equal, and stones are better the further they are from the edges.
: edge-distance ( i -- n ) #side 1- OVER - MIN ;
: centrality ( pos -- n ) #side /MOD edge-distance SWAP edge-distance MIN ;
: placement ( -- n )
	0 #cells 0 DO
		I not-empty-at? IF I centrality I friend-at? NOT IF NEGATE ENDIF + ENDIF
	LOOP
;

: OnEvaluate ( -- score ) next-player distance current-player distance - 20 * placement + ;

\ For players: which edges do they join, and how far are they from it?
: .stones ( player -- ) ."  needs " distance . ." stones" CR ;
: OnExplain ( -- )
	." Red joins the upper and the lower edge, and" Red .stones
	." Blue joins the left and the right edge, and" Blue .stones
;
