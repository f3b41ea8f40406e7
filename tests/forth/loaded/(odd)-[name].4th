: odd 7 ;
