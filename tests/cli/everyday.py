#!/usr/bin/env python3
"""What people meet every day: a scene that is checked, words in scenes that are nearly right, verbs that say what they lack,
pages that are written to files, reports and results in one pipe in their order."""
import json
import os
import subprocess

import command as c
import tap

NAMES = {'cwd': c.FOLDER.name}
SCENES = sorted(os.path.join(c.EXAMPLES, 'scenes', name) for name in os.listdir(os.path.join(c.EXAMPLES, 'scenes')) if name.endswith('.scene'))
GOOD = ('texture t { size 1 1; format R8G8B8A8_UNORM; solid 1 0 0 1 }\nmesh m {\n position float3\n vertices { 0 0 0 1 0 0 0 1 0 }\n}\nshader placed vertex {\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n'
        'MOV OUT[0], IN[0]\nEND\n}\nshader colored fragment {\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n}\npass { color 0 t; use placed colored; draw triangles mesh m }\n')


def checked_scenes():
    """check reads a scene, what it names, and the shaders of its draws, each once; it draws nothing."""
    findings = []
    for scene in SCENES:
        findings += c.says(c.YES, '', '', 'check', scene)
    c.write('good.scene', GOOD)
    findings += c.says(c.YES, '', '', 'check', 'good.scene', **NAMES)
    for old, new, code, place in (('MOV OUT[0], IMM[0]', 'MOV OUT[0], IMM[1]', 2004, None), ('solid 1 0 0 1', 'sold 1 0 0 1', 1221, '1:46'), ('draw triangles mesh m', 'draw triangles mesh m; draw n', 1223, None),
                                  ('texture t {', 'texture u "absent.dds"\ntexture t {', 1226, '1:11'), ('DCL IN[0]\n', 'DCL IN[0\n', 1006, None)):
        text = GOOD.replace(old, new)
        c.write('bad.scene', text)
        done = c.run('check', 'bad.scene', **NAMES)
        said = done.stderr.decode()
        if done.returncode not in (c.NO, c.IO) or 'error ' not in said or (place and f'bad.scene:{place}: error {code}' not in said):
            findings.append(f'{new}: {done}')
        answer = json.loads(c.run('check', '--json', 'bad.scene', **NAMES).stdout)
        row = answer['files'][0]
        if row['valid'] or row['errors'] != len([d for d in row['diagnostics'] if d['severity'] == 'error']) or not row['errors'] or answer['exit'] != done.returncode:
            findings.append(f'{new}: {answer}')
    twice = GOOD.replace('draw triangles mesh m', 'draw triangles mesh m; draw triangles mesh m').replace('MOV OUT[0], IMM[0]', 'MOV OUT[0], IMM[0]\nMOV TEMP[9], IMM[0]')
    c.write('twice.scene', twice)
    done = c.run('check', 'twice.scene', **NAMES)
    return findings + ([] if done.returncode == c.NO and done.stderr.count(b': error ') == 1 else [f'{done}'])


def words_of_scenes():
    """The nearest word that may stand there is named, and nothing where none is near."""
    findings = []
    for old, new, meant in (('solid', 'sold', 'solid'), ('format ', 'formt ', 'format'), ('R8G8B8A8_UNORM', 'R8G8B8A8_UNROM', 'R8G8B8A8_UNORM'), ('vertex {', 'vertx {', 'vertex'),
                            ('pass {', 'pas {', 'pass'), ('color 0 t', 'colour 0 t', 'color'), ('use placed colored', 'use plced colored', 'placed'), ('shader placed', 'shader other', None), ('draw triangles mesh m', 'darw triangles m', 'draw'), ('draw triangles mesh m', 'draw triangles mesh', None), ('solid', 'qqqqqq', None)):
        c.write('word.scene', GOOD.replace(old, new, 1))
        done = c.run('check', 'word.scene', **NAMES)
        said = done.stderr.decode().split('\n')[0]
        right = said.endswith(f'; did you mean {meant}?') if meant else 'did you mean' not in said
        findings += [] if right and done.returncode == c.NO else [f'{new}: {done}']
    return findings


def what_is_lacking():
    """render that writes nothing says so; list and its help name the tables; a program that fails without a display gets a hint."""
    c.write('good.scene', GOOD)
    said = 'scheelite: nothing is written: -o OUT says where to (--check compares what the scene expects)\n'
    findings = c.says(c.YES, '', said, 'render', 'good.scene', **NAMES)
    for rest in (('-o', 'good.png'), ('--check',), ('--target', 't=t.png'), ('--stats',)):
        findings += [] if b'nothing is written' not in c.run('render', 'good.scene', *rest, **NAMES).stderr else [f'{rest}']
    tables = 'opcodes semantics properties formats targets files d3d maxwell headers decisions errors limits'.split()
    findings += c.exit_is(c.USAGE, 'list', err=f'which table? There are {", ".join(tables[:-1])} and {tables[-1]}')
    words = c.run('help', 'list').stdout.decode().split('words:')[-1].split('\n\n')[0].split()
    findings += [] if words == tables else [f'help list: {words}']
    for program, display, hint in (('false', '', True), ('true', '', False), ('false', ':7', False)):
        done = c.run('gl', program, env={'DISPLAY': display, 'WAYLAND_DISPLAY': ''})
        if (b'xvfb-run' in done.stderr) != hint or done.returncode != (1 if program == 'false' else 0):
            findings.append(f'{program} with DISPLAY={display}: {done}')
    return findings


def pages_of_traces():
    """trace --html -o writes the page that it prints without -o, whole or not at all."""
    shader = os.path.join(c.EXAMPLES, 'shaders', 'swirl.tgsi')
    rest = (shader, '--tex', f'0={c.PHOTO}', '--pixel', '3,4')
    findings = []
    for form in (('--html',), (), ('--json',)):
        printed = c.run('trace', *form, *rest)
        findings += c.says(c.YES, '', '', 'trace', *form, *rest, '-o', 'page.out', **NAMES)
        findings += [] if c.read(c.path('page.out')) == printed.stdout else [f'{form}: another page']
    findings += c.exit_is(c.IO, 'trace', *rest, '-o', 'absent/page.html', err='cannot', **NAMES)
    os.remove(c.path('page.out'))
    findings += [] if c.run('trace', 'absent.tgsi', '--pixel', '1,1', '-o', 'page.out', **NAMES).returncode != c.YES and not os.path.exists(c.path('page.out')) else ['written in spite of the error']
    return findings


def order_in_pipes():
    """Results and reports that go to one pipe stand there in the order in which they were made."""
    two = c.write('two.txt', 'FRAG\nDCL OUT[0], COLOR\nEND\nFRAG\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[3]\nEND\n')
    done = subprocess.run([c.COMMAND, 'check', two], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = done.stdout.decode().split('\n')
    first = [i for i, line in enumerate(lines) if line.endswith('shader 1: valid')]
    report = [i for i, line in enumerate(lines) if ': error ' in line]
    return [] if first and report and first[0] < report[0] else [f'{lines}']


tap.run([('check of scenes', checked_scenes), ('words of scenes', words_of_scenes), ('what is lacking', what_is_lacking), ('pages of traces', pages_of_traces), ('order in pipes', order_in_pipes)])
