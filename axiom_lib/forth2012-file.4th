\ forth2012-file.4th: the word sets FILE and FILE EXT.  It owns access methods and the names of the
\ words that the host implements (forthvm/core/standard/files.py).

{standard
0 CONSTANT R/O ( -- method )
1 CONSTANT W/O ( -- method )
2 CONSTANT R/W ( -- method )
: BIN ( method -- method' )  \ All files are opened as they are.
	;
4 $host OPEN-FILE ( addr n method -- file code )
5 $host CREATE-FILE ( addr n method -- file code )
6 $host CLOSE-FILE ( file -- code )
7 $host DELETE-FILE ( addr n -- code )
8 $host RENAME-FILE ( addr n addr2 n2 -- code )
9 $host FILE-STATUS ( addr n -- x code )
10 $host FILE-POSITION ( file -- low high code )
11 $host REPOSITION-FILE ( low high file -- code )
12 $host FILE-SIZE ( file -- low high code )
13 $host RESIZE-FILE ( low high file -- code )
14 $host READ-FILE ( addr n file -- n2 code )
15 $host READ-LINE ( addr n file -- n2 ? code )
16 $host WRITE-FILE ( addr n file -- code )
17 $host WRITE-LINE ( addr n file -- code )
18 $host FLUSH-FILE ( file -- code )
{internal
19 $host $file-text ( file -- text code )  \ Read the rest of a file, as a text to interpret.
{standard
: INCLUDE-FILE ( file -- )
	DUP >R DUP $file-text THROW POSTPONE $include-text R> CLOSE-FILE DROP ;
{environment
: FILE TRUE ;
: FILE-EXT TRUE ;
{internal
