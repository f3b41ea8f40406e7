\ Loaded by main.4th; its name contains brackets.
: odd 7 ;
