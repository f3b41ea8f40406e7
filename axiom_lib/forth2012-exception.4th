\ forth2012-exception.4th: the word set EXCEPTION, which is in native/forth2012/exceptions.c.

{standard
: CATCH $catch ;
: THROW $error ;
{environment
: EXCEPTION TRUE ;
: EXCEPTION-EXT TRUE ;
{internal
