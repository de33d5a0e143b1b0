#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hash that tests/test_bpe.c expects over the ids of chr(c) + "'s" for every code point c.

A second way to it: from the ranges of Unicode 16 (a JSON file {"L": [[first, last], ...], "N": ...,
"White_Space": ...}, or assets/unicode/classes-16.0.txt) and GPT-2's merge list alone.  The pattern
leaves four cases: after a letter, number or white space 's is a word of its own; U+0020 and any
other character take the apostrophe with them and leave the s.

usage: tests/codepoints.py [RANGES [MERGES]]
"""
import json
import sys

ranges_path = sys.argv[1] if len(sys.argv) > 1 else "assets/unicode/classes-16.0.txt"
merges_path = sys.argv[2] if len(sys.argv) > 2 else "assets/bpe/gpt2.vocab.bpe"

own_word = bytearray(0x110000)
if ranges_path.endswith(".json"):
    ranges = [r for rows in json.load(open(ranges_path)).values() for r in rows]
else:
    lines = [line for line in open(ranges_path) if not line.startswith("#")]
    ranges = [[int(x, 16) for x in line.split()[1].split("..")] for line in lines]
for first, last in ranges:
    for c in range(first, last + 1):
        own_word[c] = 1
own_word[0x20] = 0

printable = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or 174 <= b <= 255]
order = printable + [b for b in range(256) if b not in printable]
symbol = {}
for i, b in enumerate(printable):
    symbol[chr(b)] = bytes([b])
for i, b in enumerate(b for b in range(256) if b not in printable):
    symbol[chr(256 + i)] = bytes([b])
id_of = {bytes([b]): i for i, b in enumerate(order)}
rank = {}
for line in open(merges_path, encoding="utf-8"):
    if line.startswith("#version") or not line.strip():
        continue
    left, right = (b"".join(symbol[ch] for ch in side) for side in line.rstrip("\n").split(" "))
    rank[(left, right)] = len(rank)
    id_of[left + right] = 256 + rank[(left, right)]


def merge(word):
    parts = [bytes([b]) for b in word]
    while True:
        pairs = [(rank[p], i) for i, p in enumerate(zip(parts, parts[1:])) if p in rank]
        if not pairs:
            return [id_of[p] for p in parts]
        _, i = min(pairs)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


def fnv(h, data):
    for b in data:
        h = ((h ^ b) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return h


h = 0xCBF29CE484222325
for c in range(0x110000):
    if 0xD800 <= c < 0xE000:
        continue
    if c == 0x3000:
        print("below U+3000:      0x%016X" % h)
    text = chr(c).encode()
    words = [text, b"'s"] if own_word[c] else [text + b"'", b"s"]
    for word in words:
        for i in merge(word):
            h = fnv(h, i.to_bytes(4, "little"))
    h = fnv(h, b"\xff\xff\xff\xff")
print("every code point:  0x%016X" % h)
