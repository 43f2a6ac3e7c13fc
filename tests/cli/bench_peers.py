#!/usr/bin/env python3
"""The programs behind ./dev bench peers: each workload has its shaders, and a few draw what follows without running them;
OpenGL's and Vulkan's sides the same, where Mesa is there, and kernels draw what the interpreter draws. The gate says what is below. No timing is looked at."""
import itertools
import os
import subprocess
import sys
import tempfile

import command  # noqa: F401, it knows where tap is
import tap

PROGRAMS = {name: os.path.join(tap.BUILD, 'bench', name) for name in ('peers', 'peers-gl', 'peers-kernels')}
SHADERS = os.path.join(tap.SOURCE, 'bench', 'peers')
SOFTWARE = {'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe', 'LP_NUM_THREADS': '1', 'MESA_SHADER_CACHE_DISABLE': '1'}
NO_PLATFORM = 77


def run(program, *arguments):
    return subprocess.run([PROGRAMS[program], *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(SOFTWARE if program == 'peers-gl' else {})})


def bench(*arguments):
    """./dev bench, without what it builds."""
    return subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'bench'), *arguments, '--build', tap.BUILD],
                          capture_output=True, text=True, timeout=120)


def needs_opengl():
    if not os.path.exists(PROGRAMS['peers-gl']):
        raise tap.Skip('this build has no OpenGL (libegl-dev, libgl-dev)')
    done = run('peers-gl', '--shaders', SHADERS, '--only', 'fill_flat', '--repetitions', '0')
    if done.returncode == NO_PLATFORM or 'llvmpipe' not in done.stderr:
        raise tap.Skip('no llvmpipe (libgl1-mesa-dri)')


def check_of(program, work):
    """The check of a workload's line."""
    options = ('--engine', 'interp') if program == 'peers' else ()
    done = run(program, '--shaders', SHADERS, '--only', work, '--repetitions', '0', *options)
    return done.stdout.split('\t')[9] if done.returncode == 0 else done.stderr


def pictures(program):
    """0.25, 0.5, 0.75 times 255, to nearest even; and the mean of all (n + 0.5) / 1024."""
    return [f'{program}: {work}: {got}, not {wanted}'
            for work, wanted in (('fill_flat', 'mean=64.00,128.00,191.00,128.00'), ('fill_grad', 'mean=127.50,127.50,128.00,128.00'))
            for got in [check_of(program, work)] if got != wanted]


def grids(program):
    """y = 1.5 x + 0.5 y, where both begin as i % 1000 thousandths: three times in the first group, twice elsewhere."""
    first = [i % 1000 / 1000 for i in range(1024)]
    total = 0.0
    for i, x in enumerate(first):
        y = x
        for _ in range(3 if i < 256 else 2):
            y = 1.5 * x + 0.5 * y
        total += y
    got = check_of(program, 'saxpy_128k')
    right = got.startswith('sum=') and abs(float(got[4:]) - total) < 0.01
    return [] if right else [f'{program}: saxpy_128k: {got}, not {total}']


def opengl():
    needs_opengl()
    lists = [run(program, '--list').stdout for program in ('peers', 'peers-gl')]
    return pictures('peers-gl') + grids('peers-gl') + ([] if lists[0] == lists[1] else ['the sides have other workloads'])


def shaders():
    """Each workload has all its shaders, as GLSL and TGSI, and the folder has no other."""
    wanted = set()
    for line in run('peers', '--list').stdout.splitlines():
        wanted |= {name + suffix for name in line.split('\t')[2].split() for suffix in ('', '.tgsi')}
    there = set(os.listdir(SHADERS))
    return [f'{name} is not there' for name in sorted(wanted - there)] + [f'{name} is of no workload' for name in sorted(there - wanted)] or \
        ([] if len(wanted) > 50 else ['no shaders'])


def command_line():
    findings = []
    for arguments, wanted in ((('--list',), 0), ((), 2), (('--engine', 'none', '--shaders', '.'), 2),
                              (('--shaders', '.', '--repetitions', '100'), 2), (('--shaders', '.', '--only', 'julia'), 1)):
        done = run('peers', *arguments)
        if done.returncode != wanted:
            findings.append(f'{arguments}: exit {done.returncode}, not {wanted}')
    names = [line.split('\t')[0] for line in run('peers', '--list').stdout.splitlines()]
    if len(names) != 33 or len(set(names)) != len(names):
        findings.append(f'workloads: {names}')
    return findings


def levels():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        flags = set(file.read().split())
    return [level for level, flag in (('avx2', 'avx2'), ('avx512', 'avx512bw')) if flag in flags]


def bytes_of(program, work, *options):
    """What the workload draws, or computes; or why not."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'picture')
        done = run(program, '--shaders', SHADERS, '--only', work, '--repetitions', '0', '--picture', path, *options)
        if done.returncode or not done.stdout:
            return done.stdout + done.stderr
        with open(path, 'rb') as file:
            return file.read()


# Exact by how they compute; the others round halves of a step up, and differ in few.
EXACT = ('fill_grad', 'julia', 'noise', 'phong', 'uber', 'tex1_bilinear', 'saxpy_128k', 'saxpy_4m', 'reduce_4m')

LONG = ('blur16', 'julia', 'noise', 'volume', 'saxpy_4m', 'reduce_4m')


def kernels():
    """The kernels draw what the interpreter draws, each way at each level that this processor has. What the interpreter takes
    long for waits for the long tests."""
    if not levels():
        raise tap.Skip('the kernels are for AVX2 and AVX-512')
    findings, lines = [], [line.split('\t') for line in run('peers-kernels', '--list').stdout.splitlines()]
    for work, _, _, ways in lines:
        if work in LONG and not os.environ.get('SCH_LONG'):
            continue
        ours = bytes_of('peers', work, '--engine', 'interp')
        for level, way in itertools.product(levels(), ways.split()):
            its = bytes_of('peers-kernels', work, '--level', level, '--way', way)
            if len(its) != len(ours) or isinstance(its, str):
                findings.append(f'{work}, {level}, {way}: {its if isinstance(its, str) else len(its)}')
            elif its != ours:
                steps = [abs(a - b) for a, b in zip(ours, its) if a != b]
                if work in EXACT or max(steps) > 1 or len(steps) > len(ours) / 1000:
                    findings.append(f'{work}, {level}, {way}: {len(steps)} bytes differ, by up to {max(steps)}')
    return findings + ([] if len(lines) == 12 else [f'{len(lines)} workloads have kernels'])


QUICK = ('--engine', 'interp', '--repetitions', '1', '--seconds', '0.01')


def table():
    """A row has a ratio, which is that of the rates."""
    needs_opengl()
    done = bench('peers', '--only', 'fill_flat', '--rounds', '1', '--no-limits', *QUICK)
    rows = [line.split('\t') for line in done.stdout.splitlines() if line.startswith('fill_flat')]
    if done.returncode or len(rows) != 1 or len(rows[0]) not in (10, 13) or rows[0][9] != 'mean 0.00 most 0 far 0':
        return [f'exit {done.returncode}: {done.stdout}{done.stderr}']
    return wrong_ratio(rows[0], *rows[0][2:5])


def wrong_ratio(row, ours, theirs, ratio):
    ours, theirs, ratio = float(ours), float(theirs), float(ratio)
    return [] if abs(ours / theirs - ratio) <= 0.02 * ratio + 0.01 else [f'{row}']


def vulkan():
    """lavapipe draws and computes what we do, and has columns of its own: a picture, draws of triangles, a grid."""
    needs_opengl()
    works = ('tex1_nearest', 'msaa4_fill', 'saxpy_128k')
    done = bench('peers', '--only', ','.join(works), '--rounds', '1', '--no-limits', *QUICK)
    if 'no lavapipe here' in done.stdout:
        raise tap.Skip('no lavapipe (libvulkan-dev, glslang-tools, mesa-vulkan-drivers)')
    rows = [line.split('\t') for line in done.stdout.splitlines() if line.startswith(works)]
    if done.returncode or [row[0] for row in rows] != list(works) or {len(row) for row in rows} != {13}:
        return [f'exit {done.returncode}: {done.stdout}{done.stderr}']
    return [finding for row in rows for finding in wrong_ratio(row, row[2], row[10], row[11])]


def gate():
    """No reference: 0, and nothing is measured. What was written is kept; a row is below a reference that is a million times as
    high, and not below one that is a millionth: on a busy machine single turns are off by a hundred."""
    needs_opengl()
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'references.tsv')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('# none\nprocessor\tlevel\tmesa\tworkload\tratio\tnoise\n')
        call = ('gate', '--references', path, '--only', 'fill_flat', '--rounds', '2', *QUICK)
        done = bench(*call)
        if done.returncode or '# no reference\n' not in done.stdout or 'fill_flat' in done.stdout:
            findings.append(f'without a reference: exit {done.returncode}: {done.stdout}{done.stderr}')
        done = bench(*call, '--write')
        with open(path, encoding='utf-8') as file:
            *head, row = file.read().splitlines()
        if done.returncode or len(head) != 2 or row.split('\t')[3] != 'fill_flat':
            return findings + [f'--write: exit {done.returncode}: {done.stdout}{done.stderr}: {row}']
        cells = row.split('\t')
        for factor, wanted in ((1e6, 1), (1e-6, 0)):
            with open(path, 'w', encoding='utf-8') as file:
                file.write('\n'.join([*head, '\t'.join([*cells[:4], str(float(cells[4]) * factor), '1.1'])]) + '\n')
            done = bench(*call)
            if done.returncode != wanted or ('BELOW\n' in done.stdout) != (wanted == 1):
                findings.append(f'{factor} times: exit {done.returncode}: {done.stdout}{done.stderr}')
    return findings


def unknown():
    done = bench('peers', '--only', 'fill_flat,nothing')
    return [] if done.returncode == 1 and 'no such workload: nothing' in done.stderr else [f'exit {done.returncode}: {done.stderr}']


def another_build():
    """This build against itself: whether it is slower is not looked at."""
    done = bench('peers', '--against', PROGRAMS['peers'], '--only', 'fill_flat', '--rounds', '3', *QUICK)
    rows = [line.split('\t') for line in done.stdout.splitlines() if line.startswith('fill_flat')]
    if done.returncode not in (0, 1) or len(rows) != 1 or len(rows[0]) != 10:
        return [f'exit {done.returncode}: {done.stdout}{done.stderr}']
    mean, low, high = (float(cell) for cell in rows[0][4:7])
    slower = high < 0.97
    right = low <= mean <= high and (rows[0][9] == 'SLOWER') == slower == (done.returncode == 1)
    return [] if right else [f'exit {done.returncode}: {rows[0]}']


tap.run([('shaders', shaders), ('pictures', lambda: pictures('peers')), ('grids', lambda: grids('peers')), ('command line', command_line),
         ('opengl', opengl), ('kernels', kernels), ('table', table), ('vulkan', vulkan), ('gate', gate), ('unknown workloads', unknown), ('another build', another_build)])
