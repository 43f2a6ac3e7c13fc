#!/usr/bin/env python3
"""The library by compilers and for processors other than those of ./dev: each builds it with the example and runs that.
Holds no check of what shaders do."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

OPTIONS = ['-Dbuildtype=debugoptimized', '-Doptimization=1', '-Dc_args=-g0', '-Dtests=disabled', '-Djit=disabled', '-Dops_clang=disabled']
ARM = os.path.join(tap.SOURCE, 'tools', 'aarch64-linux-gnu.ini')


def built(folder, options, environment):
    """What went wrong, the end of it."""
    for command in (['meson', 'setup', folder, tap.SOURCE, *OPTIONS, *options], ['ninja', '-C', folder, 'examples/tiny']):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
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
            return built(folder, [], dict(os.environ, CC=compiler)) or runs([os.path.join(folder, 'examples', 'tiny')])
    return builds_and_runs


def arm():
    for program in ('aarch64-linux-gnu-gcc', 'qemu-aarch64'):
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')
    if not glob.glob('/usr/lib/aarch64-linux-gnu/pkgconfig/libpng.pc'):
        raise tap.Skip('no libpng-dev:arm64')
    with tempfile.TemporaryDirectory() as folder:
        return built(folder, ['--cross-file', ARM], os.environ) or runs(['qemu-aarch64', os.path.join(folder, 'examples', 'tiny')])


tap.run([(name, by(name)) for name in ('gcc-13', 'gcc-14', 'clang-16', 'clang-19')] + [('aarch64 under qemu', arm)])
