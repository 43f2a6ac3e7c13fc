#!/usr/bin/env python3
"""scheelite-mpi on 1, 2 and 4 ranks of one machine: the same bytes as scheelite alone and as each other, also after it was
killed; what it says of bad input. Needs Open MPI's mpirun, and a build with it."""
import collections
import functools
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix='scheelite-farms-')
FARM = os.path.join(tap.BUILD, 'src', 'mpi', 'scheelite-mpi')
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
SHADERS = os.path.join(tap.SOURCE, 'examples', 'shaders')
SCRIPTS = os.path.join(tap.SOURCE, 'examples', 'scripts')
PHOTO = os.path.join(tap.SOURCE, 'examples', 'pictures', 'photo.png')
YES, NO, USAGE, IO, UNSUPPORTED, LIMIT, INTERNAL = 0, 1, 2, 3, 4, 5, 70
RANKS = (1, 2, 4)
# As root, with nothing said about exit codes (Open MPI 5 says it all the same); and temporary files where they are counted.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_btl='self,vader',
                   OMPI_MCA_orte_execute_quiet='1', TMPDIR=FOLDER.name)

KILLS = """FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {-0.7, 1.0, 0.5, 0.0}
  0: ADD TEMP[0].x, IMM[0].xxxx, IN[0].yyyy
  1: MOV TEMP[0].x, -TEMP[0].xxxx
  2: KILL_IF TEMP[0].xxxx
  3: MOV OUT[0].xyz, IN[0].xyyy
  4: MOV OUT[0].w, IMM[0].yyyy
  5: END
"""
SQUARES = """COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL SV[2], GRID_SIZE
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {64, 4, 7, 0}
  0: UMAD TEMP[0].x, SV[1].zzzz, SV[2].yyyy, SV[1].yyyy
  1: UMAD TEMP[0].x, TEMP[0].xxxx, SV[2].xxxx, SV[1].xxxx
  2: UMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx, SV[0].xxxx
  3: UMUL TEMP[1].x, TEMP[0].xxxx, TEMP[0].xxxx
  4: UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  5: STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
  6: END
"""


def path(name):
    return os.path.join(FOLDER.name, name)


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def write(name, text):
    with open(path(name), 'w', encoding='utf-8') as file:
        file.write(text)
    return path(name)


def needs():
    if not shutil.which('mpirun'):
        raise tap.Skip('no mpirun (openmpi-bin)')
    if not os.path.exists(FARM):
        raise tap.Skip('scheelite-mpi was not built (libopenmpi-dev)')


def line(ranks, *arguments):
    return ['mpirun', '--oversubscribe', '-n', str(ranks), FARM, *arguments]


# What Open MPI 5 says of exit codes, and nothing keeps it from.
ENDED = re.compile(rb'-{74}\nprterun detected that .*?-{74}\n', re.DOTALL)


def farm(ranks, *arguments, **options):
    needs()
    done = subprocess.run(line(ranks, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
                          timeout=200, check=False, **options)
    done.stderr = ENDED.sub(b'', done.stderr)
    return done


@functools.lru_cache
def mixes():
    """Open MPI 5 lets pieces of what a rank prints come out among the errors, of other programs, too (docs/farms.md)."""
    said = subprocess.run(['mpirun', '--version'], stdout=subprocess.PIPE, check=True, text=True).stdout
    return int(re.search(r'(\d+)\.', said)[1]) >= 5


def printed(done):
    """Output and errors; where they are mixed, the bytes of both."""
    return bytes(sorted(done.stdout + done.stderr)) if mixes() else (done.stdout, done.stderr)


def lacks(done, expected):
    """Whether something else was printed; where output and errors are mixed, whether a byte is missing."""
    return collections.Counter(expected) - collections.Counter(done.stdout + done.stderr) if mixes() else done.stdout != expected


def alone(*arguments):
    return subprocess.run([COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200, check=False)


def ends(done, code, said=''):
    if done.returncode == code and said in done.stderr.decode(errors='replace'):
        return []
    return [f'{done.args[5:]}: exit {done.returncode}, not {code}: {done.stderr.decode(errors="replace")[:2000]!r}']


def nothing_is_left():
    """Neither temporary files nor files beside the outputs."""
    return [f'{name} is left' for name in os.listdir(FOLDER.name) if 'scheelite-mpi-' in name]


def lists():
    """Outputs in the order of the list, whoever was first; the worst exit code."""
    commands = [('check', os.path.join(SHADERS, 'swirl.tgsi')), ('explain', 'LG2'), ('check', path('no file.tgsi')),
                ('info', os.path.join(SHADERS, 'julia.tgsi')), ('list', 'opcodes'), ('explain', '2040')]
    text = '# commands\n\n' + ''.join('scheelite ' + ' '.join(f'"{word}"' for word in words) + '\n' for words in commands)
    name, findings, said = write('list.txt', text), [], set()
    single = [alone(*words) for words in commands]
    expected = b''.join(done.stdout for done in single)
    for ranks in RANKS:
        done = farm(ranks, 'run', name)
        findings += ends(done, IO, f'list.txt:5: exit code 3: scheelite check "{path("no file.tgsi")}"')
        said.add(printed(done))
        if lacks(done, expected):
            findings.append(f'{ranks} ranks printed something else')
        if b''.join(one.stderr for one in single) not in done.stderr.replace(b'scheelite-mpi', b''):
            for one in single:
                findings += [] if one.stderr in done.stderr else [f'not said: {one.stderr}']
    if len(said) != 1:
        findings.append(f'the number of ranks shows in what was said: {said}')
    findings += ends(farm(2, 'run', '-', input=text.encode()), IO, 'stdin:5:')
    return findings + ends(farm(2, 'run', write('empty.txt', '# nothing\n\n')), YES, '0 passed, 0 failed') + nothing_is_left()


def folders():
    """A corpus check and scripts, with reports in both forms."""
    findings = []
    for ranks in RANKS:
        done = farm(ranks, 'check', SHADERS, path('.'), '--json', path('check.json'), '--', '--json')
        findings += ends(done, YES)
        with open(path('check.json'), encoding='utf-8') as file:
            report = json.load(file)
        names = [item['source'] for item in report['items']]
        if (report['schema'], report['version'], report['exit']) != ('scheelite-mpi', 1, 0) or names != sorted(
                name for name in names) or len([n for n in names if n.startswith(SHADERS)]) != len(os.listdir(SHADERS)):
            findings.append(f'{ranks} ranks: {names}')
        if any(not json.loads(item['stdout'])['valid'] for item in report['items'] if 'valid' in json.loads(item['stdout'])):
            findings.append('a shader is said not to be valid')
        done = farm(ranks, 'test', SCRIPTS, '--junit', path('test.xml'))
        findings += ends(done, YES, '3 passed, 0 failed')
        suite = xml.dom.minidom.parse(path('test.xml')).getElementsByTagName('testsuite')[0]
        if suite.getAttribute('tests') != '3' or len(suite.getElementsByTagName('testcase')) != 3:
            findings.append(suite.toxml())
    return findings


def failing_reports():
    """Failures, crashes and items that take too long are told apart, and hostile output stays valid JSON and XML."""
    text = ('-c "printf \'ok\'"\n-c "exit 7"\n-c "kill -SEGV $$"\n-c "sleep 60"\n'
            '-c "printf \'\\\\377<&>\\\\001\\\\303\\\\244\\\\n]]>\' >&2; exit 1"\n')
    name, findings = write('failing.txt', text), []
    done = farm(2, 'run', '--program', '/bin/sh', '--timeout', '1', '--json', path('f.json'), '--junit', path('f.xml'), name)
    findings += ends(done, INTERNAL, '1 passed, 4 failed')
    for said in ('failing.txt:2: exit code 7', 'failing.txt:3: signal 11', 'failing.txt:4: the time limit'):
        findings += ends(done, INTERNAL, said)
    with open(path('f.json'), encoding='utf-8') as file:
        items = json.load(file)['items']
    facts = [(item['exit'], item['signal'], item['timeout']) for item in items]
    if facts != [(0, 0, False), (7, 0, False), (INTERNAL, 11, False), (LIMIT, 9, True), (1, 0, False)]:
        findings.append(f'{facts}')
    if items[4]['stderr'] != '\ufffd<&>\x01\u00e4\n]]>' or items[0]['stdout'] != 'ok':
        findings.append(f'{items[4]}')
    suite = xml.dom.minidom.parse(path('f.xml')).getElementsByTagName('testsuite')[0]
    counts = [suite.getAttribute(name) for name in ('tests', 'failures', 'errors', 'skipped')]
    if counts != ['5', '2', '2', '0']:
        findings.append(f'{counts}')
    cut = farm(1, 'run', '--program', '/bin/sh', '--output-limit', '4', write('long.txt', '-c "printf 123456789"\n'))
    return findings + ends(cut, YES) + ([f'{cut}'] if lacks(cut, b'1234') else [])


PICTURES = {
    'opaque': (os.path.join(SHADERS, 'swirl.tgsi'), '--tex', f'0={PHOTO},filter=linear', '--size', '720x2000'),
    'some of it killed': (None, '--size', '720x2000'),
    'groups over rows': (os.path.join(SHADERS, 'julia.tgsi'), '--size', '333x1500', '--compress', '1'),
}


def arguments_of(name):
    shader, *rest = PICTURES[name]
    return [shader or write('kills.tgsi', KILLS), *rest]


def pictures():
    """Files with the same bytes as that of one process."""
    findings = []
    for name in PICTURES:
        whole = path('whole.png')
        findings += ends(alone('run', *arguments_of(name), '-o', whole), YES)
        for ranks in RANKS:
            done = farm(ranks, 'picture', *arguments_of(name), '-o', path('bands.png'), '--band-rows', '70')
            findings += ends(done, YES, ' passed, 0 failed')
            if read(path('bands.png')) != read(whole):
                findings.append(f'{name}: {ranks} ranks make another file')
            if int(done.stderr.split(b'scheelite-mpi: ')[-1].split()[0]) < 6:
                findings.append(f'{name}: too few bands to tell anything')
    return findings + nothing_is_left()


def grids():
    """Memory with the same bytes as that of one process; what parts cannot do is noticed."""
    shader, findings = write('squares.tgsi', SQUARES), []
    grid = [shader, '--grid', '5,7,3', '--buffer', '0=zero:26880']
    findings += ends(alone('run', *grid, '--buffer-out', f'0={path("whole.bin")}'), YES)
    for ranks in RANKS:
        for parts in ('1', '16', '1000'):
            findings += ends(farm(ranks, 'grid', *grid, '--unordered', '--parts', parts, '--buffer-out', f'0={path("parts.bin")}'), YES)
            if read(path('parts.bin')) != read(path('whole.bin')):
                findings.append(f'{ranks} ranks, {parts} parts: other bytes')
    given = write('given.bin', '')
    with open(given, 'wb') as file:
        file.write(struct.pack('<6720I', *range(6720)))
    grid = [shader, '--grid', '5,7,1', '--buffer', f'0={given}']
    findings += ends(alone('run', *grid, '--buffer-out', f'0={path("whole.bin")}'), YES)
    findings += ends(farm(2, 'grid', *grid, '--unordered', '--buffer-out', f'0={path("parts.bin")}'), YES)
    if read(path('parts.bin')) != read(path('whole.bin')):
        findings.append('with memory that is given: other bytes')
    clash = write('clash.tgsi', SQUARES.replace('UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy', 'MOV TEMP[0].x, IMM[0].yyyy'))
    done = farm(2, 'grid', clash, '--grid', '5,7,1', '--buffer', '0=zero:64', '--unordered', '--buffer-out', f'0={path("clash.bin")}')
    findings += ends(done, NO, 'two parts write word 1 and differ')
    if os.path.exists(path('clash.bin')):
        findings.append('a result of a clash was written')
    return findings + nothing_is_left()


def killed(arguments, journal, half):
    """Starts a farm and kills all of it, its ranks first, when the journal has `half` bytes."""
    needs()
    process = subprocess.Popen(line(2, *arguments), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    late = time.monotonic() + 100
    while process.poll() is None and time.monotonic() < late:
        if os.path.exists(journal) and os.path.getsize(journal) >= half:
            for entry in filter(str.isdigit, os.listdir('/proc')):
                try:
                    with open(f'/proc/{entry}/stat', encoding='utf-8', errors='replace') as file:
                        fields = file.read().rpartition(')')[2].split()
                    if int(fields[3]) == process.pid and os.readlink(f'/proc/{entry}/exe') == FARM:
                        os.kill(int(entry), signal.SIGKILL)
                except OSError:  # it has ended
                    continue
            break
        time.sleep(0.002)
    process.wait(timeout=100)
    return process.returncode


def resuming():
    """Killed at half of its journal, a farm goes on with it; the result is that of one that was not killed."""
    findings = []
    shader = os.path.join(SHADERS, 'julia.tgsi')
    picture = ['picture', shader, '--size', '720x3000', '--band-rows', '70', '--engine', 'interp']
    findings += ends(farm(1, *picture, '-o', path('whole.png'), '--journal', path('whole.journal')), YES)
    out, journal = path('resumed.png'), path('killed.journal')
    bands = os.path.getsize(path('whole.journal'))
    if killed([*picture, '-o', out, '--journal', journal], journal, bands // 2) == 0:
        findings.append('it was not killed')
    if os.path.exists(out):
        findings.append('a part of the picture was left in its place')
    kept = os.path.getsize(journal)
    with open(journal, 'ab') as file:  # and what a machine that stopped would leave
        file.write(b'item 00 torn')
    findings += ends(farm(2, *picture, '-o', out, '--journal', journal), USAGE, '--resume continues it')
    findings += ends(farm(4, *picture, '-o', out, '--journal', journal, '--resume', '--json', path('r.json')), YES, 'dropped')
    with open(path('r.json'), encoding='utf-8') as file:
        resumed = [item['resumed'] for item in json.load(file)['items']]
    if not kept or not 0 < sum(resumed) < len(resumed):
        findings.append(f'{sum(resumed)} of {len(resumed)} bands were resumed')
    if read(out) != read(path('whole.png')):
        findings.append('the resumed picture is another one')
    # Another shader of the same name is another picture.
    changed = write('changed.tgsi', KILLS)
    own, journal = [*picture[:1], changed, *picture[2:]], path('changed.journal')
    findings += ends(farm(2, *own, '-o', out, '--journal', journal), YES)
    write('changed.tgsi', KILLS.replace('0.5', '0.25').replace('-0.7', '-0.2'))
    findings += ends(farm(2, *own, '-o', out, '--journal', journal, '--resume', '--json', path('r.json')), YES)
    findings += ends(alone('run', changed, '--size', '720x3000', '-o', path('whole.png')), YES)
    with open(path('r.json'), encoding='utf-8') as file:
        findings += ['bands of the old shader were taken'] if any(i['resumed'] for i in json.load(file)['items']) else []
    findings += [] if read(out) == read(path('whole.png')) else ['the changed picture is another one']
    for name in os.listdir(FOLDER.name):  # what those that were killed have left
        if 'scheelite-mpi-' in name:
            shutil.rmtree(path(name)) if os.path.isdir(path(name)) else os.unlink(path(name))
    return findings


def resumed_lists():
    """Items that are done do not run again; their outputs are printed as if they had."""
    count = path('count')
    name = write('counted.txt', ''.join(f'-c "echo {n}; echo {n} >> {count}; exit {n % 2}"\n' for n in range(40)))
    given = ('run', '--program', '/bin/sh', name, '--journal', path('list.journal'))
    first = farm(2, *given)
    findings = ends(first, NO, '20 passed, 20 failed')
    with open(path('list.journal'), 'r+b') as file:
        file.truncate(os.path.getsize(path('list.journal')) // 2)
    again = farm(2, *given, '--resume')
    ran = len(read(count).splitlines()) - 40
    if not 15 <= ran <= 25:
        findings.append(f'{ran} items ran again')
    if lacks(again, first.stdout) or again.returncode != first.returncode:
        findings.append('the resumed list printed something else')
    once_more = farm(4, *given, '--resume')
    if len(read(count).splitlines()) - 40 != ran or lacks(once_more, first.stdout):
        findings.append('a list that is done ran again')
    return findings


def alive(pid):
    """Whether a process goes on. One that has ended and that nobody has asked for yet is still in /proc."""
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8', errors='replace') as file:
            return file.read().rpartition(')')[2].split()[0] not in 'ZX'
    except OSError:
        return False


def a_rank_dies():
    """MPI ends the job; the journal keeps what was done, and no child goes on."""
    marks = path('marks')
    os.mkdir(marks)
    name = write('slow.txt', ''.join(f'-c "echo $$ > {marks}/{n}; sleep {0 if n < 4 else 30}"\n' for n in range(8)))
    given = ('run', '--program', '/bin/sh', name, '--journal', path('dies.journal'))
    needs()
    process = subprocess.Popen(line(2, *given), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    late = time.monotonic() + 60
    while len(os.listdir(marks)) < 6 and time.monotonic() < late:
        time.sleep(0.01)
    sleeping = [int(read(os.path.join(marks, n)) or 0) for n in os.listdir(marks) if int(n) >= 4]
    ranks = []
    for entry in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{entry}/cmdline', 'rb') as file:
                words = file.read().split(b'\0')
            if words[0] == FARM.encode() and path('dies.journal').encode() in words:
                ranks.append(int(entry))
        except OSError:
            continue
    if len(ranks) != 2 or len(sleeping) != 2:
        process.kill()
        return [f'{len(ranks)} ranks, {len(sleeping)} children']
    os.kill(max(ranks), signal.SIGKILL)
    findings = [] if process.wait(timeout=60) else ['the job ended well without a rank']
    late = time.monotonic() + 10
    while any(alive(pid) for pid in sleeping) and time.monotonic() < late:
        time.sleep(0.05)
    findings += [f'child {pid} goes on' for pid in sleeping if alive(pid)]
    write('slow.txt', read(name).decode().replace('sleep 30', 'sleep 0'))
    done = farm(2, *given, '--resume', '--json', path('dies.json'))
    with open(path('dies.json'), encoding='utf-8') as file:
        resumed = [item['resumed'] for item in json.load(file)['items']]
    return findings + ends(done, YES, '8 passed') + ([] if resumed == [True] * 4 + [False] * 4 else [f'{resumed}'])


def bad_input():
    """Each says what was wrong, and no rank hangs."""
    shader, swirl = os.path.join(SHADERS, 'julia.tgsi'), os.path.join(SHADERS, 'swirl.tgsi')
    squares, out = write('squares.tgsi', SQUARES), path('out.png')
    grid = ('grid', squares, '--grid', '2,1,1', '--buffer', '0=zero:512')
    broken = write('broken.tgsi', 'FRAG\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[3]\n  1: END\n')
    cases = [
        ((), USAGE, 'which verb?'), (('jump',), USAGE, 'there is no verb jump'), (('run',), USAGE, 'which list?'),
        (('run', path('no.txt')), IO, 'no.txt: No such file'), (('run', '--resume', 'x'), USAGE, '--resume needs --journal'),
        (('run', write('quote.txt', 'check a\ncheck "b\n')), USAGE, 'quote.txt:2:7: the quote is not closed'),
        (('run', path('list.txt'), '--fast'), USAGE, 'there is no option --fast'),
        (('run', path('list.txt'), '--timeout', 'soon'), USAGE, '--timeout is a number'),
        (('run', path('list.txt'), '--timeout'), USAGE, '--timeout needs a value'),
        (('run', path('list.txt'), '--journal', path('no/journal')), IO, 'no/journal: No such file'),
        (('run', path('list.txt'), '--journal', shader, '--resume'), USAGE, 'is not a journal'),
        (('run', path('empty.txt'), '--json', path('no/report')), IO, 'no/report: No such file'),
        (('run', path('list.txt'), '--scheelite', path('nothing')), IO, 'nothing: No such file'),
        (('check', path('no')), IO, 'no: No such file'), (('check', SCRIPTS), IO, 'there is no shader'),
        (('picture', shader), USAGE, 'where to?'), (('picture', shader, '-o', path('a.exr')), UNSUPPORTED, 'writes PNG'),
        (('picture', shader, '-o', path('no/a.png')), IO, 'no/a.png: No such file'),
        (('picture', shader, '-o', out, '--size', '5'), USAGE, '--size is WxH'),
        (('picture', shader, '-o', out, '--work', '5'), USAGE, 'picture takes no --work'),
        (('picture', shader, '-o', out, '--target=0=x.png'), USAGE, 'picture takes no --target'),
        (('picture', broken, '-o', out, '--size', '720x2000'), NO, 'broken.tgsi:3'),
        (('picture', squares, '-o', out), USAGE, 'compute shader'),
        (('picture', shader, '-o', out, '--budget', '1', '--size', '720x2000'), LIMIT, 'rows 0 to'),
        ((*grid, '--buffer-out', f'0={path("o")}'), USAGE, 'grid needs --unordered'),
        ((*grid, '--unordered'), USAGE, 'where do results go?'),
        ((*grid, '--unordered', '--buffer-out', f'1={path("o")}'), USAGE, 'there is no --buffer for it'),
        (('grid', squares, '--unordered', '--buffer-out', f'0={path("o")}'), USAGE, 'how large?'),
        ((*grid, '--unordered', '--image-out', f'0={path("o")}'), UNSUPPORTED, 'texels of parts'),
    ]
    findings = []
    for arguments, code, said in cases:
        findings += ends(farm(2, *arguments), code, said)
    # A warning that all bands have is said once.
    done = farm(2, 'picture', swirl, '-o', out, '--size', '720x2000', '--band-rows', '70')
    findings += ends(done, YES, 'warning 6510')
    if done.stderr.count(b'warning 6510') != 1:
        findings.append('a warning is said for each band')
    if os.path.exists(path('o')):
        findings.append('something was written')
    return findings + nothing_is_left()


tap.run([('lists', lists), ('folders', folders), ('reports of failures', failing_reports), ('pictures', pictures),
         ('grids', grids), ('killed and resumed', resuming), ('lists resumed', resumed_lists), ('a rank dies', a_rank_dies),
         ('bad input', bad_input)])
