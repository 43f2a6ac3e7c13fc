"""The Direct3D programs of tests/corpus/d3d, as assembly: with those of tests/golden/d3d/lower each instruction,
declaration, register, stage and model is in at least one of them (tests/static/corpus.py looks). The tests assemble
them. Instructions with operands that only compute, look up or reach memory are made from the operand letters of
src/isa/d3d.def; the others are written out. A fixed seed for each program chooses registers, masks and swizzles."""
import random
import re

ROW = re.compile(r'^D3D_OP\((\w+), (0x\w+), "([^"]*)", "([^"]*)", ([^"]*), "([^"]*)", "([^"]*)", (\d+), "(\w*)", ([^"]*), "', re.MULTILINE)
RESULT = 'unorm snorm sint uint float'.split()
DIMENSIONS = {'texture1d': 'x', 'texture2d': 'xy', 'texture3d': 'xyz', 'texturecube': 'xyz', 'texture1darray': 'xy',
              'texture2darray': 'xyz', 'texturecubearray': 'xyzw'}
AXES = {'texture1d': 1, 'texture1darray': 1, 'texture2d': 2, 'texture2darray': 2, 'texture3d': 3}  # of texel offsets
PLAIN = tuple(DIMENSIONS)
GATHERED = ('texture2d', 'texturecube', 'texture2darray', 'texturecubearray')
OFFSET = ('texture2d', 'texture2darray')
COMPARED = ('texture1d', 'texture2d', 'texturecube', 'texture1darray', 'texture2darray', 'texturecubearray')


class Row:
    """A row of d3d.def."""

    def __init__(self, name, number, word, other, fields, operands, text, model, stages, flags):
        self.name, self.number, self.word, self.other, self.fields = name, int(number, 16), word, other, fields
        self.operands, self.text, self.model, self.stages, self.flags = operands.split(), text, int(model), stages, flags


def rows(text):
    return [Row(*m) for m in ROW.findall(text)]


class Program:
    def __init__(self, profile, name, declarations, body, head=(), tail=()):
        self.profile, self.name = profile, name
        self.lines = [profile, *head, '.text', *declarations, *body, *tail]

    def text(self):
        return '\n'.join(line for line in self.lines if line) + '\n'


# ---- operands ----

def letters(r, count=4):
    return ''.join(r.choice('xyzw') for _ in range(count))


def mask(r):
    return r.choice(('x', 'y', 'xy', 'xz', 'xyz', 'xyzw', 'w', 'yw', 'zw'))


def literal(r, kind):
    values = {'f': ('1.5', '-0.25', '3.0', '0'), 'i': ('1', '-2', '7', '31'), 'u': ('1', '5', '255', '4096')}.get(kind, ('1', '2', '3', '4'))
    return f'l({", ".join(r.choice(values) for _ in range(4))})'


def source(r, kind, registers):
    if kind == 'd':
        return ('-' if r.random() < 0.2 else '') + r.choice(('r0', 'r3', 'cb0[2]')) + '.' + r.choice(('xyxy', 'zwzw', 'xyzw'))
    if r.random() < 0.15:
        return literal(r, kind)
    text = f'{r.choice(registers)}.{letters(r)}'
    if kind == 'f' and r.random() < 0.3:
        return r.choice((f'-{text}', f'|{text}|', f'-|{text}|'))
    return f'-{text}' if kind == 'i' and r.random() < 0.3 else text


def computed(r, row, registers, number):
    """One instruction that computes, with its results in r1 and r2."""
    word, operands, results = row.word, [], 0
    if 'SAT' in row.fields and row.operands[0][1] == 'f' and r.random() < 0.3:
        word += '_sat'
    if 'PRECISE' in row.fields and r.random() < 0.15:
        word += r.choice((' [precise]', ' [precise(x)]', ' [precise(yz)]'))
    wide = any(o[1] == 'd' for o in row.operands)
    for role, kind in row.operands:
        if role in 'DN':
            results += 1
            to = 'xy' if kind == 'd' else 'x' if wide else mask(r)
            operands.append('null' if role == 'N' and number % 3 == results else f'r{results}.{to}')
        elif role == 'C':
            operands.append(f'{r.choice(registers)}.{r.choice("xyzw")}')
        else:
            operands.append(source(r, kind, registers))
    return f'{word} {", ".join(operands)}'


def is_computed(row):
    return row.operands and row.operands[0][0] in 'DN' and all(o[0] in 'DNSC' for o in row.operands) and \
        not row.word.startswith('eval_') and row.name != 'CHECK_ACCESS_FULLY_MAPPED'


SIGNATURES = {'ps': ('.input', '.param A.xyzw, v0.xyzw, float', '.param B.xyzw, v1.xyzw, uint', '.output',
                     '.param SV_Target.xyzw, o0.xyzw, float, TARGET'),
              'vs': ('.input', '.param A.xyzw, v0.xyzw, float', '.param B.xyzw, v1.xyzw, uint', '.output',
                     '.param SV_POSITION.xyzw, o0.xyzw, float, POS')}
INPUTS = {'ps': ('dcl_input_ps linear v0.xyzw', 'dcl_input_ps constant v1.xyzw', 'dcl_output o0.xyzw'),
          'vs': ('dcl_input v0.xyzw', 'dcl_input v1.xyzw', 'dcl_output_siv o0.xyzw, position')}


def shell(stage, model, flags, name, declarations, body, temps=6, tail=(), head=None):
    """A pixel or vertex shader with two inputs and one output, o0 = r4."""
    start = [f'dcl_globalFlags {" | ".join(["refactoringAllowed", *flags])}', *declarations, *INPUTS[stage], f'dcl_temps {temps}']
    return Program(f'{stage}_{model // 10}_{model % 10}', name, start, [*body, 'mov o0.xyzw, r4.xyzw', 'ret'],
                   SIGNATURES[stage] if head is None else head, tail)


def arithmetic(table):
    """Six instructions a program, in pixel and vertex shaders in turn, of the model that has all of them."""
    programs, computing = [], [row for row in table if is_computed(row)]
    computing.sort(key=lambda row: (row.model, 'DOUBLE' in row.flags, 'EXTENDED' in row.flags))
    for first in range(0, len(computing), 6):
        some = computing[first:first + 6]
        stage = 'vs' if first // 6 % 2 and all('v' in row.stages for row in some) else 'ps'
        model = max(row.model for row in some)
        flags = []
        if any('DOUBLE' in row.flags for row in some):
            flags.append('enableDoublePrecisionFloatOps')
        if any('EXTENDED' in row.flags for row in some):
            flags.append('enable11_1DoubleExtensions | enable11_1ShaderExtensions')
        name = f'{stage}-{"-".join(row.word for row in some[:3])}'
        r = random.Random(f'scheelite {name}')
        body = ['mov r0.xyzw, v0.xyzw', 'mov r3.xyzw, v1.wzyx', 'mov r4.xyzw, l(0, 0, 0, 0)']
        for row in some:
            for number in range(3 if 'N' in ''.join(row.operands) else 2):
                body += ['mov r1.xyzw, l(0, 0, 0, 0)', 'mov r2.xyzw, l(0, 0, 0, 0)',
                         computed(r, row, ('v0', 'v1', 'r0', 'r3', 'cb0[0]', 'cb0[1]'), number), 'iadd r4.xyzw, r4.xyzw, r1.xyzw',
                         'xor r4.xyzw, r4.yzwx, r2.xyzw']
        programs.append(shell(stage, model, flags, name, ['dcl_constantbuffer CB0[3], immediateIndexed'], body))
    return programs


# ---- lookups ----

def looked_up(row, unit, sampler, dimension, residency):
    operands, floats = [], 0
    for role, kind in row.operands:
        if role == 'D':
            operands.append('r1.xyzw')
        elif role == 'N':
            operands.append('r2.x' if residency else 'null')
        elif role == 'R':
            operands.append(f't{unit}.xyzw')
        elif role == 'P':
            operands.append(f's{sampler}' + ('.x' if kind == 'x' else ''))
        elif role == 'C':
            operands.append('v0.w')
        elif kind == 'i':
            operands.append('r3.xyzw')
        else:
            operands.append(('v0.xyzw', 'v0.yzwx', 'r0.xyzw')[floats % 3])
            floats += 1
    word = row.word
    if dimension in AXES and unit % 2 and '_po' not in word and row.name != 'LOD':
        word += f'_aoffimmi({",".join(str(n) for n in (*(1, -2, 3)[:AXES[dimension]], 0, 0, 0)[:3])})'
    return f'{word} {", ".join(operands)}'


def lookups(table):
    programs = []
    for row in table:
        if 'P' not in ''.join(row.operands):
            continue
        gathers, compares = row.word.startswith('gather4'), '_c' in row.word.replace('_cl', '')
        dimensions = OFFSET if '_po' in row.word else GATHERED if gathers else COMPARED if compares else PLAIN
        if row.model < 41:
            dimensions = tuple(d for d in dimensions if d != 'texturecubearray')
        if row.model == 41:
            dimensions = tuple(d for d in dimensions if d != 'texturecubearray')
        if gathers and row.model == 41:
            dimensions = ('texture2d', 'texturecube', 'texture2darray')
        if '_s' in row.word[-2:]:
            dimensions = tuple(d for d in dimensions if not d.startswith('texture1d'))
        stage = 'vs' if 'v' in row.stages and row.number % 2 else 'ps'
        declarations = [f'dcl_sampler s0, {"mode_comparison" if compares else "mode_default"}']
        body = ['mov r0.xyzw, v0.zwxy', 'and r3.xyzw, v1.xyzw, l(7, 7, 7, 7)', 'mov r4.xyzw, l(0, 0, 0, 0)']
        for unit, dimension in enumerate(dimensions):
            kind = 'float' if compares else ('float', 'unorm', 'snorm')[unit % 3]
            declarations.append(f'dcl_resource_{dimension} ({",".join([kind] * 4)}) t{unit}')
            for residency in (True, False) if 'TILED' in row.flags else (True,):
                body += ['mov r2.xyzw, l(0, 0, 0, 0)', looked_up(row, unit, 0, dimension, residency), 'iadd r4.xyzw, r4.xyzw, r1.xyzw',
                         'xor r4.xyzw, r4.yzwx, r2.xyzw']
        programs.append(shell(stage, row.model, [], f'{stage}-{row.word}', declarations, body))
    return programs


def reading():
    """Resources that are read without a sampler."""
    textures = [(d, RESULT[n % 3 + 2]) for n, d in enumerate(('buffer', 'texture1d', 'texture2d', 'texture3d', 'texture1darray', 'texture2darray'))]
    declarations = [f'dcl_resource_{d} ({",".join([kind] * 4)}) t{n}' for n, (d, kind) in enumerate(textures)]
    start = ['and r0.xyzw, v1.xyzw, l(7, 3, 1, 1)', 'mov r4.xyzw, l(0, 0, 0, 0)']
    take = ['iadd r4.xyzw, r4.yzwx, r1.xyzw']
    fetches = sum(([f'ld{"_aoffimmi(1,0,0)" if n == 2 else ""} r1.xyzw, r0.xyzw, t{n}.{("xyzw", "wzyx")[n % 2]}', *take] for n in range(6)), start)
    sizes = sum(([f'resinfo{("", "_uint", "_rcpFloat")[n % 3]} r1.xyzw, r0.x, t{n}.xyzw', *take] for n in range(1, 6)), start)
    samples = ['dcl_resource_texture2dms(4) (float,float,float,float) t6', 'dcl_resource_texture2dmsarray(2) (uint,uint,uint,uint) t7']
    multi = sum(([line, *take] for line in (
        'ldms r1.xyzw, r0.xyzw, t6.xyzw, l(1)', 'ldms r1.xyzw, r0.xyzw, t7.xyzw, r0.w', 'sampleinfo r1.xyzw, t6.x', 'sampleinfo_uint r1.xyzw, t7.x',
        'sampleinfo r1.xyzw, rasterizer.x', 'samplepos r1.xyzw, t6.xyxx, r0.w', 'samplepos r1.xyzw, rasterizer.xyxx, r0.w')), start)
    raw = ['dcl_resource_raw t8', 'dcl_resource_structured t9, 20', 'dcl_resource_buffer (uint,uint,uint,uint) t10']
    buffers = sum(([line, *take] for line in (
        'ld_raw r1.xyzw, r0.x, t8.xyzw', 'ld_structured r1.xyzw, r0.x, l(4), t9.xyzw', 'bufinfo r1.xyzw, t8.xyzw', 'bufinfo r1.xyzw, t9.wzyx', 'bufinfo r1.xyzw, t10.xxxx',
        'ld_indexable(buffer)(uint,uint,uint,uint) r1.xyzw, r0.xyzw, t10.xyzw', 'ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, r0.x, t8.xxxx',
        'ld_structured_indexable(structured_buffer, stride=20)(mixed,mixed,mixed,mixed) r1.xy, r0.x, l(0), t9.xyxx')), start)
    return [shell('vs', 40, [], 'vs-fetches', declarations, fetches), shell('ps', 50, [], 'ps-sizes', declarations, sizes),
            shell('ps', 41, [], 'ps-samples', samples, multi), shell('vs', 50, [], 'vs-buffers', raw, buffers)]


# ---- compute ----

def memory(table):
    declarations = ['dcl_globalFlags refactoringAllowed', 'dcl_constantbuffer CB1[4], dynamicIndexed', 'dcl_uav_raw u0', 'dcl_uav_structured u1, 16',
                    'dcl_uav_typed_texture2d (uint,uint,uint,uint) u2', 'dcl_uav_typed_buffer (float,float,float,float) u3',
                    'dcl_uav_structured_opc u4, 4', 'dcl_input vThreadID.xyz', 'dcl_input vThreadGroupID.xyz', 'dcl_input vThreadIDInGroup.xyz',
                    'dcl_input vThreadIDInGroupFlattened', 'dcl_temps 4', 'dcl_tgsm_raw g0, 256', 'dcl_tgsm_structured g1, 8, 32', 'dcl_thread_group 8, 4, 1']
    start = ['mov r0.xyzw, l(0, 0, 0, 0)', 'ishl r1.x, vThreadIDInGroupFlattened.x, l(2)', 'and r1.yz, vThreadIDInGroup.xxyx, l(0, 7, 3, 0)', 'mov r1.w, l(0)']
    end = ['store_raw u0.x, r1.x, r0.x', 'ret']
    programs = []
    for name, destination, address in (('raw', 'u0', 'r1.x'), ('shared', 'g0', 'r1.x'), ('structured', 'g1', 'r1.wwww')):
        body = list(start)
        for row in table:
            words = ''.join(row.operands)
            if not row.word.startswith(('atomic_', 'imm_atomic_')) or 'S' not in words:
                continue
            operands, values = [], 0
            for role, kind in row.operands:
                if role == 'D':
                    operands.append('r2.x')
                elif role == 'V':
                    operands.append(destination)
                elif role == 'S':
                    operands.append(address if name != 'structured' else 'r3.xyxx')
                else:
                    operands.append(('vThreadIDInGroupFlattened.x', 'l(3)')[values % 2])
                    values += 1
            if name == 'structured':
                body += ['mov r3.x, vThreadIDInGroupFlattened.x', 'mov r3.y, l(4)']
            body.append(f'{row.word} {", ".join(operands)}')
            if row.operands[0][0] == 'D':
                body.append('xor r0.x, r0.x, r2.x')
        programs.append(Program('cs_5_0', f'cs-atomics-{name}', declarations, body + end, ('.input', '.output')))
    body = start + ['store_uav_typed u2.xyzw, vThreadID.xyyy, r1.xyzw', 'ld_uav_typed r2.xyzw, r1.yzzz, u2.xyzw', 'iadd r0.x, r0.x, r2.x',
                    'utof r2.xyzw, r1.xyzw', 'store_uav_typed u3.xyzw, vThreadGroupID.xxxx, r2.xyzw', 'ld_uav_typed r2.xyzw, vThreadGroupID.xxxx, u3.wzyx',
                    'store_structured u1.xyz, vThreadIDInGroupFlattened.x, l(0), r1.xyzx', 'ld_structured r2.xy, vThreadIDInGroupFlattened.x, l(4), u1.xyxx',
                    'iadd r0.x, r0.x, r2.x', 'store_raw g0.x, r1.x, r1.y', 'sync_g', 'sync_g_t', 'sync_ugroup', 'sync_uglobal', 'sync_uglobal_g_t',
                    'ld_raw r2.x, r1.x, g0.xxxx', 'store_structured g1.x, vThreadIDInGroupFlattened.x, l(4), r2.x',
                    'ld_structured r2.x, vThreadIDInGroupFlattened.x, l(4), g1.xxxx', 'iadd r0.x, r0.x, r2.x',
                    'mov r2.xyzw, cb1[r1.y + 0].xyzw', 'iadd r0.x, r0.x, r2.y', 'bufinfo r2.x, u0.xxxx', 'imm_atomic_alloc r2.y, u4', 'ubfe r2.z, l(1), l(0), r2.y',
                    'resinfo_uint r2.xyz, l(0), u2.xyzw']
    programs.append(Program('cs_5_0', 'cs-memory', declarations, body + end, ('.input', '.output')))
    programs.append(Program('cs_5_0', 'cs-counters', declarations, start + ['imm_atomic_consume r2.x, u4', 'ult r2.y, r2.x, l(64)', 'if_nz r2.y',
                                                                            'store_structured u4.x, r2.x, l(0), r1.y', 'endif'] + end, ('.input', '.output')))
    programs.append(Program('cs_4_0', 'cs-4-0', ['dcl_globalFlags refactoringAllowed | enableRawAndStructuredBuffers', 'dcl_uav_raw u0', 'dcl_input vThreadID.xyz', 'dcl_temps 1',
                                                 'dcl_thread_group 16, 1, 1'], ['ishl r0.x, vThreadID.x, l(2)', 'store_raw u0.x, r0.x, vThreadID.x', 'ret'], ('.input', '.output')))
    return programs


# ---- programs that are written one by one ----

def flow():
    start = ['mov r0.xyzw, v0.xyzw', 'mov r4.xyzw, l(0, 0, 0, 0)', 'and r1.xyzw, v1.xyzw, l(7, 3, 1, 15)']
    loops = start + ['loop', 'uge r2.x, r1.x, l(20)', 'breakc_nz r2.x', 'iadd r1.x, r1.x, l(1)', 'and r2.y, r1.x, l(1)', 'continuec_z r2.y', 'if_nz r1.y', 'iadd r4.xyzw, r4.xyzw, v1.xyzw',
                     'else', 'add r4.x, r4.x, v0.y', 'continue', 'endif', 'switch r1.z', 'case l(0)', 'mov r4.y, v0.x', 'break', 'case l(1)', 'case l(2)', 'mov r4.z, v0.y', 'break', 'default',
                     'nop', 'break', 'endswitch', 'if_z r1.w', 'break', 'endif', 'endloop', 'retc_nz r1.w']
    calls = start + ['call l0', 'callc_nz r1.x, l1', 'callc_z r1.y, l0', 'mov o0.xyzw, r4.xyzw', 'ret', 'label l0', 'add r4.xyzw, r4.xyzw, v0.xyzw', 'retc_z r1.z', 'mul r4.x, r4.x, l(0.5)', 'ret',
                     'label l1', 'call l0', 'iadd r4.w, r4.w, l(1)', 'ret']
    called = Program('vs_5_0', 'vs-calls', ['dcl_globalFlags refactoringAllowed', *INPUTS['vs'], 'dcl_temps 5'], calls, SIGNATURES['vs'])
    arrays = start + ['mov x0[0].xyzw, v0.xyzw', 'mov x0[1].xyzw, v0.yzwx', 'mov x0[r1.y + 0].xy, v1.xyxx', 'mov x1[r1.z + 2].x, v1.w', 'mov r4.xyzw, x0[r1.y + 0].wzyx', 'iadd r4.x, r4.x, x1[r1.z + 2].x',
                      'iadd r4.xyzw, r4.xyzw, icb[r1.y + 0].xyzw', 'add r4.xyzw, r4.xyzw, cb2[r1.x + 1].xyzw']
    array = shell('ps', 50, [], 'ps-arrays', ['dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0},', '                              { 5, 6, 7, 8},', '                              { 16, 32, 48, 64},', '                              { -1, -2, -3, -4} }',
                                              'dcl_constantbuffer CB2[16], dynamicIndexed', 'dcl_indexableTemp x0[4], 4', 'dcl_indexableTemp x1[8], 1'], arrays)
    discards = start + ['lt r2.x, v0.x, l(0)', 'discard_nz r2.x', 'discard_z v1.x', 'eval_snapped r4.xyzw, v0.xyzw, l(3, -2, 0, 0)', 'eval_sample_index r2.xyzw, v0.xyzw, l(1)', 'add r4.xyzw, r4.xyzw, r2.xyzw',
                        'eval_centroid r2.xyzw, v0.xyzw', 'add r4.xyzw, r4.xyzw, r2.xyzw']
    return [shell('vs', 40, [], 'vs-loops', [], loops), called, array, shell('ps', 50, [], 'ps-discards', [], discards)]


def pixels():
    modes = ('constant', 'linear', 'linear centroid', 'linear noperspective', 'linear noperspective centroid', 'linear sample', 'linear noperspective sample')
    inputs = [f'dcl_input_ps {mode} v{n + 1}.xyzw' for n, mode in enumerate(modes)]
    head = ['.input', '.param SV_POSITION.xyzw, v0.xyzw, float, POS', *(f'.param A{n}.xyzw, v{n}.xyzw, {"uint" if n == 1 else "float"}' for n in range(1, 8)),
            '.param SV_PrimitiveID.x, v8.x, uint, PRIMID', '.param SV_IsFrontFace.x, v9.x, uint, FFACE', '.param SV_SampleIndex.x, v10.x, uint, SAMPLE', '.output', '.param SV_Target.xyzw, o0.xyzw, float, TARGET',
            '.param SV_Target1.xyzw, o1.xyzw, uint, TARGET', '.param SV_Depth.x, oDepth.x, float, DEPTH', '.param SV_Coverage.x, oMask.x, uint, COVERAGE']
    body = ['mov r0.xyzw, v0.xyzw', *(f'add r0.xyzw, r0.xyzw, v{n}.xyzw' for n in range(2, 8)), 'mov o0.xyzw, r0.xyzw', 'iadd r1.xyzw, v1.xyzw, v8.xxxx', 'and r1.x, r1.x, v9.x', 'iadd r1.y, r1.y, v10.x',
            'mov o1.xyzw, r1.xyzw', 'mov_sat oDepth.x, r0.x', 'and oMask.x, vCoverage.x, l(15)', 'ret']
    everything = Program('ps_5_0', 'ps-interface', ['dcl_globalFlags refactoringAllowed | skipOptimization', 'dcl_input_ps_siv linear noperspective v0.xyzw, position', *inputs, 'dcl_input_ps_sgv constant v8.x, primitive_id',
                                                    'dcl_input_ps_sgv constant v9.x, is_front_face', 'dcl_input_ps_sgv constant v10.x, sampleIndex', 'dcl_input vCoverage', 'dcl_output o0.xyzw', 'dcl_output o1.xyzw', 'dcl_output oDepth',
                                                    'dcl_output oMask', 'dcl_temps 2'], body, head)
    resources = ('.resources 0, "scheelite corpus"', '.binding "s", sampler, 0, none, 0, 0, 1, 1', '.binding "t", texture, float, texture2d, 4294967295, 0, 1, 13', '.binding "globals", cbuffer, 0, none, 0, 0, 1, 0',
                 '.cbuffer "globals", 48, 0, 0', '  .variable "scale", 0, 16, 2, vector float 1 x 4 "float4"', '  .variable "offset", 16, 12, 2, vector float 1 x 3 "float3"', '  .variable "number", 28, 4, 2, scalar int 1 x 1 "int"', '  .variable "count", 32, 4, 0, scalar uint 1 x 1 "uint"')
    described = shell('ps', 50, [], 'ps-described', ['dcl_constantbuffer CB0[3], immediateIndexed', 'dcl_sampler s0, mode_default', 'dcl_resource_texture2d (float,float,float,float) t0'],
                      ['sample r4.xyzw, v0.xyxx, t0.xyzw, s0', 'mad r4.xyz, r4.xyzx, cb0[0].xyzx, cb0[1].xyzx'], 5, ('.statistics 37, instructions 4, temps 5, float 1, texture_samples 1, moves 1',),
                      SIGNATURES['ps'] + resources)
    features = shell('ps', 50, ['enable11_1ShaderExtensions'], 'ps-features', ['dcl_uav_typed_texture2d_glc (float,float,float,float) u1', 'dcl_uav_raw u2'], ['mov r4.xyzw, v0.xyzw', 'store_uav_typed u1.xyzw, v1.xyyy, v0.xyzw', 'store_raw u2.x, v1.x, v1.y'], 5,
                     (), SIGNATURES['ps'] + ('.features doubles computeRawAndStructured viewsInEveryStage views64 minimumPrecision doubleExtensions shaderExtensions level9Comparison tiledResources stencilReference innerCoverage typedLoadFormats orderedViews arrayIndexFromAnyStage',))
    mono = shell('ps', 40, [], 'ps-mono', ['dcl_sampler s3, mode_mono', 'dcl_resource_texture2d (float,float,float,float) t3'], ['sample r4.xyzw, v0.xyxx, t3.wzyx, s3'], 5)
    halves = shell('ps', 50, ['enableMinimumPrecision'], 'ps-halves', [], ['add r0.xyzw {min16f}, v0.xyzw {min16f}, l(1.0, 2.0, 3.0, 4.0) {min16f}', 'iadd r1.x {min16i}, v1.x {min16i}, l(3)',
                                                                           'umax r1.y {min16u}, v1.y {min16u}, l(7)', 'mov r4.xyzw, r0.xyzw {min16f}', 'iadd r4.xy, r4.xyxx, r1.xyxx'], 5)
    return [everything, described, features, mono, halves]


def vertices():
    head = ['.input', '.param POSITION.xyzw, v0.xyzw, float', '.param SV_VertexID.x, v1.x, uint, VERTID', '.param SV_InstanceID.x, v2.x, uint, INSTID', '.output', '.param SV_POSITION.xyzw, o0.xyzw, float, POS',
            '.param SV_ClipDistance.xyz, o1.xyz, float, CLIPDST', '.param SV_CullDistance.w, o1.w, float, CULLDST', '.param SV_RenderTargetArrayIndex.x, o2.x, uint, RTINDEX', '.param SV_ViewportArrayIndex.y, o2.y, uint, VPINDEX',
            '.param T.xy, o3.xy, float']
    body = ['mov o0.xyzw, v0.xyzw', 'mov o1.xyz, v0.xyzx', 'mov o1.w, v0.w', 'mov o2.x, v1.x', 'mov o2.y, v2.x', 'utof o3.xy, v1.xxxx', 'ret']
    return [Program('vs_5_0', 'vs-interface', ['dcl_globalFlags refactoringAllowed', 'dcl_input v0.xyzw', 'dcl_input_sgv v1.x, vertex_id', 'dcl_input_sgv v2.x, instance_id', 'dcl_output_siv o0.xyzw, position',
                                               'dcl_output_siv o1.xyz, clip_distance', 'dcl_output_siv o1.w, cull_distance', 'dcl_output_siv o2.x, rendertarget_array_index', 'dcl_output_siv o2.y, viewport_array_index', 'dcl_output o3.xy'],
                    body, head)]


def geometry():
    programs = []
    for primitive, count, topology in (('point', 1, 'pointlist'), ('line', 2, 'linestrip'), ('triangle', 3, 'trianglestrip'), ('lineadj', 4, 'linestrip'), ('triangleadj', 6, 'trianglestrip')):
        body = []
        for n in range(count):
            body += [f'mov o0.xyzw, v[{n}][0].xyzw', f'add o1.xyzw, v[{n}][1].xyzw, v[0][1].wzyx', 'mov o2.x, vPrim', 'emit' if n % 2 == 0 else 'emitThenCut']
        programs.append(Program('gs_4_1' if primitive == 'line' else 'gs_4_0', f'gs-{primitive}', [f'dcl_input_siv v[{count}][0].xyzw, position', f'dcl_input v[{count}][1].xyzw', 'dcl_input vPrim', f'dcl_inputprimitive {primitive}',
                                                              f'dcl_outputtopology {topology}', 'dcl_output_siv o0.xyzw, position', 'dcl_output o1.xyzw', 'dcl_output_sgv o2.x, primitive_id', f'dcl_maxout {count}'], [*body, 'cut', 'ret'],
                                ('.input', '.param SV_POSITION.xyzw, v0.xyzw, float, POS', '.param A.xyzw, v1.xyzw, float', '.output', '.param SV_POSITION.xyzw, o0.xyzw, float, POS', '.param A.xyzw, o1.xyzw, float',
                                 '.param SV_PrimitiveID.x, o2.x, uint, PRIMID')))
    return programs


def tessellation():
    """Hull shaders of each domain, partitioning and output, and their domain shaders."""
    programs = []
    tri = ['finalTriUeq0EdgeTessFactor', 'finalTriVeq0EdgeTessFactor', 'finalTriWeq0EdgeTessFactor', 'finalTriInsideTessFactor']
    quad = [f'finalQuad{edge}EdgeTessFactor' for edge in ('Ueq0', 'Veq0', 'Ueq1', 'Veq1')] + ['finalQuadUInsideTessFactor', 'finalQuadVInsideTessFactor']
    line = ['finalLineDetailTessFactor', 'finalLineDensityTessFactor']
    kinds = (('tri', 3, tri, 'integer', 'triangle_cw'), ('quad', 4, quad, 'pow2', 'triangle_ccw'), ('isoline', 2, line, 'fractional_odd', 'line'), ('tri', 3, tri, 'fractional_even', 'point'))
    for number, (domain, count, factors, partitioning, output) in enumerate(kinds):
        hull = ['hs_decls', f'dcl_input_control_point_count {count}', f'dcl_output_control_point_count {count}', f'dcl_tessellator_domain domain_{domain}', f'dcl_tessellator_partitioning partitioning_{partitioning}',
                f'dcl_tessellator_output_primitive output_{output}', 'dcl_hs_max_tessfactor l(16.0)', 'dcl_globalFlags refactoringAllowed', 'hs_control_point_phase', 'dcl_input vOutputControlPointID', 'dcl_input vPrim',
                f'dcl_input v[{count}][0].xyzw', 'dcl_output o0.xyzw', 'dcl_temps 1', 'mov r0.x, vOutputControlPointID', 'mov r0.xyzw, v[r0.x + 0][0].xyzw', 'utof r0.w, vPrim', 'mov o0.xyzw, r0.xyzw', 'ret',
                'hs_fork_phase', *(f'dcl_output_siv o{n}.x, {factor}' for n, factor in enumerate(factors)), *(f'mov o{n}.x, l({n + 1}.5)' for n in range(len(factors))), 'ret',
                'hs_join_phase', f'dcl_input vocp[{count}][0].xyzw', f'dcl_input vicp[{count}][0].xyzw', f'dcl_output o{len(factors)}.xyzw', 'dcl_temps 1', 'add r0.xyzw, vocp[0][0].xyzw, vicp[1][0].wzyx',
                f'mov o{len(factors)}.xyzw, r0.xyzw', 'ret']
        programs.append(Program('hs_5_0', f'hs-{domain}-{output}', hull, ()))
        if number == 3:
            continue
        patch = [f'dcl_input_siv vpc{n}.x, {factor}' for n, factor in enumerate(factors)]
        body = ['mul r0.xyzw, vDomain.xxxx, vicp[0][0].xyzw', 'mad r0.xyzw, vDomain.yyyy, vicp[1][0].xyzw, r0.xyzw', f'add r0.xyzw, r0.xyzw, vpc{len(factors)}.xyzw', 'mov o0.xyzw, r0.xyzw', 'mov o1.x, vpc0.x', 'ret']
        programs.append(Program('ds_5_0', f'ds-{domain}', [f'dcl_input_control_point_count {count}', f'dcl_tessellator_domain domain_{domain}', 'dcl_globalFlags refactoringAllowed', *patch, f'dcl_input vpc{len(factors)}.xyzw',
                                                           f'dcl_input vDomain.{"xyz" if domain == "tri" else "xy"}', f'dcl_input vicp[{count}][0].xyzw', 'dcl_output_siv o0.xyzw, position', 'dcl_output o1.x', 'dcl_temps 1'], body))
    return programs


def programs(table_text):
    """All of them, as (file name, text)."""
    table = rows(table_text)
    made = arithmetic(table) + lookups(table) + reading() + memory(table) + flow() + pixels() + vertices() + geometry() + tessellation()
    return [(f'{p.name}.asm', p.text()) for p in made]
