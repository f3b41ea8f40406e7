"""Standard Forth (library="forth2012"): the functions in Python that its library calls.

The library itself is axiom_lib/forth2012*.4th, and native/forth2012 has its functions in C.
"""
