"""An OpenGL program drawn through `scheelite gl`, where such a program and an X server are installed; nothing is installed
for it. Holds no layout."""
import os
import shutil
import subprocess

import drawing

PROGRAMS = [['glmark2', '-b', 'build:duration=1.0'], ['glmark2-es2', '-b', 'build:duration=1.0'], ['glxgears', '-geometry', '480x480'], ['es2gears_x11']]
SECONDS, PATIENCE = '2', 120


class Absent(Exception):
    """Says what is missing."""


class Display:
    """An X server without a screen, on a display that it chooses; else the one that there is."""

    def __enter__(self):
        self.process, self.name = None, os.environ.get('DISPLAY', '')
        if shutil.which('Xvfb'):
            ends = os.pipe()
            self.process = subprocess.Popen(['Xvfb', '-displayfd', str(ends[1]), '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset'],
                                            pass_fds=[ends[1]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(ends[1])
            with os.fdopen(ends[0]) as file:
                number = file.readline().strip()
            self.name = ':' + number if number else ''
        if not self.name:
            self.__exit__()
            raise Absent('there is no X server (Debian package xvfb)')
        return self.name

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait(30)


def run(words, display):
    try:
        return subprocess.run(words, env=dict(os.environ, DISPLAY=display), capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise Absent('the program did not end') from None


def frame(scheelite, folder):
    """The first frame of a program: (its words, the picture as it was drawn live, whether the interpreter draws the same
    from a recording)."""
    words = next((words for words in PROGRAMS if shutil.which(words[0])), None)
    if not words:
        raise Absent('there is neither glxgears nor glmark2 (Debian packages mesa-utils and glmark2-x11)')
    live, again, record = (os.path.join(folder, name) for name in ('client.png', 'client-again.png', 'client.recording'))
    for old in (live, again):
        if os.path.exists(old):
            os.remove(old)
    with Display() as display:
        done = run([scheelite.program, 'gl', '--screenshot', '0=' + live, '--record', record, '--', 'timeout', SECONDS, *words], display)
    try:
        if not os.path.exists(live):
            raise Absent(f'{words[0]} could not be drawn: {(done.stderr.strip().splitlines() or ["it showed nothing"])[-1]}')
        scheelite.output(['replay', record, '--frame', '0', '--engine', 'interp', '--threads', '1', '-o', again])
    finally:
        if os.path.exists(record):
            os.remove(record)
    return words, live, drawing.digest(live) == drawing.digest(again)
