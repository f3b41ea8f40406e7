\ Yonin Shogi, last: the game goes on until one player is left.

LOAD yonin-shogi.4th
win=last
