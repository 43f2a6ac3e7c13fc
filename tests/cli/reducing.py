#!/usr/bin/env python3
"""reduce: programs with a planted bug become a few lines that still have it and are valid. --all: ten programs of 300
lines; else three of 90. What the verb refuses, and how it ends."""
import glob
import os
import random
import signal
import subprocess
import sys
import time

import command as c
import tap

ALL = '--all' in sys.argv
STREAMS = os.path.join(tap.SOURCE, 'tests', 'fuzz', 'corpus', 'virgl')
LINES = 300 if ALL else 90


def clean(env=None):
    """What a command of --test is run with: not what follows the memory of the command under test."""
    return {**(os.environ if env is None else env), 'SCHEELITE': c.COMMAND}


def test(command):
    """A test that fails while the command finds something: the command under test is $SCHEELITE there."""
    return f'unset LD_PRELOAD; ! ({command})'


def reduce(path, command, *options, **more):
    return c.run('reduce', path, '--test', test(command), *options, env=clean(), **more)


# ---- programs with a planted bug ----

def tgsi(chance):
    """Arithmetic, branches, loops and lookups; a number is made, goes through some registers, and reaches an output."""
    lines = ['FRAG', *(f'DCL IN[{n}], GENERIC[{n}], PERSPECTIVE' for n in range(4)), 'DCL OUT[0], COLOR', 'DCL OUT[1], COLOR[1]', 'DCL SAMP[0]', 'DCL SVIEW[0], 2D, FLOAT',
             'DCL CONST[0..7]', 'DCL TEMP[0..31]', 'DCL ADDR[0]', *(f'IMM[{n}] FLT32 {{{n}.5, -{n}.25, 0.125, 1.0}}' for n in range(6)), 'IMM[6] UINT32 {305419000, 896, 2, 0}']

    def source():
        file = chance.choice((f'IN[{chance.randrange(4)}]', f'CONST[{chance.randrange(8)}]', f'TEMP[{chance.randrange(16)}]', f'IMM[{chance.randrange(6)}]', 'CONST[ADDR[0].x+2]'))
        value = f'{file}.{"".join(chance.choice("xyzw") for _ in range(4))}'
        return chance.choice(('{}', '{}', '-{}', '|{}|')).format(value)

    def some(count):
        for _ in range(count):
            opcode, sources = chance.choice((('ADD', 2), ('MUL', 2), ('MAD', 3), ('MIN', 2), ('MAX', 2), ('FRC', 1), ('DP4', 2), ('SLT', 2), ('MAD_SAT', 3)))
            yield f'{opcode} TEMP[{chance.randrange(16)}].{chance.choice(("x", "xy", "yzw", "xyzw"))}, ' + ', '.join(source() for _ in range(sources))

    lines += ['UARL ADDR[0].x, IMM[6].zzzz', 'UADD TEMP[20].x, IMM[6].xxxx, IMM[6].yyyy']
    while len(lines) < LINES - 12:
        kind = chance.randrange(12)
        if kind == 0:
            lines += [f'IF TEMP[{chance.randrange(16)}].xxxx', *some(4), 'ELSE', *some(3), 'ENDIF']
        elif kind == 1:
            lines += ['MOV TEMP[30].x, IMM[5].wwww', 'BGNLOOP', 'ADD TEMP[30].x, TEMP[30].xxxx, -IMM[0].zzzz', 'SLT TEMP[30].y, TEMP[30].xxxx, IMM[0].zzzz', 'IF TEMP[30].yyyy', 'BRK', 'ENDIF', *some(3), 'ENDLOOP']
        elif kind == 2:
            lines += [f'TEX TEMP[{chance.randrange(16)}], {source()}, SAMP[0], 2D']
        else:
            lines += some(3)
        if len(lines) in range(140, 150):
            lines += ['MOV TEMP[21], TEMP[20].xxxx']
    lines = [line for line in lines if 'TEMP[21]' not in line]
    return '\n'.join(lines + ['MOV TEMP[21].y, TEMP[20].xxxx', 'IF TEMP[3].xxxx', 'MOV TEMP[22].z, TEMP[21].yyyy', 'ELSE', 'MOV TEMP[22].z, TEMP[21].yyyy', 'ENDIF', 'MOV OUT[0], TEMP[1]', 'MOV OUT[1], TEMP[5]',
                              'MOV OUT[1].w, TEMP[22].zzzz', 'END']) + '\n'


def direct3d(chance):
    lines = ['ps_5_0', 'dcl_constantbuffer CB0[8], immediateIndexed', 'dcl_sampler s0, mode_default', 'dcl_resource_texture2d (float,float,float,float) t0', *(f'dcl_input_ps linear v{n}.xyzw' for n in range(4)),
             'dcl_output o0.xyzw', 'dcl_output o1.xyzw', 'dcl_temps 32', 'iadd r20.x, l(305419000), l(896)']

    def source():
        value = chance.choice((f'v{chance.randrange(4)}', f'cb0[{chance.randrange(8)}]', f'r{chance.randrange(16)}')) + '.' + ''.join(chance.choice('xyzw') for _ in range(4))
        return chance.choice((value, '-' + value, '|' + value + '|', 'l(0.5, 2.0, -1.0, 0.25)'))

    def some(count):
        for _ in range(count):
            opcode, sources = chance.choice((('add', 2), ('mul', 2), ('mad', 3), ('min', 2), ('max', 2), ('frc', 1), ('dp4', 2), ('lt', 2), ('mad_sat', 3)))
            yield f'{opcode} r{chance.randrange(16)}.{chance.choice(("x", "xy", "yzw", "xyzw"))}, ' + ', '.join(source() for _ in range(sources))

    while len(lines) < LINES - 10:
        kind = chance.randrange(10)
        if kind == 0:
            lines += [f'if_nz r{chance.randrange(16)}.x', *some(3), 'else', *some(3), 'endif']
        elif kind == 1:
            lines += ['mov r30.x, l(0)', 'loop', 'iadd r30.x, r30.x, l(1)', 'ige r30.y, r30.x, l(4)', 'breakc_nz r30.y', *some(3), 'endloop']
        elif kind == 2:
            lines += [f'sample r{chance.randrange(16)}.xyzw, v1.xyxx, t0.xyzw, s0']
        else:
            lines += some(3)
    return '\n'.join(lines + ['mov r21.y, r20.x', 'if_nz r3.x', 'mov r22.z, r21.y', 'else', 'mov r22.z, r21.y', 'endif', 'mov o0.xyzw, r1.xyzw', 'mov o1.xyz, r5.xyzx', 'mov o1.w, r22.z', 'ret']) + '\n'


def maxwell(chance):
    lines = ['.arch sm_50']
    while len(lines) < LINES:
        coordinates, to = 4 * chance.randrange(20), 4 * chance.randrange(20)
        lines += [chance.choice((f'TEX R{to}, R{coordinates}, 0x{chance.randrange(9):x}, 2D, 0xf;', f'TEX.LL R{to}, R{coordinates}, R{to}, 0x1, 3D, 0x7;', f'TLD.LZ R{to}, R{coordinates}, 0x2, 1D, 0x1;'))]
    lines.insert(170, 'TLD4.G R40, R8, 0x5, 2D, 0xf;')
    return '\n'.join(lines) + '\n'


def script(chance):
    lines = ['[vertex shader tgsi]', 'VERT', 'DCL IN[0]', 'DCL OUT[0], POSITION', '  0: MOV OUT[0], IN[0]', '  1: END', '', '[pixel shader tgsi]', *tgsi(chance).splitlines()[:250]]
    while not lines[-1].startswith(('ADD', 'MUL')):
        lines.pop()
    opens, closes = (len([line for line in lines if line.startswith(words)]) for words in (('IF', 'BGNLOOP'), ('ENDIF', 'ENDLOOP')))
    if opens != closes:
        return None
    lines += ['MOV OUT[0], IMM[5].wwww', 'END', '', '[test]']
    for n in range(40):
        lines += [f'uniform {n % 8} float4 {chance.randrange(9)} 0.5 0 1', 'draw quad']
    return '\n'.join(lines + ['probe (1, 1) rgba (1.0, 1.0, 1.0, 1.0)', 'probe (2, 2) rgba (0.5, 0.5, 0.5, 0.5)']) + '\n'


VECTOR = 'IN[0]=0x3f800000,0x3f000000,0x40000000,0xbf800000\tCONST[1]=1.0,2.0,3.0,4.0\n'
# A loop that lost its end goes on until its budget.
FINDS = '$SCHEELITE eval -q --budget 1000 {} --vectors %s | grep -q 0x12345678'


def shader_lines(path):
    """What is left of a program: lines of its text, but for words that only fill a bundle of Maxwell code."""
    text = c.run('dis', *(['-x', 'maxwell'] if path.endswith(('.raw', '.sass')) else []), path).stdout.decode()
    return [line for line in text.splitlines() if line and '.word 0x50b0000000070f00' not in line and '.control' not in line]


def programs():
    """Name, text, what is done with it (asm), what the test finds, what check is told."""
    vector = c.write('one.tsv', VECTOR)
    finds = FINDS % vector
    rows = []
    for number in range(10):
        chance = random.Random(number)
        kind = ('tgsi', 'dxbc', 'raw', 'tgsi', 'asm', 'bin', 'sass', 'asm', 'tgsi', 'dxbc')[number]
        rows.append({'tgsi': ('tgsi', tgsi, None, finds), 'bin': ('bin', tgsi, 'tgsi-bin', finds), 'asm': ('asm', direct3d, None, finds), 'dxbc': ('dxbc', direct3d, 'dxbc', finds),
                     'sass': ('sass', maxwell, None, '$SCHEELITE dis {} | grep -q TLD4'), 'raw': ('raw', maxwell, 'maxwell', '$SCHEELITE dis -x maxwell {} | grep -q TLD4')}[kind] + (number, chance))
    return rows if ALL else rows[:3]


def big_programs_become_small():
    findings = []
    for ending, made, to, finds, number, chance in programs():
        text = made(chance)
        assert LINES - 25 < text.count('\n') < LINES + 40, text.count('\n')
        path = c.write(f'big-{number}.{"text" if to else ending}', text)
        if to:
            source, path = path, c.path(f'big-{number}.{ending}')
            findings += c.exit_is(0, 'asm', *(['-x', 'maxwell'] if made is maxwell else []), source, '-o', path)
        small = c.path(f'small-{number}.{ending}')
        options = ['-x', 'maxwell'] if made is maxwell else []
        began = time.monotonic()
        done = reduce(path, finds, '-o', small, *options)
        seconds = time.monotonic() - began
        if done.returncode != 0:
            findings.append(f'program {number}: {done.stderr.decode()[:300]}')
            continue
        lines = shader_lines(small)
        found = subprocess.run(['sh', '-c', finds.replace('{}', small)], env=clean(), timeout=60)
        print(f'# program {number} ({ending}): {text.count(chr(10))} lines, {len(lines)} left, {seconds:.1f} s')
        if len(lines) >= 15 or found.returncode != 0 or (ALL and seconds > 60):
            findings.append(f'program {number}: {seconds:.1f} s, {len(lines)} lines:\n# ' + '\n# '.join(lines))
        findings += c.exit_is(0, 'check', *options, small)
    return findings


# ---- other subjects ----

def scripts_become_small():
    """Sections and lines go, and the shaders in them shrink; the probe that fails is left."""
    text = next(filter(None, (script(random.Random(seed)) for seed in range(50))))
    path, small = c.write('big.shader_test', text), c.path('small.shader_test')
    done = reduce(path, '$SCHEELITE run {} | grep -q "1 failed"', '-o', small)
    left = c.read(small).decode() if done.returncode == 0 else done.stderr.decode()
    findings = c.exit_is(c.NO, 'run', small, out='1 failed')
    return findings if left.count('\n') < 15 and '[test]' in left and 'probe' in left else findings + [left]


def scenes_become_small():
    """Its files are found from where the scene is; its shaders shrink, too."""
    folder = c.path('scene')
    os.makedirs(folder, exist_ok=True)
    c.write('scene/dark.tgsi', 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0].xxxw\nEND\n')
    text = """# a comment
texture picture { size 8 8 }
texture other { size 4 4; checker 2 2  1 0 0 1  0 1 0 1 }
sampler smooth { filter linear }
shader flat vertex {
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL TEMP[0]
MOV TEMP[0], IN[0]
MOV OUT[0], TEMP[0]
END
}
shader dark fragment "dark.tgsi"
shader light fragment {
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 {1, 1, 1, 1}
MOV OUT[0], IMM[0]
END
}
mesh square { position float2; vertices { -1 -1   1 -1   -1 1   1 1 } }
pass first { color 0 other
  clear color 0 0 0 1
  use flat light
  draw triangle_strip mesh square
}
pass second {
  color 0 picture
  clear color 1 1 1 1
  use flat dark
  draw triangle_strip mesh square
}
expect pixel picture 2 2 = 1 1 1 1
"""
    path, small = c.write('scene/big.scene', text), c.path('scene/small.scene')
    done = reduce(path, '$SCHEELITE render {} --check | grep -q "expected.*but"  || $SCHEELITE render {} --check | grep -q "1 failed"', '-o', small)
    if done.returncode != 0:
        return [done.stderr.decode()]
    left = c.read(small).decode()
    rest = sorted(name for name in os.listdir(folder))
    findings = c.exit_is(c.NO, 'render', small, '--check', out='1 failed')
    if left.count('\n') > 8 or 'other' in left or '#' in left or rest != ['big.scene', 'dark.tgsi', 'small.scene']:
        findings.append(f'{rest}:\n{left}')
    return findings


def streams_become_small():
    path, small = os.path.join(STREAMS, 'clear_and_draw'), c.path('small.rec')
    done = reduce(path, '$SCHEELITE replay {} --stats | grep -q "draws.1"', '-o', small)
    if done.returncode != 0:
        return [done.stderr.decode()]
    lines = c.run('replay', small, '--explain').stdout.decode().splitlines()
    counts = dict(line.split('\t') for line in c.run('replay', small, '--stats').stdout.decode().splitlines())
    words = [line.split()[0] for line in lines]
    good = counts['refused'] == '0' and counts['draws'] == '1' and 'CLEAR' not in words and len(c.read(small)) < len(c.read(path))
    # All other recordings are taken apart and put together again.
    findings = [] if good else [f'{counts} {words}']
    for other in sorted(glob.glob(os.path.join(STREAMS, '*'))):
        done = reduce(other, 'true', '--tries', '2', '-o', small)
        if done.returncode != 0:
            findings.append(f'{other}: {done.stderr.decode()[:200]}')
    return findings


# ---- how it is called, and how it ends ----

SMALL = """FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..3]
IMM[0] FLT32 {0.5, 2.0, 3.0, 4.0}
IMM[1] FLT32 {7.5, 2.0, 3.0, 4.0}
ADD TEMP[0], IN[0], IMM[0].xxxx
# a comment
MUL_SAT TEMP[1].xyz, -TEMP[0].wzyx, |IMM[1].xyzw|
MOV OUT[0], TEMP[1]
END
"""


def a_result_is_canonical_and_the_same_again():
    path = c.write('canonical.tgsi', SMALL)
    runs = [reduce(path, 'grep -q MUL {}').stdout.decode() for _ in range(2)]
    printed = c.run('dis', c.write('result.tgsi', runs[0])).stdout.decode()
    wanted = 'FRAG\nDCL OUT[0]\nIMM[0] FLT32 {    0.0000,     0.0000,     0.0000,     0.0000}\n  0: MUL OUT[0].x, IMM[0], IMM[0]\n  1: END\n'
    findings = [] if runs[0] == runs[1] == printed and '#' not in runs[0] else runs
    return findings if runs[0].count('\n') == wanted.count('\n') and 'SAT' not in runs[0] and '-' not in runs[0] else findings + [runs[0]]


def a_path_takes_its_place():
    """Of every {}, and at the end without one; the file's ending stays; a folder may have a blank."""
    folder = c.path('a folder')
    os.makedirs(folder, exist_ok=True)
    path, findings = c.write('ending.tgsi', SMALL), []
    for command in ('! (grep -q MUL {} && cmp -s {} {} && case {} in *.tgsi) true;; *) false;; esac)', '! grep -q MUL'):
        done = c.run('reduce', path, '--test', 'unset LD_PRELOAD; ' + command, env={**clean(), 'TMPDIR': folder})
        if done.returncode != 0 or b'MUL' not in done.stdout:
            findings.append(f'{command}: {done.stderr.decode()}')
    return findings if not os.listdir(folder) else findings + [f'{os.listdir(folder)} is left']


def an_invalid_shader_stays_readable():
    path = c.write('invalid.tgsi', SMALL.replace('MOV OUT[0], TEMP[1]', 'MOV OUT[3], TEMP[1]'))
    done = reduce(path, '$SCHEELITE check {} 2>&1 | grep -q "error"')
    findings = [] if done.returncode == 0 and b'is not valid' in done.stderr else [f'{done}']
    small = c.write('invalid-small.tgsi', done.stdout)
    return findings + c.exit_is(0, 'dis', small) + c.exit_is(c.NO, 'check', small)


def what_does_not_fail_is_refused():
    path, findings = c.write('refused.tgsi', SMALL), []
    for options, code, said in ((('--test', 'true'), c.NO, 'the command does not fail on it'), (('--test', 'no-such-command-at-all'), c.USAGE, 'the shell cannot run the command'),
                                (('--test', 'sleep 20; true {}', '--timeout', '1'), c.LIMIT, 'the command took longer than 1 s'), ((), c.USAGE, '--test says which command fails'),
                                (('--test', 'unset LD_PRELOAD; ! grep -q "a comment"'), c.NO, 'but not on what is the same to scheelite'), (('--test', 'false', '--timeout', '0'), c.USAGE, '--timeout is 1 to 86400 seconds, not 0'),
                                (('--test', 'false', '--tries', 'x'), c.USAGE, '--tries is a number from 1'), (('--test', 'false', '-x', 'png'), c.USAGE, 'png')):
        findings += c.exit_is(code, 'reduce', path, *options, err=said, out='')
    findings += c.exit_is(c.USAGE, 'reduce', '-', '--test', 'false', err='standard input is not reduced') + c.exit_is(c.USAGE, 'reduce', '--test', 'false', err='which file?')
    findings += c.exit_is(c.NO, 'reduce', c.write('no.tgsi', 'FRAG\nADDD\nEND\n'), '--test', 'false', err='error') + c.exit_is(c.IO, 'reduce', c.path('none'), '--test', 'false', err='cannot open')
    cut = c.write('cut.rec', c.read(os.path.join(STREAMS, 'window'))[:-9])
    findings += c.exit_is(c.NO, 'reduce', cut, '--test', 'false', err='the recording is cut off')
    return findings + c.exit_is(c.USAGE, 'reduce', path, path, '--test', 'false', err='one file only')


def tries_are_bounded():
    path = c.write('tries.tgsi', SMALL)
    done = reduce(path, 'grep -q MUL {}', '--tries', '3', '-v')
    return [] if done.returncode == 0 and b'3 runs were made (--tries)' in done.stderr and b'MUL' in done.stdout else [f'{done}']


def a_run_that_hangs_is_killed_with_all_it_started():
    """Only the whole file fails at once; others start a process and wait."""
    path, pids = c.write('hang.tgsi', SMALL), c.path('pids')
    command = f'unset LD_PRELOAD; grep -q ADD {{}} && grep -q MUL {{}} && exit 1; sleep 100 & echo $! >> {pids}; sleep 100'
    done = c.run('reduce', path, '--test', command, '--timeout', '1', '--tries', '6')
    findings = [] if done.returncode == 0 and b'ADD' in done.stdout else [f'{done}']
    return findings + [f'{pid} lives' for pid in c.read(pids).split() if lives(pid)]


def lives(pid):
    try:
        with open(f'/proc/{int(pid)}/stat', encoding='utf-8') as file:
            return file.read().split()[2] != 'Z'
    except FileNotFoundError:
        return False


def a_signal_writes_the_best_so_far():
    """It goes to reduce alone here, which ends by it, with what it has; of the command and its file nothing stays."""
    text, findings = tgsi(random.Random(1)), []
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and what it starts inherits that
    for name in ('SIGINT', 'SIGTERM', 'SIGHUP'):
        path, small, count, pids, folder = (c.path(f'{name}-{what}') for what in ('big.tgsi', 'small.tgsi', 'count', 'pids', 'folder'))
        c.write(path, text)
        os.makedirs(folder)
        command = f'unset LD_PRELOAD; echo >> {count}; sleep 100 & echo $! > {pids}; if test $(wc -l < {count}) -gt 11; then sleep 100; fi; ! grep -q "TEMP.22" {{}}'
        process = subprocess.Popen([c.COMMAND, 'reduce', path, '--test', command, '-o', small, '--timeout', '100'], stderr=subprocess.PIPE, env={**os.environ, 'TMPDIR': folder})
        while process.poll() is None and (not os.path.exists(count) or os.path.getsize(count) < 12):
            time.sleep(0.05)
        time.sleep(0.2)
        process.send_signal(signal.Signals[name])
        errors = process.communicate(timeout=60)[1]
        if process.returncode != -signal.Signals[name] or not os.path.exists(small):
            findings.append(f'{name}: exit {process.returncode}: {errors.decode()}')
            continue
        lines = c.read(small).decode().splitlines()
        findings += c.exit_is(0, 'check', small)
        findings += [] if 5 < len(lines) < text.count('\n') and any('TEMP[22]' in line for line in lines) else [f'{name}: {len(lines)} lines']
        findings += [f'{name}: {what} is left' for what in os.listdir(folder)] + [f'{name}: {pid} lives' for pid in c.read(pids).split() if lives(pid)]
    return findings


def the_command_may_do_anything_to_its_file():
    """It removes it, makes it longer, or puts a link, a pipe or a folder in its place: other files stay as they are."""
    path, other, findings = c.write('anything.tgsi', SMALL), c.write('other', 'as it was'), []
    for what in ('rm {}', 'cat {} {} > {}.long; mv {}.long {}', f'ln -sf {other} {{}}', 'rm {}; mkfifo {}', 'rm {}; mkdir {}', 'chmod 0 {}'):
        folder = c.path('anything')
        os.makedirs(folder, exist_ok=True)
        done = c.run('reduce', path, '--test', f'unset LD_PRELOAD; grep -q MUL {{}}; none=$?; {what}; exit $((! none))', env={**os.environ, 'TMPDIR': folder})
        findings += [] if done.returncode == 0 and b'MUL' in done.stdout and not os.listdir(folder) else [f'{what}: {done} {os.listdir(folder)}']
    return findings if c.read(other) == b'as it was' else findings + ['another file was written']


if __name__ == '__main__':
    long = [('big programs become small', big_programs_become_small)]
    tap.run(long if ALL else long + [('scripts become small', scripts_become_small), ('scenes become small', scenes_become_small), ('streams become small', streams_become_small),
                                     ('a result is canonical, and the same again', a_result_is_canonical_and_the_same_again), ('a path takes its place', a_path_takes_its_place),
                                     ('an invalid shader stays readable', an_invalid_shader_stays_readable), ('what does not fail is refused', what_does_not_fail_is_refused), ('tries are bounded', tries_are_bounded),
                                     ('a run that hangs is killed with all it started', a_run_that_hangs_is_killed_with_all_it_started), ('a signal writes the best so far', a_signal_writes_the_best_so_far), ('the command may do anything to its file', the_command_may_do_anything_to_its_file)])
