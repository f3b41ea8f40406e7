\ Tablut: the king of a small army wants to reach the edge, twice as many attackers want to capture him.

{board
	9 9 {grid}
board}

e5 CONSTANT THRONE
: refuge? ( -- ? ) here 9 /MOD 8 MOD 0= SWAP 8 MOD 0= OR ;      \ the edge
: tell-escape ( -- ) ^" the king has reached the edge" ;
: king's? ( -- ? ) here THRONE = ;

LOAD brandubh/rules.4th

\ The empty throne is hostile to all pieces.  With the king on it, it is hostile to a defender beside it while enemies are
\ on the king's other three sides.
: enemy-of-king ( 'dir -- n ) THRONE to EXECUTE other-friend? AND ;     \ -1 or 0
: besieged? ( -- ? )
	THRONE enemy-at? IF
		['] n enemy-of-king ['] s enemy-of-king + ['] e enemy-of-king + ['] w enemy-of-king + -3 =
	ELSE FALSE ENDIF
;
: hostile-square? ( -- ? ) throne? IF empty? besieged? OR ELSE FALSE ENDIF ;
' hostile-square? IS hostile?

{board-setup
	{setup} Attackers attacker d9 {setup} Attackers attacker e9 {setup} Attackers attacker f9 {setup} Attackers attacker e8
	{setup} Attackers attacker a6 {setup} Attackers attacker a5 {setup} Attackers attacker a4 {setup} Attackers attacker b5
	{setup} Attackers attacker i6 {setup} Attackers attacker i5 {setup} Attackers attacker i4 {setup} Attackers attacker h5
	{setup} Attackers attacker d1 {setup} Attackers attacker e1 {setup} Attackers attacker f1 {setup} Attackers attacker e2
	{setup} Defenders defender e7 {setup} Defenders defender e6 {setup} Defenders defender e4 {setup} Defenders defender e3
	{setup} Defenders defender c5 {setup} Defenders defender d5 {setup} Defenders defender f5 {setup} Defenders defender g5
	{setup} Defenders king e5
board-setup}
