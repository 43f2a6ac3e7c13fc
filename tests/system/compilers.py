#!/usr/bin/env python3
"""The library by compilers and for processors other than those of ./dev: each builds it with the example and runs that. For
ARM also the tests of single operations, pictures of the command, and machine code, by an emulator. Holds no check of what shaders do."""
import functools
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'cli'))
import command  # noqa: E402
import tap  # noqa: E402

OPTIONS = ['-Dbuildtype=debugoptimized', '-Doptimization=1', '-Dc_args=-g0', '-Dops_clang=disabled']
TINY = 'examples/tiny'
ARM = os.path.join(tap.SOURCE, 'tools', 'aarch64-linux-gnu.ini')
SCENES = os.path.join(tap.SOURCE, 'examples', 'scenes')
LLVM_OF_ARM = '/usr/lib/aarch64-linux-gnu/libLLVM-19.so'
CODE_TESTS = (('native_object',), ('opcodes',), ('jit_random',), ('compiled_lookups', '--count', '100'))  # programs and what they are given
PICTURES = ('triangle.scene', 'blend.scene', 'lines.scene', 'cube.scene')


def built(folder, options, environment, targets=(TINY,), more=()):
    """What went wrong, the end of it. `more`: further commands."""
    for step in (['meson', 'setup', folder, tap.SOURCE, *OPTIONS, *options], ['ninja', '-C', folder, *targets], *more):
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                              check=False)
        if done.returncode:
            return done.stdout.splitlines()[-30:]
    return []


def runs(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300)
    good = done.returncode == 0 and '3: OUT[0] = 2 16 0 0' in done.stdout
    return [] if good else [f'exit status {done.returncode}', done.stdout]


def by(compiler):
    def builds_and_runs():
        if not shutil.which(compiler):
            raise tap.Skip(f'no {compiler}')
        with tempfile.TemporaryDirectory() as folder:
            return built(folder, ['-Dtests=disabled', '-Djit=disabled'], dict(os.environ, CC=compiler)) or runs([os.path.join(folder, 'examples', 'tiny')])
    return builds_and_runs


@functools.cache
def arm():
    """A build folder for ARM, and what went wrong in it; the compiler takes minutes, so there is one."""
    for program in ('aarch64-linux-gnu-gcc', 'qemu-aarch64'):
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')
    for library, package in (('libpng', 'libpng-dev'), ('cmocka', 'libcmocka-dev'), ('mpfr', 'libmpfr-dev'), ('gmp', 'libgmp-dev')):
        if not glob.glob(f'/usr/lib/aarch64-linux-gnu/pkgconfig/{library}.pc'):
            raise tap.Skip(f'no {package}:arm64')
    folder = tempfile.TemporaryDirectory()
    compiler = [['meson', 'compile', '-C', folder.name, 'scheelite-jit:shared_library']] if os.path.exists(LLVM_OF_ARM) else []
    return folder, built(folder.name, ['-Dtests=enabled', f'-Djit={"enabled" if compiler else "disabled"}', '--cross-file', ARM], os.environ,
                         [TINY, 'src/cli/scheelite'], compiler)


def arm_runs():
    folder, wrong = arm()
    return wrong or runs(['qemu-aarch64', os.path.join(folder.name, TINY)])


def arm_operations():
    """The tests that CONTRIBUTING.md names for it: an operation's result, whatever computes it."""
    with open(os.path.join(tap.SOURCE, 'CONTRIBUTING.md'), encoding='utf-8') as file:
        names = re.search(r'^meson test -C build-arm (.*)$', file.read(), re.M)[1].split()
    folder, wrong = arm()
    if wrong:
        return wrong
    environment = dict(os.environ, SCH_TEST_INSIDE='1')  # as arm_code says
    for step in (['ninja', '-C', folder.name, *(f'tests/unit/test_{name}' for name in names)],  # not all that meson would build
                 ['meson', 'test', '-C', folder.name, '--no-rebuild', '--timeout-multiplier', '20', '--print-errorlogs', *names]):
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
        said = done.stdout.splitlines()[-60:]
        if done.returncode:
            return said
    passed = re.search(r'^Ok: +(\d+)', done.stdout, re.M)
    return [] if passed and int(passed[1]) == len(names) else said


def arm_code():
    """Machine code of ARM: that of shaders equals the interpreter, and the tests of code run. An emulator starts no process of ARM, so
    the compiler is loaded into each."""
    if not os.path.exists(LLVM_OF_ARM):
        raise tap.Skip('no libllvm19:arm64')
    folder, wrong = arm()
    if wrong:
        return wrong
    done = subprocess.run(['ninja', '-C', folder.name, *(f'tests/unit/test_{name}' for name, *_ in CODE_TESTS)], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stdout.splitlines()[-30:]
    findings, scheelite = [], ['qemu-aarch64', os.path.join(folder.name, 'src', 'cli', 'scheelite')]
    for shader in sorted(glob.glob(os.path.join(tap.SOURCE, 'examples', 'shaders', '*.tgsi'))):
        where = ['--grid', '4'] if 'collatz' in shader else ['--size', '40x24', '-o', os.path.join(folder.name, 'code.png')]
        done = subprocess.run([*scheelite, 'run', shader, '--tex', f'0={tap.SOURCE}/examples/pictures/photo.png,filter=linear', *where, '--engine', 'both',
                               '--in-process', '--cache', 'none'], capture_output=True, text=True, check=False)
        if done.returncode:
            findings.append(f'{shader}: exit status {done.returncode}: {done.stderr[:300]}')
    environment = dict(os.environ, SCH_BUILD=folder.name, SCH_SOURCE=tap.SOURCE, SCH_TEST_ENGINE='jit', SCH_TEST_INSIDE='1')
    for name, *arguments in CODE_TESTS:
        done = subprocess.run(['qemu-aarch64', os.path.join(folder.name, f'tests/unit/test_{name}'), *arguments], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            findings += [f'{name}: exit status {done.returncode}', *done.stdout.splitlines()[-10:]]
    return findings


def arm_pictures():
    """Scenes of the smaller kind: the texels that every machine makes."""
    with open(os.path.join(SCENES, 'pictures.sha256'), encoding='utf-8') as file:
        kept = {name: digest for digest, name in map(str.split, file)}
    folder, wrong = arm()
    findings, path = list(wrong), os.path.join(folder.name, 'picture.png')
    for name in [] if wrong else PICTURES:
        done = subprocess.run(['qemu-aarch64', os.path.join(folder.name, 'src', 'cli', 'scheelite'), 'render',
                               os.path.join(SCENES, name), '-o', path], capture_output=True, text=True, check=False)
        if done.returncode:
            findings.append(f'{name}: exit status {done.returncode}: {done.stderr[:300]}')
        elif hashlib.sha256(command.picture(path)[2]).hexdigest() != kept[name]:
            findings.append(f'{name}: other texels than examples/scenes/pictures.sha256 has')
    return findings


tap.run([(name, by(name)) for name in ('gcc-13', 'gcc-14', 'clang-16', 'clang-19')] +
        [('aarch64 under qemu', arm_runs), ('operations of aarch64', arm_operations), ('pictures of aarch64', arm_pictures),
         ('machine code of aarch64', arm_code)])
