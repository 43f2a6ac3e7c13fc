#!/usr/bin/env python3
"""Mesa's OpenGL with its driver virpipe, on a server of ours: programs of our own (opengl_client.c, gl_*.c) on EGL's
surfaceless platform, on X and on Wayland. The same picture by every engine and with any number of threads. Texels of compressed blocks are
compared with those of Mesa's llvmpipe."""
import array
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402
from display import Display  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
CLIENT = os.path.join(FOLDER.name, 'client')
NO_PLATFORM = 77
PROGRAMS = ('gl_textures', 'gl_cubes', 'gl_depths', 'gl_feedback', 'gl_compute', 'gl_samples', 'gl_images', 'gl_blocks')


def compiled(name, program, folder=os.path.join('tests', 'system'), libraries=('-lEGL', '-lGL', '-lpthread')):
    compiler = shutil.which('cc') or shutil.which('gcc')
    if not compiler:
        raise tap.Skip('no C compiler')
    source = os.path.join(tap.SOURCE, folder, name + '.c')
    done = subprocess.run([compiler, '-std=c17', source, '-o', program, *libraries], capture_output=True, text=True, timeout=120)
    if done.returncode and ('No such file' in done.stderr or 'cannot find -l' in done.stderr):
        raise tap.Skip('no libegl-dev or libgl-dev')
    return [done.stderr] if done.returncode else []


def build():
    return compiled('opengl_client', CLIENT)


def run(*options, program=CLIENT, arguments=(), **environment):
    done = subprocess.run([COMMAND, 'gl', *options, '--', program, *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment})
    if done.returncode == NO_PLATFORM:
        raise tap.Skip('EGL has no surfaceless platform')
    return done


def checked(name):
    """A program that checks what it reads: nothing is wrong, nothing was refused, and every engine gives the same sum."""
    def check():
        program = os.path.join(FOLDER.name, name)
        findings = compiled(name, program)
        if findings:
            return findings
        done = run('--stats', program=program)
        lines = done.stdout.splitlines()
        if done.returncode or len(lines) != 2 or 'Scheelite' not in lines[0]:
            findings.append(str(done))
        findings += [f'no {row!r}: {done.stderr}' for row in ('refused_messages\t0', 'refused_commands\t0') if row + '\n' not in done.stderr]
        for options in (('--engine', 'interp', '--width', '4'), ('--engine', 'jit', '--threads', '3')):
            other = run(*options, program=program)
            if other.stdout != done.stdout:
                findings.append(f'{options}: {other}')
        return findings
    return check


def picture():
    """The renderer is ours, the clear is as OpenGL says (0.2, 0.4 and 0.6 of 255), and nothing was refused."""
    done = run('--stats')
    lines = done.stdout.splitlines()
    findings = [] if done.returncode == 0 and len(lines) == 3 else [str(done)]
    if not findings and ('Scheelite' not in lines[0] or lines[1] != '51 102 153 255'):
        findings.append(done.stdout)
    return findings + [f'no {row!r}: {done.stderr}' for row in ('refused_messages\t0', 'refused_commands\t0', 'draws\t1', 'clears\t1') if row + '\n' not in done.stderr]


def same_bits():
    wanted = run('--engine', 'interp', '--threads', '1').stdout
    findings = [] if wanted.count('\n') == 3 else ['no picture']
    for options in (('--threads', '3'), ('--width', '4'), ('--width', '16'), ('--engine', 'jit'), ('--engine', 'jit', '--width', '4', '--threads', '2'),
                    ('--no-sandbox',)):
        done = run(*options)
        if done.stdout != wanted:
            findings.append(f'{options}: {done}')
    return findings


# How far llvmpipe's texels of random blocks may be from ours, in 255ths. What is not here differs by the rounding of
# floats alone. llvmpipe interpolates colours of S3TC and RGTC in whole 255ths (of RGTC's signed formats in 127ths), with
# weights of 8 bits; it has sRGB's curve as a polynomial; and it divides EAC's integers of 16 bits where ours has those of
# 11 bits. docs/peer-differences.md has the differences of decoders.
ROUNDING = 0.001
TOLERANCES = (('SRGB8', 0.5), ('SIGNED_RED_RGTC', 3.5), ('SIGNED_RG_RGTC', 3.5), ('RED_RGTC', 1.75), ('RG_RGTC', 1.75), ('RGB_S3TC', 1.01),
              ('RGBA_S3TC', 1.01), ('R11', 0.01), ('RG11', 0.01), ('SIGNED_R11', 0.01), ('SIGNED_RG11', 0.01))


def read_texels(path):
    """{format: (blocks, texels)} of what gl_blocks has written."""
    with open(path, 'rb') as file:
        data = file.read()
    formats, at = {}, 0
    while at < len(data):
        line = data.index(b'\n', at)
        name, *numbers = data[at:line].decode().split()
        width, height, block_width, block_height, block_bytes = map(int, numbers)
        texels = line + 1 + width // block_width * (height // block_height) * block_bytes
        at = texels + width * height * 16
        formats[name] = (data[line + 1:texels], array.array('f', data[texels:at]))
    return formats


def far(name, ours, theirs):
    """Whether four components of a texel are further apart than is explained. llvmpipe's client has only the LDR profile of
    ASTC and decodes it to 8 bits, the high ones of 16, and what is not of that profile to the error colour."""
    if name.startswith('RGBA_ASTC'):
        return theirs != [1, 0, 1, 1] and any(min(int(a * 256), 255) != round(b * 255) for a, b in zip(ours, theirs))
    allowed = next((value for start, value in TOLERANCES if name.startswith(start)), ROUNDING)
    return any(abs(a - b) * 255 > allowed for a, b in zip(ours, theirs) if a == a or b == b)


def beside_llvmpipe():
    program, ours, theirs = (os.path.join(FOLDER.name, name) for name in ('gl_blocks', 'ours', 'theirs'))
    findings = compiled('gl_blocks', program)
    if findings:
        return findings
    done = subprocess.run([program, theirs], capture_output=True, text=True, timeout=300,
                          env={**os.environ, 'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe'})
    if done.returncode or 'llvmpipe' not in done.stdout:
        raise tap.Skip('no llvmpipe')
    done = run(program=program, arguments=[ours])
    if done.returncode:
        return [str(done)]
    here, there = read_texels(ours), read_texels(theirs)
    findings = [] if here and sorted(here) == sorted(there) else [f'{sorted(here)} and {sorted(there)}']
    for name in here:
        if here[name][0] != there[name][0]:
            findings.append(f'{name}: other blocks')
        pairs = [(list(here[name][1][i:i + 4]), list(there[name][1][i:i + 4])) for i in range(0, len(here[name][1]), 4)]
        wrong = [pair for pair in pairs if far(name, *pair)]
        findings += [f'{name}: {len(wrong)} of {len(pairs)} texels, as {wrong[0]}'] if wrong else []
    return findings


def sums_of_llvmpipe():
    """What these programs read does not depend on how an implementation rounds."""
    findings = []
    for name in ('gl_cubes', 'gl_feedback'):
        program = os.path.join(FOLDER.name, name)
        findings += compiled(name, program)
        done = subprocess.run([program], capture_output=True, text=True, timeout=300,
                              env={**os.environ, 'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe'})
        if done.returncode or 'llvmpipe' not in done.stdout:
            raise tap.Skip('no llvmpipe')
        ours = run(program=program)
        if ours.stdout.splitlines()[1:] != done.stdout.splitlines()[1:]:
            findings.append(f'{name}: {ours.stdout}, and of llvmpipe {done.stdout}')
    return findings


def single():
    """A window of one buffer shows what is drawn. If it is not shown, the client's reading of it ends the program, which the line at the
    end names, unless bytes go through the socket."""
    program = os.path.join(FOLDER.name, 'gl_single')
    findings = compiled('gl_single', program, libraries=('-lGL', '-lX11'))
    if findings:
        return findings
    with Display() as display:
        for options, arguments, wanted in (((), (), '51 102 153\n336699\n'), (('--protocol', '0'), (), '51 102 153\n336699\n'),
                                           (('--protocol', '0'), ('hidden',), '51 102 153\n')):
            done = run(*options, program=program, arguments=arguments, DISPLAY=display.name)
            lines = done.stdout.split('\n', 1)
            if done.returncode or done.stderr or len(lines) != 2 or 'Scheelite' not in lines[0] or lines[1] != wanted:
                findings.append(f'{options} {arguments}: {done}')
        done = run(program=program, arguments=['hidden'], DISPLAY=display.name)
        findings += [] if done.returncode == 1 and '--protocol 0 serves it' in done.stderr else [str(done)]
        if shutil.which('glxinfo'):
            done = run(program='glxinfo', arguments=['-B'], DISPLAY=display.name)
            findings += [] if done.returncode == 0 and 'OpenGL renderer string: virgl (Scheelite' in done.stdout and not done.stderr else [str(done)]
    return findings


def wayland():
    """EGL on Wayland, in a compositor without a screen: frames, as on X."""
    lacks = [name for name in ('weston', 'es2gears_wayland') if not shutil.which(name)]
    if lacks:
        raise tap.Skip(f'no {", ".join(lacks)}')
    runtime = os.path.join(FOLDER.name, 'runtime')
    os.mkdir(runtime, 0o700)
    environment = {**os.environ, 'XDG_RUNTIME_DIR': runtime}
    with subprocess.Popen(['weston', '--backend=headless-backend.so', '--socket=wayland-test', '--idle-time=0'], env=environment,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as weston:
        for _ in range(100):
            if os.path.exists(os.path.join(runtime, 'wayland-test')):
                break
            time.sleep(0.1)
        done = run('--frames', '5', '--stats', program='es2gears_wayland', XDG_RUNTIME_DIR=runtime, WAYLAND_DISPLAY='wayland-test', DISPLAY='')
        weston.terminate()
    return [] if done.returncode == 0 and '\nrefused_commands\t0\n' in done.stderr and 'frames\t5\n' in done.stderr else [str(done)]


THREADS = os.path.join(FOLDER.name, 'gl_threads')


def threads():
    """Threads that draw at once: drivers mix their messages, which the line at the end names. Some then wait for an answer to what the
    server does not see as a question: they are ended."""
    findings = compiled('gl_threads', THREADS)
    for _ in range(0 if findings else 5):
        done = run('--engine', 'interp', program='timeout', arguments=['10', THREADS])
        if done.returncode == 0 and 'lost: ' not in done.stderr:
            continue  # nothing was mixed, this time or by this driver
        if 'the program draws on several threads' not in done.stderr:
            findings.append(str(done))
    return findings


def pbuffers():
    """A swap of an EGL pbuffer has no effect, so it is no frame; a read of its buffer is one, and a line of reads."""
    sums, reads = (os.path.join(FOLDER.name, name) for name in ('sums', 'reads'))
    done = run('--frames-sha', sums, program=THREADS, arguments=['swap'])
    findings = [] if done.returncode == 1 and 'the program shows no frame' in done.stderr else [str(done)]
    done = run('--frames-sha', sums, '--frames-sha', f'reads={reads}', program=THREADS, arguments=['read'])
    with open(sums, encoding='ascii') as frames, open(reads, encoding='ascii') as pieces:
        lines = [line.split('\t')[:2] for line in frames] + [line.split('\t')[:2] for line in pieces]
    # Of Mesa 25 on, EGL's pbuffers are no windows for the client where there is no display: 1, there was no frame.
    wanted = {0: [['0', '16x16'], ['0', '1x1']], 1: [['0', '1x1']]}
    return findings + ([] if lines == wanted.get(done.returncode) else [f'{done}: {lines}'])


def reads():
    """What a program reads back has the same sums by every engine, and again from its recording."""
    record, path = os.path.join(FOLDER.name, 'record'), os.path.join(FOLDER.name, 'reads')
    found = set()
    for options in ((), ('--engine', 'interp', '--width', '4'), ('--threads', '3')):
        done = run('--record', record, '--frames-sha', f'reads={path}', *options, program=os.path.join(FOLDER.name, 'gl_textures'))
        if done.returncode or done.stderr:
            return [str(done)]
        with open(path, encoding='ascii') as file:
            found.add(file.read())
    done = subprocess.run([COMMAND, 'replay', record, '--frames-sha', 'reads=-'], capture_output=True, text=True, timeout=300)
    return [] if found == {done.stdout} and done.stdout else [f'{found} and {done}']


def shaders():
    """The example with a mistake: gl writes the shaders that replay writes of its recording, each of which is valid; mended, as its
    page says, it draws something else."""
    folder = os.path.join('examples', 'opengl')
    lamp, mended, record = (os.path.join(FOLDER.name, name) for name in ('lamp', 'mended', 'lamp.rec'))
    findings = compiled('lamp', lamp, folder)
    with open(os.path.join(tap.SOURCE, folder, 'lamp.c'), encoding='utf-8') as file, open(mended + '.c', 'w', encoding='utf-8') as to:
        to.write(file.read().replace('pow(reflect(-lamp, normal).z', 'pow(max(reflect(-lamp, normal).z, 0.0)'))
    findings += compiled('mended', mended, FOLDER.name)
    if findings:
        return findings
    first, second = (os.path.join(FOLDER.name, name) for name in ('shaders', 'again'))
    sums = []
    for program, options in ((lamp, ('--record', record, '--shaders', first)), (mended, ())):
        done = run('--frames-sha', f'reads={os.path.join(FOLDER.name, "sum")}', *options, program=program)
        findings += [] if done.returncode == 0 and not done.stderr else [str(done)]
        with open(os.path.join(FOLDER.name, 'sum'), encoding='ascii') as file:
            sums.append(file.read())
    done = subprocess.run([COMMAND, 'replay', record, '--frames-sha', 'reads=-', '--shaders', second], capture_output=True, text=True, timeout=300)
    findings += [] if done.returncode == 0 and done.stdout == sums[0] != sums[1] else [f'{done}: {sums}']
    names = sorted(os.listdir(first))
    for name in names:
        with open(os.path.join(first, name), encoding='utf-8') as ours, open(os.path.join(second, name), encoding='utf-8') as again:
            findings += [] if ours.read().replace('client 1: ', '') == again.read() else [f'{name}: another text']
    done = subprocess.run([COMMAND, 'check', '-Werror', *(os.path.join(first, name) for name in names)], capture_output=True, text=True, timeout=300)
    return findings + ([] if done.returncode == 0 and len(names) == 3 and names == sorted(os.listdir(second)) else [f'{names}: {done}'])


tap.run([('a program that draws', build), ('its picture', picture), ('the same bits', same_bits),
         *((name, checked(name)) for name in PROGRAMS), ('blocks beside llvmpipe', beside_llvmpipe),
         ('sums of llvmpipe', sums_of_llvmpipe), ('threads', threads), ('pbuffers', pbuffers), ('one buffer', single), ('Wayland', wayland), ('reads', reads), ('shaders', shaders)])
