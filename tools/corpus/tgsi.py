"""The TGSI programs of tests/corpus/tgsi: each opcode, stage, file, declaration, target, semantic and property in at
least one of them (tests/static/corpus.py looks). They are written as TGSI is usually printed, by rules that stand here
and not by the printer of src/tgsi, so that a print can be compared. What instructions there are and what operands they
take comes from src/isa; which of them are legal where is said here. A fixed seed for each program chooses registers,
masks and swizzles. Holds nothing of binary tokens."""
import random
import re

FRAGMENT_TARGETS = ('1D', '2D', '3D', 'CUBE', 'RECT', 'SHADOW1D', 'SHADOW2D', 'SHADOWRECT', '1D_ARRAY', '2D_ARRAY',
                    'SHADOW1D_ARRAY', 'SHADOW2D_ARRAY', 'SHADOWCUBE', 'CUBEARRAY')
FOUR = ('CUBEARRAY', 'SHADOW2D_ARRAY', 'SHADOWCUBE')  # coordinates and a reference value fill all components
FETCHED = ('BUFFER', '1D', '2D', '3D', 'RECT', '1D_ARRAY', '2D_ARRAY', '2D_MSAA', '2D_ARRAY_MSAA')
EVERY = FRAGMENT_TARGETS + ('SHADOWCUBEARRAY',)
GATHERED = ('2D', 'CUBE', '2D_ARRAY', 'SHADOW2D', 'SHADOW2D_ARRAY', 'SHADOWCUBE', 'CUBEARRAY')
# Of each lookup: its operands ({c} a coordinate, {x} one number, {s} sampler, {v} view), and its targets.
LOOKUPS = {
    'TEX': ('{c}, {s}', FRAGMENT_TARGETS), 'TEX_LZ': ('{c}, {s}', FRAGMENT_TARGETS), 'TEX2': ('{c}, {x}, {s}', ('SHADOWCUBEARRAY',)),
    'TXB': ('{c}, {s}', tuple(t for t in FRAGMENT_TARGETS if t not in FOUR)),
    'TXB2': ('{c}, {x}, {s}', ('CUBEARRAY', 'SHADOWCUBE')),
    'TXL': ('{c}, {s}', tuple(t for t in FRAGMENT_TARGETS if t not in FOUR)),
    'TXL2': ('{c}, {x}, {s}', ('CUBEARRAY', 'SHADOWCUBEARRAY')),
    'TXP': ('{c}, {s}', ('1D', '2D', '3D', 'RECT', 'SHADOW1D', 'SHADOW2D', 'SHADOWRECT')),
    'TXD': ('{c}, {c}, {c}, {s}', ('1D', '2D', '3D', 'CUBE', 'RECT', 'SHADOW2D', '1D_ARRAY', '2D_ARRAY', 'CUBEARRAY')),
    'TXF': ('{i}, {s}', FETCHED), 'TXF_LZ': ('{i}, {s}', FETCHED[1:7]),
    'TXQ': ('{x}, {s}', EVERY + ('BUFFER', '2D_MSAA', '2D_ARRAY_MSAA')), 'TXQS': ('{s}', ('2D_MSAA', '2D_ARRAY_MSAA')),
    'TG4': ('{c}, {k}, {s}', GATHERED), 'LODQ': ('{c}, {s}', ('1D', '2D', '3D', 'CUBE', '2D_ARRAY', 'CUBEARRAY')),
    'SAMPLE': ('{c}, {v}, {s}', ('1D', '2D', '3D', 'CUBE', '1D_ARRAY', '2D_ARRAY', 'CUBEARRAY', 'RECT')),
    'SAMPLE_I': ('{i}, {v}', FETCHED[:7]), 'SAMPLE_I_MS': ('{i}, {v}, {n}', FETCHED[7:]),
    'SAMPLE_B': ('{c}, {v}, {s}, {x}', ('1D', '2D', '3D', 'CUBE', '2D_ARRAY')),
    'SAMPLE_C': ('{c}, {v}, {s}, {x}', ('1D', '2D', 'CUBE', '2D_ARRAY', 'CUBEARRAY')),
    'SAMPLE_C_LZ': ('{c}, {v}, {s}, {x}', ('1D', '2D', 'CUBE', '1D_ARRAY')),
    'SAMPLE_D': ('{c}, {v}, {s}, {c}, {c}', ('1D', '2D', '3D', 'CUBE', '2D_ARRAY')),
    'SAMPLE_L': ('{c}, {v}, {s}, {x}', ('1D', '2D', '3D', 'CUBE', 'CUBEARRAY')),
    'GATHER4': ('{c}, {v}, {s}', ('2D', 'CUBE', '2D_ARRAY', 'CUBEARRAY')),
    'SVIEWINFO': ('{n}, {v}', ('BUFFER', '1D', '2D', '3D', 'CUBE', '2D_ARRAY', '2D_MSAA')),
    'SAMPLE_POS': ('{v}, {n}', FETCHED[7:]), 'SAMPLE_INFO': ('{v}, {n}', FETCHED[7:]),
    'LOD': ('{c}, {v}, {s}', ('1D', '2D', '3D', 'CUBE', '2D_ARRAY')),
    'GATHER4_C': ('{c}, {v}, {s}, {x}', ('2D', 'CUBE', '2D_ARRAY')),
    'GATHER4_PO': ('{c}, {i}, {v}, {s}', ('2D', '2D_ARRAY')),
    'GATHER4_PO_C': ('{c}, {i}, {v}, {s}, {x}', ('2D', '2D_ARRAY')),
    'SAMPLE_CL': ('{c}, {v}, {s}, {x}', ('1D', '2D', '3D', 'CUBE')),
    'SAMPLE_B_CL': ('{c}, {v}, {s}, {x}, {x}', ('2D', '2D_ARRAY')),
    'SAMPLE_C_CL': ('{c}, {v}, {s}, {x}, {x}', ('2D', 'CUBE')),
    'SAMPLE_D_CL': ('{c}, {v}, {s}, {c}, {c}', ('2D',)),
}
COMPARING = {'SAMPLE_C', 'SAMPLE_C_LZ', 'SAMPLE_C_CL', 'GATHER4_C', 'GATHER4_PO_C'}
IMPLICIT = {'TEX', 'TEX2', 'TXB', 'TXB2', 'TXP', 'LODQ', 'SAMPLE', 'SAMPLE_B', 'SAMPLE_C', 'LOD', 'SAMPLE_CL',
            'SAMPLE_B_CL', 'SAMPLE_C_CL'}  # take a level of detail from the quad: fragment shaders only
PAIRS = ('xyxy', 'zwzw', 'xyzw')
FOLDERS = {'VERT': 'vs', 'TESS_CTRL': 'tcs', 'TESS_EVAL': 'tes', 'GEOM': 'gs', 'FRAG': 'fs', 'COMP': 'cs'}
ROW = re.compile(r'^OP\((\w+), (\d+), (\w+), (\d), (\d), (\w+), (\w+), ([^"]*), "', re.MULTILINE)
OWN = 256  # the first number that binary tokens cannot hold


class Opcode:
    """A row of opcodes.def."""

    def __init__(self, name, number, section, dsts, srcs, shape, signature, flags):
        self.name, self.number, self.section, self.shape = name, int(number), section, shape
        self.dsts, self.srcs, self.flags = int(dsts), int(srcs), flags
        to, _, self.sources = signature.partition('_')
        self.result = to


def opcodes(text):
    return {m[1]: Opcode(*m.groups()) for m in ROW.finditer(text)}


class Program:
    """One shader: what stands before the instructions, and these; printed when it is whole."""

    def __init__(self, stage, name):
        self.stage, self.name = stage, name
        self.head, self.body = [], []
        self.random = random.Random(f'scheelite {stage} {name}')
        self.folder = FOLDERS[stage]

    def add(self, *lines):
        """Declarations, properties and immediates, or instructions."""
        for line in lines:
            before = re.match(r'DCL|PROPERTY|IMM\[', line)
            (self.head if before else self.body).append(line)
        return self

    def labels(self):
        """The numbers of what IF, ELSE and CAL lead to."""
        opened, ends, subs = [], {}, []
        for number, line in enumerate(self.body):
            word = line.split()[0]
            if word in ('IF', 'UIF'):
                opened.append(number)
            elif word == 'ELSE':
                ends[opened.pop()] = number
                opened.append(number)
            elif word == 'ENDIF':
                ends[opened.pop()] = number
            elif word in ('BGNLOOP', 'ENDLOOP'):
                ends[number] = 0
            elif word == 'BGNSUB':
                subs.append(number)
        for number, line in enumerate(self.body):
            if line.startswith('CAL '):
                ends[number] = subs[int(line.split()[1])]
        return ends

    def text(self):
        lines, depth, ends = [self.stage, *self.head], 0, self.labels()
        for number, line in enumerate(self.body):
            word = line.split()[0]
            if word in ('ELSE', 'ENDIF', 'ENDLOOP', 'ENDSUB'):
                depth -= 1
            shown = 'CAL' if word == 'CAL' else line
            lines.append(f'{number:3d}: {"  " * depth}{shown}' + (f' :{ends[number]}' if number in ends else ''))
            if word in ('IF', 'UIF', 'ELSE', 'BGNLOOP', 'BGNSUB'):
                depth += 1
        return '\n'.join(lines) + '\n'


# ---- operands ----

def mask(p, choices=('', '.x', '.y', '.xy', '.xz', '.xyz', '.yw', '.w', '.zw')):
    return p.random.choice(choices)


def swizzle(p):
    letters = ''.join(p.random.choice('xyzw') for _ in range(4))
    return '' if letters == 'xyzw' else '.' + letters


def one(p, registers):
    return p.random.choice(registers) + '.' + p.random.choice('xyzw') * 4


def source(p, kind, registers):
    text = p.random.choice([r for r in registers if kind not in 'FDX' or r != 'IMM[1]'])  # its words are no normal floats
    if kind in 'DLQ':
        pair = p.random.choice(PAIRS)
        text += '' if pair == 'xyzw' else '.' + pair
    else:
        text += swizzle(p)
    if kind == 'F' and p.random.random() < 0.3:
        text = p.random.choice((f'-{text}', f'|{text}|', f'-|{text}|'))
    elif kind == 'I' and p.random.random() < 0.2:
        text = f'-{text}'
    return text


def result(p, op):
    if op.shape in ('COMP64', 'WIDEN64'):
        return mask(p, ('.xy', '.zw', ''))
    if op.shape in ('NARROW64', 'COMPARE64'):
        return mask(p, ('.x', '.xy', '.y'))
    if op.shape == 'FRACEXP':
        return '.xy'
    return mask(p)


def plain(p, op, registers, to):
    """An instruction that takes registers and gives one."""
    word = op.name
    if op.result in 'F' and op.shape == 'COMP' and p.random.random() < 0.25:
        word += '_SAT'
    if 'FUSED' in op.flags and p.random.random() < 0.3:
        word += '_PRECISE'
    wide = op.shape in ('WIDEN64',)
    sources = [source(p, kind, registers) if not wide else one(p, registers) for kind in op.sources]
    dst = f'{to}{result(p, op)}'
    if op.shape == 'FRACEXP':
        dst += ', TEMP[7].x'
    return f'{word} {", ".join([dst, *sources])}'


# ---- arithmetic ----

NUMBERS = ('IMM[0] UINT32 {0, 1065353216, 3212836864, 1056964608}', 'IMM[1] INT32 {3, -7, 31, -2147483648}',
           'IMM[2] UINT32 {1078530011, 1073741824, 1120403456, 3196059648}')
ARITHMETIC = ('COMP', 'REPL', 'CHAN', 'VREPL2', 'VREPL3', 'VREPL4', 'UNPACK', 'COMP64', 'COMPARE64', 'WIDEN64', 'NARROW64',
              'FRACEXP')
REGISTERS = ('IN[0]', 'IN[1]', 'IN[2]', 'CONST[0]', 'CONST[3]', 'CONST[1][2]', 'IMM[0]', 'IMM[1]', 'IMM[2]', 'TEMP[0]',
             'TEMP[1]', 'TEMP[2]')


def begin(stage, name):
    """Inputs, outputs and what arithmetic reads; IN[0] to IN[2], OUT[0] and OUT[1], whatever the stage."""
    p = Program(stage, name)
    if stage == 'VERT':
        p.add('DCL IN[0]', 'DCL IN[1]', 'DCL IN[2]', 'DCL OUT[0], POSITION', 'DCL OUT[1], GENERIC[0]')
    elif stage == 'FRAG':
        p.add('DCL IN[0], GENERIC[0], PERSPECTIVE', 'DCL IN[1], GENERIC[1], LINEAR',
              'DCL IN[2], GENERIC[2], CONSTANT', 'DCL OUT[0], COLOR', 'DCL OUT[1], COLOR[1]')
    return p


def finish(p, total='TEMP[3]', more='TEMP[4]'):
    return p.add(f'MOV OUT[0], {total}', f'MOV OUT[1], {more}', 'END')


def arithmetic(rows):
    """Six opcodes a program, in vertex and fragment shaders in turn; results are added up as integers."""
    names = [op for op in rows.values() if op.shape in ARITHMETIC and op.name not in ('ARL', 'ARR', 'UARL')]
    programs = []
    for begins in range(0, len(names), 6):
        some = names[begins:begins + 6]
        derivatives = any('DERIVATIVE' in op.flags for op in some)
        stage = 'FRAG' if derivatives or begins // 6 % 2 else 'VERT'
        own = any(op.number >= OWN for op in some)
        p = begin(stage, '-'.join(op.name.lower() for op in some[:3]))
        p.add('DCL CONST[0..7]', 'DCL CONST[1][0..3]', 'DCL TEMP[0..7]', *NUMBERS)
        p.folder = 'others' if own else p.folder
        p.add('MOV TEMP[0], IN[0]', 'MOV TEMP[1], IN[1].wzyx', 'MOV TEMP[2], -IN[2]')
        for op in some:
            for _ in range(2):
                p.add('MOV TEMP[5], IMM[0].xxxx', plain(p, op, REGISTERS, 'TEMP[5]'), 'UADD TEMP[3], TEMP[3], TEMP[5]')
                if op.shape == 'FRACEXP':
                    p.add('UADD TEMP[3].x, TEMP[3], TEMP[7].xxxx')
            p.add('XOR TEMP[4], TEMP[4], TEMP[3].yzwx')
        programs.append(finish(p))
    return programs


# ---- lookups ----

def lookup(p, op, number, target, index, registers):
    """The instruction and, by its kind, the target behind it."""
    operands, _ = LOOKUPS[op.name]
    words = []
    for word in operands.split(', '):
        words.append({'{c}': lambda: p.random.choice(registers) + p.random.choice(('', '.yzxw', '.xyyx')),
                      '{i}': lambda: 'TEMP[0]' + p.random.choice(('', '.yxzw', '.zwxy')),
                      '{x}': lambda: one(p, registers), '{n}': lambda: 'TEMP[0].' + p.random.choice('xyzw') * 4,
                      '{k}': lambda: 'IMM[0].' + p.random.choice('xyzw') * 4, '{s}': lambda: f'SAMP[{index}]',
                      '{v}': lambda: f'SVIEW[{index}]' + p.random.choice(('', '.wzyx'))}[word]())
    text = f'{op.name} TEMP[2], {", ".join(words)}'
    if '{v}' in operands:
        return text
    text += f', {target}'
    if number % 3 == 1 and op.name in ('TEX', 'TXL', 'TXF', 'TXB', 'TXD') and \
            target not in ('BUFFER', 'CUBE', 'CUBEARRAY', 'SHADOWCUBE', '2D_MSAA', '2D_ARRAY_MSAA'):
        text += ', IMM[0].xyz'
    if op.name == 'TG4' and number % 3 == 0 and 'CUBE' not in target:
        text += ', IMM[0].xyx, IMM[0].yxy, IMM[0].xxx, IMM[0].yyy'
    return text


def return_type(op, number):
    integers = op.name.startswith(('TXF', 'SAMPLE_I'))
    return ('FLOAT', 'SINT', 'UINT')[number % 3] if integers and op.name != 'SAMPLE_INFO' else \
        ('FLOAT', 'UNORM', 'SNORM')[number % 3] if op.name in ('TEX', 'SAMPLE') else 'FLOAT'


def lookups(rows):
    """A program for each lookup with all of its targets; those that need no quad in vertex shaders, too."""
    programs = []
    for op in rows.values():
        if op.shape != 'TEX':
            continue
        for stage in ('FRAG',) if op.name in IMPLICIT else ('FRAG', 'VERT'):
            targets = LOOKUPS[op.name][1][:None if stage == 'FRAG' else 3]
            p = begin(stage, f'lookup-{op.name.lower()}')
            p.folder = 'others' if op.number >= OWN else p.folder
            for index, target in enumerate(targets):
                if '{s}' in LOOKUPS[op.name][0]:
                    p.add(f'DCL SAMP[{index}]')
                p.add(f'DCL SVIEW[{index}], {target}, {return_type(op, index)}')
            p.add('DCL TEMP[0..5]', 'IMM[0] INT32 {0, 1, 2, 3}', 'IMM[1] UINT32 {15, 15, 7, 3}')
            p.add('AND TEMP[0], IN[2], IMM[1]', 'FRC TEMP[1], IN[0]')
            for index, target in enumerate(targets):
                p.add(lookup(p, op, index, target, index, ('TEMP[1]', 'IN[1]')), 'UADD TEMP[3], TEMP[3], TEMP[2]',
                      'XOR TEMP[4], TEMP[4].wxyz, TEMP[2]')
            programs.append(finish(p))
    return programs


# ---- programs that are written one by one ----

def inputs_of_fragments():
    p = Program('FRAG', 'inputs')
    p.add('PROPERTY FS_COORD_ORIGIN LOWER_LEFT', 'PROPERTY FS_COORD_PIXEL_CENTER INTEGER', 'PROPERTY FS_EARLY_DEPTH_STENCIL 1',
          'PROPERTY FS_POST_DEPTH_COVERAGE 1', 'PROPERTY FS_BLEND_EQUATION_ADVANCED 0', 'PROPERTY SEPARABLE_PROGRAM 1',
          'PROPERTY LEGACY_MATH_RULES 1', 'PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1',
          'DCL IN[0], POSITION, LINEAR', 'DCL IN[1], COLOR, COLOR', 'DCL IN[2], COLOR[1], COLOR, CENTROID',
          'DCL IN[3].x, FOG, PERSPECTIVE', 'DCL IN[4], GENERIC[3], PERSPECTIVE, CENTROID',
          'DCL IN[5], GENERIC[4], LINEAR, SAMPLE', 'DCL IN[6], TEXCOORD[0], PERSPECTIVE', 'DCL IN[7], PCOORD, LINEAR',
          'DCL IN[8].x, FACE, CONSTANT', 'DCL IN[9].x, PRIM_ID, CONSTANT', 'DCL IN[10].x, LAYER, CONSTANT',
          'DCL IN[11].x, VIEWPORT_INDEX, CONSTANT', 'DCL IN[12], CLIPDIST, PERSPECTIVE',
          'DCL IN[13..15], GENERIC[5], CONSTANT',
          'DCL SV[0], SAMPLEID', 'DCL SV[1], SAMPLEPOS', 'DCL SV[2], SAMPLEMASK', 'DCL SV[3], HELPER_INVOCATION',
          'DCL SV[4], SUBGROUP_INVOCATION', 'DCL OUT[0], COLOR', 'DCL OUT[1].z, POSITION', 'DCL OUT[2].x, SAMPLEMASK',
          'DCL OUT[3].y, STENCIL', 'DCL TEMP[0..1]', 'DCL ADDR[0]', 'IMM[0] UINT32 {1, 2, 3, 0}')
    p.add(*(f'ADD TEMP[0], TEMP[0], IN[{n}]' for n in (0, 1, 2, 4, 5, 6, 7, 12)), 'MUL TEMP[0].x, TEMP[0], IN[3].xxxx',
          'FSLT TEMP[1].x, IN[8].xxxx, IMM[0].wwww', 'UADD TEMP[1].y, IN[9].xxxx, IN[10].xxxx',
          'UADD TEMP[1].y, TEMP[1], IN[11].xxxx', 'UADD TEMP[1].z, SV[0].xxxx, SV[3].xxxx', 'AND TEMP[1].w, SV[2].xxxx, SV[4].xxxx',
          'AND TEMP[1].w, TEMP[1], IMM[0].xxxx', 'UARL ADDR[0].x, TEMP[1].wwww', 'ADD TEMP[0], TEMP[0], IN[ADDR[0].x+13]',
          'ADD TEMP[0].xy, TEMP[0], SV[1].xyxy', 'UADD OUT[0], TEMP[0], TEMP[1].xxyz', 'FRC OUT[1].z, TEMP[0].xxxx',
          'MOV OUT[2].x, SV[2].xxxx', 'MOV OUT[3].y, TEMP[1].yyyy', 'END')
    q = Program('FRAG', 'many-targets')
    q.add('PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 0', 'PROPERTY FS_DEPTH_LAYOUT 2', 'PROPERTY LAYER_VIEWPORT_RELATIVE 0',
          'DCL IN[0], GENERIC[0], PERSPECTIVE', *(f'DCL OUT[{n}], COLOR' + (f'[{n}]' if n else '') for n in range(8)),
          'DCL OUT[8].z, POSITION', *(f'MOV OUT[{n}], {"-" if n % 2 else ""}IN[0]' for n in range(8)),
          'MOV_SAT OUT[8].z, IN[0].wwww', 'END')
    r = Program('FRAG', 'values')
    r.add('PROPERTY FS_COORD_ORIGIN UPPER_LEFT', 'PROPERTY FS_COORD_PIXEL_CENTER HALF_INTEGER', 'DCL SV[0], POSITION', 'DCL SV[1], FACE', 'DCL SV[2], SUBGROUP_SIZE', 'DCL SV[3], SUBGROUP_EQ_MASK',
          'DCL SV[4], SUBGROUP_GE_MASK', 'DCL SV[5], SUBGROUP_GT_MASK', 'DCL SV[6], SUBGROUP_LE_MASK',
          'DCL SV[7], SUBGROUP_LT_MASK', 'DCL OUT[0], COLOR', 'DCL TEMP[0]', 'MOV TEMP[0], SV[0]',
          *(f'UADD TEMP[0], TEMP[0], SV[{n}].xxxx' for n in range(1, 8)), 'MOV OUT[0], TEMP[0]', 'END')
    s = begin('FRAG', 'interpolations')
    s.add('DCL TEMP[0..4]', 'IMM[0] UINT32 {0, 3, 1048576000, 3196059648}', 'INTERP_CENTROID TEMP[0], IN[0]',
          'INTERP_SAMPLE TEMP[1], IN[1], IMM[0].yyyy', 'INTERP_OFFSET TEMP[2], IN[0].wzyx, IMM[0].zwzz',
          'ADD TEMP[3], TEMP[0], TEMP[1]', 'MOV TEMP[4], TEMP[2]')
    finish(s)
    t = begin('FRAG', 'discards')
    t.add('DCL TEMP[0..4]', 'KILL_IF IN[0].xyyy', 'IF IN[1].xxxx', 'KILL', 'ENDIF', 'READ_HELPER TEMP[0].x', 'UIF IN[2].yyyy',
          'DEMOTE', 'ENDIF', 'READ_HELPER TEMP[0].y', 'FBFETCH TEMP[3], OUT[0]', 'UADD TEMP[4], TEMP[0].xyxy, IN[0]')
    finish(t)
    u = begin('FRAG', 'lanes')
    u.add('DCL TEMP[0..4]', 'IMM[0] UINT32 {5, 0, 0, 0}', 'VOTE_ANY TEMP[0].x, IN[2].xxxx', 'VOTE_ALL TEMP[0].y, IN[2].yyyy',
          'VOTE_EQ TEMP[0].z, IN[2].zzzz', 'BALLOT TEMP[1].xy, IN[2].xxxx', 'READ_FIRST TEMP[2], IN[0]',
          'READ_INVOC TEMP[3], IN[1], IMM[0].xxxx', 'UADD TEMP[3], TEMP[3], TEMP[2]', 'UADD TEMP[4], TEMP[0], TEMP[1]')
    finish(u)
    v = begin('FRAG', 'aborts')
    v.folder = 'others'
    v.add('PROPERTY D3D_RULES 1', 'DCL SV[0], INNER_COVERAGE', 'DCL TEMP[0..4]', 'USEQ TEMP[0].x, IN[2].xxxx, IN[2].yyyy', 'UIF TEMP[0].xxxx',
          'ABORT', 'ENDIF', 'MSAD TEMP[3], IN[0], IN[1], IN[2]', 'MOV TEMP[4], SV[0].xxxx')
    finish(v)
    w = begin('VERT', 'distances')
    w.folder = 'others'
    w.add('PROPERTY D3D_RULES 1', 'PROPERTY D3D_CLIP_DISTANCES 3', 'PROPERTY D3D_CULL_DISTANCES 4', 'DCL IN[3], NORMAL', 'DCL OUT[2].xyz, CLIPDIST', 'DCL TEMP[0..4]',
          'IMM[0] FLT64 {0.50000000, -3.00000000}', 'IMM[1] UINT64 {18446744073709551615, 3}', 'IMM[2] INT64 {-9223372036854775808, 5}',
          'DADD TEMP[3], IN[0], IMM[0]', 'U64ADD TEMP[4], IN[1], IMM[1]', 'I64MAX TEMP[4], TEMP[4], IMM[2]', 'ADD OUT[2].xyz, IN[2], IN[3]')
    finish(w)
    return [p, q, r, s, t, u, v, w]


def flow():
    """Loops, switches, subroutines; indirect registers of each file."""
    p = begin('VERT', 'loops')
    p.add('DCL TEMP[0..5]', 'IMM[0] UINT32 {0, 1, 7, 1056964608}', 'AND TEMP[0].x, IN[0], IMM[0].zzzz', 'BGNLOOP',
          'USEQ TEMP[1].x, TEMP[0], IMM[0].xxxx', 'UIF TEMP[1].xxxx', 'BRK', 'ENDIF', 'UADD TEMP[0].x, TEMP[0], -IMM[0].yyyy',
          'AND TEMP[1].y, TEMP[0].xxxx, IMM[0].yyyy', 'UIF TEMP[1].yyyy', 'ADD TEMP[3], TEMP[3], IN[1]', 'CONT', 'ELSE',
          'MAD TEMP[4], TEMP[3], IMM[0].wwww, IN[2]', 'ENDIF', 'IF IN[0].yyyy', 'ADD TEMP[4].x, TEMP[4], IN[0].yyyy', 'ENDIF', 'ENDLOOP')
    finish(p)
    q = begin('FRAG', 'switches')
    q.add('DCL TEMP[0..5]', 'IMM[0] UINT32 {0, 1, 2, 3}', 'AND TEMP[0].x, IN[2], IMM[0].wwww', 'SWITCH TEMP[0].xxxx',
          'CASE IMM[0].xxxx', 'MOV TEMP[3], IN[0]', 'BRK', 'CASE IMM[0].yyyy', 'MOV TEMP[3], IN[1]', 'CASE IMM[0].zzzz',
          'ADD TEMP[4], TEMP[3], IN[2]', 'BRK', 'DEFAULT', 'MOV TEMP[4], IMM[0]', 'BRK', 'ENDSWITCH', 'NOP')
    finish(q)
    r = begin('VERT', 'subroutines')
    r.add('DCL TEMP[0..5]', 'IMM[0] UINT32 {1065353216, 0, 0, 0}', 'CAL 0', 'CAL 1', 'CAL 0')
    finish(r)
    r.add('BGNSUB', 'ADD TEMP[3], TEMP[3], IN[0]', 'IF IN[1].xxxx', 'RET', 'ENDIF', 'ADD TEMP[4], TEMP[4], IN[1]', 'RET',
          'ENDSUB', 'BGNSUB', 'CAL 0', 'MUL TEMP[3], TEMP[3], IN[2]', 'RET', 'ENDSUB')
    s = begin('VERT', 'indirect')
    s.add('DCL CONST[0..15]', 'DCL CONST[1][0..7]', 'DCL TEMP[0..3]', 'DCL TEMP[4..11], ARRAY(1), LOCAL',
          'DCL TEMP[12]', 'DCL ADDR[0..1]', 'IMM[0] UINT32 {0, 3, 7, 1088421888}', 'AND TEMP[0], IN[0], IMM[0].yyyy',
          'UARL ADDR[0].x, TEMP[0].xxxx', 'FRC TEMP[1], IN[1]', 'MUL TEMP[1], TEMP[1], IMM[0].wwww', 'ARL ADDR[0].y, TEMP[1].xxxx',
          'ARR ADDR[1].xy, TEMP[1].yzzz', 'MOV TEMP[ADDR[0].x+4](1), IN[2]', 'MOV TEMP[5], CONST[ADDR[0].y+2]',
          'ADD TEMP[2], TEMP[ADDR[0].x+4](1), CONST[1][ADDR[1].x]', 'ADD TEMP[3], TEMP[2], CONST[ADDR[1].y]',
          'MOV TEMP[12], TEMP[ADDR[1].y+4](1).wwyy')
    finish(s, 'TEMP[3]', 'TEMP[12]')
    t = begin('FRAG', 'texture-indirect')
    t.add('DCL SAMP[0..3]', *(f'DCL SVIEW[{n}], 2D, FLOAT' for n in range(4)), 'DCL TEMP[0..4]', 'DCL ADDR[0]',
          'IMM[0] UINT32 {3, 0, 0, 0}', 'AND TEMP[0].x, IN[2], IMM[0].xxxx', 'UARL ADDR[0].x, TEMP[0].xxxx',
          'TEX TEMP[3], IN[0], SAMP[ADDR[0].x], 2D', 'TXL TEMP[4], IN[1], SAMP[1], 2D',
          'SAMP2HND TEMP[1].xy, SAMP[2], 2D', 'UADD TEMP[4].xy, TEMP[4], TEMP[1]')
    finish(t)
    u = begin('FRAG', 'immediates')
    u.add('DCL TEMP[0..4]', 'IMM[0] FLT32 {    0.2500,    -1.5000,     2.0000,     0.0000}', 'IMM[1] INT32 {-1, 2, -3, 4}',
          'IMM[2] UINT32 {0, 1072693248, 0, 1073741824}', 'ADD TEMP[3], IN[0], IMM[0]', 'UADD TEMP[4], IN[1], IMM[1].wzyx',
          'DADD TEMP[0], IMM[2], IMM[2].zwxy', 'UADD TEMP[4], TEMP[4], TEMP[0]')
    finish(u)
    return [p, q, r, s, t, u]


def vertices():
    p = Program('VERT', 'values')
    p.add('PROPERTY VS_PROHIBIT_UCPS 1', 'PROPERTY NEXT_SHADER GEOM', 'PROPERTY NUM_CLIPDIST_ENABLED 3',
          'PROPERTY NUM_CULLDIST_ENABLED 2', 'DCL IN[0]', 'DCL SV[0], INSTANCEID', 'DCL SV[1], VERTEXID',
          'DCL SV[2], VERTEXID_NOBASE', 'DCL SV[3], BASEVERTEX', 'DCL SV[4], BASEINSTANCE', 'DCL SV[5], DRAWID',
          'DCL OUT[0], POSITION', 'DCL OUT[1], COLOR', 'DCL OUT[2], COLOR[1]', 'DCL OUT[3], BCOLOR', 'DCL OUT[4], BCOLOR[1]',
          'DCL OUT[5].x, FOG', 'DCL OUT[6].x, PSIZE', 'DCL OUT[7].x, EDGEFLAG', 'DCL OUT[8], CLIPDIST',
          'DCL OUT[9].x, CLIPDIST[1]', 'DCL OUT[10], TEXCOORD[0]', 'DCL OUT[11].x, LAYER', 'DCL OUT[12].x, VIEWPORT_INDEX',
          'DCL OUT[13..14], GENERIC[2]', 'DCL OUT[15], VIEWPORT_MASK', 'DCL TEMP[0]')
    p.add('UADD TEMP[0], SV[0].xxxx, SV[1].xxxx', *(f'UADD TEMP[0].{"xyzw"[n % 4]}, TEMP[0], SV[{n}].xxxx' for n in range(2, 6)),
          'MOV OUT[0], IN[0]', 'U2F OUT[1], TEMP[0]', 'MOV_SAT OUT[2], IN[0]', 'MOV OUT[3], IN[0].wzyx', 'MOV OUT[4], -IN[0]',
          'MOV OUT[5].x, IN[0].xxxx', 'MOV OUT[6].x, IN[0].yyyy', 'MOV OUT[7].x, IN[0].zzzz', 'MOV OUT[8], |IN[0]|',
          'MOV OUT[9].x, IN[0].wwww', 'MOV OUT[10], IN[0]', 'MOV OUT[11].x, TEMP[0].xxxx', 'MOV OUT[12].x, TEMP[0].yyyy',
          'MOV OUT[13], TEMP[0]', 'MOV OUT[14], TEMP[0].yyyy', 'MOV OUT[15], TEMP[0].zzzz', 'END')
    q = Program('VERT', 'window-space')
    q.add('PROPERTY VS_WINDOW_SPACE_POSITION 1', 'PROPERTY VS_BLIT_SGPRS_AMD 0', 'DCL IN[0..3]', 'DCL OUT[0], POSITION, INVARIANT', 'DCL OUT[1], CLIPVERTEX',
          'DCL OUT[2], GENERIC[7]', 'DCL CONST[0..3]', 'DCL TEMP[0], LOCAL', *(f'DP4 OUT[0].{"xyzw"[n]}, IN[0], CONST[{n}]' for n in range(4)),
          'MUL TEMP[0], IN[0].xxxx, CONST[0]', 'MAD TEMP[0], IN[0].yyyy, CONST[1], TEMP[0]', 'MOV OUT[1], TEMP[0]',
          'DP3 OUT[2], IN[1], IN[3]', 'END')
    r = begin('VERT', 'memory')
    r.add('DCL BUFFER[0]', 'DCL TEMP[0..4]', 'IMM[0] UINT32 {0, 4, 124, 1}', 'AND TEMP[0].x, IN[0], IMM[0].zzzz', 'LOAD TEMP[3], BUFFER[0], TEMP[0].xxxx',
          'RESQ TEMP[4].x, BUFFER[0]', 'CLOCK TEMP[1].xy', 'UADD TEMP[1].xy, TEMP[1], -TEMP[1]', 'UADD TEMP[4].yz, TEMP[4], TEMP[1].xxyy')
    finish(r)
    return [p, q, r]


def geometry():
    programs = []
    for primitive, count, out in (('POINTS', 1, 'POINTS'), ('LINES', 2, 'LINE_STRIP'), ('TRIANGLES', 3, 'TRIANGLE_STRIP'),
                                  ('LINES_ADJACENCY', 4, 'LINE_STRIP'), ('TRIANGLES_ADJACENCY', 6, 'TRIANGLE_STRIP')):
        p = Program('GEOM', primitive.lower().replace('_', '-'))
        streams = out == 'POINTS'
        p.add(f'PROPERTY GS_INPUT_PRIMITIVE {primitive}', f'PROPERTY GS_OUTPUT_PRIMITIVE {out}',
              f'PROPERTY GS_MAX_OUTPUT_VERTICES {count + 2}', 'PROPERTY GS_INVOCATIONS 2', 'DCL IN[][0], POSITION', 'DCL IN[][1], GENERIC[0]',
              'DCL SV[0], INVOCATIONID', 'DCL SV[1], PRIM_ID', 'DCL OUT[0], POSITION',
              'DCL OUT[1], GENERIC[0]' + (', STREAM(1, 1, 1, 1)' if streams else ''), 'DCL OUT[2].x, PRIM_ID', 'DCL OUT[3].x, LAYER',
              'DCL TEMP[0..2]', 'DCL ADDR[0]', 'IMM[0] UINT32 {0, 1, 1065353216, 3}')
        for n in range(count):
            p.add(f'ADD OUT[0], IN[{n}][0], IMM[0].xxxz', f'MOV OUT[1], IN[{n}][1].wzyx', 'MOV OUT[2].x, SV[1].xxxx',
                  'AND OUT[3].x, SV[0].xxxx, IMM[0].wwww', 'EMIT IMM[0].xxxx')
        if count > 1:
            p.add('AND TEMP[0].x, SV[0].xxxx, IMM[0].yyyy', 'UARL ADDR[0].x, TEMP[0].xxxx', 'MOV OUT[0], IN[ADDR[0].x][0]',
                  'MOV OUT[1], IN[ADDR[0].x][1]', 'MOV OUT[2].x, IMM[0].xxxx', 'MOV OUT[3].x, IMM[0].xxxx', 'EMIT IMM[0].xxxx')
        p.add('ENDPRIM IMM[0].xxxx')
        if streams:
            p.add('MOV OUT[1], IN[0][1]', 'EMIT IMM[0].yyyy', 'ENDPRIM IMM[0].yyyy')
        programs.append(p.add('END'))
    p = Program('GEOM', 'loops')
    p.add('PROPERTY GS_INPUT_PRIMITIVE TRIANGLES', 'PROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP', 'PROPERTY GS_MAX_OUTPUT_VERTICES 16',
          'DCL IN[][0], POSITION', 'DCL IN[][1], CLIPDIST', 'DCL OUT[0], POSITION', 'DCL OUT[1], CLIPDIST', 'DCL OUT[2].x, VIEWPORT_INDEX',
          'DCL CONST[0]', 'DCL TEMP[0..1]', 'DCL ADDR[0]', 'IMM[0] INT32 {0, 1, 3, -1}', 'BGNLOOP', 'ISGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz',
          'UIF TEMP[1].xxxx', 'BRK', 'ENDIF', 'UARL ADDR[0].x, TEMP[0].xxxx', 'MUL OUT[0], IN[ADDR[0].x][0], CONST[0]',
          'MOV OUT[1], IN[ADDR[0].x][1]', 'MOV OUT[2].x, TEMP[0].xxxx', 'EMIT IMM[0].xxxx', 'IF IN[0][0].xxxx', 'ENDPRIM IMM[0].xxxx', 'ENDIF',
          'UADD TEMP[0].x, TEMP[0], IMM[0].yyyy', 'ENDLOOP', 'END')
    return programs + [p]


def tessellation():
    p = Program('TESS_CTRL', 'levels')
    p.add('PROPERTY TCS_VERTICES_OUT 4', 'DCL IN[][0], POSITION', 'DCL IN[][1], GENERIC[0]', 'DCL SV[0], INVOCATIONID', 'DCL SV[1], PRIM_ID',
          'DCL SV[2], VERTICESIN', 'DCL OUT[0], TESSOUTER', 'DCL OUT[1].xy, TESSINNER', 'DCL OUT[][2], POSITION', 'DCL OUT[][3], GENERIC[0]',
          'DCL OUT[4], PATCH', 'DCL TEMP[0..1]', 'DCL ADDR[0]', 'IMM[0] UINT32 {0, 1065353216, 1077936128, 1}',
          'UARL ADDR[0].x, SV[0].xxxx', 'MOV OUT[ADDR[0].x][2], IN[ADDR[0].x][0]', 'MUL TEMP[0], IN[ADDR[0].x][1], IN[0][1]',
          'MOV OUT[ADDR[0].x][3], TEMP[0].yzwx', 'BARRIER', 'USEQ TEMP[1].x, SV[0].xxxx, IMM[0].xxxx', 'UIF TEMP[1].xxxx',
          'MOV OUT[0], IMM[0].zyzy', 'MOV OUT[1].xy, IMM[0].yzzz', 'UADD OUT[4], SV[1].xxxx, SV[2].xxxx', 'ENDIF', 'END')
    q = Program('TESS_CTRL', 'reads-outputs')
    q.add('PROPERTY TCS_VERTICES_OUT 3', 'DCL IN[][0], GENERIC[1]', 'DCL SV[0], INVOCATIONID', 'DCL SV[1], TESS_DEFAULT_OUTER_LEVEL',
          'DCL SV[2], TESS_DEFAULT_INNER_LEVEL', 'DCL OUT[0], TESSOUTER', 'DCL OUT[1].xy, TESSINNER', 'DCL OUT[][2], GENERIC[1]',
          'DCL OUT[3], PATCH[1]', 'DCL TEMP[0..1]', 'DCL ADDR[0]', 'UARL ADDR[0].x, SV[0].xxxx', 'MOV OUT[ADDR[0].x][2], IN[ADDR[0].x][0].wzyx',
          'BARRIER', 'ADD TEMP[0], OUT[0][2], OUT[1][2]', 'ADD TEMP[0], TEMP[0], OUT[2][2]', 'MOV OUT[0], SV[1]', 'MOV OUT[1].xy, SV[2].xyyy',
          'MOV OUT[3], TEMP[0]', 'END')
    r = Program('TESS_EVAL', 'triangles')
    r.add('PROPERTY TES_PRIM_MODE 4', 'PROPERTY TES_SPACING 2', 'PROPERTY TES_VERTEX_ORDER_CW 1', 'DCL IN[][0], POSITION', 'DCL IN[][1], GENERIC[0]',
          'DCL IN[2], PATCH', 'DCL SV[0], TESSCOORD', 'DCL SV[1], PRIM_ID', 'DCL OUT[0], POSITION', 'DCL OUT[1], GENERIC[0]', 'DCL TEMP[0]',
          'MUL TEMP[0], IN[0][0], SV[0].xxxx', 'MAD TEMP[0], IN[1][0], SV[0].yyyy, TEMP[0]', 'MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[0]',
          'ADD TEMP[0], IN[0][1], IN[2]', 'UADD OUT[1], TEMP[0], SV[1].xxxx', 'END')
    s = Program('TESS_EVAL', 'quads')
    s.add('PROPERTY TES_PRIM_MODE 7', 'PROPERTY TES_SPACING 0', 'PROPERTY TES_POINT_MODE 1', 'PROPERTY NEXT_SHADER FRAG', 'DCL IN[][0], GENERIC[0]',
          'DCL IN[1], PATCH[1]', 'DCL SV[0], TESSCOORD', 'DCL SV[1], TESSOUTER', 'DCL SV[2], TESSINNER', 'DCL SV[3], VERTICESIN',
          'DCL OUT[0], POSITION', 'DCL OUT[1].x, PSIZE', 'DCL OUT[2], CLIPDIST', 'DCL OUT[3].x, LAYER', 'DCL TEMP[0..1]', 'DCL ADDR[0]', 'IMM[0] UINT32 {3, 0, 0, 0}',
          'AND TEMP[0].x, SV[3].xxxx, IMM[0].xxxx', 'UARL ADDR[0].x, TEMP[0].xxxx', 'LRP TEMP[1], SV[0].xxxx, IN[0][0], IN[1][0]',
          'LRP OUT[0], SV[0].yyyy, TEMP[1], IN[ADDR[0].x][0]', 'ADD OUT[1].x, SV[1].xxxx, SV[2].xxxx', 'MOV OUT[2], IN[1]', 'MOV OUT[3].x, TEMP[0].xxxx', 'END')
    t = Program('TESS_EVAL', 'lines')
    t.add('PROPERTY TES_PRIM_MODE 1', 'PROPERTY TES_SPACING 1', 'DCL IN[][0], GENERIC[2]', 'DCL SV[0], TESSCOORD', 'DCL OUT[0], POSITION',
          'LRP OUT[0], SV[0].xxxx, IN[0][0], IN[1][0]', 'END')
    return [p, q, r, s, t]


def compute(rows):
    def grid(name, *lines):
        p = Program('COMP', name)
        return p.add('PROPERTY CS_FIXED_BLOCK_WIDTH 8', 'PROPERTY CS_FIXED_BLOCK_HEIGHT 4', 'PROPERTY CS_FIXED_BLOCK_DEPTH 1',
                     'DCL SV[0], THREAD_ID', 'DCL SV[1], BLOCK_ID', *lines)
    place = ('UMAD TEMP[0].x, SV[0].yyyy, IMM[0].xxxx, SV[0].xxxx', 'UMAD TEMP[0].x, SV[1].xxxx, IMM[0].yyyy, TEMP[0]',
             'SHL TEMP[1].x, TEMP[0], IMM[0].zzzz')
    number = 'IMM[0] UINT32 {8, 32, 2, 5}'
    programs = [grid('values', 'PROPERTY CS_USER_DATA_COMPONENTS_AMD 0', 'DCL SV[2], GRID_SIZE', 'DCL SV[3], BLOCK_SIZE', 'DCL SV[4], WORK_DIM',
                     'DCL SV[5], CS_USER_DATA_AMD', 'DCL SV[6], SUBGROUP_INVOCATION', 'DCL BUFFER[0]', 'DCL TEMP[0..2]', number, *place,
                     'UADD TEMP[2], SV[2], SV[3]', 'UADD TEMP[2].x, TEMP[2], SV[4].xxxx', 'UADD TEMP[2].y, TEMP[2], SV[5].xxxx',
                     'STORE BUFFER[0].xy, TEMP[1].xxxx, TEMP[2]', 'END')]
    ops = [op for op in rows.values() if op.shape == 'ATOMIC']
    for kind, register, declaration in (('buffer', 'BUFFER[1]', 'DCL BUFFER[1], ATOMIC'), ('shared', 'MEMORY[0]', 'DCL MEMORY[0], SHARED'),
                                        ('counter', 'HWATOMIC[0][0]', 'DCL HWATOMIC[0][0..3]')):
        p = grid(f'atomics-{kind}', 'DCL BUFFER[0]', declaration, 'DCL TEMP[0..3]', number, *place)
        for op in ops:
            if op.name == 'ATOMFADD' and kind == 'counter':
                continue
            # Of one place each, so that the order of invocations does not show.
            at = 'IMM[0].zzzz' if kind == 'counter' else 'TEMP[1].xxxx'
            operands = ['TEMP[0].xxxx', 'IMM[0].wwww'][:op.srcs - 2]
            if kind == 'counter':
                at, operands = 'IMM[0].wwww', ['IMM[0].xxxx', 'IMM[0].yyyy'][:op.srcs - 2]
            p.add(f'{op.name} TEMP[2].x, {register}, {", ".join([at, *operands])}')
            if kind != 'counter':
                p.add('XOR TEMP[3].x, TEMP[3], TEMP[2]')
        programs.append(p.add('STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx', 'END'))
    for n, (target, form) in enumerate((('1D', 'R32_UINT'), ('2D', 'R32_SINT'), ('3D', 'R32G32B32A32_FLOAT'), ('CUBE', 'R8G8B8A8_UNORM'),
                                        ('RECT', 'R16G16_SINT'), ('1D_ARRAY', 'R32_FLOAT'), ('2D_ARRAY', 'R8G8B8A8_SNORM'),
                                        ('CUBEARRAY', 'R16G16B16A16_FLOAT'), ('BUFFER', 'R32G32B32A32_UINT'), ('2D_MSAA', 'R32_UINT'),
                                        ('2D_ARRAY_MSAA', 'R32_FLOAT'))):
        named = '' if target == 'BUFFER' else f', {target}'  # which an access has where it names none
        qualifier = ('', ', COHERENT', ', VOLATILE', ', RESTRICT')[n % 4]
        p = grid(f'image-{target.lower().replace("_", "-")}', f'DCL IMAGE[0], {target}, PIPE_FORMAT_{form}, WR', 'DCL BUFFER[0]', 'DCL TEMP[0..4]',
                 number, 'IMM[1] UINT32 {7, 3, 1, 0}', *place, 'AND TEMP[2], SV[0].xyxx, IMM[1]')
        p.add(f'LOAD TEMP[3], IMAGE[0], TEMP[2]{qualifier}{named}, PIPE_FORMAT_{form}', f'RESQ TEMP[4], IMAGE[0]{named}, PIPE_FORMAT_{form}',
              'UADD TEMP[3], TEMP[3], TEMP[4]', 'STORE BUFFER[0], TEMP[1].xxxx, TEMP[3]')
        programs.append(p.add(f'STORE IMAGE[0], TEMP[2], IMM[0]{qualifier}{named}, PIPE_FORMAT_{form}', 'END'))
    programs.append(grid('image-atomics', 'DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR', 'DCL BUFFER[0]', 'DCL TEMP[0..3]', number, *place)
                    .add(*(f'{op.name} TEMP[2].x, IMAGE[0], SV[0].xyyy, {", ".join(["TEMP[0].xxxx", "IMM[0].wwww"][:op.srcs - 2])}, 2D, PIPE_FORMAT_R32_UINT'
                           for op in ops if 'MEMORY' in op.flags), 'STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx', 'END'))
    programs.append(grid('barriers', 'DCL MEMORY[0], SHARED', 'DCL MEMORY[1], PRIVATE', 'DCL BUFFER[0]', 'DCL TEMP[0..3]', number, 'IMM[1] UINT32 {31, 4, 1, 0}', *place,
                         'UMAD TEMP[2].x, SV[0].yyyy, IMM[0].xxxx, SV[0].xxxx', 'SHL TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz', 'STORE MEMORY[0].x, TEMP[2].yyyy, TEMP[0].xxxx',
                         'STORE MEMORY[1].x, IMM[1].yyyy, TEMP[0].xxxx', 'MEMBAR IMM[1].yyyy', 'BARRIER', 'XOR TEMP[2].x, TEMP[2], IMM[1].xxxx', 'SHL TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz',
                         'LOAD TEMP[3].x, MEMORY[0], TEMP[2].yyyy', 'LOAD TEMP[3].y, MEMORY[1], IMM[1].yyyy', 'UADD TEMP[3].x, TEMP[3], TEMP[3].yyyy',
                         'STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx, COHERENT', 'END'))
    programs.append(grid('lanes', 'DCL BUFFER[0]', 'DCL TEMP[0..3]', number, *place, 'BALLOT TEMP[2].x, SV[0].xxxx', 'VOTE_ANY TEMP[2].y, SV[0].yyyy', 'READ_FIRST TEMP[3].x, TEMP[0]',
                         'READ_INVOC TEMP[3].y, TEMP[0].xxxx, IMM[0].wwww', 'UADD TEMP[2].xy, TEMP[2], TEMP[3]', 'STORE BUFFER[0].xy, TEMP[1].xxxx, TEMP[2]', 'END'))
    programs.append(grid('constants-as-memory', 'DCL CONST[0..15]', 'DCL BUFFER[0]', 'DCL BUFFER[1]', 'DCL TEMP[0..3]', number, *place,
                         'LOAD TEMP[2], CONSTBUF[0], TEMP[1].xxxx', 'LOAD TEMP[3], BUFFER[1], TEMP[1].xxxx, RESTRICT, STREAM_CACHE_POLICY', 'UADD TEMP[2], TEMP[2], TEMP[3]',
                         'STORE BUFFER[0], TEMP[1].xxxx, TEMP[2]', 'END'))
    q = grid('memory-of-the-grid', 'DCL MEMORY[0], INPUT', 'DCL MEMORY[1], GLOBAL', 'DCL BUFFER[0]', 'DCL TEMP[0..3]', number, *place, 'LOAD TEMP[2].x, MEMORY[0], IMM[0].xxxx',
             'LOAD TEMP[2].y, MEMORY[1], TEMP[1].xxxx', 'STORE BUFFER[0].xy, TEMP[1].xxxx, TEMP[2]', 'END')
    r = grid('handles', 'DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR', 'DCL BUFFER[0]', 'DCL TEMP[0..3]', number, *place, 'IMG2HND TEMP[2].xy, IMAGE[0], 2D, PIPE_FORMAT_R32_UINT',
             'LOAD TEMP[3].x, TEMP[2].xyxy, SV[0].xyyy, 2D, PIPE_FORMAT_R32_UINT', 'STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx', 'END')
    s = Program('COMP', 'resources')
    s.folder = 'others'
    s.add('DCL SV[0], THREAD_ID', 'DCL RES[0], BUFFER, WR, RAW', 'DCL RES[1], 2D, WR', 'DCL TEMP[0..1]', 'LOAD TEMP[0], RES[1], SV[0]', 'STORE RES[0].x, SV[0].xxxx, TEMP[0].xxxx', 'END')
    return programs + [q, r, s]


def programs(opcode_table):
    """All of them, as (path below tests/corpus/tgsi, text)."""
    rows = opcodes(opcode_table)
    made = arithmetic(rows) + lookups(rows) + inputs_of_fragments() + flow() + vertices() + geometry() + tessellation() + \
        compute(rows)
    return [(f'{p.folder}/{p.name}.tgsi' if p.folder != 'others' else f'others/{FOLDERS[p.stage]}-{p.name}.tgsi', p.text()) for p in made]
