"""Which tests reach a mutant, and whether one of them notices it. A test is one function of a test program, or a whole
program where its functions cannot be asked for one by one. Holds no operators and no building."""
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time

SUITES = {'unit', 'jit', 'cli', 'corpus', 'fuzz'}  # fold and static look at the tree itself, which mutants change
EXCLUDED = re.compile(r'^(bench-peers|tree|documents)$')
BASE_LIMIT = 120       # seconds for a test of a program without mutants
MUTANT_SECONDS = 40.0  # for the tests of one mutant; what none noticed until then survived
ADDRESSES = 16 << 30   # bytes of addresses: a mutant that asks for all memory gets none
POINT = re.compile(r'^ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*?)\s*(#\s*skip.*)?$', re.IGNORECASE)

FAILED = re.compile(r'^(not ok(?!.*#\s*skip)|Bail out)', re.IGNORECASE | re.MULTILINE)  # cmocka's skipped ones are not ok


class Test:
    def __init__(self, name, command, env, folder, function):
        self.name, self.command, self.env, self.folder, self.function = name, command, env, folder, function
        self.seconds = 0.0
        self.reached = frozenset()

    def title(self):
        return f'{self.name}: {self.function}' if self.function else self.name

    def run(self, state, limit):
        """Whether it passed, what it printed, and the seconds that it took: by the clock, as the compiler's processes are
        nobody's children."""
        env = dict(os.environ, **self.env, SCH_MUTANTS=state, MALLOC_PERTURB_='85')
        env.pop('SCH_LONG', None)
        if self.function:
            env['SCH_TEST'] = self.function
        # A cache of its own: what a mutant of the compiler made must not be another test's code.
        # What a killed test left running may still write there.
        with tempfile.TemporaryFile() as out, \
                tempfile.TemporaryDirectory(prefix='mutant-', ignore_cleanup_errors=True) as cache:
            env['XDG_CACHE_HOME'] = cache
            begin = time.monotonic()
            process = subprocess.Popen(self.command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit_addresses)
            late = threading.Timer(limit, end_all, [process.pid])
            late.start()
            process.wait()
            late.cancel()
            end_all(process.pid)  # what it left behind
            out.seek(0)
            text = out.read(1 << 22).decode(errors='replace')
        passed = process.returncode == 0 and not FAILED.search(text)
        return passed, text, time.monotonic() - begin


def limit_addresses():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end_all(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


class State:
    """The file that says which mutant is on and that notes which are reached (mutant.h)."""

    def __init__(self, folder, count):
        handle, self.name = tempfile.mkstemp(dir=folder)
        os.write(handle, bytes(4 + count + 1))
        os.close(handle)

    def switch(self, number):
        with open(self.name, 'r+b') as file:
            file.write(number.to_bytes(4, 'little'))

    def clear(self):
        size = os.path.getsize(self.name)
        with open(self.name, 'r+b') as file:
            file.write(bytes(size))

    def reached(self):
        with open(self.name, 'rb') as file:
            marks = file.read()[4:]
        return frozenset(n for n, mark in enumerate(marks) if mark)


def programs(build):
    text = subprocess.run(['meson', 'introspect', '--tests', build], check=True, capture_output=True, text=True).stdout
    for row in json.loads(text):
        suites = {s.split(':', 1)[1] for s in row['suite'] if ':' in s} or {'unit'}
        if suites & SUITES and not EXCLUDED.match(row['name']):
            yield Test(row['name'], row['cmd'], row['env'], row.get('workdir') or build, None)


def functions(program, text):
    """The tests of a program's output by name; none where two have the same."""
    names = [m.group(1) for m in map(POINT.match, text.splitlines()) if m and m.group(1) and not m.group(2)]
    return names if len(set(names)) == len(names) else []


def explore(program, state):
    """The tests of one program, each with the mutants that it reaches and its time. What fails without a mutant is
    named and left out: a program, or the functions of one whose others can be asked one by one."""
    state.clear()
    passed, text, program.seconds = program.run(state.name, BASE_LIMIT)
    program.reached = state.reached()
    names, found = functions(program, text), []
    for name in names if len(names) > 1 else []:
        test = Test(program.name, program.command, program.env, program.folder, name)
        state.clear()
        alone, text, test.seconds = test.run(state.name, BASE_LIMIT)
        test.reached = state.reached()
        if not alone or len(functions(test, text)) != 1:
            found = []  # its functions need one another
            break
        found.append(test)
    if not passed:
        print(f'# fails without a mutant: {program.name}, of which {len(found)} functions are asked', flush=True)
    return found or ([program] if passed else [])


def judge(number, tests, state):
    """The test that notices the mutant, or None; and the seconds that it took."""
    state.clear()
    state.switch(number)
    spent = 0.0
    for test in tests:
        passed, _, seconds = test.run(state.name, 5 + 10 * test.seconds)
        spent += seconds
        if not passed:
            return test, spent
        if spent > MUTANT_SECONDS:
            break
    return None, spent


def words(name):
    return set(re.split(r'[\W_]+', name))


def in_order(tests, number, path, noticed):
    """The tests that reach a mutant of a file. Cheap ones are asked first, and those that reach little; sooner those that
    are named after the file or its folder, and those that noticed others of the file's mutants: `noticed` counts them."""
    def cost(test):
        near = len(words(test.name) & words(path))
        likely = (1 + 4 * near) * (1 + 10 * noticed[path, test.title()])
        return (test.seconds + 0.01) * (1 + len(test.reached)) ** 0.5 / likely

    return sorted((t for t in tests if number in t.reached), key=cost)
