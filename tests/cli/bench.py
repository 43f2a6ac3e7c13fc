#!/usr/bin/env python3
"""The timings of ./dev bench with a clock that the test turns (clock.c): every number that they print, by hand. What the
shaders execute is counted a second time by `run --work`, which refuses one instruction less."""
import os
import platform
import re
import subprocess

import command as c
import tap

CLOCK = os.environ.get('SCH_CLOCK')
COMPILER = os.path.join(tap.BUILD, 'tests', 'unit', 'libfake_compiler.so')  # the tests' own
PROGRAM = os.path.join(tap.BUILD, 'bench', 'timings')
LOADED = ' '.join(p for p in (CLOCK, c.WATCH) if p)
FAILED = 1


def run(*arguments, **env):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=120, env={**os.environ, **env})


def table(*arguments, code=c.YES, **env):
    done = run(*arguments, **env)
    if done.returncode != code:
        raise OSError(f'{arguments}: exit {done.returncode}: {done.stderr.decode()}')
    return [line.split('\t') for line in done.stdout.decode().splitlines()]


def bench(step, *arguments, code=c.YES, uneven=False):
    """The rows that are printed while each look at the clock finds it `step` nanoseconds later, or unevenly so."""
    return table(*arguments, code=code, LD_PRELOAD=LOADED, SCH_STEP=str(step), **({'SCH_UNEVEN': '1'} if uneven else {}))


class Uneven:
    """That clock: the step before look n is 1 + n * n % 97 times the first."""

    def __init__(self, step):
        self.step, self.looks, self.now = step, 0, 0

    def look(self):
        """Seconds."""
        self.looks += 1
        self.now += self.step * (1 + self.looks ** 2 % 97)
        return self.now * 1e-9


def rounds_of(step, milliseconds):
    """The first look comes after a round that is not counted, then one after each: how many are, and their seconds."""
    count = 1
    while count * step < milliseconds * 1000000:
        count += 1
    return count, count * step * 1e-9


def workloads():
    """name: text of bench/timings/shaders.def."""
    with open(os.path.join(tap.SOURCE, 'bench', 'timings', 'shaders.def'), encoding='utf-8') as file:
        text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL)
    parts = re.split(r'\nWORKLOAD\((\w+), "[^"]*",', '\n' + text)[1:]
    return {name: ''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', body)).replace('\\n', '\n') for name, body in zip(parts[::2], parts[1::2])}


CONSTANTS = ('0.57,0.57,0.57,0', '-0.8,0.2,0.56,0', '0.9,0.7,0.4,1', '0.1,0.2,0.5,20')


def shaders():
    findings = []
    texts = workloads()
    rows = bench(10000000, '--milliseconds', '10')
    wanted = [['workload', 'engine', 'width', 'invocations/s/thread', 'ns', 'instructions']]
    count, seconds = rounds_of(10000000, 10)
    for name in texts:
        for width in ('4', '8', '16'):
            wanted.append([name, 'interp', width, '%.0f' % (count * 65536 / seconds), '%.2f' % (seconds * 1e9 / (count * 65536))])
    if [row[:5] for row in rows[1:]] != wanted[1:] or rows[0] != wanted[0] or list(texts) != ['alu', 'loop', 'noise', 'texture', 'control']:
        findings.append(f'{rows}, not {wanted}')
    constants = [word for n, text in enumerate(CONSTANTS) for word in ('--const', f'0:{n}={text}')]
    for name, text in texts.items():
        counts = {row[5] for row in rows if row[0] == name}
        shader, work = c.write(name + '.tgsi', text), int(counts.pop())
        if counts: findings.append(f'{name}: widths execute other numbers of instructions')
        call = ('run', shader, '-o', c.path('bench.png'), '--size', '256x256', '--tex', '0=random:R8G8B8A8_UNORM:64x64,filter=linear', *constants, '--work')
        findings += c.exit_is(c.YES, *call, str(work)) + c.exit_is(c.LIMIT, *call, str(work - 1))
    for step, milliseconds, threads, width in ((2000000, 3, 2, 16), (1000000000, 2500, 3, 16)):
        rows = bench(step, '--milliseconds', str(milliseconds), '--threads', str(threads), '--width', str(width), '--engine', 'interp')
        count, seconds = rounds_of(step, milliseconds)
        numbers = [str(width), '%.0f' % (count * 65536 / seconds / threads), '%.2f' % (seconds * threads * 1e9 / (count * 65536))]
        if [row[:1] + row[2:5] for row in rows[1:]] != [[name, *numbers] for name in texts] or {row[1] for row in rows[1:]} != {'interp'}:
            findings.append(f'{step} {milliseconds} {threads} {width}: {rows}, not {numbers}')
    default = bench(250000000, '--width', '16', '--engine', 'interp')  # half a second
    if {row[3] for row in default[1:]} != {'%.0f' % (2 * 65536 / 0.5)}:
        findings.append(f'{default}')
    return findings


LOOKUPS = ('nearest', 'bilinear', 'trilinear', 'cube', 'shadow', 'gather', 'aniso16', 'rgba32f', '3d', 'magnified',
           *(blocks + at for blocks in ('bc1', 'bc3', 'bc4', 'bc5', 'bc6h', 'bc7', 'etc2', 'etc2 alpha', 'eac rg', 'astc 4x4', 'astc 8x8', 'astc 4x4 srgb')
             for at in ('', ' magnified')),
           *(blocks + ' decoded' for blocks in ('bc1', 'bc6h', 'bc7', 'astc 4x4')))


def lookups():
    """Eight lookups an invocation."""
    findings = []
    with open(os.path.join(tap.SOURCE, 'bench', 'timings', 'lookups.c'), encoding='utf-8') as file:
        each = int(re.search(r'LOOKUPS = (\d+)', file.read()).group(1))
    for step, milliseconds, threads, width in ((2000000, 3, 2, 16), (50000000, 1, 1, 8)):
        rows = bench(step, 'tex', '--milliseconds', str(milliseconds), '--threads', str(threads), '--width', str(width))
        count, seconds = rounds_of(step, milliseconds)
        samples = count * 65536 * each
        wanted = [[name, 'interp', str(width), '%.3f' % (samples / seconds / threads * 1e-6), '%.2f' % (seconds * threads * 1e9 / samples)] for name in LOOKUPS]
        if rows != [['lookup', 'engine', 'width', 'Msamples/s/thread', 'ns'], *wanted]:
            findings.append(f'{rows}, not {wanted}')
    return findings


def direct3d():
    """Instructions and bytes are those of info and asm; of files their mean, and each is read as often."""
    findings, sizes = [], []
    names = [c.write('one.asm', 'ps_5_0\ndcl_temps 1\nmov r0.x, l(1.0)\nret\n'), c.write('two.asm', 'ps_4_0\ndcl_temps 2\nmov r0.x, l(1.0)\nmov r1.x, r0.x\nadd r1.x, r1.x, r0.x\nret\n'),
             c.write('three.asm', 'cs_5_0\ndcl_thread_group 8, 1, 1\nret\n')]
    for name in names:
        container = c.path('measured.dxbc')
        findings += c.exit_is(c.YES, 'asm', name, '-o', container)
        info = dict(line.split('\t')[:2] for line in c.run('info', name).stdout.decode().splitlines() if '\t' in line)
        sizes.append((int(info['instructions']), len(c.read(container))))
    with open(os.path.join(tap.SOURCE, 'bench', 'timings', 'd3d.c'), encoding='utf-8') as file:
        batch = int(re.search(r'BATCH = (\d+)', file.read()).group(1))
    for taken in (1, 2, 3):
        for step, milliseconds in ((1000000, 1), (2000000, 5)):
            rows = bench(step, 'd3d', '--milliseconds', str(milliseconds), *names[:taken])
            count, seconds = rounds_of(step, milliseconds)
            programs = count * taken * (batch if taken < batch else 1)
            mean = [str(sum(s[i] for s in sizes[:taken]) // taken) for i in range(2)]
            wanted = [[f'{taken} files', work, *mean, '%.0f' % (programs / seconds), '%.2f' % (seconds / programs * 1e6)] for work in ('decode', 'decode+text', 'decode+lower')]
            if rows != [['program', 'work', 'instructions', 'bytes', 'programs/s/thread', 'us'], *wanted]:
                findings.append(f'{rows}, not {wanted}')
    many = [c.write(f'many{n}.asm', 'ps_5_0\nret\n') for n in range(batch + 1)]
    for taken in (batch - 1, batch, batch + 1):
        row = bench(1000000, 'd3d', '--milliseconds', '2', *many[:taken])[1]
        programs = 2 * taken * (batch if taken < batch else 1)
        if row[0] != f'{taken} files' or row[4] != '%.0f' % (programs / 0.002):
            findings.append(f'{taken}: {row}')
    absent, alien = c.path('absent.dxbc'), c.write('alien.tgsi', 'FRAG\nEND\n')
    done = run('d3d', '--milliseconds', '1', absent, alien, names[0])
    said = done.stderr.decode().splitlines()
    if done.returncode != FAILED or said[0] != f'timings: cannot read {absent}: No such file or directory' or len(said) != 2 or \
            not said[1].startswith(f'timings: {alien} is left out: ') or [line.split('\t')[0] for line in done.stdout.decode().splitlines()[1:]] != ['1 files'] * 3:
        findings.append(f'{done}')
    rows = table('d3d', '--milliseconds', '1')
    wanted = [[name, work] for name in ('vertex', 'pixel', 'geometry', 'compute') for work in ('decode', 'decode+text', 'decode+lower')]
    if [row[:2] for row in rows[1:]] != wanted or any(int(row[2]) <= 10 or int(row[3]) <= 300 for row in rows[1:]):
        findings.append(f'{rows}')
    return findings


def info(path):
    return dict(line.split('\t')[:2] for line in c.run('info', path).stdout.decode().splitlines() if '\t' in line)


def threads():
    """The median of a picture's times, two more before them not counted: fifteen at least, and more until they fill the time."""
    findings = []
    for step, milliseconds, width in ((10000, 20, 16), (10000, 1, 16)):
        clock, wanted = Uneven(step), [['picture', 'engine', 'threads', 'us', 'times']]
        for side in (16, 64, 256):
            one = None
            for count in (1, 2, 4):
                clock.look()
                begin, times = clock.look(), []
                while True:
                    before = clock.look()
                    times.append(clock.look() - before)
                    if len(times) >= 15 and clock.look() - begin >= milliseconds * 1e-3:
                        break
                took = sorted(times)[len(times) // 2] * 1e6
                one = one or took
                wanted.append([f'{side}x{side}', 'interp', str(count), f'{took:.1f}', f'{one / took:.2f}'])
        rows = bench(step, 'threads', '--milliseconds', str(milliseconds), '--width', str(width), uneven=True)
        if rows != wanted:
            findings.append(f'{rows}, not {wanted}')
    return findings


STOPPED = ('loop', 'long loop', 'four channels', 'functions', 'doubles', 'lookups', '16 taps of 2 levels', 'atomics', 'barriers', 'grid of nothing')


def stop():
    """Fifteen times from the signal, which looks at the clock, and from the deadline, ten milliseconds behind a look; one more
    before them is not counted. The median and the greatest."""
    step = 300000
    clock, wanted = Uneven(step), [['shader', 'engine', 'width', 'flag_ms', 'flag_most_ms', 'deadline_ms', 'deadline_most_ms']]
    for name in STOPPED:
        row = [name, 'interp', '8']
        for deadline in (False, True):
            times = []
            for _ in range(16):
                raised = clock.look() + 0.010
                raised = raised if deadline else clock.look()
                times.append((clock.look() - raised) * 1e3)
            times = sorted(times[1:])
            row += [f'{times[7]:.3f}', f'{times[14]:.3f}']
        wanted.append(row)
    rows = bench(step, 'stop', '--width', '8', uneven=True)
    return [] if rows == wanted else [f'{rows}, not {wanted}']


def compiling_lookups():
    """A hundred states of lookups, each once, and three of these rows again: their places by processor time."""
    if not os.environ.get('SCH_LONG'):
        raise tap.Skip('half a minute; --long')
    if not c.compiles():
        raise tap.Skip('there is no compiler of machine code')
    done = run('compile', '--width', '4')
    rows = [line.split('\t') for line in done.stdout.decode().splitlines()][1 + 3 * len(workloads()) + 6:]
    findings, rows, places = [f'{done}'] if done.returncode else [], rows[:-6], rows[-6:]
    if len({row[0] for row in rows}) != 100 or {row[1] for row in rows} != {'warm'} or {row[2] for row in rows} != {'2'}:
        findings.append(f'{rows}')
    for row in rows:
        times = list(map(float, row[3:]))
        if min(times[2:5]) <= 0 or abs(sum(times[:7]) - times[7]) > 0.01: findings.append(f'{row}')
        if abs(times[9] / sum(times[2:5]) - times[10]) > 0.01: findings.append(f'{row}: ratio')
    units = [float(row[12]) / float(row[11]) for row in rows]  # milliseconds: all rows have one
    if max(units) > min(units) * 1.01 or not 1e-7 < min(units) < 1e-3: findings.append(f'units of {min(units)} to {max(units)} ms')
    rows.sort(key=lambda row: max(float(row[13]), 1 / float(row[13])))
    for (name, at), place in zip((('median', 50), ('90 %', 90), ('worst', 99)), places[3:]):
        if not place[0].startswith(f'{name} of ratios: ') or max(float(place[13]), 1 / float(place[13])) - max(float(rows[at][13]), 1 / float(rows[at][13])) > 0.05:
            findings.append(f'{place}, not {rows[at]}')
    rows.sort(key=lambda row: sum(map(float, row[5:8])))
    for (name, at), place in zip((('median', 50), ('90 %', 90), ('worst', 99)), places):
        costs = [sum(map(float, row[5:8])) for row in (rows[at], place)]
        if not place[0].startswith(f'{name} of lookups: ') or abs(costs[0] - costs[1]) > 0.01: findings.append(f'{place}, not {rows[at]}')
    return findings


def compiling():
    """What passes from a process's begin, or the median of nine that begin warm, by their totals; parts are between looks."""
    if platform.machine() != 'x86_64' or not os.path.exists(COMPILER):
        raise tap.Skip('machine code is for x86-64')

    def once(clock):
        begin = clock.look()
        parse = clock.look() - begin
        prepare = clock.look() - begin - parse
        return parse * 1e3, prepare * 1e3, (clock.look() - begin) * 1e3
    step, wanted = 1000000, []
    for way in ('cold', 'warm', 'hit'):
        clock = Uneven(step)
        begin = clock.look()
        parse, prepare, _ = once(clock)
        total = (clock.look() - begin) * 1e3
        if way == 'warm':
            parse, prepare, total = sorted((once(clock) for _ in range(9)), key=lambda t: t[2])[4]
        wanted.append((way, f'{parse:.3f}', prepare, f'{total:.3f}'))
    findings = []
    path, other = c.write('two.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[0]\nEND\n'), ('--compiler', COMPILER)
    instructions = {name: info(c.write(name, text))['instructions'] for name, text in [*workloads().items(), ('two.tgsi', c.read(path).decode())]}
    calls = [((path, *other), ['two.tgsi']), ((path, path, *other), ['two.tgsi'] * 2)] + [(other, list(workloads()))]
    for call, programs in calls:
        # This compiler has no lookups.
        rows = bench(step, 'compile', *call, '--width', '4', uneven=True, code=FAILED if call == other else c.YES)
        places = [f'{place} of {what}: ' for what in ('programs', 'ratios') for place in ('median', '90 %', 'worst')]
        rows, last = rows[:-6], rows[-6:]
        if [(row[0], row[1]) for row in rows[1:]] != [(name, way) for name in programs for way in ('cold', 'warm', 'hit')]:
            findings.append(f'{rows}')
        if any(not row[0].startswith(place) or row[0][len(place):] not in programs for row, place in zip(last, places)):
            findings.append(f'{last}')
        for row, (way, parse, prepare, total) in zip(rows[1:], wanted * len(programs)):
            times = list(map(float, row[3:]))
            if (row[3], row[10]) != (parse, total) or abs(times[1] + (times[5] if way == 'hit' else 0) - prepare) > 0.002 or abs(sum(times[:7]) - times[7]) > 0.01:
                findings.append(f'{row}, not {way} {parse} {prepare} {total}')
            if row[2] != instructions[row[0]]: findings.append(f'{row}: not {instructions[row[0]]} instructions')
            if way == 'hit' and (times[2], times[3], times[4]) != (0, 0, 0):
                findings.append(f'{row}')
    # Its folder is made in TMPDIR and does not stay.
    os.makedirs(c.path('kept'), exist_ok=True)
    for folder, code in ((c.path('kept'), c.YES), (c.path('no-such-folder'), FAILED), ('/' + 'x' * 4096, FAILED)):
        done = run('compile', path, *other, TMPDIR=folder)
        said = '' if code == c.YES else f'timings: cannot make a folder in {folder}\n'
        if (done.returncode, done.stderr.decode()) != (code, said) or os.listdir(c.path('kept')):
            findings.append(f'{folder}: {done}')
    for paths, count in (((c.path('absent'), path), 1), ((path, c.path('absent'), path), 4)):
        done = run('compile', *paths, *other)
        if done.returncode != FAILED or len(done.stdout.splitlines()) != count or done.stderr.decode() != f'timings: cannot read {c.path("absent")}: No such file or directory\n':
            findings.append(f'{paths}: {done}')
    # Reports are those of check, once.
    bad = c.write('bad.tgsi', 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n')
    warned = c.write('warned.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[0]\n')
    for source, code, number in ((bad, FAILED, ' error 2040: '), (warned, c.YES, ' warning ')):
        done, said = run('compile', source, *other), [line for line in c.run('check', source).stderr.decode().splitlines() if not line.startswith('see: ')]
        if done.returncode != code or done.stderr.decode().splitlines() != said or number not in done.stderr.decode():
            findings.append(f'{done}, not {said}')
    for call in (('compile', path), ('--engine', 'jit'), ('tex', '--engine', 'jit')):
        done = run(*call, '--compiler', c.path('no-such-compiler.so'))
        if done.returncode != FAILED or b'error 4380: no compiler of machine code' not in done.stderr:
            findings.append(f'{done}')
    return findings


def debugging():
    """Sessions open and step back; how fast does not matter here."""
    rows = table('debug', '--width', '8')
    names = ['what', 'open, first pixel', 'open, in the middle', 'open, last pixel', 'step back', 'step back, of a lane', 'step back, memory written']
    findings = [] if [row[0] for row in rows] == names else [f'{rows}']
    return findings + [f'{row}' for row in rows[1:] if len(row) != 3 or not 0 < float(row[1]) <= float(row[2])]


def wrong_calls():
    """What a subject does not take is refused, wherever it stands, with what each takes."""
    findings = []
    calls = [('x',), ('tex', 'x'), ('--engine', 'both'), ('--engine',), ('--budget', '1'), ('--milliseconds', '0'), ('--milliseconds', '1000001'), ('--milliseconds', '3x'),
             ('--width', '5'), ('--width', '2'), ('--threads', '0'), ('compile', '--engine', 'jit'), ('compile', '--threads', '2'), ('compile', '--milliseconds', '2'), ('d3d', '--width', '4'),
             ('d3d', '--engine', 'jit'), ('d3d', 'x.dxbc', '--compiler', 'x'), ('stop', '--milliseconds', '2'), ('threads', '--threads', '3'), ('debug', '--milliseconds', '3')]
    for call in calls:
        done = run(*call)
        if done.returncode != c.USAGE or done.stdout or not done.stderr.startswith(b'usage: ./dev bench'):
            findings.append(f'{done}')
    return findings


if not CLOCK:
    print('1..0 # SKIP no clock of our own')
else:
    tap.run([('shaders', shaders), ('tex', lookups), ('d3d', direct3d), ('threads', threads), ('stop', stop), ('compile', compiling), ('compile, lookups', compiling_lookups),
             ('debug', debugging), ('wrong calls', wrong_calls)])
