\ A stone captures enemies between it and another friend. Planted: no OnIsGameOver, so that no player wins.
{board 11 11 {grid} board}
{directions
	-1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
directions}
{players {player} X {search-engine} $UCTMove {player} O players}
{turn-order {turn} X {turn} O turn-order}
: flank ( 'dir -- )
	back
	DUP EXECUTE IF enemy? IF here SWAP EXECUTE IF friend? IF capture-at ELSE DROP ENDIF ELSE DROP ENDIF
	ELSE DROP ENDIF ELSE DROP ENDIF ;
: place ( -- )
	empty? verify
	drop
	['] n flank ['] s flank ['] e flank ['] w flank
	add-move ;
{moves placing {move} place moves}
{pieces {piece} stone {drops} placing pieces}
: OnEvaluate ( -- score ) current-player material-balance ;
