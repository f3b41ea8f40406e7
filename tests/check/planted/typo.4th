\ Camels walk to the well in the middle. Planted: `thirsty?` uses the piece `camel` before its definition.
{board 5 5 {grid} board}
{directions
	-1 0 {direction} n 1 0 {direction} s 0 1 {direction} e 0 -1 {direction} w
directions}
{players {player} Dune {player} Palm players}
{turn-order {turn} Dune {turn} Palm turn-order}

c3 CONSTANT well

: thirsty? ( pos -- ? ) piece-type-at camel = ;   \ camel is a piece, defined below
: amble ( 'dir -- ) EXECUTE verify empty? verify from here move add-move ;
: an ['] n amble ; : as ['] s amble ; : ae ['] e amble ; : aw ['] w amble ;
{moves camel-moves {move} an {move} as {move} ae {move} aw moves}
{pieces {piece} camel {moves} camel-moves pieces}
{board-setup
	{setup} Dune camel a1 {setup} Palm camel e5
board-setup}
: there? ( -- ? ) well thirsty? ;
: OnEvaluate ( -- score ) there? IF 100 ELSE 0 ENDIF ;
: OnIsGameOver ( -- result ) there? IF #LossScore ELSE #UnknownScore ENDIF ;
