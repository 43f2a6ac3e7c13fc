#!/usr/bin/env python3
"""Direct3D programs by Wine, which draws them with OpenGL: programs of our own (direct3d/), compiled by mingw, with shaders
that our assembler makes. Each knows what must come of what it draws; its picture is compared with that of Mesa's llvmpipe,
and is the same by every engine."""
import atexit
import glob
import hashlib
import os
import shutil
import subprocess
import tempfile

import display
import tap

FOLDER = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # Wine's last processes may still end
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
SOURCES = os.path.join(tap.SOURCE, 'tests', 'system', 'direct3d')
MINGW = 'x86_64-w64-mingw32-gcc'
FRAMES = 3
# Components of texels may differ by one: each renderer rounds a blended or filtered value its own way.
ALLOWED = 1
PROGRAMS = {'d3d8': ['d3d9.c', '-DVERSION=8'], 'd3d9': ['d3d9.c', '-DVERSION=9'], 'd3d11': ['d3d11.c', '-ld3d11', '-ldxguid']}
CASES = [('d3d11', case) for case in ('depth', 'instancing', 'geometry', 'tessellation', 'multisampling', 'shadow', 'compressed', 'compute', 'window')]
CASES += [('d3d9', 'fixed'), ('d3d8', 'fixed')]
SHOWN = (('d3d11', 'window'), ('d3d9', 'fixed'), ('d3d8', 'fixed'))  # what has a window

wine = {**os.environ, 'HOME': FOLDER.name, 'WINEPREFIX': os.path.join(FOLDER.name, 'prefix'), 'WINEDEBUG': '-all',
        'WINEDLLOVERRIDES': 'mscoree,mshtml,winemenubuilder.exe=',  # no offers to fetch .NET and a browser
        'WINE_D3D_CONFIG': 'csmt=0'}  # virpipe of Mesa 22.3 is for one thread (docs/opengl.md)
ready = []  # why programs cannot run, once it is known; '' if they can


def run(*words, timeout=120, **more):
    """Its output goes through files: what Wine starts besides keeps its ends of pipes open."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, timeout=timeout, cwd=FOLDER.name, env={**wine, **more})
        output.seek(0)
        errors.seek(0)
        done.stdout, done.stderr = (file.read().decode(errors='replace').replace('\r\n', '\n') for file in (output, errors))
    return done


def prepared(screen):
    """Wine's folder, the programs and their shaders."""
    for tool in ('wine', 'wineserver', MINGW):
        if not shutil.which(tool):
            return f'no {tool}'
    wine['DISPLAY'] = screen.name
    if run('wine', 'wineboot', '-i', timeout=600).returncode:
        return 'Wine does not start'
    # All programs share Wine's server, which we end and no pause between them.
    run('wineserver', '-p')
    atexit.register(lambda: run('wineserver', '-k'))
    return ''


def programs():
    """All compile without a warning."""
    needed()
    findings = []
    for name, (source, *options) in PROGRAMS.items():
        done = run(MINGW, '-std=c17', '-Wall', '-Wextra', '-Werror', '-O1', os.path.join(SOURCES, source), '-o', name + '.exe', *options)
        findings += [done.stderr] if done.returncode else []
    for path in sorted(glob.glob(os.path.join(SOURCES, '*.asm'))):
        done = run(COMMAND, 'asm', path, '-o', os.path.basename(path)[:-3] + 'dxbc')
        findings += [done.stderr] if done.returncode or done.stderr else []
    return findings


def needed():
    if ready[0]:
        raise tap.Skip(ready[0])


def read(name):
    with open(os.path.join(FOLDER.name, name), 'rb') as file:
        return file.read()


def right(done, case):
    return [] if done.returncode == 0 and done.stdout == f'{case}: 0 wrong\n' else [str(done)]


def drawn(program, case):
    def check():
        needed()
        words = ('wine', program + '.exe', case)
        name = f'{program}-{case}'
        done = run(COMMAND, 'gl', '--stats', '--', *words, name)
        findings = right(done, case)
        findings += [f'no {row!r}: {done.stderr}' for row in ('refused_messages\t0', 'refused_commands\t0') if row + '\n' not in done.stderr]
        if findings:
            return findings
        for options in (('--engine', 'interp', '--width', '4'), ('--engine', 'jit', '--threads', '3')):
            other = run(COMMAND, 'gl', *options, '--', *words, 'other')
            findings += right(other, case) + ([f'{options}: another picture'] if read('other') != read(name) else [])
        return findings
    return check


def beside_llvmpipe():
    needed()
    findings = []
    for program, case in CASES:
        done = run('wine', program + '.exe', case, 'theirs', LIBGL_ALWAYS_SOFTWARE='1', GALLIUM_DRIVER='llvmpipe')
        if done.returncode and 'device' in done.stdout:
            raise tap.Skip('no llvmpipe')
        ours, theirs = read(f'{program}-{case}'), read('theirs')
        most = max(abs(a - b) for a, b in zip(ours, theirs))
        findings += right(done, case)
        if len(ours) != len(theirs) or most > ALLOWED:
            findings.append(f'{program} {case}: components differ by {most}')
    return findings


def frames():
    """What a window shows is what was read back of its buffer, as often as it is shown; --frames ends a program."""
    needed()
    findings = []
    for program, case in SHOWN:
        done = run(COMMAND, 'gl', '--frames-sha', 'frames', '--', 'wine', program + '.exe', case, 'picture')
        pixels = read('picture').split(b'\n', 3)[3]
        rows = b''.join(pixels[at:at + 3] + b'\xff' for at in range(0, len(pixels), 3))
        wanted = ''.join(f'{n}\t64x64\t{hashlib.sha256(rows).hexdigest()}\n' for n in range(FRAMES))
        findings += right(done, case) + ([f'{program}: {read("frames")} and not {wanted}'] if read('frames').decode() != wanted else [])
    done = run(COMMAND, 'gl', '--frames', '5', '--frames-sha', 'frames', '--', 'wine', 'd3d9.exe', 'fixed', 'picture', '1000000')
    count = read('frames').count(b'\n')
    return findings + ([f'{count} frames: {done}'] if done.returncode or count != 5 else [])


def recorded():
    """A recording has the same end without Wine: nothing of it is refused by either engine."""
    needed()
    findings = right(run(COMMAND, 'gl', '--record', 'recording', '--', 'wine', 'd3d11.exe', 'window', 'picture'), 'window')
    sums = {run(COMMAND, 'replay', 'recording', '--frames-sha', '-', '--engine', engine).stdout for engine in ('interp', 'auto')}
    return findings + ([str(sums)] if len(sums) != 1 or next(iter(sums)).count('\n') != FRAMES else [])


def main():
    try:
        with display.Display() as screen:
            ready.append(prepared(screen))
            checks()
    except tap.Skip as reason:
        ready.append(str(reason))
        checks()


def checks():
    tap.run([('programs and shaders', programs)] + [(f'{program}: {case}', drawn(program, case)) for program, case in CASES] +
            [('beside llvmpipe', beside_llvmpipe), ('frames', frames), ('a recording', recorded)])


main()
