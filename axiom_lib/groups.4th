\ groups.4th: groups of connected pieces and regions of empty positions.  A part of the library for any game: LOAD groups.4th

\ The game loads it after the board and the directions.  Neighbours are positions to which one of these directions leads.
\ `note-groups` divides the board into groups: connected positions that have the same owner, or are all empty.  The words
\ below it describe these groups until `note-groups` runs again.  A game whose OnGenerateMoves calls it may load this
\ file between {scratch and scratch}.

$scanPositions @ CONSTANT #points

\ --- neighbours ------------------------------------------------------------------------------------

: neighbour-in ( pos i -- pos' )        \ by direction i; -1 at the edge
	CELLS $directions @ + @ CFA>PFA SWAP CELLS + @
;
: neighbour, ( pos i -- ) neighbour-in DUP 0< IF DROP ELSE , ENDIF ;
: neighbours, ( pos -- )                \ a cell for each direction and one more; -1 behind the last neighbour
	HERE $directionCount @ 1+ CELLS + SWAP
	$directionCount @ 0 DO DUP I neighbour, LOOP DROP
	BEGIN -1 , DUP HERE = UNTIL DROP
;
: all-neighbours, ( -- ) #points 0 DO I neighbours, LOOP ;
CREATE neighbours-table all-neighbours,
$directionCount @ 1+ CELLS CONSTANT #neighbours-size
: neighbours ( pos -- addr ) #neighbours-size * neighbours-table + ;

\ --- groups ----------------------------------------------------------------------------------------

#points [] group[]                      \ by position: the number of its group, from 1
#points [] member[]                     \ all positions, one group after the other
#points [] adjoined[]                   \ by empty position: the last group of which it is a liberty
#points 1+ [] first-member[]            \ by group: the index of its first position in member[]
#points 1+ [] size[]                    \ by group: its number of positions
#points 1+ [] liberties[]               \ by group: its number of adjacent empty positions
#points 1+ [] border[]                  \ by group: the owner of the adjacent pieces; 0: none, -1: several owners

VARIABLE groups                         \ number of groups
VARIABLE group-owner                    \ owner of the group under construction, 0 for a region
VARIABLE members                        \ number of positions in member[]

: add-member ( pos -- ) groups @ OVER group[] ! members @ member[] ! members ++ ;
: note-liberty ( pos -- )
	adjoined[] DUP @ groups @ = IF DROP ELSE groups @ SWAP ! groups @ liberties[] ++ ENDIF
;
: note-border ( player -- )
	groups @ border[] DUP @                 ( player addr known )
	DUP 0= IF DROP ! ELSE ROT = IF DROP ELSE -1 SWAP ! ENDIF ENDIF
;
: look-at ( pos -- )                    \ a neighbour of the group
	DUP player-at DUP group-owner @ = IF
		DROP DUP group[] @ IF DROP ELSE add-member ENDIF
	ELSE
		DUP IF note-border DROP ELSE DROP note-liberty ENDIF
	ENDIF
;
: look-around ( pos -- )
	neighbours BEGIN DUP @ DUP 0< NOT WHILE look-at CELLSIZE + REPEAT 2DROP
;
: note-group ( pos -- )
	groups ++
	DUP player-at group-owner !
	members @ groups @ first-member[] !
	groups @ liberties[] OFF groups @ border[] OFF
	members @ SWAP add-member               ( index )
	BEGIN DUP members @ < WHILE DUP member[] @ look-around 1+ REPEAT
	groups @ first-member[] @ - groups @ size[] !
;
: note-groups ( -- )
	0 group[] #points CELLS ERASE 0 adjoined[] #points CELLS ERASE
	groups OFF members OFF
	#points 0 DO I group[] @ 0= IF I note-group ENDIF LOOP
;

: group-at ( pos -- group ) group[] @ ;
: size ( group -- n ) size[] @ ;
: liberties ( group -- n ) liberties[] @ ;
: border ( group -- player ) border[] @ ;
: first-in-group ( group -- pos ) first-member[] @ member[] @ ;
\ To do something with each position of a group:  group-range DO I member ... LOOP
: group-range ( group -- end begin ) DUP first-member[] @ DUP ROT size[] @ + SWAP ;
: member ( i -- pos ) member[] @ ;

\ --- area ------------------------------------------------------------------------------------------

\ The area of a player: positions with its pieces, and regions of empty positions that only its pieces adjoin.
: group-belongs? ( player group -- ? ) DUP first-in-group player-at DUP IF SWAP DROP ELSE DROP border ENDIF = ;
: area ( player -- n )
	0 groups @ 1+ 1 DO OVER I group-belongs? IF I size[] @ + ENDIF LOOP SWAP DROP
;
