: loaded-five 5 ;
