\ LOAD inside a line, names in another letter case, both path separators, and brackets in a name.
: before-load 1 ;
LOAD FIVE.4th loaded-five . LOAD deeper\Six.4TH before-load .
LOAD (odd)-[name].4th odd .
