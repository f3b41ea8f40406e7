{board 1 1 {grid} board}
{directions   \ expect error: {directions is never closed by directions}
  0 1 {direction} east
