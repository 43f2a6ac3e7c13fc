#!/usr/bin/env python3
"""compare: pairs of a shader and its translation are equal, planted bugs are found, and what is shown of a difference
shows it again. --all: every translation of the corpora, and fifty bugs; else some of each."""
import fcntl
import glob
import json
import os
import pty
import random
import re
import shlex
import struct
import subprocess
import sys
import termios

import command as c
import tap

ALL = '--all' in sys.argv
CORPUS = os.path.join(tap.SOURCE, 'tests', 'corpus')
TGSI = sorted(glob.glob(os.path.join(CORPUS, 'tgsi', '*', '*.tgsi')))
D3D = sorted(glob.glob(os.path.join(CORPUS, 'd3d', '*.asm')) + glob.glob(os.path.join(CORPUS, 'vectors', '*.asm')))

# What is not the same, and why (docs/d3d.md, "From TGSI to Direct3D"): buffers and images have other numbers then; LIT is
# as exact as log and exp; levels of RECT are counted.
OTHERWISE = ('image-', 'lookup-txq.tgsi', 'mov-lit-rcp', 'cs-counters', 'cs-memory', 'ps-features')


def some(files, count):
    """All, or as many as that, from all over the list."""
    files = [file for file in files if not any(word in file for word in OTHERWISE)]
    return files if ALL else files[::max(1, len(files) // count)]


def translated(path, language, name):
    """The path of a translation; None: Direct3D or TGSI has no word for something."""
    done = c.run('translate', '--to', language, path, '-o', c.path(name))
    return c.path(name) if done.returncode == 0 else None


def pairs_are_equal(files, first, second, options):
    findings, count = [], 0
    for file in files:
        there = translated(file, first, 'there.' + first)
        back = there and translated(there, second, 'back.' + second)
        for other in filter(None, (there, back)):
            done = c.run('compare', *options, file, other)
            count += 1
            if done.returncode != 0 or not done.stdout.startswith(b'equal on '):
                findings.append(f'{file} to {other}: {(done.stdout + done.stderr).decode()[:300]}')
    print(f'# {count} pairs')
    return findings, count


def translations_are_equal():
    """Direct3D flushes denormals and has other rules for NaN, so that what was TGSI gets normal values."""
    findings, tgsi = pairs_are_equal(some(TGSI, 10), 'dxbc', 'tgsi', ('--values', 'normal', '--count', '256'))
    more, d3d = pairs_are_equal(some(D3D, 10), 'tgsi', 'dxbc', ('--count', '256'))
    if ALL and tgsi + d3d < 200:
        more.append(f'{tgsi + d3d} pairs, not 200')
    return findings + more


def fields_of_all_bits_are_equal():
    """32 bits are none to Direct3D, there and back through TGSI."""
    file = c.write('fields.asm', 'vs_5_0\ndcl_input v0.xyzw\ndcl_input v1.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_output o2.xyzw\n'
                   'ubfe o0.xyzw, v0.xxyy, v0.zzww, v1.xyzw\nibfe o1.xyzw, v0.xxyy, v0.zzww, v1.xyzw\nbfi o2.xyzw, v0.xxyy, v0.zzww, v1.xyzw, v1.yzwx\nret\n')
    there = translated(file, 'tgsi', 'fields.tgsi')
    return c.exit_is(c.YES, 'compare', file, there) + c.exit_is(c.YES, 'compare', file, translated(there, 'dxbc', 'fields.dxbc'))


def lookups_are_equal_in_maxwell_code():
    """A shader with its lookups executed as Maxwell instructions; some lookups have no such code."""
    findings, count = [], 0
    for file in some([file for file in TGSI if 'lookup' in file], 4):
        done = c.run('compare', '--count', '128', file, file, '--engine-b', 'maxwell')
        count += done.returncode == c.YES
        if done.returncode not in (c.YES, c.UNSUPPORTED):
            findings.append(f'{file}: {(done.stdout + done.stderr).decode()[:300]}')
    return findings if count else findings + ['no lookup has Maxwell code']


# ---- planted bugs ----

SWAPS = {'ADD': 'MUL', 'MUL': 'ADD', 'MIN': 'MAX', 'MAX': 'MIN', 'AND': 'OR', 'OR': 'XOR', 'UADD': 'UMUL', 'FSLT': 'FSGE', 'USEQ': 'USNE', 'DP3': 'DP4',
         'add': 'mul', 'mul': 'add', 'min': 'max', 'max': 'min', 'and': 'or', 'or': 'xor', 'iadd': 'xor', 'lt': 'ge', 'ieq': 'ine', 'umin': 'umax'}


def bugs(text, chance):
    """The text with one operand changed: another opcode, component or sign."""
    lines = [re.sub(r'^ *\d+: ', '', line) for line in text.splitlines()]
    places = [n for n, line in enumerate(lines) if re.match(r' *[A-Za-z]\w* [ro]\d|[A-Z]\w* (TEMP|OUT)', line)]
    chance.shuffle(places)
    for place in places:
        opcode, rest = lines[place].split(' ', 1) if not lines[place].startswith(' ') else (None, None)
        if opcode is None:
            continue
        target, _, sources = rest.partition(', ')
        components = [m for m in re.finditer(r'(?<=[\]\d]\.)[xyzw]+', sources)]
        changed = []
        if opcode in SWAPS:
            changed.append(f'{SWAPS[opcode]} {rest}')
        for found in components:
            word = found.group()
            other = word.translate(str.maketrans('xyzw', 'yxwz'))
            changed.append(f'{opcode} {target}, {sources[:found.start()]}{other}{sources[found.end():]}')
        changed.append(f'{opcode} {target}, -{sources}')
        line = chance.choice(changed)
        yield f'{lines[place]} -> {line}', '\n'.join(lines[:place] + [line] + lines[place + 1:]) + '\n'


def vectors_of(text, chance):
    """Sixteen invocations of random floats and small integers, for the inputs and constants that the lowered shader has;
    they are this test's, so that what is alive is not decided by what is tested."""
    names = []
    for file, first, last in re.findall(r'^DCL ((?:IN|CONST(?:\[\d+\])?)\[)(\d+)(?:\.\.(\d+))?\]', text, re.M):
        names += [f'{file}{n}]' for n in range(int(first), int(last or first) + 1)]
    constants = [f'{name}=' + ','.join(f'{chance.uniform(-4, 4):.3f}' for _ in range(4)) for name in names if name[0] == 'C']
    lines = []
    for _ in range(16):
        values = [','.join(f'{chance.uniform(-4, 4):.3f}' if chance.random() < 0.6 else f'{chance.randrange(-9, 40)}i' for _ in range(4)) for _ in names]
        lines.append('\t'.join([f'{name}={value}' for name, value in zip(names, values) if name[0] == 'I'] + constants))
    return '\n'.join(lines) + '\n'


def alive(file, bug, vectors):
    a, b = (c.run('eval', path, '--vectors', vectors, '-q') for path in (file, bug))
    return a.returncode == b.returncode == 0 and a.stdout != b.stdout


def plant(file, chance):
    """A bug that shows in the shader's outputs: its description and its path; None: none was found."""
    text = c.run('dis', file).stdout.decode()
    lowered = c.run('translate', '--to', 'tgsi', file).stdout.decode()
    vectors = c.write('planted.tsv', vectors_of(lowered, chance))
    for description, bug in list(bugs(text, chance))[:12]:
        path = c.write('planted' + os.path.splitext(file)[1], bug)
        if c.run('check', '-q', path).returncode == 0 and alive(file, path, vectors):
            return description, path
    return None


def planted_bugs_are_found():
    chance, findings, count = random.Random(3), [], 0
    wanted = 50 if ALL else 6
    files = [file for file in TGSI + D3D if 'lookup' not in file and 'cs-' not in file and f'{os.sep}cs{os.sep}' not in file]
    chance.shuffle(files)
    for file in files:
        planted = plant(file, chance) if count < wanted else None
        if not planted:
            continue
        count += 1
        done = c.run('compare', file, planted[1])
        if done.returncode != c.NO:
            findings.append(f'{os.path.basename(file)}: {planted[0]} is not found: {(done.stdout + done.stderr).decode()[:200]}')
    print(f'# {count} bugs')
    return findings if count == wanted else findings + [f'{count} bugs were planted, not {wanted}']


# ---- witnesses ----

FIRST = """FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..1]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {0.5, 2.0, 0.0, 1.0}
MUL TEMP[0], IN[0], CONST[1]
TEX TEMP[0], TEMP[0], SAMP[0], 2D
ADD OUT[0], TEMP[0], IN[1]
END
"""
SECOND = FIRST.replace('IN[0], GENERIC[0]', 'IN[2], GENERIC[0]').replace('MUL TEMP[0], IN[0]', 'MUL TEMP[0], IN[2]').replace('TEX TEMP[0], TEMP[0]', 'TEX TEMP[0], TEMP[0].yxzw')


def replayed(commands):
    """What the commands of a witness print."""
    folder = c.path('bin')
    os.makedirs(folder, exist_ok=True)
    link = os.path.join(folder, 'scheelite')
    if not os.path.exists(link):
        os.symlink(c.COMMAND, link)
    env = {**os.environ, 'PATH': folder + os.pathsep + os.environ['PATH']}
    return [subprocess.run(['sh', '-c', command], env=env, capture_output=True, text=True, timeout=60) for command in commands]


def a_witness_shows_the_difference_again():
    """From the output in words, from JSON, and from files; in registers that are not the same."""
    findings = []
    a, b, folder = c.write('a.tgsi', FIRST), c.write('b.tgsi', SECOND), c.path('witness')
    words = c.run('compare', a, b).stdout.decode()
    shown = [line.strip() for line in words.partition('again:\n')[2].partition('what A and B do')[0].splitlines()]
    document = json.loads(c.run('compare', '--json', a, b).stdout)
    filed = json.loads(c.run('compare', '--json', a, b, '-o', folder).stdout)
    if document['equal'] or shown != document['witness']['commands']:
        findings.append(f'{shown} in words, {document["witness"]} as JSON')
    if sorted(os.listdir(folder)) != ['witness-b.tsv', 'witness.tsv']:
        findings.append(f'{os.listdir(folder)}')
    difference, outputs = document['witness']['difference'], document['witness']['outputs'][0]
    for commands in (shown, filed['witness']['commands']):
        runs = replayed(commands)
        for which, done in zip('ab', runs):
            if done.stdout != 'OUT[0]=' + ','.join(outputs[which]['bits']) + '\n' or done.stderr:
                findings.append(f'{done.args[2]}: {done.stdout} {done.stderr}')
    if any(outputs[which]['bits']['xyzw'.index(difference['component'])] != difference[which] for which in 'ab') or difference['a'] == difference['b']:
        findings.append(f'{difference}')
    # As simple as can be: one coordinate is not 0, and the constants are 0 and 1 but for one.
    lines = [document['witness'][name] for name in ('lines_a', 'lines_b')]
    others = re.findall('0x(?!00000000|3f800000)[0-9a-f]{8}', lines[0])
    if len(others) > 1 or lines[0].count('\n') != 1 or lines[0].replace('IN[0]', 'IN[2]') != lines[1]:
        findings.append(f'not the simplest input: {lines}')
    return findings


def quads_are_shown_as_quads():
    """What only neighbours show."""
    text = 'FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n{} OUT[0], IN[0]\nEND\n'
    a, b = c.write('ddx.tgsi', text.format('DDX')), c.write('ddy.tgsi', text.format('DDY'))
    witness = json.loads(c.run('compare', '--json', a, b).stdout)['witness']
    outputs = [done.stdout for done in replayed(witness['commands'])]
    good = witness['quads'] and witness['lines_a'].count('\n') == 4 and len(set(outputs)) == 2 and set(re.findall('0x[0-9a-f]+', witness['lines_a'])) <= {'0x00000000', '0x3f800000'}
    return [] if good else [f'{witness}', f'{outputs}']


def ends_kills_events_and_memory_are_compared():
    findings = []
    kill = 'FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nKILL_IF {}IN[0].xxxx\nMOV OUT[0], IN[0]\nEND\n'
    loop = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] FLT32 {{0, 1, 0, 0}}\nBGNLOOP\nFSEQ TEMP[0].x, IN[0].xxxx, IMM[0].{}\nUIF TEMP[0].xxxx\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], IN[0]\nEND\n'
    emit = 'GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {{0, 0, 0, 0}}\nMOV OUT[0], IN[0][0]{}\nEMIT IMM[0].xxxx\n{}END\n'
    store = 'COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nDCL BUFFER[0]\nDCL SV[0], THREAD_ID\nIMM[0] UINT32 {{0, 4, 0, 0}}\nSTORE BUFFER[0].x, IMM[0].{}, SV[0].xxxx\nEND\n'
    cases = ((kill, ('', '-'), 'is killed'), (loop, ('xxxx', 'yyyy'), 'ends with'), (emit, (('', ''), ('', 'EMIT IMM[0].xxxx\n')), 'the number of events'),
             (emit, (('', ''), ('.xxyy', '')), 'of event 0'), (store, ('xxxx', 'yyyy'), 'BUFFER[0], byte '))
    for text, fillings, said in cases:
        a, b = (c.write(f'kind-{which}.tgsi', text.format(*(filling if isinstance(filling, tuple) else (filling,)))) for which, filling in zip('ab', fillings))
        findings += c.exit_is(c.NO, 'compare', '--budget', '100', a, b, out=said)
        findings += c.exit_is(c.YES, 'compare', '--budget', '100', a, a, out='equal on ')
    endless = c.write('endless.tgsi', loop.format('zzzz').replace('FSEQ', 'FSNE').replace('IN[0].xxxx', 'IMM[0].xxxx'))
    told = json.loads(c.run('compare', '--budget', '100', endless, endless, '--json').stdout)
    findings += [] if (told['equal'], told['inputs'], told['undecided'], told['witness']) == (False, 1024, 1024, None) else [f'{told}']
    findings += c.exit_is(c.LIMIT, 'compare', endless, endless, '--vectors', c.write('empty.tsv', ''), '--count', '0', out='undecided: there is no input')
    return findings + c.exit_is(c.LIMIT, 'compare', '--budget', '100', endless, endless, out='undecided: on all 1024 inputs both ended early')


def what_cannot_be_equal_is_said():
    fragment, vertex = c.write('f.tgsi', FIRST), c.write('v.tgsi', 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n')
    more = c.write('more.tgsi', FIRST.replace('DCL TEMP', 'DCL OUT[1], COLOR[1]\nDCL TEMP').replace('END', 'MOV OUT[1], IN[0]\nEND'))
    findings = c.exit_is(c.NO, 'compare', fragment, vertex, out='different: A is a fragment shader, B a vertex shader\n')
    findings += c.exit_is(c.NO, 'compare', fragment, more, out='different: only B has the output COLOR[1]\n')
    reason = json.loads(c.run('compare', '--json', fragment, more).stdout)
    if (reason['equal'], reason['reason'], reason['witness']) != (False, 'outputs', None):
        findings.append(f'{reason}')
    return findings


SPACES = """ps_5_1
dcl_sampler S0[0:0], mode_default, space=0
dcl_constantbuffer CB0[7:7][2], immediateIndexed, space=0
dcl_resource_texture2d (float,float,float,float) T0[3:3], space=0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
sample_l r0.xyzw, v0.xyxx, T0[3].xyzw, S0[0], l(0.0)
mul o0.xyzw, r0.xyzw, CB0[7][1].xyzw
ret
"""


def register_spaces_are_compared_with_each_other():
    """The textures and constants that are made have the numbers of registers, not those of units."""
    a, b = c.write('spaces-a.asm', SPACES), c.write('spaces-b.asm', SPACES.replace('CB0[7][1].xyzw', 'CB0[7][1].xyzz'))
    findings = c.exit_is(c.YES, 'compare', a, a)
    witness = json.loads(c.run('compare', '--json', a, b).stdout)['witness']
    outputs = [done.stdout for done in replayed(witness['commands'])]
    if 'CONST[7][1]=' not in witness['lines_a'] or '--tex 3=random:' not in witness['commands'][0] or len(set(outputs)) != 2:
        findings.append(f'{witness} {outputs}')
    return findings + c.exit_is(c.UNSUPPORTED, 'compare', a, c.write('plain.tgsi', FIRST), err='spaces-a.asm has register spaces')


def numbers_are_compared_as_was_said():
    """Signs of zero and NaN; a tolerance; bits of NaN."""
    findings = []
    text = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] FLT32 {{{}}}\n{}\nEND\n'
    one, nearly = (c.write(f'near-{n}.tgsi', text.format(f'{value}, 0, 0, 0', 'MOV OUT[0], IMM[0]')) for n, value in enumerate(('100.0', '100.01')))
    plus, minus = (c.write(f'zero-{n}.tgsi', text.format('0, 0, 0, 0', f'MUL OUT[0], IN[0], {sign}IMM[0]')) for n, sign in enumerate(('', '-')))
    first, second = (c.write(f'nan-{n}.tgsi', text.format(value, 'MOV OUT[0], IMM[0]').replace('FLT32', 'UINT32')) for n, value in enumerate(('2143289344, 0, 0, 0', '2143289345, 0, 0, 0')))
    findings += c.exit_is(c.NO, 'compare', one, nearly) + c.exit_is(c.YES, 'compare', one, nearly, '--tolerance', '0.001')
    findings += c.exit_is(c.NO, 'compare', one, nearly, '--tolerance', '0.00001')
    findings += c.exit_is(c.NO, 'compare', plus, minus) + c.exit_is(c.YES, 'compare', plus, minus, '--tolerance', '0.1')
    return findings + c.exit_is(c.YES, 'compare', first, second) + c.exit_is(c.NO, 'compare', first, second, '--nan', 'bits')


def inputs_are_chosen():
    """Given ones come first; --const stays; a seed is a seed."""
    findings = []
    text = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0]\nDCL TEMP[0]\nIMM[0] FLT32 {{42.0, 1.0, 0, 0}}\nFSEQ TEMP[0].x, {}.xxxx, IMM[0].xxxx\nUCMP OUT[0], TEMP[0].xxxx, IMM[0].{}, IMM[0].zzzz\nEND\n'
    a, b = (c.write(f'rare-{n}.tgsi', text.format('IN[0]', swizzle)) for n, swizzle in enumerate(('xxxx', 'yyyy')))
    vectors = c.write('given.tsv', 'IN[0]=1.0\nIN[0]=42.0,7.0\n')
    findings += c.exit_is(c.YES, 'compare', a, b) + c.exit_is(c.NO, 'compare', a, b, '--vectors', vectors, '--count', '0', out='different, on input 2\n')
    findings += c.exit_is(c.NO, 'compare', a, b, '--vectors', vectors, out='    IN[0]=0x42280000,0x00000000,0x00000000,0x00000000')
    findings += c.exit_is(c.YES, 'compare', a, b, '--vectors', c.write('other.tsv', 'IN[0]=1.0\n'), '--count', '0', out='equal on 1 inputs\n')
    a, b = (c.write(f'constant-{n}.tgsi', text.format('CONST[0]', swizzle)) for n, swizzle in enumerate(('xxxx', 'yyyy')))
    findings += c.exit_is(c.YES, 'compare', a, b) + c.exit_is(c.NO, 'compare', a, b, '--const', '0:0=42.0,0,0,0', out='--const 0:0=42.0,0,0,0')
    twice = [c.run('compare', c.write('a.tgsi', FIRST), c.write('b.tgsi', SECOND), '--seed', '5').stdout for _ in range(2)]
    return findings if twice[0] == twice[1] else findings + ['a seed gives two answers']


# ---- traces ----

def columns(printed):
    """The rows of both columns: marks, then what each has, its lines joined."""
    rows = []
    for line in printed.partition('other values:\n')[2].splitlines():
        if not re.match(r'[> ] [ \d]', line) or line.startswith('  ('):
            continue
        left, _, right = line[2:].partition(' |')
        if line[0] == '>' or re.match(r' *\d+  ', left) or re.match(r' *\d+  ', right):
            rows.append([line[0], '', ''])
        rows[-1][1] += ' ' + left.strip()
        rows[-1][2] += ' ' + right.strip()
    return [(mark, left.strip(), right.strip()) for mark, left, right in rows]


STEPS = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..3]\nIMM[0] FLT32 {{2.0, 3.0, 0.5, 1.0}}\n{}\nEND\n'


def traces_stand_side_by_side():
    """The row where a value differs first is marked, and the lines fit; nothing before it is."""
    findings = []
    a = c.write('a.tgsi', STEPS.format('ADD TEMP[0], IN[0], IMM[0]\nMUL TEMP[1], TEMP[0], IMM[0]\nMAX TEMP[2], TEMP[1], IMM[0]\nMOV OUT[0], TEMP[2]'))
    b = c.write('b.tgsi', STEPS.format('ADD TEMP[3], IN[0], IMM[0]\nMUL TEMP[1], TEMP[3], IMM[0].yxzw\nMAX TEMP[2], TEMP[1], IMM[0]\nMOV OUT[0], TEMP[2]'))
    vectors = c.write('one.tsv', 'IN[0]=1.0,1.0,1.0,1.0\n')
    done = c.run('compare', a, b, '--vectors', vectors, '--count', '0')
    printed = done.stdout.decode()
    if done.returncode != c.NO or any(len(line) > 120 for line in printed.partition('what A and B do')[2].splitlines()):
        findings.append(printed)
    rows = columns(printed)
    if [mark for mark, _, _ in rows] != [' ', '>', '>', '>'] or not rows[1][1].startswith('1  MUL TEMP[1], TEMP[0], IMM[0] TEMP[1].xyzw = ') or not rows[1][2].startswith('1  MUL TEMP[1], TEMP[3], IMM[0].yxzw TEMP[1].xyzw = '):
        findings.append(f'{rows}')
    # The values are those that trace prints.
    document = json.loads(c.run('compare', '--json', a, b, '--vectors', vectors, '--count', '0').stdout)
    lines = document['witness']['lines_a']
    traced = json.loads(c.run('trace', '--json', a, '--vectors', c.write('witness.tsv', lines)).stdout)['steps']
    told = document['witness']['traces']['rows']
    for row, step in zip(told, traced):
        write, lane = row['a']['writes'][0], step['writes'][0]['lanes'][0]
        if (row['a']['text'], row['a']['line'], write['register'], write['bits']) != (step['text'], step['line'], step['writes'][0]['register'], lane['bits']):
            findings.append(f'{row} {step}')
    if [row['same'] for row in told] != [True, False, False, False] or len(traced) != 4:
        findings.append(f'{told}')
    return findings


def instructions_that_one_has_more_stand_alone():
    findings = []
    body = ['ADD TEMP[0], IN[0], IMM[0]', 'MUL TEMP[1], TEMP[0], IMM[0]', 'SQRT TEMP[3].x, IMM[0].xxxx', 'MAX TEMP[2], TEMP[1], IMM[0]', 'MOV OUT[0], TEMP[2]']
    a = c.write('a.tgsi', STEPS.format('\n'.join(body)))
    b = c.write('b.tgsi', STEPS.format('\n'.join(body[:1] + ['RCP TEMP[3].y, IMM[0].yyyy', 'FLR TEMP[3].z, IMM[0].zzzz'] + body[1:4] + ['MOV OUT[0], -TEMP[2]'])))
    rows = json.loads(c.run('compare', '--json', a, b).stdout)['witness']['traces']['rows']
    shape = [(row['a'] and row['a']['text'].split()[0], row['b'] and row['b']['text'].split()[0], row['same']) for row in rows]
    if shape != [('ADD', 'ADD', True), (None, 'RCP', False), (None, 'FLR', False), ('MUL', 'MUL', True), ('SQRT', 'SQRT', True), ('MAX', 'MAX', True), ('MOV', 'MOV', False)]:
        findings.append(f'{shape}')
    # Whose values differ from there on.
    few = ['MUL TEMP[0], IN[0], IMM[0]', 'ADD TEMP[1], TEMP[0], IMM[0]', 'SQRT TEMP[1].x, TEMP[1].xxxx', 'MOV OUT[0], TEMP[1]']
    one, more = c.write('one.tgsi', STEPS.format('\n'.join(few))), c.write('more.tgsi', STEPS.format('\n'.join(few[:1] + ['MAX TEMP[0], TEMP[0], IMM[0].yyyy'] + few[1:])))
    rows = json.loads(c.run('compare', '--json', one, more).stdout)['witness']['traces']['rows']
    shape = [(row['a'] and row['a']['text'].split()[0], row['b'] and row['b']['text'].split()[0]) for row in rows]
    if shape != [('MUL', 'MUL'), (None, 'MAX'), ('ADD', 'ADD'), ('SQRT', 'SQRT'), ('MOV', 'MOV')]:
        findings.append(f'{shape}')
    # In another language instructions are the same where they make the same.
    listing = translated(b, 'd3d-asm', 'b.asm')
    rows = json.loads(c.run('compare', '--values', 'normal', '--json', a, listing).stdout)['witness']['traces']['rows']
    pairs = [(row['a']['text'].split()[0], row['b']['text'].split()[0]) for row in rows if row['same']]
    if ('ADD', 'add') not in pairs or ('MUL', 'mul') not in pairs or ('MAX', 'max') not in pairs or not any(row['b'] and re.search('-r[0-9]', row['b']['text']) and not row['same'] for row in rows):
        findings.append(f'{rows}')
    return findings


def traces_are_cut():
    """Rows around the first difference, and how many are not shown; of what runs long only its begin is looked at."""
    findings = []
    loop = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\nIMM[0] UINT32 {{0, 1, {}, {}}}\nMOV TEMP[0], IMM[0].xxxx\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\nUADD OUT[0], TEMP[0], IMM[0].wwww\nEND\n'
    for turns, before, cut in ((100, 394, False), (9000, 19992, True)):
        a, b = (c.write(f'{name}.tgsi', loop.format(turns, last)) for name, last in (('a', 5), ('b', 6)))
        traces = json.loads(c.run('compare', '--json', a, b, '--count', '32').stdout)['witness']['traces']
        if (traces['a_cut'], traces['b_cut']) != (cut, cut) or abs(traces['before'] - before) > 2 or traces['behind'] or len(traces['rows']) > 16:
            findings.append(f"{turns}: {traces['before']} before, {len(traces['rows'])} shown, {traces['behind']} behind, cut: {traces['a_cut']}")
        printed = c.run('compare', a, b, '--count', '32').stdout.decode()
        if f"\n  ({traces['before']} rows before)\n" not in printed or ('  (A continues: these are its first 20000)\n' in printed) != cut:
            findings.append(printed[-800:])
    return findings


def narrow_terminals_have_one_column():
    a, b = c.write('a.tgsi', FIRST), c.write('b.tgsi', FIRST.replace('TEMP[0], SAMP', 'TEMP[0].yxzw, SAMP'))
    findings = []
    for width, beside in ((80, False), (120, True), (200, True)):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, width, 0, 0))
        process = subprocess.Popen([c.COMMAND, 'compare', a, b], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
        os.close(slave)
        said = b''
        while True:
            try:
                said += os.read(master, 4096)
            except OSError:
                break
        process.wait()
        os.close(master)
        lines = said.decode().partition('what A and B do')[2].splitlines()[1:]
        if any(len(line) > min(width, 120) for line in lines) or any(' | ' in line for line in lines) != beside or any(line.startswith('> B ') for line in lines) == beside:
            findings.append(f'{width}: {lines}')
    return findings


def mistakes_are_said():
    file = c.write('f.tgsi', FIRST)
    findings = c.exit_is(c.USAGE, 'compare', file, err='which two shaders?') + c.exit_is(c.USAGE, 'compare', file, file, file, err='two shaders only')
    for options, said in ((('--count', 'x'), '--count is a number from 0, not x'), (('--values', 'some'), '--values'), (('--tolerance', '-1'), '--tolerance is a number from 0'), (('--engine', 'both'), '--engine is auto, interp, jit or maxwell, not both'),
                          (('--count', '0'), '--count 0 leaves no inputs'), (('--samples', '3'), '--samples')):
        findings += c.exit_is(c.USAGE, 'compare', file, file, *options, err=said)
    findings += c.exit_is(c.USAGE, 'compare', '-', file, err='standard input is not compared')
    broken = c.write('broken.tgsi', FIRST.replace('ADD', 'ADDD'))
    findings += c.exit_is(c.NO, 'compare', file, broken, err='error') + c.exit_is(c.IO, 'compare', file, c.path('none.tgsi'), err='cannot open')
    findings += c.exit_is(c.NO, 'compare', file, file, '--vectors', c.write('wrong.tsv', 'IN[7]=0x0\n'), err='error 1241')
    return findings + c.exit_is(c.IO, 'compare', file, c.write('b.tgsi', SECOND), '-o', file + '/x', err='cannot make')


if __name__ == '__main__':
    long = [('translations are equal', translations_are_equal), ('planted bugs are found', planted_bugs_are_found), ('lookups are equal in Maxwell code', lookups_are_equal_in_maxwell_code)]
    tap.run(long if ALL else long + [('fields of all bits are equal', fields_of_all_bits_are_equal), ('a witness shows the difference again', a_witness_shows_the_difference_again), ('quads are shown as quads', quads_are_shown_as_quads),
                                     ('ends, kills, events and memory are compared', ends_kills_events_and_memory_are_compared), ('what cannot be equal is said', what_cannot_be_equal_is_said),
                                     ('register spaces are compared with each other', register_spaces_are_compared_with_each_other),
                                     ('traces stand side by side', traces_stand_side_by_side), ('instructions that one has more stand alone', instructions_that_one_has_more_stand_alone),
                                     ('traces are cut', traces_are_cut), ('narrow terminals have one column', narrow_terminals_have_one_column),
                                     ('numbers are compared as was said', numbers_are_compared_as_was_said), ('inputs are chosen', inputs_are_chosen), ('mistakes are said', mistakes_are_said)])
