	VARIABLE place   \ tabs stay tabs, so that the caret stands under its word
: look ( -- n )
	place @ @ ;   \ expect error: address outside memory: 0x0 (0)
look
