"""Analysis of script texts: tokens, stack comments, missing words, repairs for loading."""
