\ Brandubh: the king of a small army wants to reach a corner, twice as many attackers want to capture him.

{board
	7 7 {grid}
board}

d4 CONSTANT THRONE
: corner? ( -- ? ) here a1 = here a7 = OR here g1 = OR here g7 = OR ;
: refuge? ( -- ? ) corner? ;
: tell-escape ( -- ) ^" the king has reached a corner" ;
: king's? ( -- ? ) here THRONE = corner? OR ;

LOAD rules.4th

\ A corner is hostile: it helps every player to capture an adjacent piece of the other one.  So is the throne while it
\ is empty.
: hostile-square? ( -- ? ) throne? empty? AND corner? OR ;
' hostile-square? IS hostile?

{board-setup
	{setup} Attackers attacker d7 {setup} Attackers attacker d6 {setup} Attackers attacker d2 {setup} Attackers attacker d1
	{setup} Attackers attacker a4 {setup} Attackers attacker b4 {setup} Attackers attacker f4 {setup} Attackers attacker g4
	{setup} Defenders defender d5 {setup} Defenders defender d3 {setup} Defenders defender c4 {setup} Defenders defender e4
	{setup} Defenders king d4
board-setup}
