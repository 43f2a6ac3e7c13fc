"""Which mutants a source file has: places found by libclang, and what stands there instead. Holds the operators and the
excluded lines, and nothing of building or judging.

A mutant replaces the text of one expression. Of an expression that comes out of a macro there is none, nor of constants
that the language wants constant (case labels, sizes of arrays, initialisers of static objects).
"""
import collections
import re

from libclang import Kind, clang

# What a binary operator is replaced with.
BINARY = {'+': ['-'], '-': ['+'], '*': ['+'], '/': ['*'], '%': ['/'], '&': ['|'], '|': ['&'], '^': ['|'], '<<': ['>>'],
          '>>': ['<<'], '<': ['<=', '>='], '>': ['>=', '<='], '<=': ['<', '>'], '>=': ['>', '<'], '==': ['!='],
          '!=': ['=='], '&&': ['||'], '||': ['&&'], '+=': ['-='], '-=': ['+='], '*=': ['+='], '&=': ['|='], '|=': ['&='],
          '^=': ['|='], '<<=': ['>>='], '>>=': ['<<=']}

# Files that no program runs, or that only tell others what they are.
EXCLUDED_FILES = re.compile(r'^src/(jit/archive_make\.c|jit/lookup_bodies\.c|jit/bodies\.c)$')
# Lines whose wrong is no wrong answer: assertions about our own mistakes, what only a person measuring sees.
EXCLUDED_LINES = re.compile(r'\bassert\(|_Static_assert|SCH_TRACE_|clock_gettime|_ms\b|milliseconds\(|\bprefetch')

Mutant = collections.namedtuple('Mutant', 'path start end text line function what source')

# sizeof, and declarations that hold no code.
SKIPPED = {Kind.CXX_UNARY_EXPR, Kind.ENUM_DECL, Kind.STRUCT_DECL, Kind.UNION_DECL, Kind.TYPEDEF_DECL}
LOOPS = {Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT}
NUMBER = re.compile(r'(0[xX][\da-fA-F]+|\d+)([uUlL]*)$')


class File:
    """The mutants of one file, from its abstract syntax tree."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.bytes = text.encode()
        self.found = []
        self.function, self.name = '', None

    def part(self, start, end):
        return self.bytes[start:end].decode()

    def extent(self, cursor):
        """Offsets of an expression that stands in this file as it is; None for others."""
        start, end = cursor.extent.start, cursor.extent.end
        if not start.file or not end.file or end.offset <= start.offset:
            return None
        if start.file.name != self.name or end.file.name != self.name:  # rows of a table that the function includes
            return None
        return start.offset, end.offset

    def add(self, extent, text, what):
        line = self.bytes.count(b'\n', 0, extent[0]) + 1
        source = self.lines()[line - 1].strip()
        if not EXCLUDED_LINES.search(source):
            self.found.append(Mutant(self.path, extent[0], extent[1], text, line, self.function, what, source))

    def lines(self):
        if not hasattr(self, '_lines'):
            self._lines = self.text.split('\n')
        return self._lines

    # ---- one kind of expression each ----

    def binary(self, cursor, loop_head):
        children = list(cursor.get_children())
        if len(children) != 2 or loop_head:
            return
        whole, left, right = self.extent(cursor), self.extent(children[0]), self.extent(children[1])
        if not whole or not left or not right or left[0] != whole[0] or right[1] != whole[1] or left[1] > right[0]:
            return
        sign = self.part(left[1], right[0])
        if sign.strip() not in BINARY:
            return
        for other in BINARY[sign.strip()]:
            text = self.part(left[0], left[1]) + f' {other} ' + self.part(right[0], right[1])
            self.add(whole, text, f'{sign.strip()} becomes {other}')

    def number(self, cursor, loop_head):
        extent = self.extent(cursor)
        if not extent:
            return
        text = self.part(*extent)
        if text in ('true', 'false'):
            other = 'false' if text == 'true' else 'true'
            self.add(extent, other, f'{text} becomes {other}')
            return
        found = NUMBER.match(text)
        if not found:
            return
        value, suffix = int(found.group(1), 0) if not re.match(r'0\d', text) else None, found.group(2)
        if value is None:
            return
        others = [value - 1] if value else []
        if not loop_head:
            others = [value + 1] + others
        for other in others:
            word = hex(other) if text[:2].lower() == '0x' else str(other)
            self.add(extent, word + suffix, f'{text} becomes {word}{suffix}')

    def float_number(self, cursor):
        extent = self.extent(cursor)
        if not extent or not re.match(r'[\d.]', self.part(*extent)):
            return
        text = self.part(*extent)
        try:
            zero = float.fromhex(text.rstrip('fFlL')) == 0 if text[:2].lower() == '0x' else float(text.rstrip('fFlL')) == 0
        except ValueError:
            return
        self.add(extent, f'({text} + 1)' if zero else f'({text} * 1.5f)' if text[-1] in 'fF' else f'({text} * 1.5)',
                 f'{text} becomes {"1" if zero else "1.5 times that"}')

    def condition(self, cursor, loop):
        extent = self.extent(cursor)
        if not extent:
            return
        text = self.part(*extent)
        if loop:
            self.add(extent, '0', f'({text}) becomes false')
            return
        for what, wrong in (('its negation', f'!({text})'), ('true', '1'), ('false', '0')):
            self.add(extent, wrong, f'({text}) becomes {what}')

    def negation(self, cursor):
        """-a, ~a and !a lose their sign."""
        extent = self.extent(cursor)
        children = list(cursor.get_children())
        inside = self.extent(children[0]) if len(children) == 1 else None
        if not extent or not inside or inside[1] != extent[1]:
            return
        sign = self.part(extent[0], inside[0]).strip()
        if sign in ('-', '~'):
            self.add(extent, self.part(*inside), f'{sign} is dropped')
        elif sign == '!':
            self.add(extent, f'!!({self.part(*inside)})', '! is dropped')

    def statement(self, cursor):
        """A call or an assignment whose value nobody wants is left out."""
        extent = self.extent(cursor)
        if not extent:
            return
        text = self.part(*extent)
        if re.match(r'\s*;', self.part(extent[1], extent[1] + 8)):
            self.add(extent, None, f'left out: {" ".join(text.split())[:100]}')

    # ---- the tree ----

    def function_of(self, cursor):
        self.function, self.name = cursor.spelling or self.function, cursor.location.file.name
        for child in cursor.get_children():
            if child.kind == Kind.COMPOUND_STMT:
                self.visit(child, False)

    def declared(self, cursor, loop_head):
        if cursor.storage_class == clang.StorageClass.STATIC:
            return
        children = list(cursor.get_children())
        is_array = cursor.type.kind in (clang.TypeKind.CONSTANTARRAY, clang.TypeKind.INCOMPLETEARRAY)
        for child in children:
            if not is_array or child.kind == Kind.INIT_LIST_EXPR:
                self.visit(child, loop_head)

    def visit(self, cursor, loop_head):
        kind = cursor.kind
        if kind in SKIPPED:
            return
        if kind == Kind.VAR_DECL:
            self.declared(cursor, loop_head)
            return
        children = list(cursor.get_children())
        if kind == Kind.INIT_LIST_EXPR and self.is_all_zero(cursor):
            return
        if kind == Kind.CASE_STMT:
            children = children[1:]
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR):
            self.binary(cursor, loop_head)
        elif kind == Kind.INTEGER_LITERAL:
            self.number(cursor, loop_head)
        elif kind == Kind.FLOATING_LITERAL:
            self.float_number(cursor)
        elif kind == Kind.UNARY_OPERATOR:
            self.negation(cursor)
        elif kind in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR) and children:
            # A macro's own `a ? b : c` stands where the macro does, whole and part.
            if kind == Kind.IF_STMT or self.extent(children[0]) != self.extent(cursor):
                self.condition(children[0], False)
        elif kind in LOOPS:
            self.loop(cursor, children)
            return
        self.visit_children(kind, children, loop_head)

    def is_all_zero(self, cursor):
        """{0} says that all is zero; its 0 is no number of the first member."""
        extent = self.extent(cursor)
        return bool(extent) and self.part(*extent).replace(' ', '') == '{0}'

    def visit_children(self, kind, children, loop_head):
        statements = {Kind.COMPOUND_STMT, Kind.IF_STMT, Kind.CASE_STMT, Kind.DEFAULT_STMT, Kind.SWITCH_STMT}
        for n, child in enumerate(children):
            heads = kind in (Kind.IF_STMT, Kind.SWITCH_STMT) and n == 0
            if kind in statements and not heads:
                self.maybe_statement(child)
            self.visit(child, loop_head)

    def maybe_statement(self, child):
        assigned = child.kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR or (
            child.kind == Kind.BINARY_OPERATOR and self.is_assignment(child))
        if child.kind == Kind.CALL_EXPR or assigned:
            self.statement(child)

    def is_assignment(self, cursor):
        children = list(cursor.get_children())
        left, right = (self.extent(c) for c in children) if len(children) == 2 else (None, None)
        return bool(left and right and left[1] <= right[0] and self.part(left[1], right[0]).strip() == '=')

    def loop(self, cursor, children):
        body = children[0] if cursor.kind == Kind.DO_STMT else children[-1]
        for child in children:
            if child == body:
                self.maybe_statement(child)
                self.visit(child, False)
                continue
            if self.is_condition(cursor, child):
                self.condition(child, True)
            self.visit(child, True)

    def is_condition(self, cursor, child):
        if cursor.kind != Kind.FOR_STMT:
            return cursor.kind == Kind.WHILE_STMT
        extent = self.extent(child)
        if not extent:
            return False
        before = self.part(self.extent(cursor)[0], extent[0])
        return before.count(';') == 1 and self.part(extent[1], extent[1] + 2).lstrip().startswith(';')


def mutants_of_unit(index, source, arguments, wanted, text_of):
    """The mutants of the files that one translation unit shows: {path: [Mutant]} for the paths that `wanted` likes."""
    unit = index.parse(source, args=arguments, options=clang.TranslationUnit.PARSE_NONE)
    files, order = {}, []
    for cursor in unit.cursor.get_children():
        if cursor.kind != Kind.FUNCTION_DECL or not cursor.is_definition() or not cursor.location.file:
            continue
        path = wanted(cursor.location.file.name)
        if not path:
            continue
        if path not in files:
            files[path] = File(path, text_of(path))
            order.append(path)
        files[path].function_of(cursor)
    errors = [str(d) for d in unit.diagnostics if d.severity >= clang.Diagnostic.Error]
    return {path: distinct(files[path].found) for path in order}, errors


def distinct(mutants):
    seen, result = set(), []
    for mutant in mutants:
        key = (mutant.start, mutant.end, mutant.text)
        if key not in seen:
            seen.add(key)
            result.append(mutant)
    return result


# ---- the text with mutants in it ----

def with_mutants(data, chosen):
    """The bytes of a file with the mutants `chosen` ({number: Mutant}) switched by sch_mutant_is, and for each line of
    it the numbers that stand there."""
    spans = collections.defaultdict(list)
    for number, mutant in sorted(chosen.items()):
        spans[mutant.start, mutant.end].append((number, mutant))
    order = sorted(spans, key=lambda s: (s[0], -s[1]))

    def render(start, end, inside):
        out, at, n = [], start, 0
        while n < len(inside):
            span = inside[n]
            nested = []
            n += 1
            while n < len(inside) and inside[n][1] <= span[1]:
                nested.append(inside[n])
                n += 1
            out.append(data[at:span[0]])
            text = render(span[0], span[1], nested)
            for number, mutant in spans[span]:
                text = switched(number, mutant, text)
            out.append(text)
            at = span[1]
        out.append(data[at:end])
        return b''.join(out)

    return render(0, len(data), order)


def switched(number, mutant, original):
    is_on = f'sch_mutant_is({number})'.encode()
    if mutant.text is None:
        return b'(' + is_on + b' ? (void)0 : (void)(' + original + b'))'
    wrong = ' '.join(re.sub(r'/\*.*?\*/', ' ', mutant.text, flags=re.DOTALL).split()).encode()
    if mutant.what.startswith('(') or mutant.what.startswith('!'):
        return b'(' + is_on + b' ? ' + wrong + b' : !!(' + original + b'))'
    return b'(' + is_on + b' ? (' + wrong + b') : (' + original + b'))'
