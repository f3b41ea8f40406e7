\ Yonin Shogi, capture: kings are captured and dropped like other pieces; own all four.

\ One setting of the base game; the others are listed there and in README.md.
LOAD yonin-shogi.4th
rules=capture
