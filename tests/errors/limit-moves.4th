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
{move} m   \ expect error: too many moves in a list: the limit is 128
moves}
