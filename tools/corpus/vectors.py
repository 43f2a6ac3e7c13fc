"""Rows of values that Direct3D programs must compute (tests/corpus/vectors): constants in, the first render target out.
Expected values are Python's integers, and floats that are exact or rounded once from a double that is. Holds the
programs, one instruction each, too."""
import random
import struct

WORD = 0xffffffff


def signed(word):
    return word - (word >> 31 << 32)


def real(word):
    return struct.unpack('<f', struct.pack('<I', word))[0]


def bits(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def reverse(word):
    return int(f'{word:032b}'[::-1], 2)


def field(width, offset, value):
    width, offset = width & 31, offset & 31
    return value >> offset & (1 << width) - 1 if width else 0


def true(condition):
    return WORD if condition else 0


# Of each instruction: how many sources, its result from words, and whether sources are floats.
INTEGERS = {
    'iadd': (2, lambda a, b: a + b), 'ineg': (1, lambda a: -a), 'not': (1, lambda a: ~a), 'and': (2, lambda a, b: a & b),
    'or': (2, lambda a, b: a | b), 'xor': (2, lambda a, b: a ^ b), 'ishl': (2, lambda a, b: a << (b & 31)),
    'ushr': (2, lambda a, b: a >> (b & 31)), 'ishr': (2, lambda a, b: signed(a) >> (b & 31)),
    'imin': (2, lambda a, b: min(signed(a), signed(b))), 'imax': (2, lambda a, b: max(signed(a), signed(b))),
    'umin': (2, min), 'umax': (2, max), 'imad': (3, lambda a, b, c: a * b + c), 'umad': (3, lambda a, b, c: a * b + c),
    'ieq': (2, lambda a, b: true(a == b)), 'ine': (2, lambda a, b: true(a != b)), 'ult': (2, lambda a, b: true(a < b)),
    'uge': (2, lambda a, b: true(a >= b)), 'ilt': (2, lambda a, b: true(signed(a) < signed(b))),
    'ige': (2, lambda a, b: true(signed(a) >= signed(b))), 'movc': (3, lambda a, b, c: b if a else c),
    'bfrev': (1, reverse), 'countbits': (1, lambda a: bin(a).count('1')), 'ubfe': (3, field),
    'firstbit_lo': (1, lambda a: (a & -a).bit_length() - 1), 'firstbit_hi': (1, lambda a: 32 - a.bit_length() if a else -1),
    'itof': (1, lambda a: bits(float(signed(a)))), 'utof': (1, lambda a: bits(float(a))),
}
FLOATS = {
    'add': (2, lambda a, b: bits(a + b)), 'mul': (2, lambda a, b: bits(a * b)), 'mad': (3, lambda a, b, c: bits(a * b + c)),
    'min': (2, lambda a, b: bits(min(a, b))), 'max': (2, lambda a, b: bits(max(a, b))), 'lt': (2, lambda a, b: true(a < b)),
    'ge': (2, lambda a, b: true(a >= b)), 'eq': (2, lambda a, b: true(a == b)), 'ne': (2, lambda a, b: true(a != b)),
    'ftoi': (1, int), 'round_z': (1, lambda a: bits(float(int(a)) if int(a) else a * 0.0)),
    'round_ne': (1, lambda a: bits(float(round(a)) if round(a) else a * 0.0)), 'frc': (1, lambda a: bits(a - a // 1)),
}
ROWS = 4


def number(r, is_float):
    if is_float:  # quarters: products and sums of these are exact
        return bits(r.choice((1, -1)) * r.randrange(1, 1 << r.choice((3, 9))) / 4)
    return r.choice((0, 1, 31, 0x80000000, WORD, 0x7fffffff, r.randrange(64), r.getrandbits(32), r.getrandbits(32)))


def programs():
    """{file name: text}"""
    made = {}
    for name, (count, _) in {**INTEGERS, **FLOATS}.items():
        sources = ', '.join(f'cb0[{n}].xyzw' for n in range(count))
        made[f'{name}.asm'] = '\n'.join((
            'ps_5_0', '.input', '.output', '.param SV_Target.xyzw, o0.xyzw, float, TARGET', '.text', 'dcl_globalFlags refactoringAllowed',
            'dcl_constantbuffer CB0[3], immediateIndexed', 'dcl_output o0.xyzw', f'{name} o0.xyzw, {sources}', 'ret', ''))
    return made


def rows():
    """The table: set, case, program, three constants, result."""
    lines = ['set\tcase\tprogram\tcb0_0\tcb0_1\tcb0_2\to0']
    for table, kind in ((INTEGERS, 'int'), (FLOATS, 'float')):
        for name, (count, result) in table.items():
            r = random.Random(f'scheelite {name}')
            for case in range(ROWS):
                words = [[number(r, kind == 'float') for _ in range(4)] for _ in range(3)]
                values = [[real(w) for w in vector] for vector in words] if kind == 'float' else words
                found = [result(*(vector[c] for vector in values[:count])) & WORD for c in range(4)]
                lines.append('\t'.join((kind, f'{name} {case}', name, *(','.join(f'{w:08x}' for w in vector) for vector in (*words, found)))))
    return '\n'.join(lines) + '\n'
