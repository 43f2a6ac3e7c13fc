#!/usr/bin/env python3
"""tools/run-tests itself, with programs of its own: what it counts as passed, failed and skipped, which program runs in
which build, and that nothing outlives it."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest.mock

import tap

TOOL = os.path.join(tap.SOURCE, 'tools', 'run-tests')
SOON = 10  # seconds in which a process must have ended, on a busy machine

# What a program of a shell does; how many of it passed, failed and were skipped, and the words of its notes.
PROGRAMS = {
    'both': (r"printf '1..2\nok 1 - a\nnot ok 2 - b\n'", (1, 1, 0), ''),
    'groups': (r"printf '1..1\nok 1\n1..2\nok 1\nok 2\n'", (3, 0, 0), ''),  # a plan for each
    'skips': (r"printf '1..3\nok 1 - a # SKIP no file\nnot ok 2 # todo later\nok 3 - skipped in name only\n'", (1, 0, 2), ''),
    'nothing here': ("echo '1..0 # SKIP not here'", (0, 0, 1), ''),
    'too few': (r"printf '1..3\nok 1\n'", (1, 2, 0), ''),
    'too many': (r"printf '1..1\nok 1\nok 2\n'", (2, 1, 0), ''),
    'silent': ('exit 0', (0, 1, 0), ''),
    'gives up': (r"printf '1..2\nok 1\nok 2\nBail out! no memory\n'", (2, 1, 0), ''),
    'status': ('echo 1..1; echo ok 1; exit 3', (1, 1, 0), 'exit status 3'),
    'crash': ('echo 1..1; echo ok 1; kill -SEGV $$', (1, 1, 0), 'killed by SIGSEGV'),
    'late': ('echo 1..1; echo ok 1; sleep 1000', (1, 1, 0), 'took over 0.3 s'),
    'left': ('setsid sleep 1000 & echo $! > left; echo 1..1; echo ok 1', (1, 0, 0), ''),
    'orphan': ("setsid sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' & echo 1..1; echo ok 1", (1, 0, 0), ''),
    'alone': ('echo $$ > alone; kill -KILL $PPID; sleep 1000', (0, 1, 0), 'killed by SIGKILL'),
}


def load():
    loader = importlib.machinery.SourceFileLoader('run_tests', TOOL)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('run_tests', loader))
    sys.modules['run_tests'] = module
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


RUN_TESTS = load()


def program_of(folder, name, text, **more):
    return RUN_TESTS.Program(folder, {'suite': ['scheelite:unit'], 'name': name, 'cmd': ['sh', '-c', text], 'env': {},
                                      'workdir': folder, 'protocol': 'tap', 'timeout': 60, **more})


def is_there(pid):
    """Whether a process runs; one that has ended and that nobody took does not."""
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8') as file:
            return file.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def number_in(path):
    """The number that a program wrote, when it has."""
    late = time.monotonic() + SOON
    while time.monotonic() < late:
        with contextlib.suppress(OSError, ValueError), open(path, encoding='utf-8') as file:
            return int(file.read())
        time.sleep(0.01)
    return None


def repeats_run_once():
    def row(build, name, slowness, *suites):
        return types.SimpleNamespace(build=build, name=name, slowness=slowness, suites=set(suites))

    rows = [row('build', 'reads', 1, 'unit', 'once'), row('build', 'runs', 1, 'unit'),
            row('build-asan', 'reads', 4, 'unit', 'once'), row('build-asan', 'runs', 4, 'unit'),
            row('build-clang', 'reads', 1, 'unit', 'once'), row('build', 'only here', 1, 'cli', 'once')]
    kept = [(p.build, p.name) for p in RUN_TESTS.without_repeats(rows)]
    expected = [('build', 'runs'), ('build-asan', 'reads'), ('build-asan', 'runs'), ('build', 'only here')]
    return [] if kept == expected else [str(kept)]


def only_what_runs_is_built():
    def target(name, kind='executable', default=True):
        return {'id': name, 'type': kind, 'build_by_default': default}

    def test(*targets):
        return types.SimpleNamespace(targets=list(targets))

    targets = [target('command'), target('library', 'shared library'), target('run'), target('not_run'), target('shared'),
               target('bench', default=False), target('run_bench', default=False), target('not_run_library', 'shared library')]
    run, other = test('run', 'shared', 'library', 'run_bench'), test('not_run', 'shared', 'not_run_library', 'library')
    kept = RUN_TESTS.needed(targets, [run, other], [run])
    return [] if kept == ['command', 'library', 'run', 'shared', 'run_bench', 'not_run_library'] else [str(kept)]


def run_main(folder, programs, **settings):
    """The exit status and the last line of a run of these programs, all side by side, and what was told of each."""
    told, tell = {}, RUN_TESTS.Runner.tell

    def tell_and_keep(runner, program, result, output, seconds):
        told[program.name] = (program, result, seconds)
        tell(runner, program, result, output, seconds)

    rows = [program_of(folder, *row, **settings.get(row[0], {})) for row in programs]
    with unittest.mock.patch.multiple(RUN_TESTS, registered=lambda build: rows, ORPHANS_LIMIT=2), \
         unittest.mock.patch.object(RUN_TESTS.Runner, 'tell', tell_and_keep), \
         unittest.mock.patch.object(sys, 'argv', [TOOL, '--build', folder, '--jobs', str(len(rows))]), \
         contextlib.redirect_stdout(io.StringIO()) as printed:
        status = RUN_TESTS.main()
    return status, printed.getvalue().splitlines()[-1], told


def programs_are_judged():
    """Whatever one of them does, the others are not hurt; the closing line has the sum."""
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        status, closing, told = run_main(folder, [(name, row[0]) for name, row in PROGRAMS.items()], late={'timeout': 0.3})
        for name, (_, expected, words) in PROGRAMS.items():
            program, result, seconds = told[name]
            if (result.passed, result.failed, result.skipped) != expected or words not in ' '.join(result.notes):
                findings.append(f'{name}: {result}')
            if seconds > SOON or (name == 'orphan' and program.cpu_seconds < 0.02):
                findings.append(f'{name}: {seconds} s, {program.cpu_seconds} CPU seconds')
        findings += [f'{name}: a process stays' for name in ('left', 'alone') if is_there(number_in(os.path.join(folder, name)))]
        sums = [sum(row[1][n] for row in PROGRAMS.values()) for n in range(3)]
        if (status, closing) != (1, '{} passed, {} failed, {} skipped'.format(*sums)):
            findings.append(f'exit status {status}, {closing}')
        good = run_main(folder, [('good', 'echo 1..1; echo ok 1')])[:2]
        return findings + ([] if good == (0, '1 passed, 0 failed') else [str(good)])


def an_interrupt_ends_all():
    """A run of its own, with a program that does not end and what that started."""
    findings = []
    for name, expected in [('SIGINT', RUN_TESTS.INTERRUPTED), ('SIGTERM', RUN_TESTS.INTERRUPTED), ('SIGKILL', -signal.SIGKILL)]:
        with tempfile.TemporaryDirectory() as folder:
            child = os.fork()
            if child == 0:
                try:
                    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
                    sys.argv = [TOOL, '--build', folder]
                    RUN_TESTS.registered = lambda build: [
                        program_of(folder, 'endless', 'setsid sleep 1000 & echo $! > other; echo $$ > own; wait')]
                    with open(os.path.join(folder, 'printed'), 'w', encoding='utf-8') as file, contextlib.redirect_stdout(file):
                        os._exit(RUN_TESTS.main())
                finally:
                    os._exit(1)
            processes = [number_in(os.path.join(folder, file)) for file in ('own', 'other')]
            late = time.monotonic() + SOON
            os.kill(child, getattr(signal, name))
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            while any(is_there(pid) for pid in processes) and time.monotonic() < late:
                time.sleep(0.01)
            stay = [pid for pid in processes if pid is None or is_there(pid)]
            if status != expected or stay or time.monotonic() > late:
                findings.append(f'{name}: status {status}, {len(stay)} processes stay')
    return findings


tap.run([('repeats run once', repeats_run_once), ('only what runs is built', only_what_runs_is_built),
         ('programs are judged', programs_are_judged), ('an interrupt ends all', an_interrupt_ends_all)])
