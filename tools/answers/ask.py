"""Asking the command: a folder in which it runs, one call, its digest. Holds nothing about what is asked."""
import collections
import hashlib
import os
import shutil
import subprocess
import tempfile
import time

Setting = collections.namedtuple('Setting', 'command shared repository compiled wanted')
Answer = collections.namedtuple('Answer', 'name code out err files digest')
Task = collections.namedtuple('Task', 'kind function arguments')

SECONDS = 120  # a call that takes longer is killed, which is an answer of its own
KILLED = -9

ENVIRONMENT = {'PATH': '/usr/bin:/bin', 'HOME': '/nonexistent', 'LC_ALL': 'C', 'NO_COLOR': '1'}


def digest(*parts):
    """SHA-256 of the parts and where each ends."""
    state = hashlib.sha256()
    for part in parts:
        state.update(b'%d:' % len(part))
        state.update(part)
    return state.hexdigest()


class Place:
    """A folder of its own with links to the shaders, so that reports name them alike everywhere."""

    def __init__(self, setting):
        self.setting, self.path = setting, tempfile.mkdtemp(prefix='answers-')
        for name in ('shared', 'repository'):
            os.symlink(getattr(setting, name), os.path.join(self.path, name))

    def close(self):
        shutil.rmtree(self.path)

    def write(self, name, data):
        with open(os.path.join(self.path, name), 'wb') as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return name

    def read(self, name):
        with open(os.path.join(self.path, name), 'rb') as file:
            return file.read()

    def take(self, name):
        """What a file holds that the command was to write, b'' if it did not; the file goes."""
        try:
            data = self.read(name)
            os.remove(os.path.join(self.path, name))
            return data
        except FileNotFoundError:
            return b''

    def ask(self, name, *arguments, stdin=b'', files=()):
        """The answer called `name` of one call that may write `files`."""
        try:
            done = subprocess.run([self.setting.command, *arguments], input=stdin, cwd=self.path, env=ENVIRONMENT,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            code, out, err = KILLED, b'', b''
        written = [self.take(file) for file in files]
        return Answer(name, code, out, err, written, digest(b'%d' % code, out, err, *written))


def made(name, *parts, code=0):
    """An answer that is a part of another one."""
    return Answer(name, code, b'', b'', [], digest(*parts))


def timed(job):
    """(answers, seconds, kind) of a task, in a place of its own."""
    setting, task = job
    begin, place = time.monotonic(), Place(setting)
    try:
        return list(task.function(place, *task.arguments)), time.monotonic() - begin, task.kind
    finally:
        place.close()
