#!/usr/bin/env python3
"""Where the shaders of scripts come from: compilers and their folders, compiled programs and their map, words in
hexadecimal; and what the report of a script is, byte by byte."""
import os
import re
import stat

import command as c
import tap
from scripting import COLOR, D3D, gives, run

DRAW = '[test]\ndraw quad\nprobe (0, 0) rgba(1, 2, 3, 4)\n'
PASSED, SKIPPED = '1 passed, 0 failed, 0 skipped', '0 passed, 0 failed, 1 skipped'
REFUSES = 'the HLSL compiler refuses the shader'
ABSENT = 'the HLSL has no compiled program'


def program(name, model='ps_5_0', first='1.0'):
    """A container whose first colour says which it is."""
    listing = c.write('listing.asm', D3D.replace('ps_5_0', model).replace('1.0', first))
    c.run('asm', listing, '-o', c.path(name))
    return c.path(name)


def folder(name):
    os.makedirs(c.path(name), exist_ok=True)
    return c.path(name)


def compilers():
    """A compiler is given a profile, the section's lines where the script has them, and where its program goes; nothing of
    it stays."""
    good, log, copy, place = program('good.dxbc'), c.path('log'), c.path('copy.hlsl'), folder('place')
    compiler = c.write('tell.sh', f'echo "$1 $(dirname "$2") $(dirname "$3")" >> {log}\ncp "$2" {copy}\ncp {good} "$3"\n')
    findings, before = [], os.environ.get('TMPDIR')
    os.environ['TMPDIR'] = place
    stages = {'pixel': 'ps', 'vertex': 'vs', 'compute': 'cs', 'hull': 'hs', 'domain': 'ds', 'geometry': 'gs'}
    for stage, word in stages.items():
        for model in ('5.0', '4.1', '4.0'):
            open(log, 'w').close()
            code, out, err = run(f'[require]\n[{stage} shader]\nfirst\n% comment\n\n x % y\n', '--hlsl-compiler', f'sh {compiler}', '--model', model)
            profile, *where = c.read(log).decode().split()
            if profile != f'{word}_{model.replace(".", "_")}' or where[0] != where[1] or not re.fullmatch(re.escape(place) + '/scheelite-.{6}', where[0]):
                findings.append(f'{stage} {model}: {profile} {where}')
            if c.read(copy) != b'\n\nfirst\n\n\n x % y\n':
                findings.append(f'{stage}: {c.read(copy)}')
            wanted = ['0 passed, 0 failed, 0 skipped'] if stage == 'pixel' else ['2: failed: the shader is refused: the shader is of another stage than its section', '0 passed, 1 failed, 0 skipped']
            if out != wanted:
                findings.append(f'{stage} {model}: {out} {err}')
    # Its exit code, its file, its length; a name that no shell has.
    pixel = '[pixel shader]\nx\n' + DRAW
    for text, fine in ((f'cp {good} "$3"; exit 1', False), (f'cp {good} "$3"; kill -9 $$', False), (': > "$3"', False), ('true', False),
                       (f'cp {good} "$3"; rm "$2"', True), (f'test "$0" = {c.path("one.sh")} -a $# = 3 && cp {good} "$3"', True)):
        command = ('--hlsl-compiler', f'sh {c.write("one.sh", text)}')
        findings += gives(pixel, c.YES, *([PASSED] if fine else [f'5: skipped: {REFUSES}', SKIPPED]), options=command)
    words = f'sh {c.write("one.sh", "cp " + good + chr(34) + "$3" + chr(34))}'.replace(good + '"', good + ' "')
    c.write('one.sh', f'cp {good} "$3"\n')
    for length in (4096, 100000): # all that a system passes on
        findings += gives(pixel, c.YES, PASSED, options=('--hlsl-compiler', words.ljust(length)))
    if os.listdir(place):
        findings.append(f'{os.listdir(place)} stay in the folder')
    # Where its folder is made, and where that cannot be.
    for value, base in (('', '/tmp'), (None, '/tmp'), (place, place)):
        os.environ.pop('TMPDIR', None)
        if value is not None:
            os.environ['TMPDIR'] = value
        open(log, 'w').close()
        run(pixel, '--hlsl-compiler', f'sh {compiler}')
        where = c.read(log).decode().split()[1]
        if os.path.dirname(where) != base or os.path.exists(where):
            findings.append(f'TMPDIR {value}: {where}')
    os.environ['TMPDIR'] = c.path('absent')
    code, out, err = run(pixel, '--hlsl-compiler', f'sh {compiler}')
    if (code, out, err) != (c.IO, [], f'scheelite: cannot make a folder for the HLSL compiler in {c.path("absent")}: No such file or directory\n'):
        findings.append(f'{code} {out} {err}')
    os.environ.pop('TMPDIR')
    if before is not None:
        os.environ['TMPDIR'] = before
    return findings


def folders():
    """The highest model that there is and that is wanted; sections with HLSL count, effects and other languages do not."""
    findings, place = [], folder('programs')
    for number, model, first in ((0, 'ps_5_0', '5.0'), (0, 'ps_4_1', '4.1'), (0, 'ps_4_0', '4.0'), (1, 'ps_4_1', '14.1'), (2, 'ps_4_0', '24.0'), (10, 'ps_5_0', '100.0'), (100, 'ps_5_0', '1000.0')):
        program(os.path.join(place, f'script.{number:02}.{model}.dxbc'), model, first)
    def one(first):
        return f'[pixel shader]\nx\n[test]\ndraw quad\nprobe (0, 0) f32({first})\n'
    for model, firsts in (('5.0', ('5.0', '14.1', '24.0')), ('4.1', ('4.1', '14.1', '24.0')), ('4.0', ('4.0', None, '24.0'))):
        script = '[effect]\nx\n' + COLOR + ''.join(one(first or 0) for first in firsts)
        lines = ['1: skipped: effects are not read'] + [f'{8 + 5 * n + 5}: skipped: {ABSENT}' for n, first in enumerate(firsts) if not first]
        passed = sum(bool(first) for first in firsts)
        findings += gives(script, c.YES, *lines, f'{passed} passed, 0 failed, {len(lines)} skipped', options=('--compiled', place, '--model', model))
    for number, first in ((10, '100.0'), (100, '1000.0')):
        findings += gives('[pixel shader]\nx\n' * number + one(first), c.YES, PASSED, options=('--compiled', place))
    # A [require] counts as --model does; the name of a script is what stands before its ending and behind its folders.
    findings += gives('[require]\nshader model < 5.0\n' + one('4.1'), c.YES, PASSED, options=('--compiled', place))
    for name, wanted in (('script.shader_test', True), ('script.shader_test.txt', True), ('script', True), ('script.shader_tes', False), ('scrip', False)):
        done = c.run('run', os.path.basename(c.write(name, one('5.0'))), '--compiled', place, cwd=c.FOLDER.name)
        if (done.returncode, done.stdout.decode()) != (c.YES, f'{PASSED}\n' if wanted else f'{name}:5: skipped: {ABSENT}\n{SKIPPED}\n'):
            findings.append(f'{name}: {done}')
    # A path of the folder that no file can have, and one that is a folder.
    findings += gives(one('5.0'), c.YES, f'5: skipped: {ABSENT}', SKIPPED, options=('--compiled', '/' * 4090))
    findings += gives(one('5.0'), c.YES, PASSED, options=('--compiled', '/' * (4095 - len(place) - len('/script.00.ps_5_0.dxbc')) + place))
    findings += gives(one('5.0'), c.YES, f'5: skipped: {ABSENT}', SKIPPED, options=('--compiled', '/' * (4096 - len(place) - len('/script.00.ps_5_0.dxbc')) + place))
    return findings


def maps():
    """Columns are found by their names, in any order; rows by the section's whole name."""
    findings, place = [], folder('mapped')
    program(os.path.join(place, 'a.b.dxbc'), first='7.0')
    program(os.path.join(place, 'other.dxbc'), first='8.0')
    script = '[pixel shader]\nx\n[test]\ndraw quad\nprobe (0, 0) f32(%s)\n'
    for text, wanted in (('section\tfile_in_st\nscript.00\ta.b\n', '7'), ('file_in_st\tsection\na.b\tscript.00', '7'), ('section\tfile_in_st\r\nscript.00\ta.b\r\n', '7'),
                         ('x\tsection\ty\tfile_in_st\n\tscript.00\t\tother\n', '8'), ('section\tfile_in_st\nscript.001\tother\nscript.0\tother\nscript.00\ta.b\n', '7'),
                         ('section\tfile_in_st\nscript.01\tother\nScript.00\tother\nscript.00\ta.b\nscript.00\tother\n', '7'), ('section\tcompiled\tfile_in_st\nscript.00\trefuse\ta.b\n', '7'),
                         ('section\tcompiled\tfile_in_st\nscript.00\trefused\ta.b\n', REFUSES), ('section\tcompiled\tfile_in_st\nscript.00\trefusal\ta.b\n', '7'),
                         ('section\tcompiled\tfile_in_st\nscript.00\trefused \ta.b\n', '7'), ('section\tfile_in_st\nscript.00\t\n', ABSENT), ('section\tfile_in_st\nscript.00\n', ABSENT),
                         ('section\tfile_in_st\nscript.01\ta.b\n', ABSENT), ('section\nscript.00\n', ABSENT), ('section\tfile_in_stx\nscript.00\ta.b\n', ABSENT), ('file_in_st\na.b\n', ABSENT),
                         ('section\tfile_in_st\nscript.00\t../mapped/a.b\n', ABSENT), ('section\tfile_in_st\n', ABSENT), ('', ABSENT), ('\n', ABSENT),
                         ('section\tfile_in_st\nscript.00\t' + 'x' * 4100 + '\n', ABSENT)):
        table = c.write('map.tsv', text)
        lines = [PASSED] if wanted.isdigit() else [f'5: skipped: {wanted}', SKIPPED]
        findings += gives(script % wanted if wanted.isdigit() else script % 1, c.YES, *lines, options=('--compiled', place, '--compiled-map', table))
    # A file that the map promises and that is not there is a failure of the input.
    table = c.write('map.tsv', 'section\tfile_in_st\nscript.00\tabsent\n')
    code, out, err = run(script % 1, '--compiled', place, '--compiled-map', table)
    if (code, out) != (c.IO, []) or 'absent.dxbc' not in err:
        findings.append(f'{code} {out} {err}')
    return findings


def hexadecimal():
    """Words of up to eight digits in either case, comments between; what is none."""
    data = c.read(program('good.dxbc'))
    words = [int.from_bytes(data[i:i + 4], 'little') for i in range(0, len(data), 4)]
    head, findings = '[pixel shader dxbc-tpf-hex]\n', []
    lines = [f'{w:08X}' for w in words], [f'{w:x}' for w in words], [f'{w:08x} % {w} gh' for w in words], [f'\t{w:X} ' for w in words]
    for text in lines:
        findings += gives(head + '\n'.join(text) + '\n' + DRAW, c.YES, PASSED)
    findings += gives(head + ' '.join(lines[0]) + '% the end\n' + DRAW, c.YES, PASSED)
    wrong = 'the shader is refused: the section is not a list of words in hexadecimal'
    for text in ('000000001', '0x1', '1g', '-1', '1,2', ';'):
        findings += gives(head + text + '\n' + DRAW, c.NO, f'1: failed: {wrong}', '5: skipped: its pixel shader failed', '0 passed, 1 failed, 1 skipped')
    return findings


def reports():
    """The whole report, as text and as JSON; names and reasons that would move a cursor."""
    findings, effect = [], '"reason": "effects are not read"}'
    def whole(text, wanted, *options, name='script.shader_test', code=c.YES):
        done = c.run('run', name, *options, cwd=c.FOLDER.name, stdin='') if c.write(name, text) else None
        if (done.returncode, done.stdout, done.stderr) != (code, wanted.encode(), b''):
            findings.append(f'{text[-80:]!r} {options}: {done}, not {wanted!r}')
    end = '\n  "passed": {},\n  "failed": {},\n  "skipped": {}\n}}\n'
    whole('[test]\n', '{\n  "schema": "scheelite-script/1",\n  "items": [],' + end.format(0, 0, 0), '--json')
    whole('[effect]\n', '{\n  "schema": "scheelite-script/1",\n  "items": [\n    {"line": 1, "items": 1, "result": "skipped", ' + effect + '\n  ],' + end.format(0, 0, 1), '--json')
    whole('[effect]\n[effect]\n', '{\n  "schema": "scheelite-script/1",\n  "items": [\n    {"line": 1, "items": 1, "result": "skipped", ' + effect + ',\n    {"line": 2, "items": 1, "result": "skipped", ' + effect +
          '\n  ],' + end.format(0, 0, 2), '--json')
    whole('[require]\nfog\n[effect]\n[effect]\n', '{\n  "schema": "scheelite-script/1",\n  "items": [\n    {"line": 1, "items": 2, "result": "skipped", "reason": "requires fog"}\n  ],' + end.format(0, 0, 2), '--json')
    whole('[effect]\n[test]\nprobe srv 0 (0) f32(1)\n', 's\x1f?:1: skipped: effects are not read\ns\x1f?:3: failed: there is no such resource\n0 passed, 1 failed, 1 skipped\n'.replace('\x1f', '?'),
          name='s\x1f\x7f', code=c.NO)
    whole('[effect]\n', 's ~:1: skipped: effects are not read\n0 passed, 0 failed, 1 skipped\n', name='s ~')
    probe = 'probe (0, 0) f32(1)\n'
    # What stands in the script is said as it stands, up to what a reason holds.
    for kind, line in (('', 'point-size-min 1\t2'), ('', 'fog\t3  1'), ('', 'fog-colour' + ' ' * 90 + 'x'), ('', 'point-size-max' + ' ' * 300 + 'flat')):
        said = f'state that is not executed: {kind}{line}'.replace('\t', '?')[:255]
        whole(COLOR + f'[test]\nuniform 0 float 1\n{kind}{line}\n' + ('draw quad\n' if not kind else '') + probe,
              f'script.shader_test:{10 + (not kind)}: skipped: {said}\n{SKIPPED}\n')
    # Marks of what fails, and where they do not hold.
    base = COLOR + '[test]\nuniform 0 float 1\ndraw quad\n'
    for mark, said in (('', ''), ('todo ', 1), ('bug ', 1), ('todo(sm>=5) ', 1), ('bug(sm<5) ', ''), ('todo(sm<5) bug(sm>4) ', 1), ('todo(msl) ', ''), ('if(sm>4) ', '')):
        said = ' (the script marks it todo or bug)' if said else ''
        whole(base + f'{mark}probe (0, 0) f32(2)\n', f'script.shader_test:10: failed: (0, 0) is (1), not (2){said}\n0 passed, 1 failed, 0 skipped\n', code=c.NO)
        whole(base + f'{mark}{probe}', '1 passed, 0 failed, 0 skipped\n')
    for mark in ('notimpl ', 'notimpl(sm>=5) ', 'todo ', 'bug '):
        whole(f'[pixel shader tgsi {mark}]\nFRAG\nDCL\nEND\n', 'script.shader_test:1: failed: the shader is refused: line 4: error 1005: expected a register file, not "END" (the script marks it todo or bug)\n'
              '0 passed, 1 failed, 0 skipped\n', code=c.NO)
    return findings


def first_errors():
    """Of a shader's reports the first error is said, whatever is warned of before it; lines are the script's."""
    warned = 'FRAG\nDCL OUT[0], COLOR\nDCL IN[0], COLOR, LINEAR\nMOV NULL[0], IN[0]\nMOV OUT[0], IN[1]\nMOV OUT[0], IN[2]\nEND\n'
    # What is right and cannot be executed is no failure; nor is it run.
    later = '[compute shader d3d-asm]\ncs_5_0\ndcl_thread_group 1, 1, 1\nret\nlabel l70000\nret\n[uav 0]\nsize (2d, 1, 1)\n[test]\ndispatch 1 1 1\nprobe uav 0 (0, 0) f32(0)\n'
    said = 'not executed: error 4100: label: label 70000 is more than is lowered'
    findings = gives(later, c.YES, f'11: skipped: {said}', SKIPPED)
    findings += gives(later.replace('asm]', 'asm fail]'), c.YES, f'11: skipped: {said}', SKIPPED)
    for fails in ('', ' fail'):
        done = c.run('run', '--engine', 'jit', '--cache', 'none', '--compiler', c.path('no-such-compiler.so'), c.write('script.shader_test', COLOR.replace('tgsi', 'tgsi' + fails) + DRAW))
        if (done.returncode, done.stdout) != (c.UNSUPPORTED, b'') or f'script.shader_test: error 4380: ' not in done.stderr.decode() or done.stderr.count(b'error') != 1:
            findings.append(f'no machine code: {done}')
    return findings + gives('% one\n% two\n[pixel shader tgsi]\n' + warned, c.NO, '3: failed: the shader is refused: line 8: error 2040: IN[1] is not declared', '0 passed, 1 failed, 0 skipped')


tap.run([('compilers', compilers), ('folders', folders), ('maps', maps), ('words in hexadecimal', hexadecimal), ('reports', reports), ('first errors', first_errors)])
