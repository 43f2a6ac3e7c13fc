#!/usr/bin/env python3
"""The demo: draws the pictures of contents.py, compares each with the repository's (examples/scenes/pictures.sha256), takes times,
and writes a page of HTML (page.py). Exit status 1 if a picture is not the repository's. Holds the order of steps."""
import argparse
import os
import platform
import shutil
import sys
import tempfile
import time

import client
import contents
import drawing
import page
import sheet


class Found:
    """All that the page shows."""

    def __init__(self, compiles, folder):
        self.compiles, self.pictures, self.by_name = compiles, [], {}
        self.times, self.answers, self.client, self.absent, self.wrong, self.machine = {}, [], None, '', [], ''
        self.one_answer = self.in_picture = False
        self.root = os.path.relpath(contents.ROOT, folder)

    def add(self, drawn):
        self.pictures.append(drawn)
        self.by_name[drawn.picture.name] = drawn


class Progress:
    """A line that counts on a terminal, otherwise a line for each part."""

    def __init__(self):
        self.part, self.live = '', sys.stdout.isatty()

    def show(self, part, name=''):
        if self.live:
            print(f'\r\033[K{part}{": " + name if name else ""}', end='', flush=True)
        elif part != self.part:
            print(part, flush=True)
        self.part = part

    def end(self):
        if self.live:
            print('\r\033[K', end='', flush=True)


def processor():
    with open('/proc/cpuinfo', encoding='utf-8', errors='replace') as file:
        for line in file:
            if line.startswith('model name'):
                return ' '.join(line.split(':', 1)[1].split())
    return platform.machine()


def draw(scheelite, found, folder, known, progress):
    pictures = [*contents.SCENES, *contents.SHADERS, *contents.PLANES, *contents.HEATS, drawing.footprint_of_pixel(scheelite)]
    for number, picture in enumerate(pictures, 1):
        progress.show('drawing', f'{number} of {len(pictures)}: {picture.name}')
        found.add(scheelite.drawn(picture, folder, known))
    text = os.path.join(folder, 'sheet.scene')
    with open(text, 'w', encoding='utf-8') as file:
        file.write(sheet.scene({name: (os.path.basename(drawn.path), *drawing.texels(drawn.path)[:2]) for name, drawn in found.by_name.items()}))
    found.add(scheelite.drawn(contents.Picture('sheet', ['render', text], 'Contact sheet', 'Drawn by scheelite render.', 'All of the above.'), folder, known))


def compare_answers(scheelite, found):
    """Of the languages with each other, and with the pixel of the picture."""
    found.answers = drawing.answers(scheelite)
    found.one_answer = set(found.answers) == {drawing.looked_up(scheelite)[0][0]}
    width, _, texels = drawing.texels(found.by_name['lookup/plane'].path)
    at = (contents.PIXEL[1] * width + contents.PIXEL[0]) * 4
    found.in_picture = list(texels[at:at + 4]) == [round(value * 255) for value in drawing.floats(found.answers[0])]
    found.wrong += ['three languages gave different answers'] * (not found.one_answer)
    found.wrong += ['the looked-up colour is not that of the picture'] * (not found.in_picture)


def draw_client(scheelite, found, folder):
    try:
        found.client = client.frame(scheelite, folder)
        found.wrong += [f'{found.client[0][0]}: the interpreter draws another frame'] * (not found.client[2])
    except client.Absent as reason:
        found.absent = str(reason)


def take_times(scheelite, found, progress):
    with tempfile.TemporaryDirectory() as folder:
        for picture in [picture for picture in contents.SHADERS + contents.PLANES if picture.name in contents.TIMED]:
            progress.show('taking times', picture.name)
            found.times[picture.name] = scheelite.times(picture, folder)


def report(found, path, given):
    wrong = [drawn for drawn in found.pictures if not drawn.same]
    for drawn in wrong:
        print(f'not the repository\'s: {drawn.picture.name} is {" and ".join(dict.fromkeys(drawn.digests))}, the repository has {drawn.known or "none"}')
    for words in found.wrong:
        print(words)
    print(f'{len(found.pictures) - len(wrong)} of {len(found.pictures)} pictures are those of the repository')
    if found.absent:
        print(f'no frame of an OpenGL program: {found.absent}')
    print(f'\nThe page:\n  {path}\nThe contact sheet:\n  {found.by_name["sheet"].path}\n'
          f'The command, for this shell:\n  export PATH="{os.path.dirname(os.path.abspath(given.program))}:$PATH"')
    return 1 if wrong or found.wrong else 0


def main():
    parser = argparse.ArgumentParser(prog='demo', description='Draws the examples, compares them with the repository\'s, and makes a page of it.')
    parser.add_argument('program', help='the command scheelite')
    parser.add_argument('folder', help='where the page and the pictures go')
    parser.add_argument('--update', action='store_true', help='take the SHA-256 of what is drawn as the repository\'s')
    parser.add_argument('--known', default=drawing.KEPT, help='the file of known SHA-256; the repository\'s if not given')
    given = parser.parse_args()
    folder = os.path.abspath(given.folder)
    os.makedirs(folder, exist_ok=True)
    begun, progress = time.monotonic(), Progress()

    # Machine code is compiled anew: the demo shows what this build does.
    cache = os.path.join(folder, 'cache')
    shutil.rmtree(cache, ignore_errors=True)
    os.mkdir(cache, 0o700)
    known = {} if given.update else drawing.kept(given.known)
    try:
        scheelite = drawing.Scheelite(given.program, cache)
        found = Found(scheelite.compiles, folder)
        draw(scheelite, found, folder, known, progress)
        if given.update:
            drawing.keep({drawn.picture.name: drawn.digest for drawn in found.pictures})
            for drawn in found.pictures:
                drawn.known = drawn.digest
        compare_answers(scheelite, found)
        take_times(scheelite, found, progress)
        progress.show('drawing an OpenGL program')
        draw_client(scheelite, found, folder)
    except drawing.Failure as reason:
        progress.end()
        print(reason, file=sys.stderr)
        return 1
    progress.end()
    version = scheelite.output(['--version']).splitlines()[0]
    engine = 'with machine code by LLVM 19' if found.compiles else 'by the interpreter (no clang 19 and LLVM 19)'
    found.machine = f'{version}, drawn {engine} on {os.cpu_count()} processors ({processor()}) in {time.monotonic() - begun:.0f} seconds.'
    path = os.path.join(folder, 'index.html')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(page.page(found))
    return report(found, path, given)


if __name__ == '__main__':
    sys.exit(main())
