\ The pieces.  The loading script defines `add` ( -- ), which adds the move to `here`, and `add-as` ( type -- ), which
\ also changes the type of the moved piece.

: slide ( 'dir -- ) BEGIN DUP EXECUTE verify friend? NOT verify add not-empty? UNTIL DROP ;
: leap ( 'dir -- ) EXECUTE verify friend? NOT verify add ;
: slide-n ['] n slide ;    : slide-e ['] e slide ;    : slide-s ['] s slide ;    : slide-w ['] w slide ;
: king-n ['] n leap ;      : king-ne ['] ne leap ;    : king-e ['] e leap ;      : king-se ['] se leap ;
: king-s ['] s leap ;      : king-sw ['] sw leap ;    : king-w ['] w leap ;      : king-nw ['] nw leap ;
: leap-nne ['] nne leap ;  : leap-ene ['] ene leap ;  : leap-ese ['] ese leap ;  : leap-sse ['] sse leap ;
: leap-ssw ['] ssw leap ;  : leap-wsw ['] wsw leap ;  : leap-wnw ['] wnw leap ;  : leap-nnw ['] nnw leap ;

: row ( pos -- n ) 8 / ;                \ 0 is the row of a8
: last-row? ( -- ? ) here row DUP 0= SWAP 7 = OR ;
: first-step? ( -- ? ) from row current-player White = IF 6 ELSE 1 ENDIF = ;
: add-pawn ( -- ) last-row? IF ROOK add-as KNIGHT add-as ELSE add ENDIF ;
: step ( -- ) ahead verify empty? verify add-pawn ;
: double-step ( -- ) first-step? verify ahead verify empty? verify ahead verify empty? verify add ;
: take-left ( -- ) left verify enemy? verify add-pawn ;
: take-right ( -- ) right verify enemy? verify add-pawn ;

{moves pawn-moves {move} step {move} double-step {move} take-left {move} take-right moves}
{moves knight-moves
	{move} leap-nne {move} leap-ene {move} leap-ese {move} leap-sse
	{move} leap-ssw {move} leap-wsw {move} leap-wnw {move} leap-nnw
moves}
{moves rook-moves {move} slide-n {move} slide-e {move} slide-s {move} slide-w moves}
{moves king-moves
	{move} king-n {move} king-ne {move} king-e {move} king-se
	{move} king-s {move} king-sw {move} king-w {move} king-nw
moves}
{pieces
	{piece} pawn {moves} pawn-moves 100 {value}
	{piece} knight {moves} knight-moves 300 {value}
	{piece} rook {moves} rook-moves 500 {value}
	{piece} king {moves} king-moves 0 {value}
pieces}
{board-setup
	{setup} White rook a1 {setup} White knight b1 {setup} White king e1
	{setup} White knight g1 {setup} White rook h1
	{setup} White pawn a2 {setup} White pawn b2 {setup} White pawn c2 {setup} White pawn d2
	{setup} White pawn e2 {setup} White pawn f2 {setup} White pawn g2 {setup} White pawn h2
	{setup} Black rook a8 {setup} Black knight b8 {setup} Black king e8
	{setup} Black knight g8 {setup} Black rook h8
	{setup} Black pawn a7 {setup} Black pawn b7 {setup} Black pawn c7 {setup} Black pawn d7
	{setup} Black pawn e7 {setup} Black pawn f7 {setup} Black pawn g7 {setup} Black pawn h7
board-setup}

: OnEvaluate ( -- score ) current-player material-balance ;
: OnIsGameOver ( -- score )
	stalemate? IF current-player exposed? IF #LossScore ELSE #DrawScore ENDIF ELSE #UnknownScore ENDIF
;
