\ forth2012-exception.4th: the word set EXCEPTION.  It owns what CATCH restores besides the stacks:
\ the input, and the pointers of the stacks of locals and floats.

{standard
: CATCH
	$lp @ >R $fp @ >R $source @ >R $source-length @ >R $source-id @ >R $>in @ >R
	$text @ >R $line# @ >R $line-at @ >R $level @ >R
	$catch DUP IF
		R> $level ! R> $line-at ! R> $line# ! R> $text !
		R> $>in ! R> $source-id ! R> $source-length ! R> $source ! R> $fp ! R> $lp !
	ELSE
		2R> 2DROP 2R> 2DROP 2R> 2DROP 2R> 2DROP 2R> 2DROP
	THEN ;
: THROW $error ;
{environment
: EXCEPTION TRUE ;
: EXCEPTION-EXT TRUE ;
{internal
