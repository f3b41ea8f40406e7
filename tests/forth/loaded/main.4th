: before-load 1 ;
LOAD FIVE.4th loaded-five . LOAD deeper\Six.4TH before-load .
LOAD (odd)-[name].4th odd .
