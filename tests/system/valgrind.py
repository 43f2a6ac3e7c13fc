#!/usr/bin/env python3
"""The example programs under valgrind: no error and no memory that is left. Holds no check of what they print: that is
tests/cli/examples.py, which is asked here, too."""
import os
import shutil
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, 'static'), os.path.join(TESTS, 'cli')]
import examples  # noqa: E402
import tap  # noqa: E402

# valgrind runs no AVX-512, and the library asks the processor: it takes a level that both have.
VALGRIND = ['valgrind', '--quiet', '--error-exitcode=99', '--leak-check=full', '--show-leak-kinds=all',
            '--errors-for-leak-kinds=all']


def clean(name):
    def runs():
        if not shutil.which('valgrind'):
            raise tap.Skip('no valgrind')
        return examples.prints(name, VALGRIND)
    return runs


tap.run([(f'{name} is clean', clean(name)) for name in examples.programs()])
