#!/usr/bin/env python3
"""Pictures of OpenGL programs that are not ours: the scenes of glmark2's own list are what llvmpipe draws, and they and
those of a hundred tests of piglit have the same bits by every engine, width and number of threads. The table of scenes
that docs/opengl.md has is printed (SCH_TEST='beside llvmpipe')."""
import concurrent.futures
import glob
import itertools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402
from display import Display  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
LIST = os.path.join(tap.SOURCE, 'tests', 'system', 'piglit-pictures.txt')
RATE, FRAMES = '10/7', 3
with open(os.path.join(tap.SOURCE, 'bench', 'glmark2.txt'), encoding='utf-8') as listed:
    SCENES = [line.strip() for line in listed if not line.startswith('#')]
# Rounding changes colours by little, but it also chooses between two texels, and between two triangles at an edge. The
# frame before has a mean of 4 and more, but in effect2d, where nothing moves.
MOST_MEAN, FAR, MOST_FAR = 0.6, 8, 0.01


def needed(program):
    if not shutil.which(program):
        raise tap.Skip(f'no {program}')
    if 'SCH_STEADY' not in os.environ:
        raise tap.Skip('no steady clock in this build')


def run(command, display, **more):
    environment = {**os.environ, 'DISPLAY': display.name, **more}
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120, env=environment)


def steady(*command, frames=FRAMES, **more):
    """The command with a clock that stands still in each frame, until it has shown so many."""
    values = {'LD_PRELOAD': os.environ['SCH_STEADY'], 'SCH_CLOCK_FPS': RATE, 'SCH_FRAMES': frames, **more}
    return ['env', *(f'{name}={value}' for name, value in values.items()), *command]


# ---- beside llvmpipe

def texels(path):
    """Size and bytes of a portable pixmap."""
    with open(path, 'rb') as file:
        words = file.read().split(None, 4)
    return words[1:3], words[4]


def differences(one, other):
    """The largest, the mean, how many pixels differ, how many by more than FAR in a component, and how many there are."""
    (size, here), (other_size, there) = texels(one), texels(other)
    if size != other_size or len(here) != len(there):
        return None
    apart = [abs(a - b) for a, b in zip(here, there)]
    pixels = [max(triple) for triple in zip(apart[0::3], apart[1::3], apart[2::3])]
    return max(apart), sum(apart) / len(apart), sum(pixel > 0 for pixel in pixels), sum(pixel > FAR for pixel in pixels), len(pixels)


# llvmpipe's quick filter has texture coordinates in 1/256 of a texel; this makes it use floats.
THEIRS = {'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe', 'GALLIVM_PERF': 'no_aos_sampling'}


def scene_beside(scene, display):
    pictures = [os.path.join(FOLDER.name, name) for name in ('theirs.ppm', 'ours.ppm')]
    for path, served, more in ((pictures[0], [], THEIRS), (pictures[1], [COMMAND, 'gl', '--'], {})):
        done = run([*served, *steady('glmark2', '-b', scene, SCH_FILE=path)], display, **more)
        if done.returncode or not os.path.exists(path):
            return [f'{scene}: exit {done.returncode}: {done.stderr[-500:]}']
    found = differences(*pictures)
    for path in pictures:
        os.remove(path)
    if not found:
        return [f'{scene}: another size']
    print(f'# {scene}\t{found[0]}\t{found[1]:.4f}\t{found[2]}\t{found[3]}')
    return [] if found[1] <= MOST_MEAN and found[3] <= MOST_FAR * found[4] else [f'{scene}: {found}']


def beside():
    needed('glmark2')
    with Display() as display:
        return [finding for scene in SCENES for finding in scene_beside(scene, display)]


# ---- the same bits

WAYS = [('--engine', engine, '--width', width, '--threads', threads)
        for engine, width, threads in itertools.product(('interp', 'jit'), ('4', '8', '16'), ('1', '2', '3'))]


def replayed(path, sums):
    """A recording in every way: the sums of its frames are those of when it was recorded."""
    findings = []
    for way in WAYS:
        done = subprocess.run([COMMAND, 'replay', path, '--frames-sha', '-', *way], capture_output=True, text=True, timeout=300)
        if done.returncode or done.stdout != sums:
            findings.append(f'{" ".join(way)}: exit {done.returncode}: {done.stdout}{done.stderr[-300:]}')
    return findings


def same_bits(name, command, number, display):
    """How many frames it has, and what is wrong."""
    path, sums = (os.path.join(FOLDER.name, f'{number}.{kind}') for kind in ('recording', 'sums'))
    done = run([COMMAND, 'gl', '--record', path, '--frames-sha', sums, '--', *command], display)
    with open(sums, encoding='utf-8') as file:
        wanted = file.read()
    if done.returncode or not wanted:
        return 0, [f'{name}: exit {done.returncode}, {wanted.count(chr(10))} frames: {done.stderr[-500:]}']
    findings = [f'{name}: {finding}' for finding in replayed(path, wanted)]
    os.remove(path)
    return wanted.count('\n'), findings


def all_same(commands):
    with Display() as display, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda item: same_bits(item[1][0], item[1][1], item[0], display), enumerate(commands)))
    print(f'# {len(commands)} programs, {sum(frames for frames, _ in results)} frames, {len(WAYS)} ways')
    return [finding for _, findings in results for finding in findings]


def scenes():
    needed('glmark2')
    return all_same([(scene, steady('glmark2', '-b', scene)) for scene in SCENES])


def piglit():
    needed('piglit')
    homes = [home for home in glob.glob('/usr/lib/*/piglit') + ['/usr/lib/piglit'] if os.path.isdir(os.path.join(home, 'bin'))]
    if not homes:
        raise tap.Skip('no programs of piglit')
    with open(LIST, encoding='utf-8') as file:
        lines = file.read().splitlines()
    commands = []
    for line in lines:
        words = [os.path.join(homes[0], word) if os.path.exists(os.path.join(homes[0], word)) else word for word in shlex.split(line)]
        commands.append((line, steady(*words, frames=1, PIGLIT_PLATFORM='glx', PIGLIT_SOURCE_DIR=homes[0])))
    findings = [] if len(lines) >= 100 and lines == sorted(set(lines)) else ['the list is short, or not sorted']
    return findings + all_same(commands)


def clocked():
    """A program that draws by the clock has the same frames each time with a steady one, and other ones without."""
    needed('glxgears')
    frames = 30

    def sums(number, display, *options):
        path = os.path.join(FOLDER.name, f'gears-{number}.txt')
        run([COMMAND, 'gl', '--engine', 'interp', '--frames-sha', path, *options, '--', 'timeout', '5', 'glxgears'], display)
        with open(path, encoding='utf-8') as file:
            return file.read().splitlines()[:frames]
    with Display() as display:
        one, two, free = sums(1, display, '--clock', '60'), sums(2, display, '--clock', '60'), sums(3, display)
    return ([] if len(one) == len(set(one)) == frames and one == two else [f'{one[:3]}, {two[:3]}']) + \
        ([] if free[1:] != one[1:] else ['the clock makes no difference'])


tap.run([('beside llvmpipe', beside), ('a steady clock', clocked), ('scenes have the same bits', scenes), ('piglit has the same bits', piglit)])
