\ tester.fth: T{ input -> result }T prints a line for each wrong result; the older { } do the same.
DECIMAL
VARIABLE actual-depth
CREATE actual-results 40 CELLS ALLOT
VARIABLE start-depth
VARIABLE #errors
0 #errors !
: empty-stack ( i*x -- )
	BEGIN DEPTH start-depth @ < WHILE 0 REPEAT
	BEGIN DEPTH start-depth @ > WHILE DROP REPEAT ;
: wrong ( addr n -- )
	TYPE SOURCE TYPE CR empty-stack 1 #errors +! ;
: T{ ( -- )
	DEPTH start-depth ! ;
: -> ( i*x -- )
	DEPTH actual-depth !
	BEGIN DEPTH start-depth @ > WHILE DEPTH start-depth @ - 1- CELLS actual-results + ! REPEAT ;
: }T ( i*x -- )
	DEPTH actual-depth @ = 0= IF S" WRONG NUMBER OF RESULTS: " wrong EXIT THEN
	BEGIN DEPTH start-depth @ > WHILE
		DEPTH start-depth @ - 1- CELLS actual-results + @ = 0=
		IF S" INCORRECT RESULT: " wrong EXIT THEN
	REPEAT ;
: { T{ ;
: } }T ;
: TESTING ( -- )
	SOURCE NIP >IN ! ;
