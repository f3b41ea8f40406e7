"""Static analysis of stack effects: each definition followed along all of its paths.

It must not know what people are told of the results.
"""
