"""The npm package `forthvm`: the games and the core for pages and programs in JavaScript."""
