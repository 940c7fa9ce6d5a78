"""The rules of the parser, one module a language: each takes the parse so far and a token, and moves the parse on."""
