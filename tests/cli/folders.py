#!/usr/bin/env python3
"""check, dis, asm, info and translate of many files and folders: -r, and -o with a folder."""
import json
import os

import command as c
import tap

TGSI = 'FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n'
LISTING = 'ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0, 0, 0)\nret\n'
LANES = '.arch sm_52\nTLD.LZ R4, R8, 0x0, 2D, 0x3;\n'


def folder(name):
    """Two shaders of TGSI, one of Direct3D in a folder of it, one of Maxwell; what begins with a dot is nothing."""
    for path, text in (('a.tgsi', TGSI), ('b.txt', TGSI.replace('IN[0]\n', '-IN[0]\n')), ('in/c.asm', LISTING), ('in/deep/d.lanes', LANES), ('.hidden', 'x'), ('.dots/e', 'x')):
        os.makedirs(os.path.dirname(c.path(f'{name}/{path}')), exist_ok=True)
        c.write(f'{name}/{path}', text)
    return c.path(name)


def files_in(name):
    return sorted(os.path.relpath(os.path.join(at, one), c.path(name)) for at, _, names in os.walk(c.path(name)) for one in names)


def recursion():
    """The files of a folder, in the order of their names; without -r a folder is an error."""
    source = folder('source')
    findings = c.says(c.YES, '', '', 'check', '-r', source) + c.says(c.YES, '', '', 'check', '-r', source + '///', c.path('source/a.tgsi'))
    report = json.loads(c.run('check', '-r', '--json', source).stdout)
    if [os.path.relpath(one['file'], source) for one in report['files']] != ['a.tgsi', 'b.txt', 'in/c.asm', 'in/deep/d.lanes']:
        findings.append(f'{report}')
    for verb in ('check', 'dis', 'info'):
        findings += c.says(c.IO, '', f'scheelite: {source} is a folder; {verb} -r takes the files in it\n', verb, source)
    os.makedirs(c.path('empty'), exist_ok=True)
    c.write('source/in/wrong.tgsi', 'FRAG\nQUUX\n')
    findings += c.exit_is(c.NO, 'check', '-r', source, err='in/wrong.tgsi:2:1: error 1003') + c.says(c.YES, '', '', 'check', '-r', c.path('empty'))
    os.remove(c.path('source/in/wrong.tgsi'))
    os.symlink('.', c.path('source/in/again'))
    again = json.loads(c.run('check', '-r', '--json', source).stdout)
    if again != report:
        findings.append(f'a link to a folder: {again}')
    os.remove(c.path('source/in/again'))
    return findings


def one_for_each():
    """A file for each input below the folder, with the ending of its kind; what is in it is what is printed of one."""
    source, findings = folder('source'), []
    for verb, more, endings in (('dis', (), ('.tgsi', '.tgsi', '.asm', '.maxwell')), ('info', (), ('.txt',) * 4), ('info', ('--json',), ('.json',) * 4), ('asm', (), ('.bin', '.bin', '.dxbc', '.bin'))):
        target = f'{verb}{"-json" if more else ""}'
        findings += c.says(c.YES, '', '', verb, *more, '-r', source, '-o', c.path(target) + '/')
        wanted = [name + ending for name, ending in zip(('a', 'b', 'in/c', 'in/deep/d'), endings)]
        if files_in(target) != sorted(wanted):
            findings.append(f'{verb}: {files_in(target)}, not {wanted}')
            continue
        for name, path in zip(wanted, ('a.tgsi', 'b.txt', 'in/c.asm', 'in/deep/d.lanes')):
            one = os.path.join(source, path)
            alone = c.run(verb, *more, one, *(('-o', c.path('alone')) if verb == 'asm' else ())).stdout if verb != 'asm' or not c.run(verb, one, '-o', c.path('alone')).returncode else None
            if c.read(c.path(f'{target}/{name}')) != (c.read(c.path('alone')) if verb == 'asm' else alone):
                findings.append(f'{verb} {path}: not as alone')
    tgsi = (c.path('source/a.tgsi'), c.path('source/b.txt'))
    for word, ending in (('tgsi', '.tgsi'), ('maxwell', '.maxwell'), ('d3d-asm', '.asm'), ('dxbc', '.dxbc')):
        findings += c.says(c.YES, '', '', 'translate', '--to', word, *tgsi, '-o', c.path(f'to-{word}') + '/')
        if files_in(f'to-{word}') != ['a' + ending, 'b' + ending]:
            findings.append(f'{files_in(f"to-{word}")}')
    findings += c.says(c.YES, '', '', 'dis', tgsi[0], '-o', c.path('one.txt'))
    return findings + ([] if c.read(c.path('one.txt')) == c.run('dis', tgsi[0]).stdout else ['-o of one file'])


def several_on_standard_output():
    """Each behind its name; as JSON a list."""
    source = folder('source')
    a, b = c.path('source/a.tgsi'), c.path('source/b.txt')
    texts = {verb: [c.run(verb, path).stdout.decode() for path in (a, b)] for verb in ('dis', 'info')}
    findings = c.says(c.YES, f'# {a}\n{texts["dis"][0]}\n# {b}\n{texts["dis"][1]}', '', 'dis', a, b)
    findings += c.says(c.YES, f'file\t{a}\n{texts["info"][0]}\nfile\t{b}\n{texts["info"][1]}', '', 'info', a, b)
    whole = json.loads(c.run('info', '--json', '-r', source).stdout)
    if [one['file'] for one in whole][:2] != [a, b] or len(whole) != 4:
        findings.append(f'{whole}')
    again = c.run('check', '-', stdin=c.run('dis', a, b).stdout)
    return findings + ([] if again.returncode == c.YES else [f'what dis prints of two is not read: {again}'])


def what_cannot_be_written():
    """One file for several, two inputs for one file, over an input: said before anything is written."""
    source = folder('source')
    a, b = c.path('source/a.tgsi'), c.path('source/b.txt')
    c.write('source/a.txt', TGSI)
    same = c.path('source/a.txt')
    findings = c.exit_is(c.USAGE, 'dis', a, b, '-o', c.path('none.txt'), err='is one file for 2; a folder, or a name that ends in /, takes one for each')
    findings += c.exit_is(c.USAGE, 'asm', a, b, '--words', err='one file only; several need -o FOLDER/') + c.exit_is(c.USAGE, 'translate', '--to', 'dxbc', a, b, err='containers of several files need -o FOLDER/')
    findings += c.says(c.USAGE, '', f'scheelite: {a} and {same} would become one file in {c.path("none")}/\n', 'dis', a, same, '-o', c.path('none') + '/')
    findings += c.says(c.USAGE, '', f'scheelite: {a} is read, and -o would write over it; name another folder\n', 'dis', a, '-o', source)
    wrong = c.write('wrong.tgsi', 'FRAG\nQUUX\n')
    findings += c.exit_is(c.NO, 'dis', wrong, b, '-o', c.path('part') + '/', err='error 1003')
    if os.path.exists(c.path('none')) or os.path.exists(c.path('none.txt')) or files_in('part') != ['b.tgsi']:
        findings.append('something was written')
    return findings


def many_names():
    """Dots of folders are no endings; a path that is too long is said; what was written before is written over."""
    os.makedirs(c.path('dots/x.d'))
    os.makedirs(c.path('dots/x.e'))
    c.write('dots/x.d/one', TGSI)
    c.write('dots/x.e/two', TGSI)
    findings = []
    for _ in range(2):
        findings += c.says(c.YES, '', '', 'dis', '-r', c.path('dots'), '-o', c.path('dots-out') + '/')
    if files_in('dots-out') != ['x.d/one.tgsi', 'x.e/two.tgsi']:
        findings.append(f'{files_in("dots-out")}')
    c.write('dots/x.d/one.txt', TGSI)
    findings += c.exit_is(c.USAGE, 'dis', '-r', c.path('dots'), '-o', c.path('dots-out') + '/', err='x.d/one and ', out='')
    os.symlink(c.path('dots/x.e/two'), c.path('dots-out/x.e/link'))
    os.remove(c.path('dots/x.d/one.txt'))
    os.remove(c.path('dots-out/x.e/two.tgsi'))
    os.link(c.path('dots/x.e/two'), c.path('dots-out/x.e/two.tgsi'))
    findings += c.exit_is(c.USAGE, 'dis', '-r', c.path('dots'), '-o', c.path('dots-out') + '/', err='dots/x.e/two is read, and -o would write over it')
    at = os.open(c.FOLDER.name, os.O_RDONLY)
    for _ in range(17):
        os.mkdir('d' * 250, dir_fd=at)
        below = os.open('d' * 250, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    return findings + c.exit_is(c.IO, 'check', '-r', c.path('d' * 250), err='the name is too long', out='')


if __name__ == '__main__':
    tap.run([('recursion', recursion), ('one for each', one_for_each), ('several on standard output', several_on_standard_output), ('what cannot be written', what_cannot_be_written), ('many names', many_names)])
