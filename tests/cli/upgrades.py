#!/usr/bin/env python3
"""Files of other versions: caches are made anew, recordings and containers of tokens are refused with both versions, and so are
those that end within their header. Holds no journals of farms (test_mpi_parts) and no talk of processes (test_native_talk)."""
import glob
import os

import command as c
import tap

WINDOW = os.path.join(tap.SOURCE, 'tests', 'fuzz', 'corpus', 'virgl', 'window')
SHADER = 'FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {1, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n'


def changed(data, at, byte):
    return data[:at] + byte + data[at + 1:]


def written(path):
    with open(path, 'rb') as file:
        return file.read()


def old_code_is_made_anew():
    """In the place of a file of another version, or of one that is cut, is the right one after the next run."""
    c.compiles()
    findings, folder, first = [], c.path('code'), c.path('first.png')
    shade = ('run', c.example('plasma'), '--engine', 'jit', '--cache', folder, '-o')  # no lookups: they would be compiled later
    findings += c.exit_is(c.YES, *shade, first, err='')
    kept = {path: written(path) for path in glob.glob(os.path.join(folder, '*.code'))}
    if not kept:
        return [*findings, 'nothing is kept']
    for what, spoil in (('older', lambda data: changed(data, 7, b'0')), ('newer', lambda data: changed(data, 7, b'2')), ('cut', lambda data: data[:40])):
        for path, data in kept.items():
            with open(path, 'wb') as file:
                file.write(spoil(data))
        findings += [f'{what}: {finding}' for finding in c.exit_is(c.YES, *shade, c.path('again.png'), err='')]
        if written(c.path('again.png')) != written(first):
            findings.append(f'{what}: another picture')
        now = {path: written(path) for path in glob.glob(os.path.join(folder, '*.code'))}
        if now != kept:
            findings.append(f'{what}: {len(now)} files, {sum(kept.get(path) != data for path, data in now.items())} of them others than {len(kept)} before')
    return findings


def reads(name):
    """Every way to read a recording."""
    return (('replay', name), ('replay', name, '--heat', 'overdraw=' + c.path('heat.png')), ('replay', name, '-o', c.path('frame.png')),
            ('trace', name, '--frame', '0', '--pixel', '1,1'), ('trace', name, '--draw', '1', '--stage', 'fragment'),
            ('debug', name, '--frame', '0', '--pixel', '1,1'), ('reduce', name, '--test', 'false', '-o', c.path('less')))


def other_recordings_are_refused():
    findings, data = [], written(WINDOW)
    cases = [(changed(data, 8, bytes([version])), f'error 3103: the recording has version {version}, and version 1 is read here') for version in (0, 2)]
    cases += [(data[:size], 'the recording is cut off within its header') for size in (8, 12, 15)]
    for content, said in cases:
        for arguments in reads(c.write('recording', content)):
            findings += c.exit_is(c.NO, *arguments, out='', err=said)
    findings += c.exit_is(c.NO, 'replay', c.write('recording', changed(data, 8, b'\2')), err='see: scheelite explain 3103')
    return findings + [f'{name} was written' for name in ('heat.png', 'frame.png', 'less') if os.path.exists(c.path(name))]


def other_containers_are_refused():
    made = c.path('shader.bin')
    findings = c.exit_is(c.YES, 'asm', c.write('shader.tgsi', SHADER.encode()), '-o', made)
    data = written(made)
    cases = [(changed(data, 8, bytes([version])), f'error 3103: the container has version {version}, and version 1 is read here') for version in (0, 2)]
    cases += [(data[:size], 'error 3101: ') for size in (8, 12, 23)]
    for content, said in cases:
        for verb in ('check', 'dis', 'info'):
            findings += c.exit_is(c.NO, verb, c.write('other.bin', content), out='', err=said)
    return findings


tap.run([
    ('code of other versions is made anew', old_code_is_made_anew),
    ('recordings of other versions are refused', other_recordings_are_refused),
    ('containers of other versions are refused', other_containers_are_refused),
])
