	VARIABLE place   \ the report keeps tabs, so that the caret is below the word
: look ( -- n )
	place @ @ ;   \ expect error: address outside memory: 0x0 (0)
look
