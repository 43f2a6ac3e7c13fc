"""Mutation testing of all of src: wrongs a sample of its expressions, one at a time, and counts those that a test
notices. `python3 tools/mutate --help` says how.

All mutants of a sample stand in one build of a copy of the tree, each behind a switch (mutant.h). One run of every test
without a mutant notes which mutants it reaches; then each mutant is switched on and judged by the tests that reach it.
A survivor is a mutant that no test notices. Those that mean the same as the original are listed, with a line of proof,
in equivalents.txt; any other counts.

What is fixed before a run: operators and excluded lines (operators.py), the seed (--seed), the tests (judge.py).
"""
import argparse
import collections
import concurrent.futures
import os
import re
import sys
import threading

import judge
import tree

AT_LEAST = 95  # of a hundred mutants of each folder, for success


def read_equivalents():
    """{title: proof} of lines `path || function || what was done || line of source || proof`; blank lines and # comments
    aside. C's own || may stand in what was done and in the source."""
    rows = {}
    with open(os.path.join(tree.HERE, 'equivalents.txt'), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith('#'):
                continue
            fields = line.split(' || ')
            if len(fields) < 5 or not all(fields):
                sys.exit(f'equivalents.txt:{number}: path || function || what || line || proof')
            rows[' || '.join(fields[:-1])] = fields[-1]
    return rows


def folder_of(mutant):
    return mutant.path.split('/')[1]


def title(mutant):
    return ' || '.join((mutant.path, mutant.function, ' '.join(mutant.what.split()), ' '.join(mutant.source.split())))


def survivors_of(log):
    """The titles of what no test noticed, from a run's log."""
    with open(log, encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file]
    return {row[4] for row in rows if row[1] in ('SURVIVED', 'UNREACHED')}


def explore_all(build, folder, count, jobs, asked):
    found, lock, local = [], threading.Lock(), threading.local()

    def explore(program):
        if not hasattr(local, 'state'):
            local.state = judge.State(folder, count)
        tests = judge.explore(program, local.state)
        with lock:
            found.extend(tests)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(explore, (p for p in judge.programs(build) if re.search(asked, p.name))))
    return found


def judge_all(chosen, tests, folder, count, jobs, log):
    """{number: the test that noticed it, None: none, or 'unreached'}"""
    verdicts, noticed, lock, local = {}, collections.Counter(), threading.Lock(), threading.local()

    def one(number):
        if not hasattr(local, 'state'):
            local.state = judge.State(folder, count)
        mutant = chosen[number]
        with lock:
            reaching = judge.in_order(tests, number, mutant.path, noticed)
        by, seconds = judge.judge(number, reaching, local.state)
        with lock:
            verdicts[number] = by
            word = by.title() if by else 'SURVIVED' if reaching else 'UNREACHED'
            noticed[mutant.path, word] += 1
            log.write(f'{number}\t{word}\t{seconds:.1f}\t{mutant.path}:{mutant.line}\t{title(mutant)}\n')
            log.flush()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, sorted(chosen)))
    return verdicts


def report(chosen, verdicts, equivalents):
    """Prints survivors and a row for each folder; whether every folder has enough."""
    rows, good = collections.defaultdict(collections.Counter), True
    for number, mutant in sorted(chosen.items()):
        row = rows[folder_of(mutant)]
        if verdicts[number]:
            row['noticed'] += 1
            if title(mutant) in equivalents:
                print(f'listed as equivalent, but noticed: {title(mutant)}')
        elif title(mutant) in equivalents:
            row['equivalent'] += 1
        else:
            row['survived'] += 1
            print(f'survivor: {mutant.path}:{mutant.line}: {title(mutant)}')
    print('folder\tmutants\tnoticed\tequivalent\tsurvived\tpercent')
    for name in sorted(rows):
        row = rows[name]
        counted = row['noticed'] + row['survived']
        percent = 100 * row['noticed'] / counted if counted else 100.0
        good = good and percent >= AT_LEAST
        print(f'{name}\t{sum(row.values())}\t{row["noticed"]}\t{row["equivalent"]}\t{row["survived"]}\t{percent:.1f}')
    return good


def options_of():
    parser = argparse.ArgumentParser(prog='tools/mutate', description='Mutation testing of src.')
    parser.add_argument('--build', default='build', help='a build folder: its compile commands')
    parser.add_argument('--sample', type=int, default=2000, help='so many mutants (2000); 0: all')
    parser.add_argument('--seed', type=int, default=1, help='which (1)')
    parser.add_argument('--only', default='', metavar='PREFIX,...', help='only mutants of paths that begin so: src/ops/tex_')
    parser.add_argument('--again', metavar='LOG', help='of these only those that no test noticed in the run of this log.tsv')
    parser.add_argument('--tests', default='', metavar='RE', help='ask only programs whose name matches; no verdict on the others')
    parser.add_argument('--work', default='build-mutate', help='folder of the tree with mutants and its build')
    parser.add_argument('--list', action='store_true', help='print the mutants, run nothing')
    parser.add_argument('-j', '--jobs', type=int, default=min(len(os.sched_getaffinity(0)), 4))
    return parser.parse_args()


def main():
    options = options_of()
    build = os.path.abspath(os.path.join(tree.ROOT, options.build))
    work = os.path.abspath(os.path.join(tree.ROOT, options.work))
    equivalents = read_equivalents()
    mutants = [m for m in tree.all_mutants(build) if m.path.startswith(tuple(options.only.split(',')))]
    if options.again:
        before = survivors_of(options.again)
        mutants = [m for m in mutants if title(m) in before]
    picked = tree.sample(mutants, options.sample, options.seed)
    print(f'# {len(mutants)} mutants, {len(picked)} in the sample of seed {options.seed}', flush=True)
    if options.list:
        for m in picked:
            print(f'{m.path}:{m.line}: {title(m)}')
        return 0
    chosen = dict(enumerate(picked, 1))
    target = os.path.join(work, 'tree')
    tree.copy_tree(target)
    made = tree.build(target, work, chosen)
    print(f'# {len(picked) - len(chosen)} do not compile', flush=True)
    tests = explore_all(made, work, len(picked), options.jobs, options.tests)
    print(f'# {len(tests)} tests, {sum(t.seconds for t in tests):.0f} s', flush=True)
    with open(os.path.join(work, 'log.tsv'), 'w', encoding='utf-8') as log:
        verdicts = judge_all(chosen, tests, work, len(picked), options.jobs, log)
    return 0 if report(chosen, verdicts, equivalents) else 1


if __name__ == '__main__':
    sys.exit(main())
