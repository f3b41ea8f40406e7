: m ( -- ) ;
{moves all
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m {move} m
{move} m   \ expect error: a table of the game is full
moves}
