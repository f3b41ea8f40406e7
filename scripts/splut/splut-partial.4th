\ Splut! in partial moves: four teams; a throw is two moves, as in the article.

LOAD splut.4th

throw=partial
