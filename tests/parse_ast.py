#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Python judges the parser: random statements give the tree that `ast` gives, places included, and damaged ones are
refused by both or by neither.

usage: tests/parse_ast.py build/parse_dump [STATEMENTS [SEED]]    (make parse-ast)

What differs on purpose is not generated, or listed in on_purpose(): bytes, complex numbers, numbers of more than 64 bits,
match, except*, async, yield, type comments; lone stars; a first line that is indented; `f(a, a)` as parameters."""
import ast
import os
import random
import re
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
NAMES = "a b x y ids wte torch F nn self é _ x1 print match case type B T".split()
BINARY = "+ - * / // % @ ** & | ^ << >>".split()
COMPARE = ["<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"]
AUGMENTED = "+= -= *= /= //= %= @= &= |= ^= <<= >>= **=".split()
NUMBERS = "0 1 2 50_257 0x1F 0b1_0 0o17 1.5 .5 1. 1e-3 1_0.2_5e+1_0 00 9223372036854775807 1E5 0.1 1e400 123456789012345678.0 5e-324".split()


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.inside = 0  # brackets that are open
        self.holes = 0

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    # ---- spacing ----
    def gap(self):
        """Between two words that need no blank."""
        r = self.rng.random()
        if self.holes or r < 0.7:
            return self.pick("", " ")
        if self.inside and r < 0.78:
            return self.pick("\n", "\n      ", " # note\n\t", "\r\n", "\n\n", "# ( \"\n")
        if r < 0.82:
            return self.pick("\\\n", " \\\n   ", "\t", "  ", "\f")
        return " "

    def blank(self):
        """Between two words that need one."""
        g = self.gap()
        return g if g and g != "# ( \"\n" else " "

    def join(self, words):
        """Words with gaps, and blanks where letters would touch."""
        out = ""
        for w in words:
            if not w:
                continue
            touch = out and (out[-1].isalnum() or out[-1] in "_.'\"") and (w[0].isalnum() or w[0] in "_.'\"")
            out += (self.blank() if touch else self.gap()) + w if out else w
        return out

    def commas(self, items, trailing):
        out = []
        for i, item in enumerate(items):
            if i:
                out.append(",")
            out.append(item)
        if items and trailing and self.chance(0.2):
            out.append(",")
        return self.join(out)

    def bracket(self, a, inner, b):
        self.inside += 1
        out = a + self.gap() + inner() + self.gap() + b
        self.inside -= 1
        return out

    def some(self, low, high, make):
        return [make() for _ in range(self.rng.randint(low, high))]

    # ---- strings ----
    def string(self):
        parts = self.some(1, 1 if self.holes or self.chance(0.8) else 3, self.piece)
        if self.inside == 0:
            return " ".join(parts)
        return self.pick(" ", "\n").join(parts)

    def piece(self):
        if self.holes:
            return self.pick('"', '"""', 'r"') .replace('r"', '"') and '"' + self.pick("", "k", "é x", "a-b") + '"'
        quote = self.pick("'", '"', "'''", '"""')
        prefix = self.pick("", "", "", "r", "f", "f", "F", "rf", "fR", "R")
        body = "".join(self.some(0, 4, lambda: self.text(prefix.lower(), quote)))
        return prefix + quote + body + quote

    def text(self, prefix, quote):
        plain = ["a", "B c", "é", "€", "😀", "#", ":", "!", "=", "\\\\", "\\n" if "r" not in prefix else "\\d", "%d"]
        if "r" not in prefix:
            plain += ["\\t", "\\'", '\\"', "\\x41", "\\xe9", "\\u20ac", "\\U0001F600", "\\101", "\\0", "\\q", "\\\n", "\\7x", "\\777"]
        if len(quote) == 3:
            plain += ["\n", "\r\n", "x'y", 'x"y', "\n  "]
            plain = [p for p in plain if p[-1] != quote[0]]
        if "f" in prefix:
            plain += ["{{", "}}"]
            if self.chance(0.6) and quote[0] == "'":
                return self.hole(0)
        return self.pick(*plain)

    def hole(self, level):
        self.holes += 1
        inside, self.inside = self.inside, 0
        value = self.pick(self.name(), self.expr(2), self.expr(1))
        while "'" in value or "\\" in value or "#" in value or "\n" in value or value[0] == "{" or "lambda" in value or "\f" in value:
            value = self.name()
        self.inside = inside
        self.holes -= 1
        out = "{" + self.pick("", " ") + value + self.pick("", " ")
        if self.chance(0.1):
            out += "=" + self.pick("", " ")
        if self.chance(0.15):
            out += self.pick("!r", "!s", "!a")
        if self.chance(0.3):
            out += ":" + self.pick("", ".3f", ">10", "%x", "#x", " ", "d", self.hole(1) if level == 0 else "x", "=5")
            if level == 0 and self.chance(0.2):
                out += self.hole(1) + self.pick("", "f")
        return out + "}"

    # ---- expressions ----
    def name(self):
        return self.pick(*NAMES)

    def atom(self, depth):
        r = self.rng.random()
        if depth <= 0 or r < 0.3:
            return self.name()
        if r < 0.45:
            return self.pick(*NUMBERS)
        if r < 0.52:
            return self.string()
        if r < 0.57:
            return self.pick("True", "False", "None", "...")
        if r < 0.7:
            return self.bracket("(", lambda: self.named(depth - 1), ")")
        if r < 0.76:
            return self.bracket("(", lambda: self.tuple(depth - 1), ")")
        if r < 0.84:
            return self.bracket("[", lambda: self.commas(self.some(0, 3, lambda: self.element(depth - 1, self.named)), True), "]")
        if r < 0.88:
            return self.bracket("{", lambda: self.commas(self.some(0, 3, lambda: self.pair(depth - 1)), True), "}")
        if r < 0.9:
            return self.bracket("{", lambda: self.commas(self.some(1, 3, lambda: self.element(depth - 1, self.named)), True), "}")
        a, b = self.pick("()", "[]", "{}")
        of = (lambda: self.named(depth - 1)) if self.chance(0.7) or a != "{" else \
            (lambda: self.join([self.expr(depth - 1), ":", self.expr(depth - 1)]))
        return self.bracket(a, lambda: self.comprehension(of, depth - 1), b)

    def element(self, depth, value=None):
        return self.join(["*", self.level(depth, 6)]) if self.chance(0.1) else (value or self.expr)(depth)

    def named(self, depth):
        return self.join([self.name(), ":=", self.expr(depth)]) if self.chance(0.1) else self.expr(depth)

    def pair(self, depth):
        if self.chance(0.1):
            return self.join(["**", self.level(depth, 6)])
        return self.join([self.expr(depth), ":", self.expr(depth)])

    def tuple(self, depth):
        items = self.some(0, 3, lambda: self.element(depth))
        if len(items) == 1:
            return self.join([items[0], ","])
        return self.commas(items, True)

    def comprehension(self, of, depth):
        words = [of()]
        for _ in range(self.rng.randint(1, 2)):
            words += ["for", self.targets(1), "in", self.level(depth, 2)]
            for _ in range(self.rng.choice((0, 0, 1, 2))):
                words += ["if", self.level(depth, 2)]
        return self.join(words)

    def primary(self, depth):
        out = self.atom(depth)
        if out[-1] in "0123456789." or out[0] in "0123456789.":
            return out
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3)) if depth > 0 else 0):
            r = self.rng.random()
            if r < 0.35:
                out = self.join([out, ".", self.name()])
            elif r < 0.7:
                out = out + self.gap() + self.bracket("(", lambda: self.arguments(depth - 1), ")")
            else:
                out = out + self.gap() + self.bracket("[", lambda: self.subscripts(depth - 1), "]")
        return out

    def arguments(self, depth):
        if self.chance(0.08):
            return self.comprehension(lambda: self.expr(depth), depth)
        items = self.some(0, 2, lambda: self.argument(depth))
        named = [self.join([self.name() + str(i), "=", self.expr(depth)]) for i in range(self.rng.choice((0, 0, 1, 2)))]
        if named and self.chance(0.1):
            named.append(self.join(["*", self.expr(depth)]))
        if self.chance(0.1):
            named += [self.join(["**", self.expr(depth)]), self.join(["z", "=", self.expr(depth)])]
        return self.commas(items + named, True)

    def argument(self, depth):
        return self.join(["*", self.expr(depth)]) if self.chance(0.1) else self.named(depth)

    def subscripts(self, depth):
        return self.commas(self.some(1, 3, lambda: self.subscript(depth)), True)

    def subscript(self, depth):
        r = self.rng.random()
        if r < 0.5:
            return self.named(depth)
        if r < 0.55:
            return self.join(["*", self.expr(depth)])
        some = lambda: self.expr(depth) if self.chance(0.5) else ""
        words = [some(), ":", some()]
        if self.chance(0.3):
            words += [":", some()]
        return self.join(words)

    def level(self, depth, least):
        """An expression that binds at least as tightly as that: 1 value, 2 or, 3 and, 4 not, 5 compare, 6 binary, 7 sign, 8 power."""
        out = self.expr(depth, least)
        return out

    def expr(self, depth, least=1):
        r = self.rng.random()
        if depth <= 0 or r < 0.4:
            return self.primary(depth)
        d = depth - 1
        if r < 0.44 and least <= 1:
            return self.join([self.expr(d, 2), "if", self.expr(d, 2), "else", self.expr(d)])
        if r < 0.47 and least <= 1:
            return self.join(["lambda", self.params(d, False), ":", self.expr(d)])
        if r < 0.53 and least <= 2:
            return self.join(sum([["or", self.expr(d, 3)] for _ in range(self.rng.randint(2, 3))], [])[1:])
        if r < 0.58 and least <= 3:
            return self.join(sum([["and", self.expr(d, 4)] for _ in range(self.rng.randint(2, 3))], [])[1:])
        if r < 0.62 and least <= 4:
            return self.join(["not", self.expr(d, 4)])
        if r < 0.7 and least <= 5:
            words = [self.expr(d, 6)]
            for _ in range(self.rng.choice((1, 1, 2))):
                words += [self.pick(*COMPARE), self.expr(d, 6)]
            return self.join(words)
        if r < 0.9 and least <= 6:
            words = [self.expr(d, 7)]
            for _ in range(self.rng.choice((1, 1, 2, 3))):
                words += [self.pick(*BINARY), self.expr(d, 7)]
            return self.join(words)
        if r < 0.95 and least <= 7:
            return self.join([self.pick("-", "+", "~"), self.expr(d, 7)])
        return self.primary(depth)

    def params(self, depth, types):
        names = [n + str(i) for i, n in enumerate(self.some(0, 4, lambda: self.pick("a", "b", "dim")))]
        typed = lambda n: self.join([n, ":", self.expr(depth)]) if types and self.chance(0.3) else n
        out, given = [], False
        for n in names:
            given = given or self.chance(0.25)
            out.append(self.join([typed(n), "=", self.expr(depth)]) if given else typed(n))
        if out and self.chance(0.1):
            out.insert(self.rng.randint(1, len(out)), "/")
        if self.chance(0.2):
            out.append(self.join(["*", typed("rest")]) if self.chance(0.6) else "*")
            for i in range(self.rng.randint(1 if out[-1] == "*" else 0, 2)):
                n = typed("only%d" % i)
                out.append(self.join([n, "=", self.expr(depth)]) if self.chance(0.5) else n)
        if self.chance(0.1):
            out.append(self.join(["**", typed("named")]))
        return self.commas(out, True)

    # ---- statements ----
    def target(self, depth):
        r = self.rng.random()
        if r < 0.5:
            return self.name()
        if r < 0.65:
            return self.join([self.name(), ".", self.name()])
        if r < 0.8:
            return self.name() + self.bracket("[", lambda: self.subscripts(1), "]")
        if depth and r < 0.9:
            return self.bracket("(", lambda: self.commas(self.some(2, 3, lambda: self.target(depth - 1)), True), ")")
        if depth and r < 0.95:
            return self.bracket("[", lambda: self.commas(self.some(0, 3, lambda: self.target(depth - 1)), True), "]")
        return self.bracket("(", lambda: self.name(), ")")

    def targets(self, depth):
        items = self.some(1, 1 if self.chance(0.6) else 3, lambda: self.target(depth))
        if len(items) > 1 and self.chance(0.2):
            items[0] = self.join(["*", items[0]])
        return self.commas(items, True)

    def values(self, depth):
        if self.chance(0.75):
            return self.expr(depth)
        items = self.some(1, 3, lambda: self.element(depth))
        return self.join([items[0], ","]) if len(items) == 1 else self.commas(items, True)

    def dotted(self):
        return ".".join(self.some(1, 3, self.name))

    def import_(self):
        alias = lambda n: self.join([n, "as", self.name()]) if self.chance(0.4) else n
        if self.chance(0.5):
            return self.join(["import", self.commas(self.some(1, 3, lambda: alias(self.dotted())), False)])
        of = self.pick(self.dotted(), ".", "..", "..." + self.name(), "." + self.dotted())
        names = lambda: self.some(1, 3, lambda: alias(self.name()))
        what = self.pick("*", self.commas(names(), False), self.bracket("(", lambda: self.commas(names(), True), ")"))
        return self.join(["from", of, "import", what])

    def simple(self):
        d = self.rng.choice((1, 2, 2, 3, 4))
        r = self.rng.random()
        if r < 0.35:
            return self.values(d)
        if r < 0.65:
            return self.join(sum([[self.targets(1), "="] for _ in range(self.rng.choice((1, 1, 1, 2)))], []) + [self.values(d)])
        if r < 0.72:
            return self.join([self.target(0), self.pick(*AUGMENTED), self.values(d)])
        if r < 0.76:
            return self.join([self.target(0), ":", self.expr(2)] + (["=", self.values(d)] if self.chance(0.6) else []))
        if r < 0.8:
            return self.join(["return", self.values(d) if self.chance(0.8) else ""])
        if r < 0.83:
            words = ["raise"]
            if self.chance(0.8):
                words.append(self.expr(d))
                if self.chance(0.3):
                    words += ["from", self.expr(1)]
            return self.join(words)
        if r < 0.86:
            return self.join(["assert", self.expr(d)] + ([",", self.expr(1)] if self.chance(0.5) else []))
        if r < 0.89:
            return self.join(["del", self.commas(self.some(1, 3, lambda: self.target(1)), True)])
        if r < 0.92:
            return self.join([self.pick("global", "nonlocal"), self.commas(self.some(1, 3, self.name), False)])
        if r < 0.96:
            return self.import_()
        return self.pick("pass", "break", "continue")

    def line(self):
        out = self.pick("", "  ").join([])
        statements = self.some(1, 1 if self.chance(0.85) else 3, self.simple)
        out += (self.gap().replace("\\\n", "").replace("\f", "") + ";" + self.gap()).join(statements)
        if self.chance(0.1):
            out += self.pick(";", " ; ")
        if self.chance(0.1):
            out += self.pick("  # end", "#", " # ( [ {")
        return out + self.pick("\n", "\n", "\n", "\r\n")

    def suite(self, indent, depth):
        if self.chance(0.2):
            return " " + self.line()
        deeper = indent + self.pick("    ", "  ", " ", "\t", "        ")
        out = self.pick("", "", "  # comment") + "\n"
        for _ in range(self.rng.randint(1, 3)):
            if self.chance(0.1):
                out += self.pick("\n", "   \n", "# far left\n", deeper + "  # deep\n")
            out += self.statement(deeper, depth - 1)
        return out

    def statement(self, indent, depth):
        if depth <= 0 or self.chance(0.75):
            return indent + self.line()
        head = lambda words: indent + self.join(words) + self.gap() + ":"
        r = self.rng.random()
        d = self.rng.choice((1, 2, 3))
        if r < 0.3:
            out = head(["if", self.named(d)]) + self.suite(indent, depth)
            while self.chance(0.25):
                out += head(["elif", self.named(d)]) + self.suite(indent, depth)
            return out + (head(["else"]) + self.suite(indent, depth) if self.chance(0.4) else "")
        if r < 0.5:
            out = head(["for", self.targets(1), "in", self.values(d)]) + self.suite(indent, depth)
            return out + (head(["else"]) + self.suite(indent, depth) if self.chance(0.2) else "")
        if r < 0.6:
            out = head(["while", self.named(d)]) + self.suite(indent, depth)
            return out + (head(["else"]) + self.suite(indent, depth) if self.chance(0.2) else "")
        if r < 0.7:
            item = lambda: self.join([self.expr(d)] + (["as", self.target(1)] if self.chance(0.5) else []))
            items = lambda: self.some(1, 3, item)
            what = self.commas(items(), False) if self.chance(0.7) else \
                self.bracket("(", lambda: self.commas(items(), True), ")")
            return head(["with", what]) + self.suite(indent, depth)
        if r < 0.76:
            out, n = head(["try"]) + self.suite(indent, depth), self.rng.randint(0, 2)
            for _ in range(n):
                words = ["except", self.expr(d)] + (["as", self.name()] if self.chance(0.5) else [])
                out += head(words) + self.suite(indent, depth)
            if n and self.chance(0.2):
                out += head(["except"]) + self.suite(indent, depth)
            if n and self.chance(0.3):
                out += head(["else"]) + self.suite(indent, depth)
            return out + (head(["finally"]) + self.suite(indent, depth) if not n or self.chance(0.3) else "")
        out = ""
        while self.chance(0.2):
            out += indent + self.join(["@", self.expr(2)]) + "\n"
        if r < 0.9:
            words = ["def", self.name(), self.bracket("(", lambda: self.params(1, True), ")")]
            if self.chance(0.3):
                words += ["->", self.expr(1)]
        else:
            words = ["class", self.name()]
            if self.chance(0.7):
                words.append(self.bracket("(", lambda: self.commas(self.some(0, 2, lambda: self.argument(1)), True), ")"))
        return out + head(words) + self.suite(indent, depth)


# ---- damage ----
PIECES = (NAMES + NUMBERS + BINARY + COMPARE + AUGMENTED + list("()[]{}:,;=.@'\"\\#!\n \t") +
          "if else elif for in while try except finally def lambda class with as return raise from import assert del pass not and or is global None True "
          "-> := ... ** // f' f\" ''' \"\"\" {x} : \n    \n\t 0123 1_ 0x 1e 1.e 5x 0b2 é ; == ! & |".split(" "))


def damage(rng, source):
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(source) + 1)
        r = rng.random()
        if r < 0.3:
            source = source[:at] + source[at + rng.randint(1, 3):]
        elif r < 0.7:
            source = source[:at] + rng.choice(PIECES) + source[at:]
        elif r < 0.8:
            source = source[:at] + source[at:at + rng.randint(1, 9)] + source[at:]
        else:
            words = re.findall(r"\w+|\s+|.", source)
            if len(words) > 2:
                i, j = rng.randrange(len(words)), rng.randrange(len(words))
                words[i], words[j] = words[j], words[i]
                source = "".join(words)
    return source


def soup(rng):
    return rng.choice(("", " ")).join(rng.choice(PIECES) for _ in range(rng.randint(1, 12)))


# ---- comparing ----
def places(tree, source):
    """Of each expression its bytes of the source, where both tell the same: not of tuples and generators, whose parentheses only
    Python counts, nor within f-strings, where it counts from elsewhere."""
    starts = [0] + [m.end() for m in re.finditer(rb"\r\n|\n|\r", source.encode())]
    spans, left = {}, [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Tuple, ast.GeneratorExp)):
            spans[node] = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        if not isinstance(node, ast.JoinedStr):
            left.extend(ast.iter_child_nodes(node))
    return spans


def dump(node, spans):
    """As ast.dump has it, with places."""
    if isinstance(node, list):
        return "[%s]" % ", ".join([dump(n, spans) for n in node])
    if not isinstance(node, ast.AST):
        return repr(node).encode("ascii", "backslashreplace").decode()
    fields = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value is not None or (name == "value" and isinstance(node, ast.Constant)):
            fields.append("%s=%s" % (name, dump(value, spans)))
    if node in spans:
        fields.append("at=(%d, %d)" % spans[node])
    return "%s(%s)" % (type(node).__name__, ", ".join(fields))


def theirs(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as why:
        return "error: %s" % why
    return dump(tree, places(tree, source))


def ours(program, sources):
    data = b"".join(b"%d\n%s" % (len(s.encode()), s.encode()) for s in sources)
    done = subprocess.run([program], input=data, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().splitlines()


def on_purpose(source, mine, python):
    """Only one of them refuses.  Is that meant?"""
    if python.startswith("error"):
        return "unexpected indent" in python or "unindent does not match" in python or source.strip() == ">>>"
    return bool(re.search(r"asks for another line|a value with|not supported|more than 64 bits|unpacks into|two parameters", mine))


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    whole = []
    while len(whole) < count:
        whole.append(Writer(rng).statement("", rng.choice((1, 1, 2, 3))))
    broken = [soup(rng) if rng.random() < 0.3 else damage(rng, rng.choice(whole)) for _ in range(count)]
    different = refused = meant = 0
    for sources, valid in ((whole, True), (broken, False)):
        for i in range(0, len(sources), 1000):
            part = sources[i:i + 1000]
            answers = ours(program, part)
            for source, mine in zip(part, answers):
                python = theirs(source)
                if valid and python.startswith("error"):
                    sys.exit("the generator is wrong: %s\n%s" % (python, source))
                fails = mine.startswith("error"), python.startswith("error")
                refused += fails == (True, True)
                if fails == (True, True) or (fails == (False, False) and mine == python):
                    continue
                if fails[0] != fails[1] and on_purpose(source, mine, python):
                    meant += 1
                    continue
                different += 1
                if different <= 10:
                    at = len(os.path.commonprefix([mine, python]))
                    near = max(at - 80, 0)
                    print("---- %r\nours   …%s\nPython …%s" % (source, mine[near:at + 80], python[near:at + 80]))
    print("%d statements and %d damaged ones: %d refused by both, %d refused on purpose, %d different" %
          (len(whole), len(broken), refused, meant, different))
    sys.exit(different > 0)


main()
