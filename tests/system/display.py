"""What tests of OpenGL programs have in common. Holds no test."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402


class Display:
    """An X server of its own, on a display that it chooses."""

    def __enter__(self):
        if not shutil.which('Xvfb'):
            raise tap.Skip('no Xvfb')
        ends = os.pipe()
        self.process = subprocess.Popen(['Xvfb', '-displayfd', str(ends[1]), '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset'],
                                        pass_fds=[ends[1]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ends[1])
        with os.fdopen(ends[0]) as file:
            self.name = ':' + file.readline().strip()
        if self.name == ':':
            self.__exit__()
            raise tap.Skip('Xvfb does not start')
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
