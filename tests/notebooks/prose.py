"""Which numbers a page's prose states, and which its cells print.

Stated numbers are decimals (3.05, 70e9), grouped ones (524,288), and numbers with a
scale word (70 billion), a unit, a factor sign or a percent sign. Other whole numbers,
code, links, names such as A100 or Llama-3.1-8B, and powers are left out; numbers in
LaTeX are not. A facts table, one with a column *Source*, states nothing that has to be
printed: it supports what the page states.
"""
import re
from dataclasses import dataclass
from decimal import Decimal
from html import unescape

UNITS = r"""times|x\b|%|per\ cent|
    [mµμn]?s\b|seconds?|minutes?|hours?|days?|
    [kKMGT]i?B(?:/s)?\b|bytes?|
    (?:[kMGTP]?FLOPS?|[kMGTP]?FLOPs?|T?OPS)(?:/s|/B|/byte)?\b|operations|
    tokens?|sequences?|positions?|parameters?|requests?|[kMG]?Hz\b|[kM]?W\b|°C"""
SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
GROUPED = r"\d{1,3}(?:[,\u2009\u202f\u00a0]\d{3})+(?![\d])"
NUMBER = rf"(?:{GROUPED}|\d+)(?:\.\d+)?(?:[eE][+\-]?\d+)?"
SPACED = r"\d{1,3}(?:\ \d{3})+(?=\s*(?:B|bytes|tokens|FLOP)\b)"
STATED = re.compile(rf"""(?<![\w.])(?P<number>{SPACED}|{NUMBER})(?!\.?\d|[A-Za-z]*\d)
    (?P<unit>[\s\-\u2009\u202f\u00a0]*(?:(?P<scale>{'|'.join(SCALES)})\b|×(?!\s*\d)|(?:{UNITS})))?""",
                    re.VERBOSE)
# The last alternative: letters first, then parts joined by hyphens, as in A100-80GB-SXM.
NAMES = re.compile(r"""(?:arXiv:|doi:|https?://|10\.\d{4,}/)\S+
    |\b(?:Llama|HBM|CUDA|PCIe|Python|NVLink|Part|Chapter|Section)[ -]?v?\d+(?:\.\d+)*\w*
    |(?<![\w.-])[A-Za-z](?=[\w.-]*\d)\w*(?:[-.]\w+)+""", re.VERBOSE)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
FENCE = re.compile(r"^\s*(`{3,}|~{3,}|:{3,})\s*(?:\{([\w:-]+)\})?(.*)$")
CODE_DIRECTIVES = {"code", "code-block", "code-cell", "literalinclude", "raw", "bibliography",
                   "tableofcontents", "mermaid"}


@dataclass(frozen=True)
class Number:
    """A number as written, and the values it may stand for."""

    written: str
    values: tuple


def _decimals(value):
    return max(0, -int(value.as_tuple().exponent))


def _value(text):
    return Decimal(re.sub(r"[,\s]", "", text))


def without_code(markdown):
    """`markdown` without literal blocks, code spans and the marks of directives."""
    kept, open_fences = [], []  # (fence, literal, mathematics)
    options = False
    for line in markdown.splitlines():
        fence = FENCE.match(line)
        last = open_fences[-1] if open_fences else None
        if fence and last and not fence[2] and not fence[3].strip() \
                and fence[1].startswith(last[0]):
            open_fences.pop()
            kept += ["$$"] if last[2] else []
        elif last and last[1]:
            continue
        elif fence:
            name, mathematics = fence[2], fence[2] == "math"
            open_fences.append((fence[1], not name or name in CODE_DIRECTIVES, mathematics))
            kept.append("$$" if mathematics else fence[3] if not open_fences[-1][1] else "")
            options = True
            continue
        elif options and re.match(r"\s*:[\w-]+:", line):
            continue
        else:
            kept.append(line)
        options = False
    text = re.sub(r"\{math\}`([^`]*)`", r"$\1$", "\n".join(kept))
    return re.sub(r"(?:\{[\w:-]+\})?(`+)(?!`).+?(?<!`)\1(?!`)", " ", text, flags=re.DOTALL)


def from_latex(formula):
    """A formula as words and numbers: powers, indices and commands taken away."""
    formula = re.sub(r"(?<=\d)(?:\\[,;:! ]|\{,\}|~)(?=\d{3})", "\u2009", formula)
    formula = re.sub(r"(?:\\times|\\cdot)\s*10\^\{?(-?\d+)\}?", r"e\1", formula)
    formula = re.sub(r"(\d)\s*e(-?\d)", r"\1e\2", formula)
    formula = re.sub(r"\\times(?=\s*(?:[.,;)]|$))", "×", formula.strip()).replace(r"\%", "%")
    formula = re.sub(r"[\^_](?:\{[^{}]*\}|\\?\w)", " ", formula)
    formula = re.sub(r"\\(?:text|mathrm|mathit|operatorname|textbf)\s*\{", " {", formula)
    formula = re.sub(r"\\[A-Za-z]+|\\.", " ", formula)
    return re.sub(r"[{}&]", " ", formula)


def as_words(text):
    """Prose without code as plain text, with its numbers as the reader sees them."""
    text = re.sub(r"^\(\S+\)=$|^%.*$|^\*\*Time:\*\*.*$", "", text, flags=re.M)
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?[A-Za-z][^>]*>|<https?:[^>]*>", " ", text)
    text = re.sub(r"(\$\$?)(.+?)\1", lambda m: f" {from_latex(m[2])} ", text, flags=re.DOTALL)
    text = re.sub(r"\s*[×·]\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
                  lambda m: "e" + m[1].translate(SUPERSCRIPTS), text)
    return NAMES.sub(" ", re.sub(r"[*_]", "", unescape(text)))


def cells_of(row):
    """The cells of one line of a Markdown table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def split(markdown):
    """The prose of `markdown` without code, and its facts tables as lists of lines.

    A table without a column Source is prose.
    """
    text = without_code(re.sub(r"<!--.*?-->", " ", markdown, flags=re.DOTALL))
    prose, facts_tables = [], []
    for block in re.split(r"(^(?:[ \t]*\|.*\n?)+)", text, flags=re.M):
        lines = block.splitlines()
        if block.lstrip().startswith("|") and "source" in map(str.lower, cells_of(lines[0])):
            facts_tables.append(lines)
        else:
            prose.append(block)
    return "".join(prose), facts_tables


def facts(markdown):
    """Every number that the facts tables of `markdown` support."""
    return printed(as_words("\n".join(row for table in split(markdown)[1] for row in table)))


def unsourced(markdown):
    """The rows of facts tables whose Source cell holds neither a link nor a citation."""
    missing = []
    for table in split(markdown)[1]:
        column = [cell.lower() for cell in cells_of(table[0])].index("source")
        missing += [row for row in table[2:] if not re.search(
            r"\]\(|https?://|\{cite", "".join(cells_of(row)[column:column + 1]))]
    return missing


def stated(markdown):
    """The `Number` objects that prose states and something has to support."""
    found = []
    words = as_words(split(markdown)[0])
    for match in STATED.finditer(words):
        in_a_sum = words[:match.start()].rstrip().endswith("+")  # as in: γ + 1 times
        if match["number"].isdigit() and (in_a_sum or not match["unit"]):
            continue
        value = _value(match["number"])
        scaled = (value.scaleb(SCALES[match["scale"]]),) if match["scale"] else ()
        found.append(Number(" ".join(match[0].split()), (value, *scaled)))
    return found


def printed(text):
    """The numbers that stand in `text`, each with its decimals: 0.75 is not 0.750 here."""
    found = re.findall(rf"(?<![\w.])(?:{NUMBER})(?!\.\d)", text)
    return {(value, _decimals(value)) for value in map(_value, found)}


def supported(number, values):
    """Whether `values` hold `number` to the digits it is written with."""
    return any(value == wanted and decimals >= _decimals(number.values[0])
               for wanted in number.values for value, decimals in values)
