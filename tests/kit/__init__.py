"""What many tests use: choices of parameters, small boards, and games."""
