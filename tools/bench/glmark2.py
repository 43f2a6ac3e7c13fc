"""Frames a second of glmark2's scenes (bench/glmark2.txt), off-screen, by `scheelite gl` and by Mesa's llvmpipe in the program
itself, in turns. A scene's time has all in it: the client's own work, and compiling, unless the caches of both sides are
warm."""
import argparse
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import sides

sys.path.insert(0, os.path.join(sides.HERE, 'tests', 'system'))
from display import Display  # noqa: E402
import tap  # noqa: E402

SCENES = os.path.join(sides.HERE, 'bench', 'glmark2.txt')
PACKAGES = 'glmark2-x11 xvfb libgl1-mesa-dri'
SPARE = 120  # seconds that a scene may take besides


def arguments(words):
    parser = argparse.ArgumentParser(prog='./dev bench glmark2', description=__doc__)
    parser.add_argument('--cache', choices=('empty', 'warm'), default='empty',
                        help='of compiled code: none at all; or what two runs before have left, the first with all machine code')
    parser.add_argument('--seconds', type=float, default=2, help='of each scene')
    parser.add_argument('--rounds', type=int, default=1, help='turns of both sides for each scene; medians count')
    parser.add_argument('--threads', type=int, default=2, help='of each side')
    parser.add_argument('--engine', default='auto', help='interp, jit or auto')
    parser.add_argument('--size', default='800x600')
    parser.add_argument('--level', choices=sides.LEVELS, default='native', help='instructions that both sides are held to')
    parser.add_argument('--only', metavar='RE', default='', help='scenes that match')
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    return parser.parse_args(words)


class Driver:
    """A side: its command and environment, with a cache of its own, or none."""

    def __init__(self, asked, ours, folder):
        lanes, _, both, theirs = sides.LEVELS[asked.level]
        self.asked, self.ours = asked, ours
        cache = os.path.join(folder, 'ours' if ours else 'theirs')
        mesa = {'MESA_SHADER_CACHE_DISABLE': '1'} if asked.cache == 'empty' else {'MESA_SHADER_CACHE_DIR': cache}
        os.mkdir(cache)
        command = os.path.join(asked.build, 'src', 'cli', 'scheelite')
        self.command = [command, 'gl', '--threads', str(asked.threads), *(['--width', lanes] if lanes != '0' else []),
                        '--cache', 'none' if asked.cache == 'empty' else cache] if ours else []
        driver = {} if ours else {**sides.LLVMPIPE, 'LP_NUM_THREADS': str(asked.threads), **theirs}
        driver.pop('MESA_SHADER_CACHE_DISABLE', None)
        self.environment = {**os.environ, **both, **driver, **mesa}

    def run(self, scene, display, engine):
        """Frames a second; None: it does not run, which is said."""
        engines = ['--engine', engine, '--'] if self.ours else []
        command = [*self.command, *engines, 'glmark2', '--off-screen', '-s', self.asked.size, '-b', f'{scene}:duration={self.asked.seconds}']
        try:
            done = subprocess.run(command, capture_output=True, text=True, env={**self.environment, 'DISPLAY': display.name},
                                  timeout=self.asked.seconds + SPARE, check=False)
        except subprocess.TimeoutExpired:
            print(f'# {scene}: it does not end', file=sys.stderr)
            return None
        found = re.search(r'FrameTime: ([0-9.]+) ms', done.stdout)  # frames a second are printed without fractions
        renderer = re.search(r'GL_RENDERER: *(.*)', done.stdout)
        if done.returncode or not found or not renderer or ('Scheelite' if self.ours else 'llvmpipe') not in renderer[1]:
            print(f'# {scene}: exit {done.returncode}, {renderer and renderer[1]}: {(done.stdout + done.stderr)[-500:]}', file=sys.stderr)
            return None
        return 1000 / max(float(found[1]), 1e-3)


def measure(asked, drivers, scene, display):
    """Both sides' frames a second, and their ratio, medians of the turns; None: a side does not run."""
    # A scene of few frames may end before all of its code is compiled in the background; a second run leaves the rest.
    before = ('jit', asked.engine) if asked.cache == 'warm' else ()
    if any(driver.run(scene, display, engine) is None for engine in before for driver in drivers):
        return None
    turns = []
    for turn in range(asked.rounds):
        found = {driver: driver.run(scene, display, asked.engine) for driver in (drivers if turn % 2 == 0 else drivers[::-1])}
        turns.append([found[driver] for driver in drivers])
    if any(None in turn for turn in turns):
        return None
    return [statistics.median(turn[n] for turn in turns) for n in range(2)] + [statistics.median(a / max(b, 1e-3) for a, b in turns)]


def main(words):
    asked = arguments(words)
    sides.settle_level(asked)
    if not shutil.which('glmark2'):
        sides.die(f'there is no glmark2; Debian packages: {PACKAGES}')
    with open(SCENES, encoding='utf-8') as file:
        scenes = [line.strip() for line in file if not line.startswith('#') and re.search(asked.only, line)]
    print(f'# {sides.processor()[0]}, level {asked.level}; frames a second, {asked.size}, {asked.threads} threads, '
          f'{asked.seconds:g} s a scene, cache {asked.cache}, engine {asked.engine}; medians of {asked.rounds} turns')
    print('scene\tours\tllvmpipe\tours/llvmpipe', flush=True)
    ratios = []
    try:
        with Display() as display, tempfile.TemporaryDirectory() as folder:
            drivers = [Driver(asked, ours, folder) for ours in (True, False)]
            for scene in scenes:
                found = measure(asked, drivers, scene, display)
                if found:
                    ratios.append(found[2])
                    print(f'{scene}\t{found[0]:.4g}\t{found[1]:.4g}\t{found[2]:.2f}', flush=True)
    except tap.Skip as reason:
        sides.die(f'{reason}; Debian packages: {PACKAGES}')
    if ratios:
        mean = math.exp(statistics.mean(math.log(max(ratio, 1e-3)) for ratio in ratios))
        print(f'# geometric mean of ours/llvmpipe {mean:.2f}; faster in {sum(ratio > 1 for ratio in ratios)} of {len(ratios)} scenes')
    if len(ratios) != len(scenes) or not scenes:
        sides.die('not every scene was timed' if scenes else f'no scene matches {asked.only}')
