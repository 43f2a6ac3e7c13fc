"""Holds the ratios of ours to llvmpipe, a processor second, to those that are committed for this processor, level and version
of Mesa (bench/references.tsv). Each row's interval of 95 % is that of its turns. Exit code 1: the whole interval of a row,
widened by what runs differ besides, lies below that of its reference. Without a reference for this processor nothing is
measured, and the exit code is 0."""
import argparse
import os
import sys
import tempfile

import peers
import sides
from sides import die

REFERENCES = os.path.join(sides.HERE, 'bench', 'references.tsv')
HEADER = '# Ratios of ours to llvmpipe, a processor second each, for ./dev bench gate (--write), and the factor of their noise.\n' \
         'processor\tlevel\tmesa\tworkload\tratio\tnoise\n'
MARGIN = 0.93  # what the means of two runs on one machine differ by, besides the intervals of their turns
WARM = 0.2     # seconds; machine code is there from the first frame on


def read_references(path):
    """By processor, level, version of Mesa and workload: ratio and noise."""
    with open(path, encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file.read().splitlines()[2:]]
    return {tuple(row[:4]): (float(row[4]), float(row[5])) for row in rows}


def write_references(path, references):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(HEADER)
        for key, (ratio, noise) in sorted(references.items()):
            file.write('\t'.join([*key, f'{ratio:.3f}', f'{noise:.3f}']) + '\n')


def arguments(words):
    parser = argparse.ArgumentParser(prog='./dev bench gate', description=__doc__)
    sides.add_options(parser, rounds=5)
    parser.add_argument('--write', action='store_true', help='make what was measured the reference of this processor')
    parser.add_argument('--references', default=REFERENCES, help='another file than bench/references.tsv')
    parser.set_defaults(engine='jit')
    asked = parser.parse_args(words)
    if asked.rounds < 2:
        die('the gate wants at least two --rounds')
    return asked


def mesa_of(side, work):
    """The version of Mesa."""
    with tempfile.TemporaryDirectory() as folder:
        row = side.draw(work, os.path.join(folder, 'picture'))
    if not row or 'llvmpipe' not in row['renderer']:
        die('no llvmpipe here (Debian package libgl1-mesa-dri)')
    return row['renderer'].split('Mesa ')[1].split()[0]


def measure(asked, ours, theirs, work, folder):
    """Unit, ratio and noise."""
    if peers.same_picture(ours, theirs, work, folder) is None:
        return None
    turns = peers.take_turns(asked, [ours, theirs], work)
    return (turns[0][0]['unit'], *peers.interval(turns)) if turns else None


def main(words):
    asked = arguments(words)
    works, ours, theirs = sides.wanted(asked), sides.ours(asked, options=('--warm', str(WARM))), sides.llvmpipe(asked, options=('--warm', str(WARM)))
    where = (sides.processor()[0], asked.level, mesa_of(theirs, works[0]))
    references = read_references(asked.references)
    print(f'# {where[0]}, level {where[1]}, Mesa {where[2]}')
    if not asked.write and not any(key[:3] == where for key in references):
        print('# no reference')
        return
    print(f'# ours/llvmpipe a processor second, engine {asked.engine}, one thread each; {asked.rounds} turns; '
          f'a row is BELOW where high < {MARGIN} times the low of its reference')
    print('workload\tunit\tratio\tlow\thigh\treference\tlow\t', flush=True)
    below, missing = [], []
    with tempfile.TemporaryDirectory() as folder:
        for work in works:
            found = measure(asked, ours, theirs, work, folder)
            reference, noise = references.get((*where, work), (0, 1))
            if not found:
                missing.append(work)
                continue
            unit, ratio, half = found
            bad = not asked.write and ratio * half < MARGIN * reference / noise
            below += [work] * bad
            print(f'{work}\t{unit}\t{ratio:.3f}\t{ratio / half:.3f}\t{ratio * half:.3f}\t{reference:.3f}\t{reference / noise:.3f}\t'
                  f'{"BELOW" if bad else ""}', flush=True)
            references[(*where, work)] = (ratio, half)
    if missing:
        die('not timed: ' + ' '.join(missing))
    if asked.write:
        write_references(asked.references, references)
    print(f'# {len(below)} of {len(works)} workloads below their reference' + (': ' + ' '.join(below) if below else ''))
    sys.exit(1 if below else 0)
