#!/usr/bin/env python3
"""docs/ci.md: its recipes draw, keep what they drew, find it again, and find a difference; what forges and docker are given are the
same commands. Needs glxgears and xvfb-run."""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

sys.path.insert(0, os.path.join(tap.SOURCE, 'tests', 'cli'))
import command as c  # noqa: E402

DOCUMENT = os.path.join(tap.SOURCE, 'docs', 'ci.md')


def recipes():
    """Name and text of each file that the document shows."""
    with open(DOCUMENT, encoding='utf-8') as file:
        found = dict(re.findall(r'^`([\w.]+)`:\n\n```\w+\n(.*?)^```', file.read(), re.MULTILINE | re.DOTALL))
    assert {'gears.sh', 'CMakeLists.txt', 'test_gears.py', 'Dockerfile', 'github.yml', 'gitlab.yml'} == set(found), found.keys()
    return found


def needs(*programs):
    lacks = [name for name in ('glxgears', 'xvfb-run', *programs) if not shutil.which(name)]
    if lacks:
        raise tap.Skip(f'no {", ".join(lacks)}')


class Folder:
    """A folder with the recipes, and the command on its path."""

    def __init__(self):
        self.held = tempfile.TemporaryDirectory(prefix='scheelite-ci-')
        self.name = self.held.name
        for name, text in recipes().items():
            with open(os.path.join(self.name, name), 'w', encoding='utf-8') as file:
                file.write(text)

    def run(self, *words):
        environment = dict(os.environ, PATH=os.path.dirname(c.COMMAND) + os.pathsep + os.environ['PATH'], XDG_CACHE_HOME=self.name)
        return subprocess.run(words, cwd=self.name, env=environment, capture_output=True, text=True, timeout=300, check=False)

    def path(self, name):
        return os.path.join(self.name, name)

    def draw_golden(self):
        done = self.run('xvfb-run', '-a', 'scheelite', 'gl', '--clock', '60', '--frames', '30', '--screenshot', '29=golden.png', 'glxgears')
        assert done.returncode == 0, done.stderr

    def spoil_golden(self):
        """One texel of the golden picture is another one."""
        width, height, texels = c.picture(self.path('golden.png'))
        texels = bytearray(texels)
        texels[:4] = struct.pack('4B', texels[0] ^ 0x80, *texels[1:4])
        os.replace(c.png('spoiled.png', width, height, bytes(texels)), self.path('golden.png'))


def script():
    needs()
    folder, findings = Folder(), []
    for wanted in (0, 0, 1):
        if wanted:  # one frame is another one
            text = c.read(folder.path('gears.sha'))
            with open(folder.path('gears.sha'), 'wb') as file:
                file.write(text[:-3] + (b'0' if text[-3:-2] != b'0' else b'1') + text[-2:])
        done = folder.run('sh', 'gears.sh')
        if done.returncode != wanted:
            findings.append(f'exit code {done.returncode}, not {wanted}: {done.stdout} {done.stderr}')
    lines = c.read(folder.path('frames.sha')).count(b'\n')
    return findings + ([] if lines == 30 and os.path.getsize(folder.path('gears.png')) else [f'{lines} frames'])


def ctest():
    needs('cmake', 'ctest')
    folder, findings = Folder(), []
    folder.draw_golden()
    done = folder.run('cmake', '-S', '.', '-B', 'made')
    findings += [] if done.returncode == 0 else [done.stderr]
    for spoiled in (False, True):
        if spoiled:
            folder.spoil_golden()
        done = folder.run('ctest', '--test-dir', 'made')
        if (done.returncode != 0) != spoiled or ('2 tests failed' in done.stdout) or f'{1 if spoiled else 0} tests failed out of 2' not in done.stdout:
            findings.append(done.stdout + done.stderr)
    return findings


def whole_list():
    """One server for all processes of a test command."""
    needs()
    folder = Folder()
    program = 'for n in 1 2; do timeout 5 glxgears >/dev/null & done; timeout 5 glxgears >/dev/null; wait; true'
    done = folder.run('xvfb-run', '-a', 'scheelite', 'gl', '--stats', 'sh', '-c', program)
    clients = re.search(r'^clients\t(\d+)$', done.stderr, re.MULTILINE)
    return [] if done.returncode == 0 and clients and int(clients.group(1)) >= 3 else [f'{done}']


def pytest():
    needs()
    python = next((name for name in ('/usr/bin/python3', sys.executable)
                   if subprocess.run([name, '-c', 'import pytest'], capture_output=True, check=False).returncode == 0), None)
    if not python:
        raise tap.Skip('no python3-pytest')
    folder, findings = Folder(), []
    folder.draw_golden()
    for spoiled in (False, True):
        if spoiled:
            folder.spoil_golden()
        done = folder.run(python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_gears.py')
        if done.returncode != spoiled or spoiled and '1 of 90000 texels differ' not in done.stdout:
            findings.append(done.stdout + done.stderr)
    return findings


def forges():
    """What cannot be run here calls the script that is, or commands of ./dev that other tests run."""
    found, findings = recipes(), []
    for name in ('github.yml', 'gitlab.yml'):
        if 'sh gears.sh' not in found[name] or 'gears.png' not in found[name]:
            findings.append(f'{name} does not run gears.sh')
    packages = set(re.findall(r'^Package: (\S+)$', c.read(os.path.join(tap.SOURCE, 'debian', 'control')).decode(), re.MULTILINE))
    named = {'scheelite', *re.findall(r'/([a-z]+)_?\*\.deb', found['Dockerfile'])}
    if './dev package' not in found['Dockerfile'] or not all(any(package.startswith(name) for package in packages) for name in named):
        findings.append(f'Dockerfile: {named} are not packages')
    return findings


tap.run([('a script', script), ('CTest', ctest), ('a whole list of tests', whole_list), ('pytest', pytest), ('files of forges', forges)])
