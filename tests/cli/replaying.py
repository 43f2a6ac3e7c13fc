#!/usr/bin/env python3
"""replay: recordings of OpenGL programs drawn again. Those of tests/fuzz/corpus are played: what they show is known."""
import hashlib
import json
import os

import command as c
import drawings
import recorded
import tap

FOLDER = os.path.join(tap.SOURCE, 'tests', 'fuzz', 'corpus', 'virgl')
SIDE = 8


def recording(name):
    return os.path.join(FOLDER, name)


def shown():
    """The window's texels are the bytes 0, 1, 2, ... but for one; alpha is not shown."""
    texels = [n for n in range(4 * SIDE * SIDE)]
    texels[4:8] = [0xee] * 4
    texels[3::4] = [255] * (SIDE * SIDE)
    return texels


def frames_are_written():
    findings, texels = [], shown()
    for options in ((), ('--frame', '0'), ('--engine', 'interp', '--width', '4'), ('--threads', '3', '--width', '16')):
        picture = c.path('frame.png')
        findings += c.exit_is(0, 'replay', recording('window'), '-o', picture, *options)
        width, height, got = c.picture(picture)
        if (width, height, list(got)) != (SIDE, SIDE, texels):
            findings.append(f'{options}: another frame')
    return findings


def frames_have_sums():
    """To a file that is replaced, or to standard output; a recording without frames has no lines, which is said."""
    wanted, path = f'0\t{SIDE}x{SIDE}\t{hashlib.sha256(bytes(shown())).hexdigest()}\n', c.write('sums', b'before')
    findings = c.exit_is(0, 'replay', recording('window'), '--frames-sha', path, out='')
    if c.read(path).decode() != wanted:
        findings.append(f'{c.read(path)} is not {wanted!r}')
    for options in (('--engine', 'interp', '--width', '4'), ('--threads', '3')):
        findings += c.exit_is(0, 'replay', recording('window'), '--frames-sha', '-', *options, out=wanted)
    findings += c.exit_is(1, 'replay', recording('grid'), '--frames-sha', path, out='', err='grid shows no frame, so --frames-sha has nothing to write')
    if c.read(path):
        findings.append('frames of a recording that has none')
    findings += c.exit_is(3, 'replay', recording('window'), '--frames-sha', c.path('none') + '/sums', err='none/sums: No such file or directory')
    if os.path.exists('/dev/full'):
        findings += c.exit_is(3, 'replay', recording('window'), '--frames-sha', '/dev/full', err='the sums of frames cannot be written')
    return findings


def what_was_done_is_counted():
    wanted = 'frames\t1\nsubmits\t3\ncommands\t'
    return c.exit_is(0, 'replay', recording('window'), '--stats', out=wanted) + \
        c.exit_is(0, 'replay', recording('query'), '--stats', out='draws\t1\n') + \
        c.exit_is(0, 'replay', recording('grid'), '--stats', out='grids\t1\n')


def compiled_code_is_counted():
    """What the first one compiles the second one finds in the cache."""
    if not c.compiles():
        raise tap.Skip('no compiler of machine code')
    counts = []
    for _ in range(2):
        done = c.run('replay', recording('clear_and_draw'), '--stats', '--engine', 'jit', '--cache', c.path('cache'))
        rows = dict(line.split('\t') for line in done.stdout.decode().splitlines())
        counts.append((int(rows['compiled']), int(rows['from_cache'])))
    return [] if counts[0][0] > 0 and counts == [(counts[0][0], 0), (0, counts[0][0])] else [f'{counts}']


def commands_are_explained():
    """A line for each command and each record, in their order."""
    done = c.run('replay', recording('window'), '--explain')
    lines = done.stdout.decode().splitlines()
    wanted = [f'create resource=50 target=2 format=R8G8B8A8_UNORM bind=0x8a width={SIDE} height={SIDE} depth=1 layers=1 last_level=0 samples=0',
              'memory of resource=50 bytes=256', f'put resource=50 level=0 x=0 y=0 z=0 width={SIDE} height={SIDE} depth=1 row_bytes=0 layer_bytes=0 offset=0',
              'submit 14 words', 'TRANSFER3D resource=50 level=0 usage=0x0 row_bytes=0 layer_bytes=0 x=1 y=0 z=0 width=1 height=1 depth=1 offset=4 direction=1',
              f'get resource=50 level=0 x=0 y=0 z=0 width={SIDE} height={SIDE} depth=1 row_bytes=0 layer_bytes=0 offset=0', 'destroy resource=50']
    findings = [] if done.returncode == 0 and lines[:len(wanted)] == wanted else ['\n# '.join(lines)]
    counted = c.run('replay', recording('window'), '--stats').stdout.decode()
    commands = [line for line in lines if line.split()[0].isupper()]
    return findings + ([] if f'commands\t{len(commands)}\n' in counted else [f'{len(commands)} commands are explained: {counted}'])


def what_is_wrong_is_said():
    """No frame, no such frame, no recording, a recording that is cut."""
    with open(recording('window'), 'rb') as file:
        data = file.read()
    picture = c.path('none.png')
    cut, other = c.write('cut', data[:len(data) - 8]), c.write('other', b'no recording at all')
    findings = c.exit_is(1, 'replay', recording('grid'), '-o', picture, err='shows no frame')
    sizes = []
    for level in ('0', '9'): # the same texels in more bytes and in fewer
        packed = c.path(f'level{level}.png')
        findings += c.exit_is(0, 'replay', recording('window'), '-o', packed, '--compress', level)
        sizes.append((c.picture(packed), os.path.getsize(packed)))
    findings += [] if sizes[0][0] == sizes[1][0] and sizes[0][1] > sizes[1][1] else ['--compress']
    findings += c.exit_is(1, 'replay', recording('window'), '-o', picture, '--frame', '1', err='has no frame 1: it shows 1')
    findings += c.exit_is(1, 'replay', other, '-o', picture, err='other is not a recording')
    findings += c.exit_is(1, 'replay', cut, '-o', picture, err='ends beyond the file')
    findings += c.exit_is(3, 'replay', c.path('nothing'), '-o', picture)
    if os.path.exists(picture):
        findings.append('a picture was written')
    return findings


COUNTED = ['discard', 'overdraw', 'depth-complexity', 'helpers', 'nan']  # by every engine


def counted(path, kinds, *options):
    """(findings, document)."""
    files = [text for kind in kinds for text in ('--heat', f'{kind}={c.path(kind + ".png")}')]
    done = c.run('replay', path, *files, '--json', *options)
    return ([], json.loads(done.stdout)) if done.returncode == 0 else ([f'{options}: {done.returncode} {done.stderr.decode()[:300]}'], None)


def heat_of_frames():
    """Each frame's own draw shades where its picture is green; the clear of frame 0 is no draw. One draw counts the same."""
    path, picture = recorded.recorded_frames(), c.path('frame.png')
    findings = c.exit_is(0, 'replay', path, '-o', picture)
    _, _, texels = c.picture(picture)
    shaded = [[int(tuple(texels[4 * (y * SIDE + x):4 * (y * SIDE + x) + 3]) == (0, 255, 0)) for x in range(SIDE)] for y in range(SIDE)]
    quads = [[any(shaded[2 * (y // 2) + j][2 * (x // 2) + i] for j in (0, 1) for i in (0, 1)) for x in range(SIDE)] for y in range(SIDE)]
    cost = [[2 * int(one) for one in row] for row in quads]  # MOV and END, of helpers too
    helpers = [[int(quad) - one for quad, one in zip(*rows)] for rows in zip(quads, shaded)]
    if not 0 < sum(map(sum, shaded)) < SIDE * SIDE or not any(map(any, helpers)):
        findings.append(f'{shaded}')
    expected = {'overdraw': shaded, 'depth-complexity': shaded, 'helpers': helpers, 'cost': cost}
    ways = [(('--frame', '1'), COUNTED + ['cost']), ((), COUNTED), (('--draw', '1'), COUNTED + ['cost']), (('--engine', 'interp', '--width', '4', '--threads', '2'), COUNTED)]
    for options, kinds in ways + ([(('--engine', 'jit', '--cache', 'none'), COUNTED)] if c.compiles() else []):
        wrong, document = counted(path, kinds, *options)
        findings += wrong
        if wrong:
            continue
        of = {options[0][2:]: 1} if options and options[0] in ('--draw', '--frame') else {'frame': 2}
        if {name: document.get(name) for name in ('frame', 'draw', 'draws') if name in document} != {**of, 'draws': 1}:
            findings.append(f'{options}: {document}')
        for kind in kinds:
            values = expected.get(kind, [[0] * SIDE] * SIDE)
            findings += drawings.heat_picture(kind + '.png', values, SIDE, SIDE, kind)
            if document['heat'][kind]['sum'] != sum(map(sum, values)) or document['heat'][kind]['pixels'] != SIDE * SIDE:
                findings.append(f'{options}: {kind}: {document["heat"][kind]}')
    wrong, document = counted(path, ['overdraw'], '--frame', '0')
    findings += wrong if wrong or (document['draws'], document['heat']['overdraw']['max']) == (0, 0) else [f'{document}']
    return findings + c.exit_is(0, 'replay', path, '--frame', '0', '--heat', f'nan={c.path("nan.png")}', err='no draw writes what the frame shows')


def heat_mistakes():
    path, one = recorded.recorded_frames(), ('--heat', f'cost={c.path("h.png")}')
    findings = []
    for code, err, more in (
            (c.USAGE, '--heat is KIND=FILE, where KIND is cost', ('--heat', 'cost')), (c.USAGE, '--heat cost is there twice', (*one, *one)),
            (c.USAGE, '--json goes with --heat', ('--json',)), (c.USAGE, '--draw goes with --heat', ('--draw', '1')),
            (c.USAGE, '--draw is a number from 1, not 0', ('--draw', '0', *one)), (c.USAGE, '--draw does not go with --frame', (*one, '--draw', '1', '--frame', '1')),
            (c.USAGE, '--json does not go with --stats', (*one, '--json', '--stats')), (c.USAGE, '--json does not go with --explain', (*one, '--json', '--explain')),
            (c.USAGE, '--json does not go with --frames-sha -', (*one, '--json', '--frames-sha', '-')),
            (c.USAGE, '--heat does not go with --debug-pixel', (*one, '--frame', '1', '--debug-pixel', '1,1')),
            (c.USAGE, '--frame goes with -o, --heat or --debug-pixel', ('--frame', '1')),
            (c.UNSUPPORTED, 'replay: --engine jit does not count instructions', (*one, '--engine', 'jit')),
            (c.NO, 'has no frame 3: it shows 3', (*one, '--frame', '3')), (c.NO, 'has no draw 3: it has 2', (*one, '--draw', '3')),
            (c.IO, 'cannot write', ('--heat', 'cost=' + c.path('absent/h.png')))):
        findings += c.exit_is(code, 'replay', path, *more, err=err)
    return findings + c.exit_is(c.NO, 'replay', recording('clear_and_draw'), *one, err='shows no frame')


tap.run([('frames are written', frames_are_written), ('frames have sums', frames_have_sums),
         ('what was done is counted', what_was_done_is_counted),
         ('compiled code is counted', compiled_code_is_counted), ('commands are explained', commands_are_explained),
         ('what is wrong is said', what_is_wrong_is_said), ('heat of frames and draws', heat_of_frames), ('mistakes of heat', heat_mistakes)])
