"""Loading: script files and which of them may be read, their texts, the library and its cache."""
