\ Ataxx. Planted: `gs` has no `;`.
{board 7 7 {grid} board}
{directions 0 1 {direction} e 0 -1 {direction} w -1 0 {direction} n 1 0 {direction} s directions}
{players {player} Red {player} Blue players}
{turn-order {turn} Red {turn} Blue turn-order}
: infect ( 'dir -- ) here SWAP EXECUTE IF enemy? IF current-player change-owner ENDIF ENDIF to ;
: around ( -- ) ['] e infect ['] w infect ['] n infect ['] s infect ;
: grow ( 'dir -- ) EXECUTE verify empty? verify create around add-move ;
: ge ( -- ) ['] e grow ;
: gw ( -- ) ['] w grow ;
: gn ( -- ) ['] n grow ;
: gs ( -- ) ['] s grow
: hop ( 'dir -- ) DUP EXECUTE verify EXECUTE verify empty? verify from here move around add-move ;
: he ( -- ) ['] e hop ; : hw ( -- ) ['] w hop ; : hn ( -- ) ['] n hop ; : hs ( -- ) ['] s hop ;
{moves blob {move} ge {move} gw {move} gn {move} gs {move} he {move} hw {move} hn {move} hs moves}
{pieces {piece} blob1 {moves} blob pieces}
{board-setup {setup} Red blob1 a1 {setup} Red blob1 g7 {setup} Blue blob1 a7 {setup} Blue blob1 g1 board-setup}
: OnIsGameOver ( -- r ) #UnknownScore stalemate? IF DROP current-player material-balance 0> IF #WinScore ELSE #LossScore ENDIF ENDIF ;
