#!/usr/bin/env python3
"""./dev bench beside Mesa's drivers: the TGSI in bench/peers is what its GLSL becomes; at level avx2 the machine code of both
sides has no zmm; scenes of glmark2 are timed."""
import os
import shutil
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


def registers(level):
    """Of both sides' code of some workloads: by side the numbers of the last lines, by their names."""
    done = bench('code', '--level', level, '--only', 'noise,tex1_bilinear,fill_blend,saxpy_128k')
    rows = [line.split('\t') for line in done.stdout.splitlines() if not line.startswith('#')]
    totals = {row[1]: dict(zip(rows[0][2:], map(int, row[2:]))) for row in rows[1:] if row[0] == 'all'}
    return done, totals


def levels():
    """What counts has something to count: our code for AVX-512 has zmm."""
    needs_opengl()
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        flags = set(file.read().split())
    if 'avx2' not in flags or not shutil.which('objdump'):
        raise tap.Skip('no AVX2, or no objdump (binutils)')
    done, found = registers('avx2')
    print(f'# avx2: {found}')
    findings = [] if done.returncode == 0 and set(found) == {'ours', 'llvmpipe'} else [f'exit {done.returncode}: {done.stdout}{done.stderr}']
    findings += [f'{side}: {counts}' for side, counts in found.items() if counts['zmm'] or counts['ymm'] < 100 or counts['instructions'] < 1000]
    if 'avx512bw' in flags:
        done, found = registers('avx512')
        print(f'# avx512: {found}')
        findings += [] if found.get('ours', {}).get('zmm', 0) > 100 else [f'avx512: exit {done.returncode}: {found}']
    return findings


def glmark2():
    for program in ('glmark2', 'Xvfb'):
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')
    done = bench('glmark2', '--only', '^texture:texture-filter=nearest', '--seconds', '0.5', '--engine', 'interp')
    rows = [line.split('\t') for line in done.stdout.splitlines() if line.startswith('texture')]
    right = done.returncode == 0 and len(rows) == 1 and all(float(cell) > 0 for cell in rows[0][1:])
    return [] if right else [f'exit {done.returncode}: {done.stdout}{done.stderr}']


tap.run([('captured', captured), ('levels', levels), ('glmark2', glmark2)])
