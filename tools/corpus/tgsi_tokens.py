"""Binary tokens of a printed TGSI program, written from the layout of the tokens (Mesa's p_shader_tokens.h) alone: what
src/tgsi encodes is compared with it. It reads the usual print only, and believes that it is right. Numbers of opcodes,
words and formats come from the tables of src/isa; the layout stands here."""
import re
import struct

NAMES = re.compile(r'^(\w+)\(\w+, (\d+), "([^"]*)"', re.MULTILINE)
FORMAT = re.compile(r'^\w+\((\w+), (\d+), "(\w+)"', re.MULTILINE)
OPERAND = re.compile(r'(-?)(\|?)(\w+)((?:\[[^\]]*\])+)?(?:\((\d+)\))?(?:\.([xyzw]+))?\|?$')
DATA = {'FLT32': 0, 'UINT32': 1, 'INT32': 2, 'FLT64': 3, 'UINT64': 4, 'INT64': 5}
UNKNOWN_RETURN = 5
QUALIFIERS = {'COHERENT': 1, 'RESTRICT': 2, 'VOLATILE': 4, 'STREAM_CACHE_POLICY': 8}
MEMORIES = ('GLOBAL', 'SHARED', 'PRIVATE', 'INPUT')


class Tables:
    """The numbers of words, from the texts of src/isa."""

    def __init__(self, read):
        self.kinds = {}
        for kind, number, word in NAMES.findall(read('names.def')) + NAMES.findall(read('semantics.def')):
            self.kinds.setdefault(kind, {})[word] = int(number)
        self.properties = {m[0]: (int(m[1]), m[2]) for m in re.findall(r'^PROPERTY\((\w+), (\d+), [^,]+, (\w+)', read('properties.def'), re.MULTILINE)}
        self.formats = {word: int(number) for word, number in formats_of(read('formats.def'))}

    def number(self, kind, word):
        return self.kinds[kind][word]


def formats_of(text):
    return re.findall(r'^FORMAT\((\w+), (\d+)', text, re.MULTILINE)


def places(text):
    """The brackets of a register: (text of the first, ...)."""
    return re.findall(r'\[([^\]]*)\]', text or '')


def brackets_of(line):
    """'ADDR[0].x+4' has brackets inside of brackets: it is written ADDR{0}.x+4 while a line is taken apart."""
    return re.sub(r'\[(\w+)\[(\d+)\]\.([xyzw])([+-]\d+)?\]', lambda m: f'[{m[1]}{{{m[2]}}}.{m[3]}{m[4] or ""}]', line)


class Assembler:
    def __init__(self, tables, opcodes):
        self.tables, self.opcodes, self.body = tables, opcodes, []

    def file(self, word):
        return self.tables.number('FILE_', word)

    # ---- declarations ----

    def declaration(self, line):
        parts = [part.strip() for part in line.split(',')]
        head = re.fullmatch(r'(\w+)((?:\[[^\]]*\])+)(?:\.([xyzw]+))?', parts[0])
        file, ranges = self.file(head[1]), places(head[2])
        used = head[3] or 'xyzw'
        mask = sum(1 << 'xyzw'.index(c) for c in used)
        first, _, last = ranges[-1].partition('..')
        word = file << 12 | mask << 16
        more = [int(first or 0) | int(last or first or 0) << 16]
        if len(ranges) == 2 and ranges[0]:
            word |= 1 << 20
            more.append(int(ranges[0]))
        kinds = self.tables.kinds
        rest, words = parts[1:], {}
        streams = re.search(r'STREAM\((\d), (\d), (\d), (\d)\)', line)
        if head[1] == 'IMAGE':
            form = next((self.tables.formats[r[len('PIPE_FORMAT_'):]] for r in rest if r.startswith('PIPE_FORMAT_')), 0)
            words['image'] = kinds['TARGET'][rest[0]] | ('RAW' in rest) << 8 | ('WR' in rest) << 9 | form << 10
            rest = []
        elif head[1] == 'SVIEW':
            types = [kinds['RETURN_TYPE'][r] for r in rest[1:]]
            types += types[-1:] * (4 - len(types))
            words['view'] = kinds['TARGET'][rest[0]] | sum(t << (8 + 6 * n) for n, t in enumerate(types))
            rest = []
        for part in rest:
            name = re.match(r'(\w+)(?:\[(\d+)\])?$', part)
            array = re.match(r'ARRAY\((\d+)\)', part)
            if array:
                word |= 1 << 25
                words['array'] = int(array[1])
            elif part == 'LOCAL':
                word |= 1 << 24
            elif part == 'INVARIANT':
                word |= 1 << 23
            elif part == 'ATOMIC':
                word |= 1 << 26
            elif head[1] == 'MEMORY' and part in MEMORIES:
                word |= MEMORIES.index(part) << 27
            elif name and 'semantic' not in words and name[1] in kinds['SEMANTIC']:
                word |= 1 << 21
                words['semantic'] = kinds['SEMANTIC'][name[1]] | int(name[2] or 0) << 8
            elif part in kinds['INTERPOLATION']:
                word |= 1 << 22
                words['interp'] = words.get('interp', 0) | kinds['INTERPOLATION'][part]
            elif part in kinds['LOCATION']:
                words['interp'] = words.get('interp', 0) | kinds['LOCATION'][part] << 4
        if streams:
            words['semantic'] |= sum(int(s) << (24 + 2 * n) for n, s in enumerate(streams.groups()))
        more += [words[k] for k in ('interp', 'semantic', 'image', 'view', 'array') if k in words]
        self.body += [word | (1 + len(more)) << 4, *more]

    def immediate(self, line):
        kind, values = re.fullmatch(r'IMM\[\d+\] (\w+) \{(.*)\}', line).groups()
        numbers = [value.strip() for value in values.split(',')]
        code = {'FLT32': '<f', 'UINT32': '<I', 'INT32': '<i', 'FLT64': '<d', 'UINT64': '<Q', 'INT64': '<q'}[kind]
        data = b''.join(struct.pack('<I', int(n, 16)) if n.startswith('0x') else
                        struct.pack(code, float(n) if 'FLT' in kind else int(n)) for n in numbers)
        words = struct.unpack(f'<{len(data) // 4}I', data)
        self.body += [1 | (1 + len(words)) << 4 | DATA[kind] << 18, *words]

    def property(self, name, value):
        number, kind = self.tables.properties[name]
        kinds = self.tables.kinds
        data = int(value) if kind == 'UINT' else kinds[kind][value]
        self.body += [3 | 2 << 4 | number << 12, data]

    # ---- instructions ----

    def indirect(self, text, array):
        file, index, letter, offset = re.fullmatch(r'(\w+)\{(\d+)\}\.([xyzw])([+-]\d+)?', text).groups()
        return self.file(file) | int(index) << 4 | 'xyzw'.index(letter) << 20 | array << 22, int(offset or 0)

    def register(self, brackets, array):
        """The register's own number, whether it is indirect, and the words behind its own."""
        more, dimension = [], 0
        inner, indirect = brackets[-1] if brackets else '0', False
        if '{' in inner:
            word, index = self.indirect(inner, array)
            more.append(word)
            indirect = True
        else:
            index = int(inner)
        if len(brackets) == 2:
            dimension = 1
            if '{' in brackets[0]:
                word, outer = self.indirect(brackets[0], 0)
                more += [1 | (outer & 0xffff) << 16, word]
            else:
                more.append(int(brackets[0]) << 16)
        return index & 0xffff, indirect, dimension, more

    def destination(self, text):
        _, _, file, brackets, array, letters = OPERAND.fullmatch(text).groups()
        index, indirect, dimension, more = self.register(places(brackets), int(array or 0))
        mask = sum(1 << 'xyzw'.index(c) for c in letters or 'xyzw')
        return [self.file(file) | mask << 4 | indirect << 8 | dimension << 9 | index << 10, *more]

    def source(self, text):
        minus, bar, file, brackets, array, letters = OPERAND.fullmatch(text).groups()
        index, indirect, dimension, more = self.register(places(brackets), int(array or 0))
        swizzle = sum('xyzw'.index(c) << (22 + 2 * n) for n, c in enumerate(letters or 'xyzw'))
        return [self.file(file) | indirect << 4 | dimension << 5 | index << 6 | swizzle | bool(bar) << 30 | bool(minus) << 31, *more]

    def offset(self, text):
        _, _, file, brackets, _, letters = OPERAND.fullmatch(text).groups()
        swizzle = sum('xyzw'.index(c) << (20 + 2 * n) for n, c in enumerate(letters[:3]))
        return int(places(brackets)[0]) | self.file(file) << 16 | swizzle

    def instruction(self, line):
        line, _, label = line.partition(' :')
        mnemonic, _, operands = line.partition(' ')
        name, flags = mnemonic, 0
        for suffix, bit in (('_PRECISE', 30), ('_SAT', 20)):
            if name.endswith(suffix):
                name, flags = name[:-len(suffix)], flags | 1 << bit
        op = self.opcodes[name]
        parts = [part.strip() for part in brackets_of(operands).split(',')] if operands else []
        words = []
        if label:
            flags |= 1 << 27
            words.append(int(label))
        behind = parts[op.dsts + op.srcs:]
        targets = self.tables.kinds['TARGET']
        first, last = (self.opcodes[name].number for name in ('SAMPLE', 'GATHER4'))
        if 'TEXTURE' in op.flags or first <= op.number <= last:
            flags |= 1 << 28
            named = behind.pop(0) if 'TEXTURE' in op.flags else 'UNKNOWN'
            offsets = [self.offset(part) for part in behind]
            words += [targets[named] | len(offsets) << 8 | UNKNOWN_RETURN << 12, *offsets]
            behind = []
        first, last = (self.opcodes[name].number for name in ('LOAD', 'ATOMIMAX'))
        if first <= op.number <= last or op.name == 'RESQ':
            flags |= 1 << 29
            memory = 0
            for part in behind:
                memory |= QUALIFIERS.get(part, 0)
                memory |= targets.get(part, 0) << 4
                memory |= self.tables.formats[part[len('PIPE_FORMAT_'):]] << 12 if part.startswith('PIPE_FORMAT_') else 0
            words.append(memory)
        for part in parts[:op.dsts]:
            words += self.destination(part)
        for part in parts[op.dsts:op.dsts + op.srcs]:
            words += self.source(part)
        self.body += [2 | len(words) << 4 | op.number << 12 | flags | op.dsts << 21 | op.srcs << 23, *words]

    def line(self, line):
        if line.startswith('DCL '):
            self.declaration(line[4:])
        elif line.startswith('IMM['):
            self.immediate(line)
        elif line.startswith('PROPERTY '):
            self.property(*line.split()[1:])
        else:
            self.instruction(re.fullmatch(r' *\d+: +(.*)', line)[1])


def words(text, tables, opcodes):
    """The tokens of a program."""
    lines = text.splitlines()
    assembler = Assembler(tables, opcodes)
    for line in lines[1:]:
        assembler.line(line)
    return [2 | len(assembler.body) << 8, tables.number('STAGE', lines[0]), *assembler.body]
