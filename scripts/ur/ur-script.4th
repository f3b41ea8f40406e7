\ The Royal Game of Ur as the first Axiom script ran it: a move for each piece in reserve, rights that are kept.

LOAD ur.4th
reserve-moves=each
right=kept
