#!/usr/bin/env python3
"""compare with Maxwell code: shaders and the code that their lookups become are equal, operands that were changed in it
are found, two files of code are compared by their registers. --all: every shader of the corpora, and fifty bugs; else
some of each."""
import glob
import json
import os
import random
import re
import sys

import command as c
import comparing
import tap

ALL = '--all' in sys.argv
SOURCES = sorted(glob.glob(os.path.join(comparing.CORPUS, 'tgsi', '*', '*.tgsi')) + glob.glob(os.path.join(comparing.CORPUS, 'd3d', '*.asm')) + glob.glob(os.path.join(comparing.CORPUS, 'vectors', '*.asm')) + c.SHADERS)
LOOKS = re.compile(r'\b(T[EXG][XSBLDPQF4]\w*|LODQ?|sample\w*|gather4\w*|ld\w*|lod|resinfo|SAMPLE\w*|GATHER4\w*|SVIEWINFO)\b')


def coded():
    """Shaders with lookups that all have Maxwell code, with that code."""
    for file in SOURCES:
        with open(file, encoding='utf-8') as text:
            if not LOOKS.search(text.read()):
                continue
        code = c.path('code.maxwell')
        if c.run('translate', '--to', 'maxwell', file, '-o', code).returncode == 0:
            text = c.read(code).decode()
            if re.search(r'^[A-Z]', text, re.M):
                yield file, text


def some(items, count):
    items = list(items)
    return items if ALL else items[::max(1, len(items) // count)]


def equal(*arguments):
    done = c.run('compare', *arguments)
    return [] if done.returncode == 0 and done.stdout.startswith(b'equal on ') else [f'{arguments}: {(done.stdout + done.stderr).decode()[:300]}']


def shaders_equal_their_code():
    findings, count = [], 0
    for file, text in some(coded(), 10):
        code = c.write('code.maxwell', text)
        for pair in ((file, code), (code, file), (code, code)):
            findings += equal('--count', '256' if ALL else '64', *pair)
            count += 1
    print(f'# {count} pairs')
    return findings + ([f'{count} pairs, not 200'] if ALL and count < 200 else [])


# ---- planted bugs ----

def mutants(line):
    """The instruction with one operand or modifier changed."""
    for found in re.finditer(r'\bR(\d+)\b', line):
        for step in (1, -1, 2, 4):
            if int(found.group(1)) + step >= 0:
                yield f'{line[:found.start()]}R{int(found.group(1)) + step}{line[found.end():]}'
    for found in re.finditer(r'0x[0-9a-f]+', line):
        yield f'{line[:found.start()]}0x{int(found.group(), 16) ^ 1:x}{line[found.end():]}'
    for old, new in (('TEX ', 'TEX.LZ '), ('.LL', '.LB'), ('TLD4.R', 'TLD4.G'), (', 2D', ', 1D'), ('RGBA', 'GBA')):
        if old in line:
            yield line.replace(old, new, 1)


SHAPES = {'1D': '24x1', '2D': '24x8', '3D': '8x4x4', 'CUBE': '8x8:layers=6', 'RECT': '24x8', '1D_ARRAY': '24x1:layers=3', '2D_ARRAY': '24x8:layers=3', 'CUBEARRAY': '8x8:layers=12',
          '2D_MSAA': '8x8:samples=4', '2D_ARRAY_MSAA': '8x8:layers=3:samples=4', 'BUFFER': '64x1'}
FORMATS = {'UINT': 'R32G32B32A32_UINT', 'SINT': 'R32G32B32A32_SINT', 'SNORM': 'R8G8B8A8_SNORM'}


def textures_of(lowered):
    """Textures of this test's own for the views of a shader."""
    words = []
    for number, target, kind in re.findall(r'^DCL SVIEW\[(\d+)\], (\w+), (\w+)', lowered, re.M):
        compares = target.startswith('SHADOW') or re.search(rf'(SAMPLE_C|GATHER4_C|GATHER4_PO_C)\w* .*SVIEW\[{number}\]', lowered)
        made = 'Z16_UNORM' if compares else FORMATS.get(kind, 'R8G8B8A8_UNORM')
        words += ['--tex', f"{number}=random:{made}:{SHAPES[target.replace('SHADOW', '')]}:seed={int(number) + 77},target={target}" + (',compare=lequal' if compares else '') +
                  (',filter=linear' if kind not in ('UINT', 'SINT') else '')]
    return words


def alive(file, code, bug, vectors, textures):
    """Whether the bug shows in what the shader gives for this test's own values."""
    a, b = (c.run('eval', file, '--vectors', vectors, '--quads', '-q', '--lookup-code', path, *textures) for path in (code, bug))
    return a.returncode == b.returncode == 0 and a.stdout != b.stdout


def plant(file, text, chance):
    lines = text.split('\n')
    places = [n for n, line in enumerate(lines) if re.match('[A-Z]', line)]
    lowered = c.run('translate', '--to', 'tgsi', file).stdout.decode()
    textures = textures_of(lowered)
    vectors, code = c.write('planted.tsv', comparing.vectors_of(lowered, chance)), c.write('code.maxwell', text)
    for _ in range(12):
        place = chance.choice(places)
        changed = chance.choice(list(mutants(lines[place])))
        bug = c.write('bug.maxwell', '\n'.join(lines[:place] + [changed] + lines[place + 1:]))
        if c.run('check', '-q', bug).returncode == 0 and alive(file, code, bug, vectors, textures):
            return f'{lines[place]} -> {changed}', bug
    return None


def planted_bugs_are_found():
    """In the shader's outputs, and in the registers of the code; the commands of the witness show what it says."""
    chance, findings, count, wanted = random.Random(3), [], 0, 50 if ALL else 5
    files = list(coded())
    chance.shuffle(files)
    for file, text in files:
        planted = plant(file, text, chance) if count < wanted else None
        if not planted:
            continue
        count += 1
        description, bug = planted
        done = c.run('compare', '--json', file, bug)
        if done.returncode != c.NO:
            findings.append(f'{os.path.basename(file)}: {description} is not found: {(done.stdout + done.stderr).decode()[:200]}')
            continue
        findings += witness_shows(json.loads(done.stdout)['witness'])
        # The instruction alone: others write its registers, which other code would set again.
        one, other = (c.write(f'{name}.maxwell', text) for name, text in zip(('one', 'other'), description.split(' -> ')))
        done = c.run('compare', '--json', one, other)
        # Of code alone it is not known that a query is of a texture with several samples.
        if done.returncode != c.NO and 'SAMPLER_POS' not in description:
            findings.append(f'{os.path.basename(file)}: {description} is not found in registers: {(done.stdout + done.stderr).decode()[:200]}')
    print(f'# {count} bugs')
    return findings if count == wanted else findings + [f'{count} bugs were planted, not {wanted}']


def witness_shows(witness):
    """What eval prints of each output is what the document says."""
    findings = []
    for which, done in zip('ab', comparing.replayed(witness['commands'])):
        line = done.stdout.splitlines()[witness['difference']['invocation']] if done.stdout else ''
        for output in witness['outputs']:
            if f"{output[which]['register']}={','.join(output[which]['bits'])}" not in line.split('\t'):
                findings.append(f'{done.args[2]}: {line} {done.stderr}, not {output[which]}')
    return findings


# ---- how lookups and instructions belong together ----

SHADER = comparing.FIRST
CODE = 'TEXS R4, R2, R0, R1, 0x0, 2D, RGBA;\n'


def code_runs_in_the_registers_of_the_translation():
    """By hand: coordinates are in R0 and R1; R1 in the place of R0 is another lookup, and other registers are 0."""
    findings, shader, textures = [], c.write('shader.tgsi', SHADER), ('--tex', '0=random:R8G8B8A8_UNORM:16x16,target=2D,rules=maxwell')
    vectors = c.write('one.tsv', 'IN[0]=0.25,0.75\tCONST[1]=1.0,1.0,1.0,1.0\n')
    swapped = c.write('swapped.tsv', 'IN[0]=0.75,0.25\tCONST[1]=1.0,1.0,1.0,1.0\n')
    nought = c.write('nought.tsv', 'IN[0]=0.0,0.0\tCONST[1]=1.0,1.0,1.0,1.0\n')

    def outputs(table, *code):
        done = c.run('eval', shader, '--vectors', table, *textures, *code)
        return (done.returncode, done.stdout)
    translated = c.path('own.maxwell')
    c.run('translate', '--to', 'maxwell', shader, '-o', translated)
    text = c.read(translated).decode()
    instruction = re.search(r'^TEX\S* .*$', text, re.M).group()
    sources = re.findall(r'R(\d) = src0\.([xy])', text)
    plain = [outputs(table) for table in (vectors, swapped, nought)]
    if len(set(plain)) != 3 or plain[0][0] != 0 or outputs(vectors, '--lookup-code', translated) != plain[0]:
        findings.append(f'{plain}')
    x, y = (f'R{next(number for number, of in sources if of == axis)}' for axis in 'xy')
    exchanged = re.sub(rf'\b({x}|{y})\b', lambda found: y if found.group() == x else x, instruction)
    if re.search(rf', {x}, {y},', instruction):  # the scalar form names both
        if outputs(vectors, '--lookup-code', c.write('exchanged.maxwell', exchanged)) != plain[1]:
            findings.append(f'{exchanged} is not the lookup with exchanged coordinates')
        elsewhere = instruction.replace(f', {x}, {y},', ', R100, R101,')
        done = c.run('eval', shader, '--vectors', vectors, *textures, '--lookup-code', c.write('elsewhere.maxwell', elsewhere))
        if (done.returncode, done.stdout) != plain[2] or b'warning 4500: instruction 1 of the Maxwell code, which runs this lookup, reads R100' not in done.stderr:
            findings.append(f'{elsewhere}: {done}')
    else:
        findings.append(f'not the scalar form: {instruction}')
    nothing = (c.YES, b'OUT[0]=' + b','.join([b'0x00000000'] * 4) + b'\n')
    for none in (instruction.replace('0x0', '0x7'), '@P0 ' + instruction):  # a word of the bank, and a predicate, that nobody set
        if outputs(vectors, '--lookup-code', c.write('none.maxwell', none)) != nothing:
            findings.append(f"{none}: {outputs(vectors, '--lookup-code', c.path('none.maxwell'))}")
    return findings


def lookups_leave_no_registers_behind():
    """What the first one wrote is 0 for the second."""
    shader = c.write('twice.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0..1], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\n'
                     'TEX TEMP[0], IN[0], SAMP[0], 2D\nMOV OUT[1], TEMP[0]\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n')
    vectors, first = c.write('one.tsv', 'IN[0]=0.25,0.75\n'), 'TEX R4, R0, RZ, 0x0, 2D, 0xf;\n'
    outputs = [c.run('eval', shader, '--vectors', vectors, '--quads', '-q', '--tex', '0=random:R8G8B8A8_UNORM:16x16,target=2D,rules=maxwell', '--lookup-code',
                     c.write('code.maxwell', first + f'TEX R4, {source}, RZ, 0x0, 2D, 0xf;\n')).stdout for source in ('R0', 'R4', 'R100')]
    return [] if outputs[0] and outputs[1] == outputs[2] != outputs[0] else [f'{outputs}']


def what_does_not_belong_together_is_said():
    shader = c.write('shader.tgsi', SHADER)
    code = c.run('translate', '--to', 'maxwell', shader).stdout.decode()
    good = c.write('good.maxwell', code)
    twice = c.write('twice.maxwell', code + code)
    parts = c.write('parts.maxwell', '.section .text.a\n' + code + '.section .text.b\n' + code)
    word = c.write('word.maxwell', code + '.word 0x4c98078000870001 ;\n')
    wrong = c.write('wrong.maxwell', 'TEX R1, R0, 0x0, ARRAY_CUBE, 0xf;\n')
    broken = c.write('broken.maxwell', 'TEXX R1;\n')
    findings = c.exit_is(c.UNSUPPORTED, 'compare', shader, twice, err='error 4352: the shader has 1 texture lookups, the Maxwell code 2 texture instructions')
    findings += c.exit_is(c.UNSUPPORTED, 'compare', parts, shader, err='2 sections of code')
    findings += c.exit_is(c.UNSUPPORTED, 'compare', shader, word, err='error 4352: instruction 1 of the Maxwell code, 0x4c98078000870001, is not a texture instruction')
    findings += c.exit_is(c.NO, 'compare', shader, wrong, err='wrong.maxwell:1:') + c.exit_is(c.NO, 'compare', shader, broken, err='broken.maxwell:1:1: error')
    findings += c.exit_is(c.IO, 'compare', shader, c.path('absent.maxwell'), err='cannot open')
    findings += c.exit_is(c.USAGE, 'eval', shader, '--vectors', '-', '--lookup-code', good, '--engine', 'jit', err='--lookup-code goes with --engine maxwell')
    findings += c.exit_is(c.USAGE, 'eval', shader, '--vectors', '-', '--lookup-code', good, '--engine', 'both', err='--lookup-code goes with --engine maxwell')
    findings += c.exit_is(c.USAGE, 'trace', os.path.join(c.EXAMPLES, 'scenes', 'cube.scene'), '--pixel', '9,9', '--lookup-code', good, err='--lookup-code is for shaders by themselves')
    vertex = c.write('v.tgsi', 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n')
    return findings + c.exit_is(c.UNSUPPORTED, 'compare', vertex, good, err='the shader has 0 texture lookups, the Maxwell code 1 texture instructions')


def raw_code_is_named():
    """What has no first bytes of its own is Maxwell code by -x; words beside it are read as ever."""
    shader, raw = c.write('shader.tgsi', SHADER), c.path('raw.bin')
    code = c.path('code.maxwell')
    c.run('translate', '--to', 'maxwell', shader, '-o', code)
    c.run('asm', '-x', 'maxwell', code, '-o', raw)
    container = c.path('shader.dxbc')
    c.run('translate', '--to', 'dxbc', shader, '-o', container)
    findings = equal('-x', 'maxwell', shader, raw) + equal('-x', 'maxwell', raw, code) + equal('-x', 'cubin', raw, raw)
    findings += equal('-x', 'maxwell', '--values', 'normal', raw, container)
    return findings + c.exit_is(c.UNSUPPORTED, 'compare', shader, raw, err='perhaps raw Maxwell code') + c.exit_is(c.USAGE, 'compare', '-x', 'tgsi', shader, raw, err='-x is maxwell or cubin, not tgsi')


# ---- two files of code ----

def registers_are_compared():
    findings = []

    def code(name, text):
        return c.write(name + '.maxwell', text)
    two = 'TEX R4, R0, 0x0, 2D, 0xf;\nTEX R4, R2, 0x1, 2D, 0xf;\n'
    a = code('a', two)
    findings += equal(a, a)
    # The first result is overwritten, and counts; independent instructions may change places.
    b = code('b', two.replace('R0', 'R8'))
    done = c.run('compare', '--json', a, b)
    witness = json.loads(done.stdout)['witness']
    if done.returncode != c.NO or witness['difference']['kind'] != 'register' or not witness['commands'][0].startswith('printf %b') or 'trace -x maxwell' not in witness['commands'][0]:
        findings.append(f'{done}')
    name, invocation = witness['difference']['name'], witness['difference']['invocation']
    for which, run in zip('ab', comparing.replayed(witness['commands'])):
        if run.returncode or f"{name} = {witness['difference'][which]}(" not in run.stdout.splitlines()[1]:
            findings.append(f'{run}')
    lines = witness['lines_a'].splitlines()
    if invocation >= len(lines) or witness['lines_a'] != witness['lines_b']:
        findings.append(f'{witness}')
    one, other = 'TEX R4, R0, 0x0, 2D, 0xf;\n', 'TEX R8, R2, 0x1, 2D, 0xf;\n'
    findings += equal(code('a', one + other), code('b', other + one))
    # What eval shows, it shows again.
    done = c.run('compare', '--json', code('a', one + other), code('b', one + other.replace('0x1', '0x0')))
    witness = json.loads(done.stdout)['witness']
    for which, run in zip('ab', comparing.replayed(witness['commands'])):
        shown = re.sub(r'R(\d+)', r'R[\1]', witness['difference']['name']) + '=' + witness['difference'][which]
        if 'eval -x maxwell' not in run.args[2] or shown not in run.stdout.splitlines()[witness['difference']['invocation']].split('\t'):
            findings.append(f'{run}: not {shown}')
    findings += c.exit_is(c.NO, 'compare', code('a', one), code('b', one.replace('R4', 'R12')), out='different: only A writes R4\n')
    findings += c.exit_is(c.NO, 'compare', code('a', two), code('b', one), out='different: A writes R4 2 times, B 1 times\n')
    findings += c.exit_is(c.NO, 'compare', code('a', '@P0 ' + one), code('b', '@!P0 ' + one), out='they differ in R4: ')
    bound = '@P0 TEX.B R4, R0, R12, 0x0, 2D, 0xf;\n'
    findings += equal(code('a', bound), code('b', bound)) + c.exit_is(c.NO, 'compare', code('a', bound), code('b', bound.replace('R12', 'R13')), out='they differ in R4: ')
    return findings


def lanes_are_given():
    """--vectors are lanes as eval reads them, and come first."""
    a, b = (c.write(f'{name}.maxwell', f'TLD.LZ R4, {register}, RZ, 0x0, 1D, 0xf;\n') for name, register in (('a', 'R0'), ('b', 'R1')))
    same, other = c.write('same.tsv', 'R[0]=0x3\tR[1]=0x3\nOFF\n'), c.write('other.tsv', 'R[0]=0x3\tR[1]=0x3\nR[0]=0x3\tR[1]=0x5\n')
    findings = c.exit_is(c.YES, 'compare', a, b, '--count', '0', '--vectors', same, out='equal on 2 inputs\n')
    findings += c.exit_is(c.NO, 'compare', a, b, '--count', '0', '--vectors', other, out='different, on input 2\n')
    findings += c.exit_is(c.NO, 'compare', a, b, '--count', '0', '--vectors', c.write('wrong.tsv', 'Q=1\n'), err='a field is R[n]=')
    for option in (('--const', '0:0=1,1,1,1'), ('--engine', 'interp'), ('--engine-b', 'interp'), ('--samples', '2'), ('--budget', '7')):
        findings += c.exit_is(c.USAGE, 'compare', a, b, *option, err='shaders')
    findings += c.exit_is(c.UNSUPPORTED, 'compare', a, c.write('far.maxwell', 'TLD.LZ R4, R0, RZ, 0x1fff, 1D, 0xf;\n'), err='names word 8191 of the constant bank')
    return findings + c.exit_is(c.NO, 'compare', a, b, '--tex', '0=random:R8G8B8A8_UNORM:8x1:seed=3,target=1D', out='--tex 0=random:R8G8B8A8_UNORM:8x1:seed=3,target=1D\n')


if __name__ == '__main__':
    long = [('shaders equal their code', shaders_equal_their_code), ('planted bugs are found', planted_bugs_are_found)]
    tap.run(long if ALL else long + [('code runs in the registers of the translation', code_runs_in_the_registers_of_the_translation), ('lookups leave no registers behind', lookups_leave_no_registers_behind), ('what does not belong together is said', what_does_not_belong_together_is_said),
                                     ('raw code is named', raw_code_is_named), ('registers are compared', registers_are_compared), ('lanes are given', lanes_are_given)])
