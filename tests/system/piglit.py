#!/usr/bin/env python3
"""Tests of piglit (Debian's package) on Mesa's driver virpipe and a server of ours: those that piglit.txt names pass. The
list is of tests that passed when it was made, from all over piglit's profile `quick`; it only grows."""
import bz2
import glob
import gzip
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
LIST = os.path.join(tap.SOURCE, 'tests', 'system', 'piglit.txt')
LEAST = 300


class Display:
    """An X server of its own, on a display that it chooses."""

    def __enter__(self):
        ends = os.pipe()
        self.process = subprocess.Popen(['Xvfb', '-displayfd', str(ends[1]), '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset'],
                                        pass_fds=[ends[1]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ends[1])
        with os.fdopen(ends[0]) as file:
            self.name = ':' + file.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)


def names():
    with open(LIST, encoding='utf-8') as file:
        return file.read().splitlines()


def listed():
    """Enough of them, sorted, none twice."""
    all_names = names()
    findings = [] if len(all_names) >= LEAST else [f'{len(all_names)} tests']
    return findings + ([] if all_names == sorted(set(all_names)) else ['the list is not sorted'])


def read_results(folder):
    """{name: result} of piglit's file, which it packs as its options say."""
    for path in glob.glob(os.path.join(folder, 'results.json*')):
        openers = {'.bz2': bz2.open, '.gz': gzip.open, '.xz': lzma.open}
        with openers.get(os.path.splitext(path)[1], open)(path, 'rt', encoding='utf-8') as file:
            return {name: test['result'] for name, test in json.load(file)['tests'].items()}
    return {}


def passed():
    for program in ('piglit', 'Xvfb'):
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')
    out = os.path.join(FOLDER.name, 'out')
    with Display() as display:
        if display.name == ':':
            raise tap.Skip('Xvfb does not start')
        # Without wflinfo piglit would take most tests for ones that the driver cannot do, and skip them.
        environment = {**os.environ, 'DISPLAY': display.name, 'MESA_SHADER_CACHE_DISABLE': 'true',
                       'PIGLIT_NO_FAST_SKIP': 'true'}
        subprocess.run([COMMAND, 'gl', '--', 'piglit', 'run', 'quick', '-p', 'glx', '-j2', '--timeout', '120',
                        '--test-list', LIST, out], timeout=1700, capture_output=True, env=environment)
    results = read_results(out)
    return [f'{name}: {results.get(name, "no result")}' for name in names() if results.get(name) != 'pass']


tap.run([('the list', listed), ('piglit', passed)])
