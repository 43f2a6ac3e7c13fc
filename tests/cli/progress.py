#!/usr/bin/env python3
"""The line on a terminal that says how far a verb is: it comes after a second, it goes, and nothing else changes by it."""
import json
import os
import pty
import re
import signal
import subprocess
import threading
import time

import command as c
import tap

WAIT = 1.6  # seconds that what is tried takes at least
CLEAR = b'\r\x1b[K'
PASSES = 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n'
READS = 'FRAG\nDCL IN[0], GENERIC, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n'
ENDLESS = 'DCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDLOOP\nEND\n'
SCENE = """texture picture { size 8 8; format R8G8B8A8_UNORM }
shader covering vertex {
  VERT
  DCL IN[0]
  DCL OUT[0], POSITION
  MOV OUT[0], IN[0]
  END
}
shader endless fragment {
  FRAG
  DCL OUT[0], COLOR
""" + ENDLESS + """}
mesh triangle {
  position float2
  vertices { -1 -1   3 -1   -1 3 }
}
pass {
  color 0 picture
  clear color 1 1 1 1
  use covering endless
  draw triangles mesh triangle
}
"""


def late(content, seconds=WAIT):
    """A file that says what is in it some time after it was opened."""
    path = c.path('late')
    if os.path.exists(path):
        os.remove(path)
    os.mkfifo(path)

    def write():
        with open(path, 'wb') as file:
            time.sleep(seconds)
            file.write(content)
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return path


def on_terminal(*arguments, stdout=subprocess.PIPE, term='xterm', interrupt=None):
    """Exit code, standard output, and what the terminal got as standard error; of both where `stdout` is None. SIGINT
    comes after `interrupt` seconds."""
    master, slave = pty.openpty()
    process = subprocess.Popen([c.COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=slave if stdout is None else stdout,
                               stderr=slave, env={**os.environ, 'TERM': term, 'NO_COLOR': '1'})
    os.close(slave)
    if interrupt:
        threading.Timer(interrupt, process.send_signal, (signal.SIGINT,)).start()
    said, printed = [], []
    reader = threading.Thread(target=lambda: printed.append(process.stdout.read())) if stdout else None
    if reader:
        reader.start()
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # the terminal has no end that writes
            break
        said.append(piece)
    os.close(master)
    if reader:
        reader.join()
        process.stdout.close()
    return process.wait(), b''.join(printed), b''.join(said)


def shown(said):
    """The lines that came and went, and what stays."""
    lines = re.findall(rb'\r\x1b\[K([^\r\n]+)(?=\r\x1b\[K)', said)
    return lines, re.sub(rb'\r\x1b\[K[^\r\n]+(?=\r\x1b\[K)', b'', said).replace(CLEAR, b'')


def line_of(pattern, *arguments, wanted=c.YES, rest=b'', **more):
    """The line has the form, comes in no more than the updates that there may be, and nothing of it stays."""
    begun = time.monotonic()
    code, printed, said = on_terminal(*arguments, **more)
    took = time.monotonic() - begun
    lines, left = shown(said)
    findings = [] if code == wanted else [f'{arguments}: exit {code}: {said}']
    if not lines or not all(re.fullmatch(pattern, line) for line in lines):
        findings.append(f'{arguments}: {lines}')
    if len(lines) > 10 * took or b'0 s' in [line[-3:].strip() for line in lines]:
        findings.append(f'{arguments}: {len(lines)} lines in {took} s: {lines}')
    if rest is not None and left != rest:
        findings.append(f'{arguments}: {left} stays')
    return findings, printed


def comes_and_goes():
    """Each verb that may take long says its name, what it counts and the seconds."""
    quick = [c.write(f'{n}.tgsi', PASSES) for n in range(3)]
    photo, small = c.read(c.PHOTO), c.png('small.png', 2, 2, bytes(16))
    reads, out = c.write('reads.tgsi', READS), c.path('out.png')
    findings = []
    for pattern, arguments in (
            (rb'check: 0 of 4 files, \d+ s', ('check', 'LATE', *quick)),
            (rb'dis: 3 of 4 files, \d+ s', ('dis', *quick, 'LATE')),
            (rb'asm: 0 of 4 files, \d+ s', ('asm', 'LATE', *quick, '-o', c.path('tokens') + '/')),
            (rb'eval: \d+ s', ('eval', quick[0], '--vectors', 'LATE')),
            (rb'sample: \d+ s', ('sample', '--batch', 'LATE', '--tex', small))):
        late_text = PASSES if arguments[0] in ('check', 'dis', 'asm') else 'IN[0]=0,0,0,0\n' if arguments[0] == 'eval' else '--at 0,0\n'
        path = late(late_text.encode())
        findings += line_of(pattern, *[path if word == 'LATE' else word for word in arguments])[0]
    for pattern, arguments in ((rb'convert: \d+ s', ('convert', 'LATE', '-o', out)), (rb'diff: \d+ s', ('diff', 'LATE', c.PHOTO)),
                               (rb'run: \d+ s', ('run', reads, '--tex', '0=LATE', '--size', '16x16', '-o', out))):
        path = late(photo)
        findings += line_of(pattern, *[word.replace('LATE', path) for word in arguments])[0]
    return findings


def counts():
    """A dispatch in per cent, a scene in statements."""
    grid = c.write('grid.tgsi', 'COMP\n' + ENDLESS)
    scene = c.write('endless.scene', SCENE)
    limits = ('--budget', '4000000000', '--deadline', str(int(WAIT * 1000)), '--engine', 'interp')
    findings = line_of(rb'run: 0 %, \d+ s', 'run', grid, '--grid', '2,1,1', '--block', '1,1,1', *limits, wanted=c.LIMIT, rest=None)[0]
    findings += line_of(rb'render: 4 of 5 statements, \d+ s', 'render', scene, *limits, wanted=c.LIMIT, rest=None)[0]
    return findings


def those_that_shaders_are_looked_at_with():
    """compare, reduce and trace; what ends them by SIGINT is the signal, and a line is left that says so. A page ends at
    100,000 moments, before the signal perhaps, so it is asked for later ones: what it skips is cancelled as well."""
    findings, quick = [], c.write('quick.tgsi', PASSES)
    endless = c.write('endless.tgsi', 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n' + ENDLESS)
    vectors, code = c.write('one.tsv', 'IN[0]=0,0,0,0\n'), c.write('code.maxwell', 'TEX R4, R0, 0x0, 2D, 0xf;\n')
    compare, trace = ('compare', '--count', '4000000000', quick, quick), ('trace', endless, '--vectors', vectors, '--budget', '4000000000')
    for pattern, arguments, more in ((rb'compare: \d+ of 4000000000 inputs, \d+ s', compare, ()), (rb'compare: \d+ of 4000000000 inputs, \d+ s', compare[:-2] + (code, code), ()),
                                     (rb'trace: \d+ moments, \d+ s', trace, ()), (rb'trace: \d+ s', trace, ('--html', '--from', '1000000000')), (rb'trace: \d+ moments, \d+ s', trace, ('--json',))):
        got, printed = line_of(pattern, *arguments, *more, wanted=-signal.SIGINT, rest=None, interrupt=WAIT)
        findings += got
        if more == ('--json',) and json.loads(printed)['complete']:
            findings.append('the document says that it is complete')
        if '--html' in more and not printed.endswith(b'</html>\n'):
            findings.append(f'no whole page: {printed[-100:]}')
        code_of, printed, said = on_terminal(*arguments, *more, '-q', interrupt=WAIT)
        if code_of != -signal.SIGINT or not re.fullmatch(rb'scheelite: (\S+: )?cancelled\r\n', said):
            findings.append(f'{arguments} -q: {code_of} {said}')
    got, printed = line_of(rb'reduce: (\d+ of \d+ bytes, )?\d+ s', 'reduce', quick, '--test', 'sleep 0.5; false', rest=None)
    findings += got + ([] if printed.startswith(b'FRAG\n') and b'\x1b' not in printed else [f'reduce: {printed}'])
    done = on_terminal('reduce', quick, '-q', '--test', 'sleep 0.5; false')
    return findings if done == (c.YES, printed, b'') else findings + [f'reduce -q: {done}']


def nothing_else():
    """What is printed is the same with the line and without one: without a terminal, with -q, on a dumb one, for what is
    quick, and where the verb prints to a terminal itself there is none."""
    reads, pictures = c.write('reads.tgsi', READS), []
    photo, findings = c.read(c.PHOTO), []

    def draw(name, how, *more, **keys):
        out = c.path(f'{name}.png')
        code, printed, said = how('run', reads, '--tex', f'0={late(photo)}', '--size', '16x16', '-o', out, *more, **keys)
        pictures.append(c.read(out))
        return [] if (code, printed) == (c.YES, b'') else [f'{name}: {code} {printed}'], said

    def piped(*arguments):
        done = c.run(*arguments)
        return done.returncode, done.stdout, done.stderr
    got, said = draw('line', on_terminal)
    findings += got + ([] if re.search(rb'run: \d+ s', said) and said.endswith(CLEAR) else [f'with a line: {said}'])
    for name, how, more, keys in (('quiet', on_terminal, ('-q',), {}), ('dumb', on_terminal, (), {'term': 'dumb'}), ('piped', piped, (), {})):
        got, said = draw(name, how, *more, **keys)
        findings += got + ([f'{name}: {said}'] if said else [])
    if len(set(pictures)) != 1:
        findings.append('the pictures differ')
    quick = c.write('quick.tgsi', PASSES)
    if on_terminal('check', quick, quick) != (c.YES, b'', b''):
        findings.append(f'a quick one: {on_terminal("check", quick, quick)}')
    code, _, said = on_terminal('dis', quick, late(PASSES.encode()), stdout=None)
    if code or b'files' in said or b'\x1b' in said:
        findings.append(f'dis to the terminal: {said}')
    return findings


def messages():
    """A message begins on a line of its own."""
    code, _, said = on_terminal('check', late(b'FRAG\nQUUX\n'), c.write('quick.tgsi', PASSES))
    return [] if code == c.NO and re.search(rb'\d+ s\r\x1b\[K[^\r\n]*late:2:1: error 1003', said) else [f'{code} {said}']


if __name__ == '__main__':
    tap.run([('comes and goes', comes_and_goes), ('counts', counts), ('those that shaders are looked at with', those_that_shaders_are_looked_at_with), ('nothing else', nothing_else), ('messages', messages)])
