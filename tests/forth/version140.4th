\ vm: axiom=140 base=loaded/world.4th
\ Words of version 140 only, and words that behave differently in version 140.
T{ #Version -> 140 }T
fresh
\ The owner of b2 is N, 7168; version 140 returns it without the neutral bit, 1024.
T{ b2 player-at b2 to player -> 6144 6144 }T
: partly partial from b1 move add-move ;
T{ fresh ' partly gen $FirstMove .moveString @ TYPE clear-list -> }T   \ expect: "partial 0 P a1 - b1"
: partly2 2 partial-move-type from b1 move add-move ;
T{ fresh ' partly2 gen $FirstMove .moveString @ TYPE -> }T  \ expect: "partial 2 P a1 - b1"
T{ $FirstMove .moveString $FirstMove - $FirstMove .moveType $FirstMove - $FirstMove .moveCFA $FirstMove - clear-list -> 4 8 16 }T
\ The cell 6513249 is the text "abc" in line.
: in-line (^") [ 6513249 , 0 , ] add-move ;
T{ fresh ' in-line gen $FirstMove .moveString @ TYPE clear-list -> }T \ expect: "abc"
\ The words that write move texts compile.
: all-text-words S" hey" ^string a1 ^position ^player P ^piece-type 42 ^number 65 ^char ^= ^- ^x ^trim ^" lit" add-move ;
: r-twice 5 >R R R> ;
T{ r-twice -> 5 5 }T
T{ fresh $partial ON 0 next-turn-offset $partial @ -> 12 0 }T
T{ #NoContext #ImplicitPosition #ChangedType #ChangedOwner #Moved -> 0 1 2 4 8 }T
T{ B $PlayerToIndex B $PlayerToCellOffset -> 2 4 }T
\ 4098 is B's piece of type Q, the second type.
T{ 4098 $PieceToIndex 4098 $PieceToCellOffset -> 1 4 }T
T{ $useAxiomEngine @ -> -1 }T
T{ $context @ DROP $changedTo @ DROP $lastPos @ last = -> -1 }T
T{ fresh 2049 b1 $AddPieceZ b1 piece-at b1 $RemovePieceZ b1 piece-at -> 2049 0 }T
T{ 2049 b1 $AddPieceU b1 piece-at b1 $RemovePieceU b1 piece-at -> 2049 0 }T
T{ 2049 b1 $AddPiece b1 piece-at b1 $RemovePiece b1 piece-at -> 2049 0 }T
T{ $DoPartial $partial @ $partial OFF -> -1 }T
T{ 3 $DoPartialMoveType $ofType @ $partial @ $partial OFF 0 $ofType ! -> 3 -1 }T
CREATE pair 1 , 2 ,
T{ pair pair 4 + $Exchange pair @ pair 4 + @ -> 2 1 }T
{symmetries
	B {symmetry} n s
symmetries}
T{ ' n CFA>PFA @ 0 $symmetryBase = -> -1 }T
T{ fresh $partial @ 4 CELLS -> 0 16 }T
T{ fresh c3 piece-at piece-value -> 5 }T
T{ fresh ' partly gen last $lastPos @ clear-list -> 7 7 }T
\ Text after the last add-move of a word is discarded: it does not become part of the next move.
: text-at-end from b1 move add-move ^" junk" ;
: a1-drop here a1 = verify drop add-move ;
' a1-drop IS d1
T{ fresh ' text-at-end moves-of -> }T        \ expect: "P a1 - b1 | A T a1 | "
\ Two errors of version 140: FTAN returns the arc tangent, N>F treats its argument as unsigned.
T{ 1.0 FTAN F. 0.5 FTAN F. 0.5 FATAN F. -> }T \ expect: "0.7853982 0.4636476 0.4636476 "
T{ -5 N>F F. -1 N>F F. 5 N>F F. -> }T  \ expect: "4.294967e+009 4.294967e+009 5. "
T{ 16777217 N>F F>N -5 N>F F>N -> 16777216 0 }T
