#!/usr/bin/env python3
"""./dev bench beside Mesa's drivers: the TGSI in bench/peers is what its GLSL becomes."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

MESA = '22.3.6'  # whose virpipe made the files of bench/peers


def bench(*arguments):
    return subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'bench'), *arguments, '--build', tap.BUILD],
                          capture_output=True, text=True, timeout=600)


def needs_opengl(mesa=''):
    program = os.path.join(tap.BUILD, 'bench', 'peers-gl')
    if not os.path.exists(program):
        raise tap.Skip('this build has no OpenGL (libegl-dev, libgl-dev)')
    done = subprocess.run([program, '--shaders', os.path.join(tap.SOURCE, 'bench', 'peers'), '--only', 'fill_flat', '--repetitions', '0'],
                          capture_output=True, text=True, timeout=60, env={**os.environ, 'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe'})
    if 'llvmpipe' not in done.stderr:
        raise tap.Skip('no llvmpipe (libgl1-mesa-dri)')
    if f'Mesa {mesa}' not in done.stderr:
        raise tap.Skip(f'not Mesa {mesa}: {done.stderr.strip()}')


def captured():
    needs_opengl(MESA)
    done = bench('capture', '--check')
    return [] if done.returncode == 0 else [f'exit {done.returncode}: {done.stdout}{done.stderr}']


tap.run([('captured', captured)])
