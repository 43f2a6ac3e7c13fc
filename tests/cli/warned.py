#!/usr/bin/env python3
"""Which warnings the command reports, what they do to its exit code, and the limits that it sets. Holds no rule of the
language: those are in tests/unit/ir/check_cases.def."""
import json
import os
import re

import command as c
import tap

# One warning that is always reported (2501) and three that are asked for (2515, 2514, 2560).
MIXED = ('TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL OUT[][0], GENERIC[0]\n'
         'DCL SV[0], INVOCATIONID\nBARRIER\nMOV OUT[0][0], IN[0][0]\n')
PEDANTIC = MIXED + 'END\n'
INVALID = 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\n'  # 2040, and 2501
SCALED = 'VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {1.0, 0, 0, 0}\nMOV OUT[0], IMM[0]\nMOV NULL[0], IMM[0]\nEND\n'  # 2540
VERBS = ('check', 'dis', 'asm', 'info', 'eval', 'run', 'render', 'sample', 'translate', 'headers', 'jit')


def reports(*arguments):
    """Exit code, and (severity, number) of each report on stderr."""
    done = c.run(*arguments)
    found = re.findall(r': (warning|error) (\d+): ', done.stderr.decode())
    return done.returncode, [(severity, int(number)) for severity, number in found], done


def expect(wanted, *arguments):
    """`wanted`: the exit code and the numbers of the reports, in order."""
    code, found, done = reports(*arguments)
    numbers = [number for _, number in found]
    return [] if (code, numbers) == wanted else \
        [f'{" ".join(os.path.basename(a) for a in arguments)}: {code}, {numbers}: {done.stderr.decode()[:300]}']


def pedantic_ones_are_asked_for():
    mixed = c.write('mixed.tgsi', MIXED)
    return (expect((0, [2501]), 'check', mixed) + expect((0, [2514, 2515, 2501, 2560]), 'check', '-Wpedantic', mixed) +
            expect((0, [2501]), 'check', mixed, '-Wpedantic', '-Wno-pedantic') +
            expect((0, []), 'check', c.write('pedantic.tgsi', PEDANTIC)))


def numbers_are_ignored():
    mixed, invalid = c.write('mixed.tgsi', MIXED), c.write('invalid.tgsi', INVALID)
    return (expect((0, []), 'check', '-Wno-2501', mixed) + expect((0, []), 'check', '-Wno-no_end', mixed) +
            expect((0, [2514, 2501]), 'check', '-Wpedantic', '-Wno-2515', mixed, '-Wno-BARRIER_IN_TESSELLATION') +
            expect((1, [2040]), 'check', '-Wno-2040', '-Wno-2501', invalid) +
            expect((2, []), 'check', '-Wno-2', mixed) + expect((2, []), 'check', '-Wno-nothing', mixed) +
            expect((2, []), 'check', '-Wall', mixed) + expect((2, []), 'list', '-Wpedantic', 'errors'))


def warnings_as_errors():
    mixed, good = c.write('mixed.tgsi', MIXED), c.write('pedantic.tgsi', PEDANTIC)
    findings = expect((1, [2501]), 'check', '-Werror', mixed) + expect((0, []), 'check', '-Werror', good)
    findings += expect((1, [2514, 2515, 2560]), 'check', '-Werror', '-Wpedantic', good)
    findings += expect((0, []), 'check', '-Werror', '-Wno-2501', mixed)
    findings += expect((0, [2501]), 'check', '-Werror', '-Wno-error', mixed)
    findings += c.exit_is(c.NO, 'check', '-Werror', good, mixed, err='-Werror')
    vectors = c.write('empty.tsv', '\n')
    warned = c.write('warned.tgsi', SCALED)
    findings += expect((0, [2540]), 'eval', warned, '--vectors', vectors)
    for arguments in (('eval', warned, '--vectors', vectors), ('translate', '--to', 'd3d-asm', warned)):
        code, numbers, done = reports(*arguments, '-Werror')
        if code != c.NO or done.stdout or ('warning', 2540) not in numbers:
            findings.append(f'{arguments[0]} -Werror: {code}, {numbers}, {done.stdout[:100]}')
    return findings


def nothing_is_written_with_errors():
    """asm warns of what a Maxwell instruction breaks; as an error it leaves no file."""
    bad, out = c.write('bad.sass', 'TXQ R1, R0, TEX_HEADER_DIMENSION, 0x0, 0xf;\n'), c.path('bad.bin')
    code, numbers, done = reports('asm', '-x', 'maxwell', bad, '-o', out)
    if code != c.YES or not numbers or not os.path.exists(out):
        return [f'asm: {code}, {numbers}: {done.stderr.decode()[:200]}']
    os.unlink(out)
    findings = []
    if reports('asm', '-x', 'maxwell', bad, '-o', out, '-Werror')[0] != c.NO or os.path.exists(out):
        findings.append('asm -Werror wrote its output')
    number = numbers[0][1]
    if reports('asm', '-x', 'maxwell', bad, '-o', out, '-Werror', *[f'-Wno-{n}' for _, n in numbers])[0] != c.YES:
        findings.append(f'-Wno-{number} keeps what is reported as a warning')
    return findings


def quiet():
    mixed, invalid = c.write('mixed.tgsi', MIXED), c.write('invalid.tgsi', INVALID)
    findings = expect((0, []), 'check', '-q', mixed) + expect((1, [2040]), 'check', '-q', invalid)
    findings += c.exit_is(c.NO, 'check', '-q', '-Werror', mixed, err='-Werror') + expect((1, []), 'check', '-q', '-Werror', mixed)
    many = c.write('many.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL IN[0], COLOR, LINEAR\n' + 'MOV NULL[0], IN[0]\n' * 200 +
                   'MOV OUT[0], IN[1]\nEND\n')
    findings += expect((1, [2040]), 'check', '-q', many)  # warnings do not take the place of errors
    if b'more reports' in c.run('check', '-q', many).stderr:
        findings.append('-q counts what it does not show')
    return findings


def json_has_the_severity():
    done = c.run('check', '--json', '-Wpedantic', '-Werror', c.write('mixed.tgsi', MIXED))
    file = json.loads(done.stdout)['files'][0]
    found = {d['code']: d['severity'] for d in file['diagnostics']}
    wanted = {2515: 'pedantic', 2514: 'pedantic', 2560: 'pedantic', 2501: 'warning'}
    findings = [] if found == wanted else [f'{found}']
    if file['exit'] != c.NO or file['valid'] is not True or file['warnings'] != 4:
        findings.append(f'{file}')
    return findings


def every_verb_that_reads_takes_them():
    findings = []
    for verb in VERBS:
        findings += c.exit_is(c.YES, verb, '--help-all', out='-Wno-NUMBER')
        findings += c.exit_is(c.USAGE, verb, '-Wno-2', err='-Wno-2')
        findings += c.exit_is(c.USAGE, verb, '--limit', 'instructions', err='NAME=N')
    return findings


def the_table_says_which():
    rows = json.loads(c.run('list', '--json', 'errors').stdout)['rows']
    kinds = {row['severity'] for row in rows}
    findings = [] if kinds == {'error', 'warning', 'pedantic'} else [f'severities: {kinds}']
    return findings + c.exit_is(c.YES, 'explain', '2515', out='pedantic warning 2515')


def limits_are_set():
    good = c.write('scaled.tgsi', SCALED)
    rows = {row['name']: int(row['default']) for row in json.loads(c.run('list', '--json', 'limits').stdout)['rows']}
    findings = [] if rows.get('instructions') == 262144 and rows.get('source_bytes') == 256 << 20 else [f'{rows}']
    broken = {'source_bytes': 20, 'instructions': 2, 'registers': 1, 'memory': 100}
    for name, value in broken.items():
        findings += c.exit_is(c.LIMIT, 'check', '--limit', f'{name}={value}', c.write('two.tgsi', SCALED.replace('OUT[0]', 'OUT[1]')))
        findings += c.exit_is(c.YES, 'check', f'--limit={name}=1M', good)
    nested = c.write('nested.tgsi', 'FRAG\nDCL TEMP[0]\n' + 'UIF TEMP[0].xxxx\n' * 3 + 'ENDIF\n' * 3 + 'END\n')
    findings += c.exit_is(c.YES, 'check', '--limit', 'nesting=3', nested) + c.exit_is(c.LIMIT, 'check', '--limit', 'nesting=2', nested)
    declared = c.write('declared.tgsi', 'FRAG\nDCL TEMP[0]\nDCL TEMP[1]\nEND\n')
    findings += c.exit_is(c.YES, 'check', '--limit', 'declarations=2', declared)
    findings += c.exit_is(c.LIMIT, 'check', '--limit', 'declarations=1', declared)
    findings += expect((0, [2540]), 'check', '--limit', 'diagnostics=1', c.write('three.tgsi', SCALED.replace('MOV NULL', 'MOV NULL[0], IMM[0]\nMOV NULL')))
    for wrong in ('nothing=1', 'nesting', 'nesting=0', 'nesting=x', 'nesting=4294967296', 'nesting=4G', 'memory=99999999999999999999'):
        findings += c.exit_is(c.USAGE, 'check', '--limit', wrong, good, err='limit')
    return findings


UNBOUND = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[2]\nDCL CONST[0..3]\nDCL CONST[1][0..3]\n'
           'DCL BUFFER[5]\nDCL IMAGE[1], 2D, PIPE_FORMAT_R32_FLOAT\nDCL HWATOMIC[0][0]\nDCL TEMP[0..1]\n'
           'IMM[0] UINT32 {0, 0, 0, 0}\n'
           'TEX TEMP[0], IN[0], SAMP[2], 2D\nADD TEMP[0], TEMP[0], CONST[3]\nADD TEMP[0], TEMP[0], CONST[1][2]\n'
           'LOAD TEMP[1], BUFFER[5], IMM[0].xxxx\nADD TEMP[0], TEMP[0], TEMP[1]\n'
           'LOAD TEMP[1], IMAGE[1], IMM[0], 2D, PIPE_FORMAT_R32_FLOAT\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n')
GIVEN = ['--tex', '2=zero:R8_UNORM:1x1', '--const', '0:3=0', '--const', '1:2=0', '--buffer', '5=zero:16',
         '--image', '1=zero:R32_FLOAT:1x1']
LISTING = ('ps_5_0\ndcl_constantbuffer cb2[3], immediateIndexed\ndcl_sampler s1, mode_default\n'
           'dcl_resource_texture2d (float,float,float,float) t4\ndcl_resource_raw t6\ndcl_input_ps linear v1.xy\n'
           'dcl_output o0.xyzw\ndcl_temps 2\nsample r0.xyzw, v1.xyxx, t4.xyzw, s1\nld_raw r1.xyzw, l(0), t6.xyzw\n'
           'add r0.xyzw, r0.xyzw, r1.xyzw\nadd o0.xyzw, r0.xyzw, cb2[2].xyzw\nret\n')


def what_is_not_bound():
    """Told with what to type; typed, nothing is told any more."""
    text, picture, vectors = c.write('unbound.tgsi', UNBOUND), c.path('unbound.png'), c.write('one.tsv', 'IN[0]=0,0,0,0\n')
    run = ['run', text, '-o', picture, '--size', '40x40']
    numbers = [6510, 6514, 6514, 6513, 6512]
    findings = expect((0, numbers), *run) + expect((0, numbers), 'eval', text, '--vectors', vectors)
    findings += expect((0, numbers), *run, '--threads', '2') + expect((0, []), *run, *GIVEN)
    findings += expect((0, []), 'eval', text, '--vectors', vectors, *GIVEN)
    findings += c.exit_is(c.YES, *run, err='unbound.tgsi:12:1: warning 6510: SAMP[2] reads 0: no texture is bound\n')
    findings += c.exit_is(c.YES, *run, err='to bind what is missing: --tex 2=FILE --const 0:3=X,Y,Z,W --const 1:2=X,Y,Z,W '
                                           '--buffer 5=FILE --image 1=FILE\n')
    if c.compiles():
        findings += expect((0, numbers), *run, '--engine', 'both')
    wrong = GIVEN[2:] + ['--tex', '2=zero:R8_UNORM:1x1x1,target=3D']
    findings += expect((0, [6515]), *run, *wrong)
    findings += expect((0, [6513, 6512]), *run, '-Wno-6510', '-Wno-UNBOUND_CONSTANTS')
    findings += expect((1, numbers), *run, '-Werror') + expect((1, []), *run, '-Werror', '-q')
    if c.run(*run, '-q').stderr:
        findings.append('-q says something')
    os.unlink(picture)
    findings += expect((2, []), *run, '--tex', '200=x')
    listing = c.write('unbound.asm', LISTING)
    findings += c.exit_is(c.YES, 'run', listing, '-o', picture, err=': t4 reads 0')
    findings += c.exit_is(c.YES, 'run', listing, '-o', picture, err='missing: --tex 4=FILE --sampler 1=filter=linear '
                                                                   '--buffer t6=FILE --const 2:2=X,Y,Z,W\n')
    return findings


tap.run([
    ('pedantic warnings are asked for', pedantic_ones_are_asked_for),
    ('numbers and names are ignored', numbers_are_ignored),
    ('-Werror', warnings_as_errors),
    ('-Werror writes nothing', nothing_is_written_with_errors),
    ('-q', quiet),
    ('check --json has the severity', json_has_the_severity),
    ('every verb that reads takes the options', every_verb_that_reads_takes_them),
    ('list and explain say which are pedantic', the_table_says_which),
    ('limits are set by name', limits_are_set),
    ('what a run reads and is not bound', what_is_not_bound),
])
