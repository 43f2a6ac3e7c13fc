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

import tap

TOOL = os.path.join(tap.SOURCE, 'tools', 'run-tests')
SOON = 10  # seconds in which a process must have ended, on a busy machine

# A program's output; how many passed, failed and were skipped.
OUTPUTS = [
    ('1..2\nok 1 - a\nnot ok 2 - b\n', (1, 1, 0)),
    ('1..1\nok 1\n1..2\nok 1\nok 2\n', (3, 0, 0)),  # a plan for each group
    ('1..3\nok 1 - a # SKIP no file\nnot ok 2 # todo later\nok 3 - skipped in name only\n', (1, 0, 2)),
    ('1..0 # SKIP not here\n', (0, 0, 1)),
    ('1..3\nok 1\n', (1, 2, 0)),
    ('1..1\nok 1\nok 2\n', (2, 1, 0)),
    ('', (0, 1, 0)),
    ('1..2\nok 1\nok 2\nBail out! no memory\n', (2, 1, 0)),
]

# What a program of a shell does; how many of it passed and failed, and the words of its notes.
PROGRAMS = [
    ('good', 'echo 1..1; echo ok 1', (1, 0), ''),
    ('status', 'echo 1..1; echo ok 1; exit 3', (1, 1), 'exit status 3'),
    ('crash', 'echo 1..1; echo ok 1; kill -SEGV $$', (1, 1), 'killed by SIGSEGV'),
    ('late', 'echo 1..1; echo ok 1; sleep 1000', (1, 1), 'took over 0.3 s'),
    ('left', 'setsid sleep 1000 & echo $! > left; echo 1..1; echo ok 1', (1, 0), ''),
    ('orphan', "setsid sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' & echo 1..1; echo ok 1", (1, 0), ''),
    ('alone', 'echo $$ > alone; kill -KILL $PPID; sleep 1000', (0, 1), 'killed by SIGKILL'),
]


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


def points_are_counted():
    findings = []
    for output, expected in OUTPUTS:
        result = RUN_TESTS.parse_tap(output)
        if (result.passed, result.failed, result.skipped) != expected:
            findings.append(f'{output!r}: {result}')
    return findings


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


def programs_are_judged():
    """All side by side: whatever one of them does, the others are not hurt."""
    findings, told = [], {}
    before, RUN_TESTS.ORPHANS_LIMIT = RUN_TESTS.ORPHANS_LIMIT, 2
    with tempfile.TemporaryDirectory() as folder:
        runner = RUN_TESTS.Runner(False)
        runner.tell = lambda program, result, output, seconds: told.update({program.name: (program, result, seconds)})
        runner.run_all([program_of(folder, name, text, timeout=0.3 if name == 'late' else 60)
                        for name, text, _, _ in PROGRAMS], len(PROGRAMS))
        for name, _, expected, words in PROGRAMS:
            program, result, seconds = told[name]
            if (result.passed, result.failed) != expected or words not in ' '.join(result.notes):
                findings.append(f'{name}: {result}')
            if seconds > SOON:
                findings.append(f'{name}: {seconds} s')
            if name == 'orphan' and program.cpu_seconds < 0.02:
                findings.append(f'{name}: {program.cpu_seconds} CPU seconds')
        for name in ('left', 'alone'):
            if is_there(number_in(os.path.join(folder, name))):
                findings.append(f'{name}: a process stays')
    RUN_TESTS.ORPHANS_LIMIT = before
    return findings


def closing_line_is_the_sum():
    findings = []
    for texts, closing, status in [(['echo 1..1; echo ok 1', 'echo "1..1"; echo "ok 1 # SKIP none"'], '1 passed, 0 failed, 1 skipped', 0),
                                   (['echo 1..1; echo ok 1', 'exit 0'], '1 passed, 1 failed', 1)]:
        with tempfile.TemporaryDirectory() as folder:
            RUN_TESTS.registered = lambda build: [program_of(folder, str(n), t) for n, t in enumerate(texts)]
            sys.argv = [TOOL, '--build', folder]
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                got = RUN_TESTS.main()
        if got != status or printed.getvalue().splitlines()[-1] != closing:
            findings.append(f'{closing}: {got}, {printed.getvalue()}')
    return findings


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


tap.run([('points are counted', points_are_counted), ('repeats run once', repeats_run_once),
         ('only what runs is built', only_what_runs_is_built),
         ('programs are judged', programs_are_judged), ('the closing line is the sum', closing_line_is_the_sum),
         ('an interrupt ends all', an_interrupt_ends_all)])
