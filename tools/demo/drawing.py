"""Runs the command: draws pictures, takes their SHA-256, evaluates, takes times. Holds no layout."""
import hashlib
import os
import shlex
import struct
import subprocess
import sys
import time

import contents

sys.path.insert(0, os.path.join(contents.ROOT, 'tests', 'cli'))
import command  # noqa: E402

KEPT = os.path.join(contents.ROOT, 'examples', 'scenes', 'pictures.sha256')
TURNS, ENOUGH = 3, 4  # of a time the least of so many turns counts; none begins after so many seconds


class Failure(Exception):
    """The command did not do what it should; says what it said."""


def kept(path):
    """The SHA-256 of each picture's texels that a file has."""
    with open(path, encoding='utf-8') as file:
        return {name: digest for digest, name in map(str.split, file)}


def keep(found):
    with open(KEPT, 'w', encoding='utf-8') as file:
        file.writelines(f'{digest}  {name}\n' for name, digest in sorted(found.items()))


def shown(words):
    """The command as one types it."""
    return 'scheelite ' + ' '.join(map(shlex.quote, words))


def texels(path):
    """(width, height, RGBA of 8 bits, the first row first)."""
    return command.picture(path)


def digest(path):
    """SHA-256 of the texels: how a file is compressed does not count."""
    return hashlib.sha256(texels(path)[2]).hexdigest()


class Drawn:
    """A picture that was drawn, once for each way of drawing it."""

    def __init__(self, picture, path, digests, known, report=''):
        self.picture, self.path, self.digests, self.known, self.report = picture, path, digests, known, report

    @property
    def digest(self):
        return self.digests[0]

    @property
    def same(self):
        return set(self.digests) == {self.known}


class Scheelite:
    """The command of a build, with a cache of machine code of its own."""

    def __init__(self, program, cache):
        self.program, self.cache = os.path.abspath(program), cache
        quad = ['--vectors', 'examples/lookup/quad.tsv', '--engine', 'jit', '--cache', cache]
        self.compiles = self.run(['eval', 'examples/lookup/lookup.tgsi', *quad]).returncode == 0

    def run(self, words, text=None):
        return subprocess.run([self.program, *words], input=text, cwd=contents.ROOT, capture_output=True, text=True, check=False)

    def output(self, words, text=None):
        done = self.run(words, text)
        if done.returncode:
            raise Failure(f'{shown(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}')
        return done.stdout

    def drawn(self, picture, folder, known):
        """Draws by machine code (where there is some) on all processors, and again by the interpreter on one. A lookup that
        is explained, and a picture of what lookups did, have one way."""
        path = os.path.join(folder, picture.name.replace('/', '-').replace('.scene', '') + '.png')
        turns = [['--threads', str(os.cpu_count() or 1), '--cache', self.cache], ['--engine', 'interp', '--threads', '1']]
        if picture.words[0] == 'sample':
            turns = [[]]
        digests, report = [], ''
        for turn in turns:
            report = self.output([*picture.words, picture.to, path, *turn])
            digests.append(digest(path))
        return Drawn(picture, path, digests, known.get(picture.name), report)

    def seconds(self, words):
        """The least of some turns."""
        taken, all_begun = [], time.monotonic()
        while not taken or len(taken) < TURNS and time.monotonic() - all_begun < ENOUGH:
            begun = time.monotonic()
            self.output(words)
            taken.append(time.monotonic() - begun)
        return min(taken)

    def times(self, picture, folder):
        """(interpreter, machine code, machine code the first time) in seconds, the latter None without a compiler."""
        words = [word if word not in ('512x512', f'{contents.WIDTH}x{contents.HEIGHT}') else contents.TIMED_SIZE for word in picture.words]
        words += ['--threads', str(os.cpu_count() or 1), '-o', os.path.join(folder, 'timed.pam')]
        interpreted = self.seconds([*words, '--engine', 'interp'])
        if not self.compiles:
            return interpreted, None, None
        compiled = [*words, '--engine', 'jit', '--cache', os.path.join(folder, 'cold-' + picture.name.replace('/', '-'))]
        begun = time.monotonic()
        self.output(compiled)
        first = time.monotonic() - begun
        return interpreted, self.seconds(compiled), first


def hexadecimal(value):
    return struct.pack('>f', value).hex()


def floats(words):
    return [struct.unpack('>f', bytes.fromhex(word[2:]))[0] for word in words.split(',')]


def quad_of_pixel():
    """What the four pixels around the chosen one get from `scheelite run`: (s, t, 0, 1) at their centres."""
    x, y = contents.PIXEL
    return ''.join(f'IN[0]={hexadecimal((x + i + 0.5) / contents.WIDTH)},{hexadecimal((y + j + 0.5) / contents.HEIGHT)},0,3f800000\n'
                   for j in (0, 1) for i in (0, 1))


def looked_up(scheelite):
    """Of the four pixels: (color, coordinates and derivative in x, derivative in y), each four words."""
    text = scheelite.output(['eval', 'examples/shaders/plane.tgsi', *contents.BOUND, '-'], quad_of_pixel())
    lines = [dict(field.split('=') for field in line.split()) for line in text.splitlines()]
    return [(line['OUT[0]'], line['OUT[1]'], line['OUT[2]']) for line in lines]


def footprint_of_pixel(scheelite):
    """The lookup of the chosen pixel, in the words of `sample`."""
    _, first, second = looked_up(scheelite)[0]
    s, t, *ddx = floats(first)
    pairs = [(s, t), ddx, floats(second)[:2]]
    return contents.footprint(*(','.join(f'{value:.9g}' for value in pair) for pair in pairs))


def answers(scheelite):
    """Of each language: the four words that the lookup of the chosen pixel gave."""
    found = []
    for _, _, words in contents.LANGUAGES:
        fields = dict(field.split('=') for field in scheelite.output(words).splitlines()[0].split())
        found.append(fields.get('OUT[0]') or ','.join(fields[f'R[{n}]'] for n in range(4)))
    return found
