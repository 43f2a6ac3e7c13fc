#!/usr/bin/env python3
"""The library as a package has it: installed under another root (DESTDIR), found by pkg-config, and used by the smallest
example. Holds no check of what shaders do."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ROOT = os.path.join(FOLDER.name, 'root')
TINY = os.path.join(tap.SOURCE, 'examples', 'tiny.c')


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')


def found(name):
    """The folder under ROOT that has a file of this name."""
    for at, _, names in os.walk(ROOT):
        if name in names:
            return at
    return ''


def environment():
    package = found('scheelite.pc')
    return dict(os.environ, PKG_CONFIG_PATH=package, PKG_CONFIG_SYSROOT_DIR=ROOT, LD_LIBRARY_PATH=os.path.dirname(package))


def output(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(),
                          timeout=120, check=False, **options)
    return done.returncode, done.stdout


def install():
    """Everything that users call or link is there."""
    needs('meson')
    status, text = output(['meson', 'install', '-C', tap.BUILD, '--no-rebuild', '--destdir', ROOT])
    wanted = ['scheelite', 'scheelite.h', 'libscheelite.so.0', 'libscheelite-files.so.0', 'scheelite.pc',
              'scheelite-files.pc', 'scheelite.service']
    if status:
        return [text]
    unit = os.path.join(found('scheelite.service'), 'scheelite.service')
    if os.path.isfile(unit):
        with open(unit, encoding='utf-8') as file:
            starts = re.search(r'^ExecStart=(\S+)', file.read(), re.MULTILINE).group(1)
        if not os.path.exists(ROOT + starts):
            return [f'{unit}: there is no {starts}']
    return [f'{name} is not installed' for name in wanted if not found(name)]


def packages(*options):
    status, text = output(['pkg-config', *options, 'scheelite'])
    if status:
        raise OSError(text)
    return text.split()


def example(compiler, *options):
    def builds_and_runs():
        needs(compiler, 'pkg-config')
        program = os.path.join(FOLDER.name, 'tiny-' + compiler)
        status, text = output([compiler, *options, TINY, '-o', program, *packages('--cflags', '--libs')])
        if status:
            return [text]
        status, text = output([program])
        return [] if status == 0 and '3: OUT[0] = 2 16 0 0' in text else [f'exit status {status}', text]
    return builds_and_runs


def command():
    """The installed command finds its libraries where they are."""
    at = found('scheelite')
    status, text = output([os.path.join(at, 'scheelite'), 'check', os.path.join(tap.SOURCE, 'examples', 'shaders', 'blur.tgsi')])
    return [] if status == 0 else [f'exit status {status}', text]


tap.run([
    ('installation with DESTDIR', install),
    ('the installed command runs', command),
    ('the example by pkg-config: gcc, C11', example('gcc', '-std=c11', '-Wall', '-Werror')),
    ('the example by pkg-config: clang, C17', example('clang', '-std=c17', '-Wall', '-Werror')),
    ('the example by pkg-config: tcc', example('tcc')),
])
