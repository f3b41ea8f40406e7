\ Yonin Shogi, partners: South and North against West and East; the first mate wins for the pair.

LOAD yonin-shogi.4th
partners=on
