"""How far the token estimate is from two real tokenizers."""
