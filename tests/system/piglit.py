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
from display import Display  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
LIST = os.path.join(tap.SOURCE, 'tests', 'system', 'piglit.txt')
NEWER = os.path.join(tap.SOURCE, 'tests', 'system', 'piglit-newer.txt')
LEAST = 300


def names():
    with open(LIST, encoding='utf-8') as file:
        return file.read().splitlines()


def newer():
    """Those that newer versions of piglit or Mesa do not have."""
    with open(NEWER, encoding='utf-8') as file:
        return [line.split(' | ')[0] for line in file if not line.startswith('#')]


def here():
    """Those of the list that this version of Mesa passes and this version of piglit has."""
    said = subprocess.run([COMMAND, 'gl', '--versions'], capture_output=True, text=True, timeout=60).stdout
    version = int(said.split('\t')[1].split('.')[0])
    return names() if version < 25 else [name for name in names() if name not in newer()]


def listed():
    """Enough of them, sorted, none twice."""
    all_names = names()
    findings = [] if len(all_names) >= LEAST else [f'{len(all_names)} tests']
    findings += [f'not in the list: {name}' for name in newer() if name not in all_names]
    return findings + ([] if all_names == sorted(set(all_names)) else ['the list is not sorted'])


def read_results(folder):
    """{name: result} of piglit's file, which it packs as its options say."""
    for path in glob.glob(os.path.join(folder, 'results.json*')):
        openers = {'.bz2': bz2.open, '.gz': gzip.open, '.xz': lzma.open}
        with openers.get(os.path.splitext(path)[1], open)(path, 'rt', encoding='utf-8') as file:
            return {name: test['result'] for name, test in json.load(file)['tests'].items()}
    return {}


def passed():
    if not shutil.which('piglit'):
        raise tap.Skip('no piglit')
    out, wanted = os.path.join(FOLDER.name, 'out'), here()
    path = os.path.join(FOLDER.name, 'list')
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(name + '\n' for name in wanted)
    with Display() as display:
        # Without wflinfo piglit would take most tests for ones that the driver cannot do, and skip them.
        environment = {**os.environ, 'DISPLAY': display.name, 'MESA_SHADER_CACHE_DISABLE': 'true',
                       'PIGLIT_NO_FAST_SKIP': 'true'}
        subprocess.run([COMMAND, 'gl', '--', 'piglit', 'run', 'quick', '-p', 'glx', '-j2', '--timeout', '120',
                        '--test-list', path, out], timeout=1700, capture_output=True, env=environment)
    results = read_results(out)
    return [f'{name}: {results.get(name, "no result")}' for name in wanted if results.get(name) != 'pass']


tap.run([('the list', listed), ('piglit', passed)])
