\ Loaded by main.4th.
: loaded-five 5 ;
