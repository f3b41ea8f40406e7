"""The articles' code fragments, taken from the text and used."""
