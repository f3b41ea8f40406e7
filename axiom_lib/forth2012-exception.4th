\ forth2012-exception.4th: the word set EXCEPTION, which is in native/forth2012/exceptions.c.

{standard
: CATCH ( i*x 'x -- j*x 0 | i*x n ) $catch ;
: THROW ( n -- ) $error ;
{environment
: EXCEPTION TRUE ;
: EXCEPTION-EXT TRUE ;
{internal
