#!/usr/bin/env python3
"""replay --shaders and gl --shaders: a file for each text of a program, which the verbs for shaders take as it is, with the draws
that used it. Recordings and clients are those of refused.py."""
import os
import subprocess
import sys

import command as c
import refused as r
import tap

ENGINE = ('--engine', 'interp', '--cache', 'none')
# As virpipe writes |x|, without a sign that it was virpipe: in a file of TGSI it would be MAX.
ABSOLUTE = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n0: MAX OUT[0], IN[0], -IN[0]\n1: END\n'
GEOMETRY = ('GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\nPROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\n'
            'DCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n0: MOV OUT[0], IN[0][0]\n1: EMIT IMM[0].xxxx\n2: END\n')
CONTROL = 'TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\n0: MOV OUT[0][0], IN[0][0]\n1: END\n'
EVALUATION = ('TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 0\nPROPERTY TES_VERTEX_ORDER_CW 0\nPROPERTY TES_POINT_MODE 0\nDCL IN[][0], POSITION\n'
              'DCL OUT[0], POSITION\n0: MOV OUT[0], IN[0][0]\n1: END\n')
COUNTS = r.COMP[:r.COMP.index('0: MOV')] + '0: MOV TEMP[0].x, IMM[0].xxxx\n1: END\n'
STAGES = ((r.VERTEX, 'vertex', r.VERT), (r.FRAGMENT, 'fragment', r.FRAG), (2, 'geometry', GEOMETRY), (3, 'tess_ctrl', CONTROL), (4, 'tess_eval', EVALUATION),
          (r.COMPUTE, 'compute', COUNTS))


def texts(folder):
    """{name: text}."""
    return {name: c.read(os.path.join(folder, name)).decode() for name in sorted(os.listdir(folder))}


def replayed(data, name, *options, code=0, err=None):
    """(findings, texts of the files)."""
    folder = c.path(name)
    findings = c.exit_is(code, 'replay', c.write(name + '.rec', data), '--shaders', folder, *ENGINE, *options, err=err)
    return findings, texts(folder)


def firsts(files):
    return {name: text.split('\n')[0] for name, text in files.items()}


def differs(got, wanted):
    return [] if got == wanted else [f'{got}, not {wanted}']


def draws_are_named():
    """Ranges of draws; one file of a text that comes twice, in another form; another one that is bound and never drawn with."""
    again = r.shader(5, r.FRAGMENT, r.FRAG.replace('0: MOV', 'MOV').replace('FRAG\n', 'FRAG\n\n'))
    other = r.shader(6, r.FRAGMENT, r.FRAG.replace('{0,', '{1,'))
    unused = r.shader(7, r.FRAGMENT, r.FRAG.replace('{0,', '{2,')) + r.bound(r.FRAGMENT, 7)
    findings, files = replayed(r.one(r.draw(), r.draw(), again, other, r.bound(r.FRAGMENT, 6), r.draw(), r.bound(r.FRAGMENT, 5), r.draw(), unused, before=r.PICTURE), 'draws')
    wanted = {'vertex-0001.tgsi': 'VERT # draws 1-4', 'fragment-0002.tgsi': 'FRAG # draws 1-2, 4', 'fragment-0003.tgsi': 'FRAG # draw 3', 'fragment-0004.tgsi': 'FRAG # no draw'}
    findings += differs(firsts(files), {name: wanted[name] for name in sorted(wanted)})
    many = b''.join(r.bound(r.FRAGMENT, 4 + 2 * (n % 2)) + r.draw() for n in range(50))
    wrong, files = replayed(r.one(other, many, before=r.PICTURE), 'many')
    listed = ', '.join(str(n) for n in range(1, 33, 2))
    return findings + wrong + differs(files.get('fragment-0002.tgsi', '').split('\n')[0], f'FRAG # draws {listed}, and 9 more up to 49')


def verbs_take_them():
    """As they are: the lines have the numbers of a trace of the recording, and nothing is warned of."""
    findings, files = replayed(r.one(r.draw(), before=r.PICTURE), 'verbs')
    folder = c.path('verbs')
    path, recording = os.path.join(folder, 'fragment-0002.tgsi'), os.path.join(folder + '.rec')
    text = files['fragment-0002.tgsi']
    plain = c.write('plain.tgsi', text.replace(' # draw 1', ''))
    findings += c.exit_is(0, 'check', '-Werror', *(os.path.join(folder, name) for name in files), out='') + c.exit_is(0, 'compare', path, plain)
    findings += differs(c.run('dis', path).stdout.decode(), c.run('dis', plain).stdout.decode())
    values = c.write('values.tsv', '\n')
    of_file, of_recording = (c.run('trace', *words).stdout.decode().split('\n')[1:] for words in ((os.path.join(folder, 'vertex-0001.tgsi'), '--vectors', values), (recording, '--draw', '1', '--stage', 'vertex')))
    findings += [] if of_file == of_recording and 'line 4 ' in of_file[0] else [f'{of_file}, not {of_recording}']
    return findings + c.exit_is(0, 'eval', path, '--vectors', values, out='OUT[0]=0x00000000,0x00000000,0x00000000,0x3f800000\n')


def meanings_stay():
    """What a client of virgl means by a text is what a reader of TGSI takes the file for."""
    findings, files = replayed(r.one(r.shader(9, r.FRAGMENT, ABSOLUTE)), 'meaning')
    path = os.path.join(c.path('meaning'), 'fragment-0001.tgsi')
    findings += c.exit_is(0, 'eval', path, '-Werror', '--vectors', c.write('zeros.tsv', 'IN[0]=80000000,0,bf800000,3f800000\n'), out='OUT[0]=0x00000000,0x00000000,0x3f800000,0x3f800000\n')
    return findings + ([] if '|' in files['fragment-0001.tgsi'] else [str(files)])


def every_stage():
    """Grids are counted of compute shaders."""
    commands = [r.shader(20 + stage, stage, text) for stage, _, text in STAGES]
    grid = r.bound(r.COMPUTE, 20 + r.COMPUTE) + r.command(37, 1, 1, 1, 1, 1, 1, 0, 0) * 2
    findings, files = replayed(r.one(*commands, grid), 'stages')
    wanted = {f'{word}-{number:04}.tgsi': f'{text.split()[0]} # {"grids 1-2" if word == "compute" else "no draw"}' for number, (_, word, text) in enumerate(STAGES, 1)}
    findings += differs(firsts(files), {name: wanted[name] for name in sorted(wanted)})
    return findings + c.exit_is(0, 'check', *(os.path.join(c.path('stages'), name) for name in files))


def refused():
    """What the client sent, and check says why; the exit code says that something was lost."""
    text = 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n'
    findings, files = replayed(r.one(r.shader(9, r.FRAGMENT, text)), 'refused', code=c.LIMIT, err='lost: 1 object; ')
    findings += differs(files, {'fragment-0001.tgsi': text.replace('FRAG\n', 'FRAG # refused; no draw\n')})
    return findings + c.exit_is(c.NO, 'check', os.path.join(c.path('refused'), 'fragment-0001.tgsi'), err='fragment-0001.tgsi:3:1: error 2040: IN[0] is not declared')


def folders():
    """A folder that is there and empty; one that is not; none that can be made; and nothing to write."""
    path, folder = c.write('one.rec', r.one(r.draw(), before=r.PICTURE)), c.path('folder')
    os.mkdir(folder)
    findings = c.exit_is(0, 'replay', path, '--shaders', folder, *ENGINE, out='')
    before = texts(folder)
    findings += c.exit_is(c.IO, 'replay', path, '--shaders', folder, *ENGINE, err='folder is not empty: --shaders writes to a folder of its own\n')
    findings += differs((len(before), texts(folder)), (2, before))
    findings += c.exit_is(c.IO, 'replay', path, '--shaders', c.path('none') + '/below', *ENGINE, err='/below: No such file or directory\n')
    findings += c.exit_is(c.IO, 'replay', path, '--shaders', path, *ENGINE, err='one.rec: Not a directory\n')
    findings += c.exit_is(c.NO, 'replay', c.write('empty.rec', r.recording(r.resource(1))), '--shaders', c.path('empty'), *ENGINE, err='there is no shader, so --shaders has nothing to write\n')
    findings += c.exit_is(c.USAGE, 'replay', path, '--shaders', err='--shaders')
    return findings + ([] if os.listdir(c.path('empty')) == [] else ['files of nothing'])


def bounded():
    """4,096 files; how many shaders are left out is said. Those that come again have their file."""
    made = [r.shader(100 + n, r.FRAGMENT, r.FRAG.replace('{0, 0, 0, 1}', f'{{0, 0, {n}, 1}}')) for n in range(4100)]
    again = [r.shader(9000 + n, r.FRAGMENT, r.FRAG.replace('{0, 0, 0, 1}', f'{{0, 0, {n}, 1}}')) for n in range(3)]
    data = r.recording(*(r.submit(*made[n:n + 100]) for n in range(0, len(made), 100)), r.submit(*again))
    findings, files = replayed(data, 'bounded', code=c.LIMIT, err='bounded lacks 4 shaders: --shaders keeps 4096, and 64 MiB of their texts\n')
    return findings + differs((len(files), 'fragment-4096.tgsi' in files), (4096, True))


# ---- gl ----------------------------------------------------------------------------------------------------------------

def gl(program, *options):
    return subprocess.run([c.COMMAND, 'gl', *ENGINE, *options, '--', sys.executable, '-c', program], capture_output=True, text=True, timeout=120)


def sends(*commands):
    data = b''.join(commands)
    return f'say(6, *struct.unpack("<{len(data) // 4}I", {data!r}))\nping()\n'


def of_clients():
    """Two at once: each draws with the first text, one of them with a second one; what the first client sends later stands before that. Replay has the same of their recordings."""
    picture = b''.join((r.command(1, 1, 1, r.RGBA, 0, 0, kind=8), r.command(5, 1, 0, 1), r.shader(3, r.VERTEX, r.VERT), r.shader(4, r.FRAGMENT, r.FRAG), r.bound(r.VERTEX, 3),
                        r.bound(r.FRAGMENT, 4), r.draw()))
    second = r.shader(5, r.FRAGMENT, r.FRAG.replace('{0,', '{1,')) + r.bound(r.FRAGMENT, 5) + r.draw() + r.draw()
    make = 'say(2, 1, 2, 67, 2, 8, 8, 1, 1, 0, 0)\n'
    program = r.CLIENT + make + sends(picture) + 'first = s\ns = socket.socket(socket.AF_UNIX)\ns.connect(os.environ["VTEST_SOCKET_NAME"])\n' + make + sends(picture, second) + \
        's = first\n' + sends(r.draw(), r.shader(6, r.FRAGMENT, r.FRAG.replace('{0,', '{2,')))
    folder, record = c.path('clients'), c.path('clients.rec')
    done = gl(program, '--shaders', folder, '--record', record)
    findings = [] if done.returncode == 0 and not done.stderr else [str(done)]
    files = texts(folder)
    wanted = {'fragment-0002.tgsi': 'FRAG # client 1: draws 1-2; client 2: draw 1', 'fragment-0003.tgsi': 'FRAG # client 1: no draw', 'fragment-0004.tgsi': 'FRAG # client 2: draws 2-3',
              'vertex-0001.tgsi': 'VERT # client 1: draws 1-2; client 2: draws 1-3'}
    findings += differs(firsts(files), wanted)
    for recording, count in ((record, 3), (record + '-2', 3)):
        again = c.path('again-' + os.path.basename(recording))
        findings += c.exit_is(0, 'replay', recording, '--shaders', again, *ENGINE)
        bodies = {text.split('\n', 1)[1] for text in texts(again).values()}
        findings += differs((len(bodies), bodies <= {text.split('\n', 1)[1] for text in files.values()}), (count, True))
    return findings


def clients_that_end():
    """What a client has sent before its process is killed is written; the program's exit code goes first."""
    folder = c.path('killed')
    done = gl(r.CLIENT + sends(r.shader(3, r.VERTEX, r.VERT)) + sends(r.ENDLESS) + 'sys.exit(9)', '--shaders', folder, '--time', '1', '--deadline', '60000')
    findings = [] if done.returncode == 9 and '--time SECONDS gives each client more processor time' in done.stderr else [str(done)]
    return findings + differs(firsts(texts(folder)), {'compute-0002.tgsi': 'COMP # client 1: grid 1', 'vertex-0001.tgsi': 'VERT # client 1: no draw'})


def errors_of_gl():
    """The program does not begin where the folder is not empty; it takes the folder away; it has no shader, or no OpenGL."""
    folder, started = c.path('full'), c.path('started')
    os.mkdir(folder)
    c.write('full/file', b'')
    begins = f'open({started!r}, "w").close()\n'
    done = gl(begins, '--shaders', folder)
    findings = [] if done.returncode == c.IO and 'full is not empty' in done.stderr and not os.path.exists(started) else [str(done)]
    gone = c.path('gone')
    done = gl(r.CLIENT + sends(r.shader(3, r.VERTEX, r.VERT)) + f'os.rmdir({gone!r})', '--shaders', gone)
    findings += [] if done.returncode == c.IO and 'gone/vertex-0001.tgsi: No such file or directory' in done.stderr else [str(done)]
    for name, program, said in (('nothing', r.CLIENT + 'ping()', 'there is no shader, so --shaders has nothing to write'), ('unused', begins, 'the program did not use the server')):
        done = gl(program, '--shaders', c.path(name))
        findings += [] if done.returncode == c.NO and said in done.stderr else [str(done)]
    done = gl(r.CLIENT + sends(r.shader(3, r.VERTEX, r.VERT.replace('MOV', 'NONE'))), '--shaders', c.path('wrong'))
    return findings + ([] if done.returncode == c.LIMIT and 'lost: 1 object' in done.stderr else [str(done)])


tap.run([('draws', draws_are_named), ('verbs', verbs_take_them), ('the dialect', meanings_stay), ('stages', every_stage), ('refused texts', refused), ('folders', folders), ('bounds', bounded),
         ('clients', of_clients), ('clients that end', clients_that_end), ('errors of gl', errors_of_gl)])
