#!/usr/bin/env python3
"""The program behind ./dev bench peers: its workloads draw what their descriptions say, by what a few of them must give
that follows without running them. No timing is looked at."""
import os
import subprocess

import command  # noqa: F401, it knows where tap is
import tap

PEERS = os.path.join(tap.BUILD, 'bench', 'peers')
OWN = os.path.join(tap.SOURCE, 'tests', 'corpus', 'peers', 'tgsi')
SHARED = os.path.join(os.environ.get('SCH_SHARED', ''), 'peers', 'tgsi')
FOLDERS = [folder for folder in (OWN, SHARED) if os.path.isdir(folder)]  # of the same workloads


def run(*arguments):
    return subprocess.run([PEERS, *arguments], capture_output=True, text=True, timeout=120)


def check_of(work, folder):
    """The last column of a workload's line."""
    done = run('--tgsi', folder, '--only', work, '--engine', 'interp', '--repetitions', '0')
    return done.stdout.strip().split('\t')[-1] if done.returncode == 0 else done.stderr


def pictures():
    findings = []
    # 0.25, 0.5, 0.75 times 255, to nearest even; and the mean of all (n + 0.5) / 1024.
    for work, wanted in (('fill_flat', 'mean=64.00,128.00,191.00,128.00'),
                         ('fill_grad', 'mean=127.50,127.50,128.00,128.00')):
        for folder in FOLDERS:
            got = check_of(work, folder)
            if got != wanted:
                findings.append(f'{folder}: {work}: {got}, not {wanted}')
    return findings


def grids():
    """y = 1.5 x + 0.5 y, where both begin as i % 1000 thousandths: three times in the first group, twice elsewhere."""
    first = [i % 1000 / 1000 for i in range(1024)]
    total = 0.0
    for i, x in enumerate(first):
        y = x
        for _ in range(3 if i < 256 else 2):
            y = 1.5 * x + 0.5 * y
        total += y
    findings = []
    for folder in FOLDERS:
        got = check_of('saxpy_128k', folder)
        if not got.startswith('sum=') or abs(float(got[4:]) - total) >= 0.01:
            findings.append(f'{folder}: saxpy_128k: {got}, not {total}')
    return findings


def command_line():
    findings = []
    for arguments, wanted in ((('--list',), 0), ((), 2), (('--engine', 'none', '--tgsi', '.'), 2),
                              (('--repetitions', '100'), 2)):
        done = run(*arguments)
        if done.returncode != wanted:
            findings.append(f'{arguments}: exit {done.returncode}, not {wanted}')
    names = run('--list').stdout.split()
    if len(names) < 24 or len(set(names)) != len(names):
        findings.append(f'workloads: {names}')
    return findings


def another_build():
    """This build against itself: whether it is slower is not looked at."""
    done = subprocess.run(['python3', os.path.join(tap.SOURCE, 'tools', 'bench-peers'), '--program', PEERS, '--against',
                           PEERS, '--peers', os.path.dirname(OWN), '--only', 'fill_flat', '--engine', 'interp', '--rounds',
                           '3', '--repetitions', '1', '--seconds', '0.01'], capture_output=True, text=True, timeout=120)
    rows = [line.split('\t') for line in done.stdout.splitlines() if line.startswith('fill_flat')]
    if done.returncode not in (0, 1) or len(rows) != 1 or len(rows[0]) != 10:
        return [f'exit {done.returncode}: {done.stdout}{done.stderr}']
    mean, low, high = (float(cell) for cell in rows[0][4:7])
    slower = high < 0.97
    right = low <= mean <= high and (rows[0][9] == 'SLOWER') == slower == (done.returncode == 1)
    return [] if right else [f'exit {done.returncode}: {rows[0]}']


tap.run([('another build', another_build), ('pictures', pictures), ('grids', grids), ('command line', command_line)])
