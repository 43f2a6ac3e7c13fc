#!/usr/bin/env python3
"""What is met every day: --version, doctor, a reader that goes away, outputs that are inputs, where errors are explained,
words that were nearly right."""
import json
import os
import re
import signal
import subprocess

import command as c
import tap

FRAGMENT = 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n'


def version():
    """The version; then what is found of the rest."""
    done = c.run('--version')
    wanted = r'scheelite 0\.2\.0\nmachine code: (LLVM [\d.]+, /[^\n]+/libscheelite-jit\.so\.1|none; [^\n]+)\nprocessor: operations w\d+(v\d)?, vectors of (4|8|16) lanes\ncache: [^\n]+\n'
    findings = [] if re.fullmatch(wanted, done.stdout.decode()) and not done.returncode and not done.stderr else [f'{done}']
    findings += c.says(c.YES, done.stdout.decode(), '', 'version')
    empty = c.run('--version', env={'PATH': os.environ['PATH']}).stdout.decode()
    return findings + ([] if empty.endswith('\ncache: none\n') else [empty])


def doctor():
    """A line for each check; 1 and no package but a reason where something is missing."""
    cache = c.path('cache')
    env = {**os.environ, 'XDG_CACHE_HOME': cache, 'PATH': '/nowhere'}
    done, whole = c.run('doctor', env=env), json.loads(c.run('doctor', '--json', env=env).stdout)
    rows = [line.split('\t') for line in done.stdout.decode().splitlines()]
    names = ['library', 'compiler', 'process', 'cache', 'sandbox', 'virpipe', 'hlsl', 'jpeg', 'exr', 'dap', 'terminal']
    findings = [] if [row[1] for row in rows] == names else [f'{rows}']
    told = [[check['state'], check['name'], check['detail']] + ([check['package']] if check['package'] else []) for check in whole['checks']]
    if told != rows or whole['schema'] != 'scheelite-doctor/1' or whole['exit'] != done.returncode:
        findings.append(f'{told}, not {rows}')
    state = {row[1]: row for row in rows}
    if state['cache'][:3] != ['ok', 'cache', os.path.join(cache, 'scheelite')] or state['hlsl'] != ['absent', 'hlsl', 'vkd3d-compiler was not found', 'vkd3d-compiler']:
        findings.append(f'{rows}')
    lost = c.run('doctor', '--compiler', c.path('none.so'), '--cache', c.path('no/such/folder'), env=env)
    text = lost.stdout.decode()
    if lost.returncode != c.NO or not re.search(r'(?m)^missing\tcompiler\t.*none\.so.*\tlibscheelite-jit$', text) or not re.search(r'(?m)^missing\tcache\t.*/no/such/folder cannot be written$', text):
        findings.append(text)
    findings += [f'{row}: it was built, so a package to build with helps' for row in rows if row[2].startswith('built without') and not row[-1].endswith('-dev')]
    if (done.returncode == c.YES) != all(row[0] != 'missing' for row in rows):
        findings.append(f'{done}')
    return findings + c.exit_is(c.USAGE, 'doctor', 'x', err='what is x?')


def report():
    """What doctor says, and what a report of a fault needs besides, without the name of a home."""
    home = c.path('home of somebody')
    os.makedirs(os.path.join(home, 'cache', 'scheelite'))
    with open(os.path.join(home, 'cache', 'scheelite', 'one'), 'wb') as file:
        file.write(bytes(3000))
    env = {**os.environ, 'HOME': home, 'XDG_CACHE_HOME': os.path.join(home, 'cache'), 'PATH': '/nowhere', 'GALLIUM_DRIVER': 'softpipe', 'SECRET': 'of mine'}
    plain, done = c.run('doctor', env=env), c.run('doctor', '--report', env=env)
    text = done.stdout.decode()
    findings = [f'{word!r} is in it' for word in (home, 'of mine') if word in text]
    rows = [line.split('\t') for line in text.splitlines()]
    findings += [] if rows[:len(plain.stdout.splitlines())] and done.returncode == plain.returncode else [f'{done}']
    more = [row[1] for row in rows[len(plain.stdout.splitlines()):]]
    findings += [] if more[:4] == ['system', 'processor', 'memory', 'cached'] and set(more[4:]) == {'environment'} else [f'{more}']
    for wanted in (['ok', 'cache', '~/cache/scheelite'], ['ok', 'cached', '1 files, 2 KiB'], ['ok', 'environment', 'GALLIUM_DRIVER=softpipe'],
                   ['ok', 'environment', 'XDG_CACHE_HOME=~/cache']):
        findings += [] if wanted in rows else [f'no {wanted} in {rows}']
    return findings


def versions():
    """The version of Mesa is that of the driver which programs get; nothing of the machine is printed."""
    folder = c.path('drivers')
    os.mkdir(folder)
    driver = os.path.join(folder, 'swrast_dri.so')
    with open(driver, 'wb') as file:  # the words stand across the ends of blocks
        file.write(bytes((1 << 16) - 3) + b'virpipe' + bytes((1 << 16) - 9) + b'%u.%u%s Mesa 99.1.2-3\0Mesa 7\0')
    env = {**os.environ, 'LIBGL_DRIVERS_PATH': '/nowhere:' + folder}
    own = c.run('--version').stdout.decode().splitlines()[0].split()[1]
    return c.exit_is(c.YES, 'gl', '--versions', env=env, out=f'mesa\t99.1.2-3\t{driver}\nscheelite\t{own}\n')


def reader_that_goes():
    """| head: nothing is said, and the status is that of the signal; a full disk is another matter (reports.py)."""
    done = subprocess.run(f'{c.COMMAND} list errors | head -n 1; exit ${{PIPESTATUS[0]}}', shell=True, executable='/bin/bash', stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    findings = [] if (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b'') and done.stdout.count(b'\n') == 1 else [f'{done}']
    shader, lines = c.write('plain.tgsi', FRAGMENT), c.write('lines.tsv', 'IN[0]=0x1\n' * 20000)
    done = subprocess.run(f'{c.COMMAND} eval {shader} --vectors {lines} | head -n 1; exit ${{PIPESTATUS[0]}}', shell=True, executable='/bin/bash', stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return findings + ([] if (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b'') else [f'{done}'])


def outputs_that_are_inputs():
    """By whatever name: nothing is written."""
    shader, picture = c.write('plain.tgsi', FRAGMENT), c.png('in.png', 2, 2, bytes(16))
    os.symlink(picture, c.path('link.png'))
    os.link(picture, c.path('hard.png'))
    buffer, findings = c.write('buffer.bin', bytes(16)), []
    before = c.read(picture)
    for arguments, read, option in (
            (('asm', shader, '-o', shader), shader, '-o'), (('translate', '--to', 'd3d-asm', shader, '-o', shader), shader, '-o'), (('convert', picture, '-o', picture), picture, '-o'),
            (('convert', picture, '-o', c.path('link.png')), picture, '-o'), (('convert', c.path('link.png'), '-o', c.path('hard.png')), c.path('link.png'), '-o'),
            (('diff', picture, picture, '-o', c.path('hard.png')), picture, '-o'), (('run', shader, '--tex', f'0={picture}', '-o', picture), picture, '-o'),
            (('run', shader, '--tex', f'0={picture}', '--target', f'0={picture},format=R8G8B8A8_UNORM'), picture, '--target'),
            (('run', shader, '--buffer', f'0={buffer}', '--buffer-out', f'0={buffer}', '-o', c.path('new.png')), buffer, '--buffer-out')):
        findings += c.says(c.USAGE, '', f'scheelite: {read} is read, and {option} would write over it; name another file\n', *arguments)
    if c.read(picture) != before or c.read(shader) != FRAGMENT.encode() or os.path.exists(c.path('new.png')):
        findings.append('something was written')
    return findings + c.exit_is(c.YES, 'asm', shader, '-o', '/dev/null') + c.exit_is(c.YES, 'convert', picture, '-o', c.path('other.png'))


def where_errors_are_explained():
    """A line for each number, once; none for warnings, with -q, and in JSON."""
    wrong = c.write('wrong.tgsi', 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nMOV OUT[0], IN[1]\nENDIF\nMOV OUT[0], CONST[0]\nEND\n')
    said = c.run('check', wrong).stderr.decode()
    numbers = list(dict.fromkeys(re.findall(r': error (\d+):', said)))
    lines = [line for line in said.splitlines() if line.startswith('see:')]
    findings = [] if lines == [f'see: scheelite explain {number}' for number in numbers] and len(numbers) >= 2 and said.endswith(lines[-1] + '\n') else [said]
    warned = c.write('warned.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n')
    for arguments in (('check', '-q', wrong), ('check', '--json', wrong), ('check', '-Wpedantic', warned)):
        if 'see:' in c.run(*arguments).stderr.decode():
            findings.append(f'{arguments} tells where errors are explained')
    for number in numbers:
        findings += c.exit_is(c.YES, 'explain', number, out=f'error {number} ')
    return findings


def nearly_right():
    """What was meant is named; what is like nothing is not guessed at."""
    shader, findings = c.write('plain.tgsi', FRAGMENT), []
    for arguments, meant in (
            (('run', shader, '--enigne', 'jit'), '--engine'), (('run', shader, '--engine', 'intrep'), 'interp'), (('list', 'opcods'), 'opcodes'), (('explain', 'MDA'), 'MAD'), (('explain', 'GENERC'), 'GENERIC'),
            (('check', '--limit', 'nestng=1', shader), 'nesting'), (('check', '-Wno-unbound_constant', shader), 'UNBOUND_CONSTANTS'), (('check', '-Wpedntic', shader), '-Wpedantic'), (('check', '-x', 'tsgi', shader), 'tgsi'),
            (('sample', '--tex', 'zero:R8G8B8A8_UNROM:4x4', '--at', '0,0'), 'R8G8B8A8_UNORM'), (('sample', '--tex', 'zero:R8_UNORM:4x4', '--at', '0,0', '--wrap', 'repaet'), 'repeat'),
            (('sample', '--tex', 'zero:R8_UNORM:4x4', '--at', '0,0', '--op', 'gahter'), 'gather'), (('run', shader, '--tex', '0=a.png,fliter=linear', '-o', 'x.png'), 'filter'),
            (('run', shader, '--tex', '0=a.png,filter=liner', '-o', 'x.png'), 'linear'), (('run', shader, '--sampler', '0=warp=clamp', '-o', 'x.png'), 'wrap'), (('translate', '--to', 'tgs', shader), 'tgsi'),
            (('convert', 'a.png', '-o', 'b.png', '--format', 'R8_UNROM'), 'R8_UNORM'), (('chekc', shader), 'check'), (('help', 'evla'), 'eval')):
        done = c.run(*arguments, cwd=c.FOLDER.name)
        if not re.search('[;?] did you mean ' + re.escape(meant) + r'\?', done.stderr.decode()) or done.returncode not in (c.USAGE, c.NO) or done.stderr.count(b'did you mean') != 1:
            findings.append(f'{arguments}: {done.stderr.decode()}')
    for text, meant in (('FRAG\nDLC OUT[0], COLOR\n', 'DCL'), ('FRAG\nDCL OUT[0], COLOR\nMUUL OUT[0], OUT[0], OUT[0]\n', 'MUL'), ('ps_5_0\nmvo r0, r1\n', 'mov'), ('ps_5_0\nsample_lz r0\n', None), ('FRAG\nQUUX\n', None)):
        said = c.run('check', '-', stdin=text).stderr.decode()
        if (f'; did you mean {meant}?' if meant else '; did you mean') not in said and meant or not meant and 'did you mean' in said and text.startswith('FRAG'):
            findings.append(f'{text}: {said}')
    for word in ('quux', 'x', '--', 'zzzzzzzzzz' * 20):
        if 'did you mean' in c.run('list', word).stderr.decode():
            findings.append(f'something is meant by {word}')
    return findings


if __name__ == '__main__':
    tap.run([('version', version), ('doctor', doctor), ('report', report), ('versions', versions), ('reader that goes', reader_that_goes), ('outputs that are inputs', outputs_that_are_inputs),
             ('where errors are explained', where_errors_are_explained), ('nearly right', nearly_right)])
