\ Yonin Shogi, capture: kings are captured and dropped like other pieces; own all four.

\ The base game with one setting changed; yonin-shogi.4th and README.md list all settings.
LOAD yonin-shogi.4th
rules=capture
