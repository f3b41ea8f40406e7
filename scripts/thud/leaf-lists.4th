\ Short move lists at the leaves of a search.

\ A search uses the move list of a leaf only to test whether it is empty.  The generation of hundreds of moves
\ would dominate the time, so at a leaf the list ends with the moves of the first piece that can move.
VARIABLE has-moves                      \ the list contains a move of a piece
VARIABLE for-leaf                       \ the list is generated at a leaf

: leaf? ( -- ? ) $ply @ DUP 0> SWAP $iterationDepth @ >= AND ;
: new-list ( -- ) has-moves OFF leaf? for-leaf ! ;      \ to be called before each generation
: enough? ( -- ? ) has-moves @ for-leaf @ AND ;

\ Runs a word that adds moves, unless the list has enough.  Moves are stored at HERE, so HERE changes if the word
\ added a move.
: unless-enough ( 'word -- ) enough? IF DROP ELSE HERE SWAP EXECUTE HERE <> IF has-moves ON ENDIF ENDIF ;
