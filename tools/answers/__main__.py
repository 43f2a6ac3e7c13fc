"""The answers of a scheelite command, one line each: `SHA256  KIND NAME`, sorted. Two commands answer alike where diff
finds no difference between their lists:

    python3 tools/answers build-release/src/cli/scheelite > before.txt

What is asked: every shader of the corpora beside the repository and of the repository itself, and what kinds.py adds.
An answer is the exit code, both outputs and the files that were written. Inputs are made from the names of the shaders,
so that they are the same in every run; nothing that is hashed knows where the command or the files are.
Holds the options and the distribution of the work.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import resource
import sys
import time

import ask
import kinds

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))


def options():
    parser = argparse.ArgumentParser(prog='answers', description=__doc__.split('\n\n')[0])
    parser.add_argument('command', help='the command that is asked')
    parser.add_argument('--shared', default=os.path.join(REPOSITORY, '..', 'shared'), help='the folder of the corpora')
    parser.add_argument('--repository', default=REPOSITORY, help='the repository whose examples and goldens are read')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), metavar='N', help='processes that work')
    parser.add_argument('--only', choices=kinds.KINDS, action='append', metavar='KIND', help=', '.join(kinds.KINDS))
    parser.add_argument('--compiled', type=int, default=40, metavar='N', help='one shader of N runs as machine code, too; 0: none')
    parser.add_argument('--show', metavar='RE', help='print the answers whose names match, instead of the list')
    parser.add_argument('--part', type=int, default=1, metavar='N', help='one task of N only')
    return parser.parse_args()


def show(wanted, answers):
    for answer in answers:
        if re.search(wanted, answer.name):
            print(f'==== {answer.name}: exit code {answer.code}, {[len(data) for data in answer.files]} bytes of files')
            print((answer.out + answer.err).decode('utf-8', 'replace'))


def main():
    given, begin = options(), time.monotonic()
    setting = ask.Setting(os.path.abspath(given.command), os.path.abspath(given.shared),
                          os.path.abspath(given.repository), given.compiled, frozenset(given.only or kinds.KINDS))
    tasks = kinds.tasks(setting)[::given.part]
    lines, crashes, spent = [], [], collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        for answers, seconds, kind in pool.map(ask.timed, [(setting, task) for task in tasks], chunksize=4):
            if given.show:
                show(given.show, answers)
                continue
            lines += [f'{answer.digest}  {answer.name}\n' for answer in answers]
            crashes += [answer for answer in answers if answer.code < 0 or answer.code >= 70]
            spent[kind] += seconds
    sys.stdout.writelines(sorted(lines, key=lambda line: line.split('  ', 1)[1]))
    for answer in crashes:
        print(f'{answer.name}: exit code {answer.code}', file=sys.stderr)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f'{len(lines)} answers, {sum(u.ru_utime + u.ru_stime for u in used):.0f} s of processors, '
          f'{time.monotonic() - begin:.0f} s; ' + ', '.join(f'{kind} {seconds:.0f} s' for kind, seconds in spent.most_common()),
          file=sys.stderr)
    return 1 if crashes else 0


if __name__ == '__main__':
    sys.exit(main())
