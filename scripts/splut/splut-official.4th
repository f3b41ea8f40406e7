\ Splut! official: four teams by the designer's rules, without passes for who is out.

LOAD splut.4th

preset=official
