#!/usr/bin/env python3
"""check, dis, asm, info, list, explain: exit codes, forms, round trips, JSON, hostile inputs."""
import hashlib
import json
import os
import random
import re
import resource
import stat
import subprocess

import command as c
import tap

GOOD = 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n'
BAD_SYNTAX = 'FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0\n  1: END\n'
INVALID = 'FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], TEMP[3]\n  1: ENDIF\n  2: END\n'
UMASK = os.umask(0)
os.umask(UMASK)


def check_exit_codes():
    good, syntax, invalid = c.write('good.tgsi', GOOD), c.write('syntax.tgsi', BAD_SYNTAX), c.write('bad.tgsi', INVALID)
    dxbc = c.write('x.dxbc', b'DXBC' + bytes(40))
    return (c.exit_is(c.YES, 'check', good, out='') + c.exit_is(c.YES, 'check', '-', stdin=GOOD) +
            c.exit_is(c.NO, 'check', syntax, err='syntax.tgsi:3:22: error 10') +
            c.exit_is(c.NO, 'check', invalid, err='bad.tgsi:4:') +
            c.exit_is(c.NO, 'check', '-', stdin=INVALID, err='<stdin>:3:') +
            c.exit_is(c.NO, 'check', good, invalid, good) +
            c.exit_is(c.IO, 'check', good, c.path('absent'), invalid, err='bad.tgsi:4:') +
            c.exit_is(c.IO, 'check', c.FOLDER.name) +
            c.exit_is(c.NO, 'check', dxbc, err='error 3110') +
            c.exit_is(c.YES, 'check', '-', stdin='ps_4_0\nret\n') +
            c.exit_is(c.NO, 'check', '-x', 'dxbc', good) + c.exit_is(c.USAGE, 'check', '-x', 'glsl', good) +
            c.exit_is(c.NO, 'check', '-x', 'tgsi-bin', good) + c.exit_is(c.USAGE, 'check') +
            c.exit_is(c.USAGE, 'check', '--nothing', good) + c.exit_is(c.USAGE, 'check', good, '-x') +
            c.exit_is(c.USAGE, 'check', '--json=yes', good) + c.exit_is(c.NO, 'check', '-', stdin=''))


def general_exit_codes():
    return (c.exit_is(c.USAGE, err='check') + c.exit_is(c.USAGE, 'nothing') + c.exit_is(c.YES, 'help', out='explain') +
            c.exit_is(c.YES, '--version', out='scheelite 0.2.0\n') +
            c.exit_is(c.USAGE, 'sample') + c.exit_is(c.USAGE, 'translate', 'x') +
            c.exit_is(c.USAGE, 'jit', 'x') +
            [f for verb in ('check', 'dis', 'asm', 'info', 'eval', 'run', 'render', 'list', 'explain', 'translate', 'headers', 'jit')
             for f in c.exit_is(c.YES, verb, '--help', out=f'usage: scheelite {verb}')])


LOOKUPS = '''FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SAMP[1]
DCL TEMP[0..1]
IMM[0] INT32 {1, -2, 0, 0}
  0: TEX OUT[0].xyz, IN[0], SAMP[0], 2D
  1: TXP TEMP[0].xz, IN[0], SAMP[1], 2D, IMM[0].xyz
  2: LODQ TEMP[1].xy, IN[0], SAMP[0], 2D
  3: END
'''


QUADS = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n'
         'IMM[0] UINT32 {1, 0, 0, 0}\n')
TEX = 'TEX OUT[0], IN[0], SAMP[0], 2D\n'


def translations():
    lookups = c.write('lookups.tgsi', LOOKUPS)
    # TLD4 names the gathered component in its word.
    refused = c.write('refused.tgsi', LOOKUPS.replace('TEX OUT[0].xyz, IN[0], SAMP[0], 2D',
                                                      'TG4 OUT[0], IN[0], IN[0].xxxx, SAMP[0], 2D'))
    cube = c.write('cube.tgsi', LOOKUPS.replace('TEX OUT[0].xyz, IN[0], SAMP[0], 2D',
                                                'TXD OUT[0], IN[0], IN[0], IN[0], SAMP[0], CUBE'))
    quads = c.write('quads.tgsi', QUADS + 'KILL_IF IN[0].xxxx\n' + TEX + 'SWITCH IN[0].xxxx\nCASE IMM[0].xxxx\n' +
                    TEX + 'ENDSWITCH\n' + TEX + 'UIF IN[0].xxxx\nRET\nENDIF\n' + TEX + 'END\n')
    forms = [line.split()[0] for line in c.run('translate', '--to', 'maxwell', quads).stdout.decode().splitlines()
             if line.startswith('TEX')]
    # Killed lanes stay with their quad; a construct's end brings back who left it.
    shapes = [] if forms == ['TEXS', 'TEX.NDV', 'TEXS', 'TEX.NDV'] else [f'{forms} around KILL_IF, SWITCH and RET']
    code = c.run('translate', '--to', 'maxwell', lookups).stdout.decode().splitlines()
    # From the packing tables: TEXS 2D reads s from Ra and t from Rb; red and blue have no mask code, so TEX, whose
    # offsets are four bits each: (1, -2) is 0xe1; TMML's results are exchanged.
    wanted = ['TEXS R4, R2, R0, R1, 0x0, 2D, RGB;', 'TEX.AOFFI R4, R0, R2, 0x1, 2D, 0x5;',
              'TMML.LOD R2, R0, 0x0, 2D, 0x3;', '//     R2 = 0xe1', '// c[0x1]: view 1 as 2D, sampler 1',
              '// 3 lookups: 3 lowered, 0 refused']
    return (shapes + [f'translate did not print {line!r}:\n' + '\n'.join(code) for line in wanted if line not in code] +
            c.exit_is(c.YES, 'translate', '--to', 'tgsi', lookups, out='1: TXP TEMP[0].xz') +
            c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'maxwell', refused, err='refused.tgsi:8:') +
            c.exit_is(c.UNSUPPORTED, 'translate', '--to', 'maxwell', refused, out='1 refused') +
            c.exit_is(c.YES, 'translate', '--to', 'maxwell', cube, out='3 lowered, 0 refused') +
            c.exit_is(c.YES, 'translate', '--to', 'd3d-asm', lookups, out='sample_aoffimmi_indexable') +
            c.exit_is(c.USAGE, 'translate', '--to', 'glsl', lookups) + c.exit_is(c.USAGE, 'translate', lookups) +
            c.exit_is(c.NO, 'translate', '--to', 'maxwell', c.write('bad2.tgsi', INVALID)))


def caret_under_the_error():
    done = c.run('check', c.write('caret.tgsi', INVALID))
    lines = done.stderr.decode().splitlines()
    if len(lines) < 3 or not lines[1].startswith('    ') or lines[2].strip() != '^':
        return [f'no source line and caret: {lines}']
    column = int(lines[0].split(':')[2])
    return [] if lines[2].index('^') == 4 + column - 1 else [f'caret elsewhere than column {column}: {lines}']


def no_color_in_a_file():
    done = c.run('check', c.write('color.tgsi', INVALID), env={**os.environ, 'TERM': 'xterm'})
    return ['an escape sequence in what is no terminal'] if b'\x1b' in done.stderr else []


def control_bytes_are_not_echoed():
    name = c.write('evil.tgsi', b'FRAG\nDCL \x1b[2J[0]\n\x1b]0;x\x07 END\n')
    done = c.run('check', name)
    return ['a control byte of the input reached stderr'] if set(done.stderr) & {0x1b, 0x07} else []


def json_of_check():
    strange = c.write('na"me\t\xff.tgsi', INVALID)
    done = c.run('check', '--json', c.write('good.tgsi', GOOD), strange, c.path('absent'))
    report = json.loads(done.stdout)
    files = report['files']
    findings = [] if done.returncode == report['exit'] == c.IO else ['exit']
    if [f['valid'] for f in files] != [True, False, False]:
        findings.append(f'valid: {files}')
    if [f['exit'] for f in files] != [c.YES, c.NO, c.IO] or files[1]['file'] != strange:
        findings.append(f'files: {files}')
    first = files[1]['diagnostics'][0]
    if first['line'] != 4 or first['column'] != 6 or first['severity'] != 'error' or not 2000 <= first['code'] < 2500 or not first['message']:
        findings.append(f'diagnostic: {first}')
    if len([d for d in files[1]['diagnostics'] if d['severity'] == 'error']) != files[1]['errors']:
        findings.append('errors and diagnostics disagree')
    return findings


def json_with_hostile_bytes():
    done = c.run('check', '--json', '-', stdin=b'FRAG\nDCL \xff\xfe\xc3("\\\x01[0]\n\xed\xa0\x80 END\n')
    json.loads(done.stdout.decode('utf-8', errors='strict'))
    return [] if done.returncode == c.NO else [f'exit {done.returncode}']


TABLES = ['opcodes', 'semantics', 'properties', 'targets', 'files']  # whose names LISTS, or the specification, has


def rows(table):
    return [line.split('\t') for line in c.run('list', table).stdout.decode().splitlines()]


def list_counts():
    findings = []
    for table in TABLES:
        found = rows(table)
        if len(found) < 16 or len({r[0] for r in found}) != len(found):
            findings.append(f'{table}: {len(found)} rows, {len({r[0] for r in found})} names')
    if len(rows('formats')) < 300:
        findings.append('formats: too few')
    findings += [f'{t}: rows of different lengths' for t in [*TABLES, 'formats', 'maxwell', 'headers', 'errors', 'decisions']
                 if len({len(r) for r in rows(t)}) != 1]
    return findings + c.exit_is(c.USAGE, 'list') + c.exit_is(c.USAGE, 'list', 'words')


def list_json():
    findings = []
    for table in [*TABLES, 'formats', 'maxwell', 'headers', 'errors', 'decisions']:
        parsed = json.loads(c.run('list', table, '--json').stdout)
        if [str(list(r.values())[0]) for r in parsed["rows"]] != [r[0] for r in rows(table)]:
            findings.append(f'{table}: JSON and text disagree')
    return findings


# Of each table, the SHA-256 of the names that the specification's list has, in order, and what is our own.
LISTS = (('opcodes', 'tgsi_opcodes.tsv', '7a188e06c57ef8a7f6e12ea5362b9d54442b1c6cc0614306a235cd11deb22a99', {'ABORT', 'GATHER4_C', 'GATHER4_PO', 'GATHER4_PO_C', 'MSAD', 'SAMPLE_B_CL', 'SAMPLE_CL', 'SAMPLE_C_CL', 'SAMPLE_D_CL'}), ('semantics', 'tgsi_semantics.tsv', '793ce1b2e3d5d5b6b63d20cee725d914dc86bd0b517ea2fdac798ca62ecdbe67', {'INNER_COVERAGE'}),
         ('properties', 'tgsi_properties.tsv', '770690b1a2263631eef58ab743b299e2f92968dfa422bfdb4b375a4763bc2ed6', {'D3D_CLIP_DISTANCES', 'D3D_CULL_DISTANCES', 'D3D_RULES'}))


def shared_tables():
    """Names against the specification's lists: by their sums, and where these are there by the lists."""
    findings = []
    for table, file, total, own in LISTS:
        have = {r[0] for r in rows(table)}
        if hashlib.sha256(' '.join(sorted(have - own)).encode()).hexdigest() != total:
            findings.append(f'{table}: not the names of the list, {hashlib.sha256(" ".join(sorted(have - own)).encode()).hexdigest()}')
        path = os.path.join(os.environ.get('SCH_SHARED', ''), 'spec', file)
        if not os.path.exists(path):
            continue
        with open(path, encoding='utf-8') as stream:
            wanted = {line.split('\t')[0] for line in stream.read().splitlines()[1:] if line and line[0] != '#'}
        findings += [f'{table}: {name} is in one of list and table' for name in sorted(wanted ^ (have - own))]
    return findings


def explain_everything():
    findings = []
    for table in ('opcodes', 'semantics', 'properties', 'targets', 'files'):
        findings += explained(table, [r[0] for r in rows(table)])
    return findings + explained('errors', [r[1] for r in rows('errors')])


def explained(table, names):
    """All in one call: a name that is not known makes it fail."""
    done = c.run('explain', *names)
    text = done.stdout.decode()
    return [f'{table}: {done.stderr.decode()[:200]}'] if done.returncode else \
        [f'{table}: explain {name}' for name in names if not re.search(rf'\b{re.escape(name)}\b', text)]


def explain_details():
    mad = c.run('explain', 'mad').stdout.decode()
    findings = [f'explain mad lacks {w!r}' for w in ('MAD dst, src0, src1, src2', 'src0.c * src1.c + src2.c', 'decision')
                if w not in mad]
    return (findings + c.exit_is(c.YES, 'explain', 'PRIM_ID', out='semantic PRIMID') +
            c.exit_is(c.YES, 'explain', 'PIPE_FORMAT_R8G8B8A8_UNORM', out='format R8G8B8A8_UNORM') +
            c.exit_is(c.YES, 'explain', '9000', out='error 9000 INTERNAL') + c.exit_is(c.NO, 'explain', 'FROB') +
            c.exit_is(c.NO, 'explain', '99999') + c.exit_is(c.NO, 'explain', '') + c.exit_is(c.USAGE, 'explain'))


def explain_maxwell():
    """An instruction's fields, encodings, packing and restrictions."""
    findings, texts = [], c.explanations(['TLDS', 'tmml', 'TXQ.B'])
    for name, wanted in (
            ('TLDS', ('da00000000000000', '48:36   tsPtrIdxU13', '12: 2D .LL .AOFFI; Ra: s, t; Rb: lod, aoffi',
                      '0: 1D .LZ; Ra: s; Rb: must be RZ', '3: GBA with Rd1; Rd: G, B; Rd1: A', '2309')),
            ('tmml', ('TMML.B.LOD{.NDV}', 'Ra: layer (array), s, t (not 1D), r (3D, CUBE)', 'Rb: handle (.B)')),
            ('TXQ.B', ('df50000000000000', '5 TEX_HEADER_SAMPLER_POS'))):
        text = ' '.join(texts[name].split('\n')).replace('                 ', '')
        findings += [f'explain {name} lacks {w!r}' for w in wanted if w not in text]
    operations = {r[0] for r in rows('maxwell')}
    if len(operations) < 145:
        findings.append(f'list maxwell: {operations}')
    findings += [] if c.run('explain', *operations).returncode == c.YES else [f'explain {operations}']
    return findings


def round_trips():
    findings = []
    for shader in c.SHADERS:
        source = c.read(shader)
        once = c.run('dis', shader).stdout
        if once != source:
            findings.append(f'{shader} is not canonical')
        if c.run('dis', '-', stdin=once).stdout != once:
            findings.append(f'{shader}: dis is not idempotent')
        binary = c.path('x.bin')
        if c.run('asm', shader, '-o', binary).returncode or c.run('dis', binary).stdout != once:
            findings.append(f'{shader}: asm, dis')
        hexed = c.run('dis', '--floats=hex', shader).stdout
        words = c.run('asm', shader, '--words').stdout
        if c.run('dis', '-x', 'tgsi-bin', '--words', '-', stdin=words).stdout != hexed:
            findings.append(f'{shader}: --words')
        prefixed = ' '.join('0x' + w.upper() for w in words.decode().split())
        if c.run('dis', '-x', 'tgsi-bin', '--words', '-', stdin=prefixed).stdout != hexed:
            findings.append(f'{shader}: --words with 0x on one line')
        bare = b''.join(int(w, 16).to_bytes(4, 'little') for w in words.split())
        if c.run('dis', '-', stdin=bare).stdout != hexed:
            findings.append(f'{shader}: bare words')
        if c.run('dis', '--floats=dec', '-', stdin=hexed).stdout != once:
            findings.append(f'{shader}: hexadecimal to decimal')
    return findings


def dis_and_asm_exit_codes():
    good = c.write('good.tgsi', GOOD)
    res = 'FRAG\nDCL RES[0], 2D, FLOAT\nDCL OUT[0], COLOR\n  0: MOV OUT[0], OUT[0]\n  1: END\n'
    return (c.exit_is(c.USAGE, 'dis') +
            c.exit_is(c.USAGE, 'dis', '--floats=octal', good) + c.exit_is(c.USAGE, 'dis', '--words', good) +
            c.exit_is(c.UNSUPPORTED, 'dis', '--style=nvdisasm', good) + c.exit_is(c.YES, 'dis', '--style=isa', good) +
            c.exit_is(c.USAGE, 'dis', '--style=mine', good) +
            c.exit_is(c.NO, 'dis', '-x', 'tgsi-bin', '--words', '-', stdin='00000002 xyz', err='<stdin>:1:10: error') +
            c.exit_is(c.NO, 'dis', '-x', 'tgsi-bin', '--words', '-', stdin='123456789') +
            c.exit_is(c.NO, 'dis', '-x', 'tgsi-bin', '--words', '-', stdin='') +
            c.exit_is(c.NO, 'dis', c.write('syntax.tgsi', BAD_SYNTAX), out='') +
            c.exit_is(c.USAGE, 'asm', good) + c.exit_is(c.USAGE, 'asm', good, '--words', '-o', c.path('y')) +
            c.exit_is(c.USAGE, 'asm', '--to', 'dxbc', good, '--words') +
            c.exit_is(c.USAGE, 'asm', '--to', 'tgsi', good, '--words') +
            c.exit_is(c.NO, 'asm', '-', '--words', stdin=res, out='') +
            c.exit_is(c.IO, 'asm', good, '-o', c.path('no/such/folder')))


def write_errors():
    """A full device, for each verb that prints."""
    if not os.path.exists('/dev/full'):
        raise tap.Skip('no /dev/full')
    good, findings = c.write('good.tgsi', GOOD), []
    for call in (('list', 'opcodes'), ('explain', 'MOV'), ('dis', good), ('asm', good, '--words'), ('info', good),
                 ('check', '--json', good), ('help',)):
        with open('/dev/full', 'wb') as full:
            done = c.run(*call, stdout=full)
        if done.returncode != c.IO:
            findings.append(f'{call[0]}: exit {done.returncode}')
    return findings + c.exit_is(c.IO, 'asm', good, '-o', '/dev/full')


def names_in(folder):
    return sorted(os.listdir(folder))


def output_files():
    """-o replaces files whole: an error leaves what was there, links stay, permissions too, nothing is left beside."""
    folder, findings = c.path('outputs'), []
    os.makedirs(os.path.join(folder, 'far'))
    good = c.write('good.tgsi', GOOD)

    def at(name):
        return os.path.join(folder, name)

    def content(name):
        with open(at(name), 'rb') as file:
            return file.read()

    def expect(what, is_so):
        if not is_so:
            findings.append(what)

    c.run('asm', good, '-o', at('whole'))
    whole = content('whole')
    expect('a new file has the permissions of the umask', os.stat(at('whole')).st_mode & 0o777 == 0o666 & ~UMASK)

    def reset():
        for name in ('old', 'far/old'):
            with open(at(name), 'wb') as file:
                file.write(b'old and longer than a limit of a few bytes')
        os.chmod(at('far/old'), 0o600)
        if not os.path.lexists(at('link')):
            os.symlink('far/old', at('link'))
        if not os.path.lexists(at('loose')):
            os.symlink('far/new', at('loose'))
    reset()
    before = names_in(folder)

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
    for name in ('old', 'link', 'new', 'loose'):
        done = c.run('asm', good, '-o', at(name), before=no_room)
        expect(f'{name}: exit {done.returncode} without room', done.returncode == c.IO)
    expect(f'left beside: {names_in(folder)}', names_in(folder) == before and names_in(at('far')) == ['old'])
    for name in ('old', 'far/old'):
        expect(f'{name} is lost', content(name).startswith(b'old'))

    with open(at('old'), 'rb') as reader:
        for name in ('old', 'link', 'loose'):
            expect(f'{name}: exit code', c.run('asm', good, '-o', at(name)).returncode == c.YES)
        expect('a reader of the old file sees the new one', reader.read().startswith(b'old'))
    for name in ('old', 'far/old', 'far/new'):
        expect(f'{name} is not what was to be written', content(name) == whole)
    expect('links are gone', os.path.islink(at('link')) and os.path.islink(at('loose')))
    expect('the permissions changed', os.stat(at('far/old')).st_mode & 0o777 == 0o600)
    expect(f'left beside: {names_in(folder)}', names_in(folder) == before and names_in(at('far')) == ['new', 'old'])
    return findings


def names_beside():
    """The new file's name is one that is not there: of a hundred some may be, not all."""
    findings = []
    good = c.write('good.tgsi', GOOD)
    whole = c.run('asm', good, '-o', '-').stdout
    for taken in (0, 1, 99, 100):
        folder = c.path(f'taken{taken}')
        os.mkdir(folder)
        # The shell's number is the command's.
        script = f'n=0; while [ $n -lt {taken} ]; do : > .scheelite-$$-$n; n=$((n + 1)); done; exec "$0" asm "$1" -o made'
        done = subprocess.run(['sh', '-c', script, c.COMMAND, good], cwd=folder, capture_output=True, timeout=60, check=False)
        made = os.path.join(folder, 'made')
        wanted = (c.YES, b'') if taken < 100 else (c.IO, b'scheelite: cannot write made: File exists\n')
        if (done.returncode, done.stderr) != wanted or os.path.exists(made) != (taken < 100) or len(os.listdir(folder)) != taken + (taken < 100) or taken < 100 and c.read(made) != whole:
            findings.append(f'{taken}: {done} {len(os.listdir(folder))}')
    return findings


def files_without_names():
    """A file that has no name any more is written as it is, whatever it held."""
    good, findings = c.write('good.tgsi', GOOD), []
    whole = c.run('asm', good, '-o', '-').stdout
    for before in (b'', b'short', b'x' * 5000):
        name = c.write('nameless', before)
        with open(name, 'r+b') as file:
            os.unlink(name)
            done = subprocess.run([c.COMMAND, 'asm', good, '-o', '/dev/stderr'], stdout=subprocess.PIPE, stderr=file, timeout=60, check=False)
            file.seek(0)
            have = file.read()
        if done.returncode or have != whole or done.stdout or os.path.exists(name):
            findings.append(f'{len(before)}: {done} {have[:200]}')
    return findings


def outputs_that_are_no_files():
    """/dev/stdout, whatever it is, pipes and devices are written to as they are."""
    good, findings = c.write('good.tgsi', GOOD), []
    whole = c.run('asm', good, '-o', '-').stdout
    if not whole or c.run('asm', good, '-o', '/dev/stdout').stdout != whole:
        findings.append('/dev/stdout as a pipe')
    with open(c.path('shown'), 'wb') as file:
        file.write(b'before ')
        file.flush()
        done = c.run('asm', good, '-o', '/dev/stdout', stdout=file)
        if done.returncode or os.fstat(file.fileno()).st_nlink != 1:
            findings.append('/dev/stdout as a file was replaced')
    if c.read(c.path('shown')) != b'before ' + whole:
        findings.append('/dev/stdout as a file')
    os.mkfifo(c.path('fifo'))
    child = subprocess.Popen([c.COMMAND, 'asm', good, '-o', c.path('fifo')])
    with open(c.path('fifo'), 'rb') as file:
        if file.read() != whole:
            findings.append('a FIFO')
    if child.wait() or not stat.S_ISFIFO(os.stat(c.path('fifo')).st_mode):
        findings.append('the FIFO is none any more')
    return findings + c.exit_is(c.YES, 'asm', good, '-o', '/dev/null')


def info():
    good = c.write('good.tgsi', GOOD)
    report = json.loads(c.run('info', '--json', good).stdout)
    findings = []
    if (report['stage'], report['instructions'], report['inputs'], report['outputs']) != ('fragment', 2, 1, 1):
        findings.append(str(report))
    if report['input_registers'] != [{'index': 0, 'semantic': 'COLOR', 'semantic_index': 0, 'per_vertex': False}]:
        findings.append(str(report['input_registers']))
    binary = c.path('good.bin')
    c.run('asm', good, '-o', binary)
    if json.loads(c.run('info', '--json', binary).stdout)['hash'] != report['hash']:
        findings.append('the hash depends on the written form')
    other = c.write('other.tgsi', GOOD.replace('MOV', 'FRC'))
    if json.loads(c.run('info', '--json', other).stdout)['hash'] == report['hash']:
        findings.append('another shader has the same hash')
    return findings


def hostile_bytes():
    """Truncations and flips of a container, a token file and a text: an answer, never a signal or exit 70."""
    random.seed(2)
    findings = []
    binary = c.path('h.bin')
    c.run('asm', c.SHADERS[0], '-o', binary)
    words = c.run('asm', c.SHADERS[0], '--words').stdout.split()
    bare = b''.join(int(w, 16).to_bytes(4, 'little') for w in words)
    for source in (c.read(binary), bare, c.read(c.SHADERS[0])):
        for _ in range(25):
            data = bytearray(source[:random.randrange(len(source))])
            findings += judge(bytes(data))
            data = bytearray(source)
            for _ in range(random.choice((1, 1, 4))):
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            findings += judge(bytes(data))
    return findings


def judge(data):
    done = c.run('check', '-', stdin=data)
    if done.returncode not in (c.YES, c.NO, c.LIMIT, c.UNSUPPORTED):
        return [f'exit {done.returncode} for {data[:40].hex()}... ({len(data)} bytes)']
    return [] if done.returncode == c.YES or done.stderr else ['refused without a word']


LOG = ('Mesa: shader dump\n[ 12.5] FRAG\r\n[ 12.5] DCL IN[0], COLOR, LINEAR\r\n[ 12.5] DCL OUT[0], COLOR\r\nkernel: hello\n'
       '[101.5]   0: MOV OUT[0], IN[0] // all\r\n[101.6]   1: END\r\ndone\nsecond: VERT\nDCL OUT[0], POSITION\n  0: MOV OUT[0], TEMP[3]\n'
       '  1: END\n# third\nCOMP\n  0: END\n')


def several_shaders():
    """check, dis and info take all shaders of a log; verbs that need one want --nth, and exit with 2 without."""
    log, vectors, findings = c.write('log.txt', LOG), c.write('one.tsv', 'IN[0]=0x1\n'), []
    done = c.run('check', log)
    lines = [line.split('log.txt')[-1] for line in done.stdout.decode().splitlines()]
    if done.returncode != c.NO or lines != [':2: shader 1: valid', ':9: shader 2: not valid', ':14: shader 3: valid']:
        findings.append(f'check: {done}')
    if b'log.txt:11:' not in done.stderr or b'  0: MOV OUT[0], TEMP[3]' not in done.stderr:
        findings.append(f'check: {done.stderr}')
    report = json.loads(c.run('check', '--json', log).stdout)
    if [(f['shader'], f['line'], f['valid']) for f in report['files']] != [(1, 2, True), (2, 9, False), (3, 14, True)]:
        findings.append(f'check --json: {report}')
    text = c.run('dis', log).stdout.decode()
    if [line for line in text.splitlines() if line.startswith('#')] != ['# shader 1, line 2', '# shader 2, line 9', '# shader 3, line 14']:
        findings.append(f'dis: {text}')
    if '# shader 1, line 2\n' + GOOD + '\n# shader 2' not in text or c.run('dis', '-', stdin=text).stdout.decode().count('#') != 3:
        findings.append(f'dis of dis: {text}')
    stages = re.findall(r'^(?:shader|line|stage)\t(.*)$', c.run('info', log).stdout.decode(), re.MULTILINE)
    if stages != ['1', '2', 'fragment', '2', '9', 'vertex', '3', '14', 'compute']:
        findings.append(f'info: {stages}')
    described = json.loads(c.run('info', '--json', log).stdout)
    if [(d['shader'], d['line'], d['stage']) for d in described] != [(1, 2, 'fragment'), (2, 9, 'vertex'), (3, 14, 'compute')]:
        findings.append(f'info --json: {described}')
    one = c.write('one.txt', LOG.split('second')[0])
    findings += c.exit_is(c.YES, 'check', one, out='') + c.exit_is(c.YES, 'dis', one, out=GOOD) + \
        c.exit_is(c.YES, 'eval', one, '--vectors', vectors, out='0x00000001,')
    out, said = c.path('log.bin'), 'log.txt holds 3 shaders, on lines 2, 9 and so on: --nth N says which'
    for call in (('asm', log, '-o', out), ('eval', log, '--vectors', vectors), ('run', log, '-o', c.path('log.png'), '--size', '4x4'),
                 ('translate', '--to', 'tgsi', log)):
        findings += c.exit_is(c.USAGE, *call, err=said) + c.exit_is(c.USAGE, *call, '--nth', '4', err='there is no shader number 4') + \
            c.exit_is(c.USAGE, *call, '--nth', '0') + c.exit_is(c.USAGE, *call, '--nth', 'x') + c.exit_is(c.YES, *call, '--nth', '1')
    good = c.write('good.tgsi', GOOD)
    return findings + c.exit_is(c.YES, 'asm', log, '--nth', '2', '-o', out) + c.exit_is(c.YES, 'dis', out, out='VERT\n') + \
        c.exit_is(c.YES, 'run', log, '--nth', '3', '--grid', '1,1,1') + \
        c.exit_is(c.NO, 'eval', log, '--nth', '2', '--vectors', vectors, err='log.txt:11:') + \
        c.exit_is(c.USAGE, 'asm', good, '--nth', '2', '-o', out) + c.exit_is(c.YES, 'asm', good, '--nth', '1', '-o', out) + \
        c.exit_is(c.YES, 'check', '-', stdin='\ufeff' + GOOD.replace('\n', ' ; c\r\n'), out='')


tap.run([('check: exit codes', check_exit_codes), ('verbs and help', general_exit_codes),
         ('check: source line and caret', caret_under_the_error), ('no colour in a file', no_color_in_a_file), ('translate', translations),
         ('control bytes of the input are not echoed', control_bytes_are_not_echoed),
         ('check --json', json_of_check), ('check --json of hostile bytes', json_with_hostile_bytes),
         ('list: counts', list_counts), ('list --json', list_json), ('list has every name of the specification', shared_tables),
         ('explain: every name and number', explain_everything), ('explain: details', explain_details), ('explain: Maxwell', explain_maxwell),
         ('several shaders in a log', several_shaders), ('dis and asm give the shader back', round_trips), ('dis and asm: exit codes', dis_and_asm_exit_codes),
         ('write errors', write_errors),
         ('files are written whole or not at all', output_files), ('outputs that are no files', outputs_that_are_no_files),
         ('names beside', names_beside), ('files without names', files_without_names), ('info', info), ('truncated and flipped inputs', hostile_bytes)])
