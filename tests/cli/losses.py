#!/usr/bin/env python3
"""gl, serve and replay end with a line about what was lost: every refusal of the table in refused.py reaches it, with its
reason. Where output was asked for, the exit code says so, too."""
import ctypes
import hashlib
import os
import platform
import signal
import socket
import struct
import subprocess
import sys
import time

import command as c
import refused as r
import tap

ENGINE = ('--engine', 'interp', '--cache', 'none')
FAKE = os.path.join(tap.BUILD, 'tests', 'unit', 'libfake_compiler.so')
FIXED = os.path.join(c.TEMPORARY, '.virgl_test')  # the socket that old drivers know
CALLS = {'memfd_create': 319, 'prlimit64': 302, 'unshare': 272, 'landlock_restrict_self': 446}  # of x86-64


def environment(**more):
    names = ('VTEST_SOCKET_NAME', 'GALLIUM_DRIVER', 'LIBGL_ALWAYS_SOFTWARE', 'XDG_RUNTIME_DIR', 'LIBGL_DRIVERS_PATH', 'LD_LIBRARY_PATH')
    return {**{name: value for name, value in os.environ.items() if name not in names}, **more}


def refuse_calls(*names):
    """In a child, before it is another program: these system calls fail with EPERM from here on (seccomp(2))."""
    code, errno, allow, kill = [], 0x00050001, 0x7fff0000, 0
    for name in names:
        code += [(0x15, 0, 1, CALLS[name]), (0x06, 0, 0, errno)]
    code = [(0x20, 0, 0, 4), (0x15, 1, 0, 0xc000003e), (0x06, 0, 0, kill), (0x20, 0, 0, 0), *code, (0x06, 0, 0, allow)]
    rows = b''.join(struct.pack('HBBI', *row) for row in code)
    memory = ctypes.create_string_buffer(rows)
    program = struct.pack('HxxxxxxP', len(code), ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.create_string_buffer(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'seccomp')


def can_refuse():
    if platform.machine() != 'x86_64':
        raise tap.Skip('numbers of system calls are those of x86-64')


def gl(*words, calls=(), env=None):
    return subprocess.run([c.COMMAND, 'gl', *ENGINE, *words], capture_output=True, text=True, timeout=120, env=env or environment(),
                          preexec_fn=(lambda: refuse_calls(*calls)) if calls else None)


def lines_of(text):
    return [line for line in text.splitlines() if ': lost: ' in line]


# ---- the table ---------------------------------------------------------------------------------------------------------

def played():
    """Each refusal of a command or of a recorded call, by replay: one line, exit code 0 without output and 5 with it."""
    findings, sums = [], c.path('sums')
    for number, (file, text, said, data) in enumerate(row for row in r.PLAYED if row[3]):
        path = c.write('recording', data)
        options = ('--deadline', '200', '--threads', '1', *ENGINE)
        done = c.run('replay', path, *options)
        lines = lines_of(done.stderr.decode())
        if done.returncode or len(lines) != 1 or said not in lines[0] or not lines[0].startswith('scheelite replay: lost: '):
            findings.append(f'{file}: {text}: exit {done.returncode}: no {said!r}: {done.stderr.decode()[:500]}')
        if number % 16 == 0:  # the exit code does not depend on the row
            findings += c.exit_is(c.LIMIT, 'replay', path, '--frames-sha', sums, *options)
    return findings


def damaged():
    findings = []
    for file, text, said, data in r.DAMAGED:
        findings += [f'{file}: {text}: {finding}' for finding in c.exit_is(c.NO, 'replay', c.write('damaged', data), *ENGINE, err=said)]
    return findings


def served():
    """Each refusal of a message, and each end of a client, by gl: one line, and exit code 5 as a recording was asked for."""
    findings = []
    for number, (file, text, said, options, program, calls) in enumerate(r.SERVED):
        if calls:
            can_refuse()
        record = os.path.join(c.path(f'folder{number}'), 'F')
        os.makedirs(record + '-2' if '--record' in options else os.path.dirname(record))
        options = [record if option == 'F' else option for option in options]
        if '--record' not in options:
            options += ['--record', record]
        done = gl(*options, '--', sys.executable, '-c', r.CLIENT + program, calls=calls)
        lines = lines_of(done.stderr)
        code = 128 + signal.SIGKILL if 'os.getpid(), 9' in program else c.LIMIT
        if done.returncode != code or len(lines) != 1 or said not in lines[0] or not lines[0].startswith('scheelite gl: lost: '):
            findings.append(f'{file}: {text}: exit {done.returncode}: no {said!r}: {done.stderr[:700]}')
    return findings


# ---- the reasons that a user can do something about --------------------------------------------------------------------

def advice():
    """A draw over its deadline, memory beyond --memory, and code that there is not: what helps is said, and it helps."""
    findings, grid = [], c.write('grid', r.recording(r.submit(r.ENDLESS)))
    findings += c.exit_is(c.YES, 'replay', grid, '--deadline', '50', *ENGINE, err='LAUNCH_GRID at word ')
    findings += c.exit_is(c.YES, 'replay', grid, '--deadline', '50', *ENGINE, err='it took too long. --deadline MS gives draws and copies more time\n')
    comments = c.write('comments', r.recording(r.submit(r.shader(3, r.VERTEX, r.VERT.replace('VERT\n', 'VERT\n' + '#\n' * 100000)))))
    late = 'lost: 1 object; the first: CREATE_OBJECT at word 0 of submit 1: shader: it took too long. --deadline MS gives '
    findings += c.exit_is(c.YES, 'replay', comments, '--deadline', '1', *ENGINE, err=late)
    done = c.run('replay', comments, '--deadline', '60000', *ENGINE)
    findings += [str(done)] if done.returncode or b'lost' in done.stderr else []
    large = c.write('large', r.recording(r.resource(1, width=4096, height=4096)))
    findings += c.exit_is(c.YES, 'replay', large, '--limit', 'context_memory=4M', *ENGINE, err=' (5010). --limit context_memory=N gives it more memory\n')
    done = c.run('replay', large, *ENGINE)
    findings += [str(done)] if done.returncode or done.stderr else []
    program = 'say(12, 1, 2, 67, 0x8a, 4096, 4096, 1, 1, 0, 0, 0)\nping()'
    done = gl('--memory', '16', '--', sys.executable, '-c', r.CLIENT + program)
    if done.returncode or 'lost: 1 resource; the first: client 1: resource: ' not in done.stderr or '--memory MIB gives each client more memory; -v prints all\n' not in done.stderr:
        findings.append(f'{done}')
    done = gl('--memory', '256', '--', sys.executable, '-c', r.CLIENT + program)
    return findings + ([f'{done}'] if done.returncode or done.stderr else [])


def refused_rules():
    """A system that has Landlock and refuses its rules: neither a client's process nor the compiler goes on without them."""
    can_refuse()
    if ctypes.CDLL(None).syscall(444, None, 0, 1) < 1:
        raise tap.Skip('the system has no Landlock')
    text = 'the system has Landlock, and does not close files off with it'
    done = gl('--', sys.executable, '-c', r.CLIENT + 'gone()', calls=('landlock_restrict_self',))
    findings = [] if f'lost: 1 client; the first: the sandbox cannot be closed: {text}' in done.stderr else [str(done)]
    if not c.compiles():
        return findings
    path = c.write('one.tgsi', 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n')
    done = subprocess.run([c.COMMAND, 'run', path, '--engine', 'jit', '--cache', 'none', '--size', '2x2', '-o', c.path('one.png')], capture_output=True, text=True, timeout=120,
                          preexec_fn=lambda: refuse_calls('landlock_restrict_self'))
    return findings + ([] if done.returncode and f'error 4380: no compiler of machine code (libscheelite-jit) was found: {text}' in done.stderr else [str(done)])


def code():
    """Machine code that there is not: the number of its diagnostic, not `there is no compiler`."""
    many = r.VERT.replace('1: END', ''.join(f'{n}: MOV OUT[0], OUT[0]\n' for n in range(1, 102)) + 'END')
    path = c.write('many', r.one(r.shader(9, r.VERTEX, many), r.bound(r.VERTEX, 9), r.draw(), before=r.PICTURE))
    findings = c.exit_is(c.LIMIT, 'replay', path, '--frames-sha', 'reads=' + c.path('sums'), '--engine', 'jit', '--cache', 'none', '--compiler', c.path('none.so'),
                         err='(4380). --engine auto draws without machine code, too\n')
    if not c.compiles() or not os.path.exists(FAKE):
        return findings
    slow = 'VERT\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL TEMP[0..3]\nMOV TEMP[0], SV[0].xxxx\n'
    slow += ''.join(f'MAD TEMP[{(n + 1) % 4}], TEMP[{n % 4}].yzwx, TEMP[{n % 4}], TEMP[{n % 4}]\n' for n in range(1500)) + 'MOV OUT[0], TEMP[0]\nEND\n'
    late = c.write('late', r.one(r.shader(9, r.VERTEX, slow), r.bound(r.VERTEX, 9), r.draw(), before=r.PICTURE))
    findings += c.exit_is(c.YES, 'replay', late, '--engine', 'jit', '--cache', 'none', '--deadline', '20',
                          err='draw: the run ended before its machine code was compiled (4384). --engine auto draws while machine code is compiled, --deadline MS gives more time\n')
    return findings + c.exit_is(c.YES, 'replay', path, '--engine', 'jit', '--cache', 'none', '--compiler', FAKE,
                                err='the program is too large for the compiler of machine code (4381). --engine auto draws without machine code, too\n') + \
        c.exit_is(c.YES, 'replay', path, '--engine', 'auto', '--cache', 'none', '--compiler', FAKE, out='')


def precedence():
    """The program's own exit code goes first; without output what was lost is said, and no more; nothing lost is no line."""
    findings = []
    for options, program, wanted in ((('--record', c.path('R')), 'say(3, 7)\nping()\nsys.exit(9)', 9), (('--record', c.path('R')), 'say(3, 7)\nping()', c.LIMIT),
                                     ((), 'say(3, 7)\nping()', c.YES), (('-v',), 'say(3, 7)\nping()', c.YES)):
        done = gl(*options, '--', sys.executable, '-c', r.CLIENT + program)
        lines = lines_of(done.stderr)
        if done.returncode != wanted or len(lines) != 1 or ('-v prints all' in done.stderr) != ('-v' not in options):
            findings.append(f'{options}: {done}')
    done = gl('--record', c.path('R'), '--', sys.executable, '-c', r.CLIENT + 'ping()')
    return findings + ([str(done)] if done.returncode or done.stderr else [])


def log_lines():
    """A client writes at most 500 lines: how many are left out is counted, and so is all that is refused."""
    done = gl('-v', '--', sys.executable, '-c', r.CLIENT + 'for n in range(600):\n    say(3, 7)\nping()')
    lines = lines_of(done.stderr)
    return [] if done.returncode == 0 and len(lines) == 1 and 'lost: 600 messages, 700 lines of the log; ' in lines[0] else [f'{lines}']


def several_clients():
    """What all clients of a program lose is one sum, and the first reason is that of the first that ended."""
    script = f'{sys.executable} -c "$0"; {sys.executable} -c "$0"'
    done = gl('--', 'sh', '-c', script, r.CLIENT + 'say(3, 7)\nping()')
    return [] if 'lost: 2 messages; the first: client 1: the end of resource 7' in done.stderr else [str(done)]


def to_the_end():
    """A program that ends before all is drawn that it has asked for: its recording has it all."""
    path = c.path('whole')
    done = gl('--deadline', '1000', '--record', path, '--stats', '--', sys.executable, '-c', r.CLIENT + r.LONG + 'say(12, 9, 0, 64, 0, 64, 1, 1, 1, 0, 0, 0)')
    findings = [] if 'messages\t2\n' in done.stderr and 'lost: 1 compute grid; ' in done.stderr else [str(done)]
    again = c.run('replay', path, '--explain', '--deadline', '50', *ENGINE).stdout.decode()
    return findings + ([] if 'create resource=9 ' in again else [again])


# Holds the server, which is gl's other child, and goes on with it when the program has ended and gl knows that.
HOLDS = r'''
import signal
def parent_of(number):
    try:
        with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0
held = [n for n in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent_of(n) == os.getppid() and n != os.getpid()]
os.kill(*held, signal.SIGSTOP)
s.close()
if os.fork() == 0:
    time.sleep(0.7)
    os.kill(*held, signal.SIGCONT)
    os._exit(0)
def connect():
    global s
    s = socket.socket(socket.AF_UNIX)
    s.connect(os.environ["VTEST_SOCKET_NAME"])
    say(12, 9, 0, 64, 0, 64, 1, 1, 1, 0, 0, 0)
'''
HELD = HOLDS + 'for n in range(3):\n    connect()\n'


def ended_first():
    """A program that has ended before the server has taken its connections: they are served to their end, one after the other."""
    findings = []
    for options in ((), ('--max-clients', '1')):
        path = c.path('held' + str(len(options)))
        done = gl('--record', path, '--stats', *options, '--', sys.executable, '-c', r.CLIENT + HELD)
        if done.returncode or 'clients\t4\n' not in done.stderr or 'messages\t3\n' not in done.stderr or ': lost: ' in done.stderr:
            findings.append(f'{options}: {done}')
        again = c.run('replay', path + '-4', '--explain', *ENGINE).stdout.decode()
        findings += [] if 'create resource=9 ' in again else [f'{options}: {again}']
    return findings


def killed_first():
    """A program that is killed before the server has taken its connection has lost what it sent there."""
    done = gl('--', sys.executable, '-c', r.CLIENT + 'ping()\n' + HOLDS + 'connect()\nos.kill(os.getpid(), 9)')
    wanted = 'scheelite gl: lost: 1 client; the first: client 2 is not served: the server ended first. '
    return [] if done.returncode == 128 + signal.SIGKILL and wanted in done.stderr else [str(done)]


def left_behind():
    """A client that is idle when the program has ended has used the server, and has lost nothing."""
    program = r.CLIENT + 'ping()\nif os.fork() == 0:\n    gone()'
    done = gl('--record', c.path('R'), '--', sys.executable, '-c', program)
    return [] if done.returncode == 0 and not done.stderr else [str(done)]


def of_serve():
    """serve says it at each client's end."""
    path = c.path('socket')
    server = subprocess.Popen([c.COMMAND, 'serve', '--once', '--socket', path, *ENGINE], stderr=subprocess.PIPE, text=True, env=environment())
    text = server.stderr.readline()
    while text and 'the socket is' not in text:
        text = server.stderr.readline()
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(r.words(1, 3, 7))
    client.close()
    text = server.communicate(timeout=60)[1]
    wanted = 'scheelite serve: lost: 1 message; the first: client 1: the end of resource 7, which there is not\n'
    return [] if server.returncode == c.YES and text.endswith(wanted) else [f'{server.returncode}: {text}']


def gone():
    """A client that leaves while its process is at work: no one waits for what it has asked for, which is given up."""
    path = c.path('left')
    server = subprocess.Popen([c.COMMAND, 'serve', '--once', '--socket', path, *ENGINE], stderr=subprocess.PIPE, text=True, env=environment())
    text = server.stderr.readline()
    while text and 'the socket is' not in text:
        text = server.stderr.readline()
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    more = struct.pack('<9I', 37 | 8 << 16, 1, 1, 1, 65535, 65535, 1, 0, 0) * 20
    client.sendall(r.words(len(r.ENDLESS + more) // 4, 6) + r.ENDLESS + more)
    client.close()
    begin = time.monotonic()
    text = server.communicate(timeout=60)[1]
    wanted = 'lost: 21 compute grids, 1 client; the first: client 1: LAUNCH_GRID at word '
    findings = [] if server.returncode == c.YES and wanted in text else [f'{server.returncode}: {text}']
    return findings + ([] if time.monotonic() - begin < 20 else ['it took longer than a grid may take'])


# ---- output that there is not ------------------------------------------------------------------------------------------

def nothing_to_write():
    """No frame, no read, or a program that never used the server: an empty file is no answer."""
    findings, unused = [], 'the program did not use the server'
    client = (sys.executable, '-c', r.CLIENT + 'ping()')
    for options, program, wanted, said in (
            (('--frames-sha', c.path('none')), client, c.NO, 'the program shows no frame, so --frames-sha has nothing to write: what is drawn without a window is in --frames-sha reads=FILE'),
            (('--frames-sha', 'reads=' + c.path('none')), client, c.NO, 'the program reads no texture back, so --frames-sha reads=FILE has nothing to write'),
            (('--frames-sha', c.path('none')), ('true',), c.NO, unused), (('--record', c.path('none')), ('true',), c.NO, unused),
            (('--screenshot', '0=' + c.path('none.png')), ('true',), c.NO, unused), ((), ('true',), c.YES, unused),
            (('--record', c.path('none')), ('sh', '-c', 'exit 7'), 7, unused)):
        done = gl(*options, '--', *program)
        if done.returncode != wanted or said not in done.stderr:
            findings.append(f'{options} {program}: {done}')
    return findings


def reads():
    """A line for each piece of a texture that comes back, in its own format, rows filled up to four bytes; a buffer has none. A
    recording gives the same."""
    r8 = 64
    texels = bytes(range(1, 16))  # 5 x 3 of one byte
    box = ((5, 3, bytes(range(1, 16))), (2, 2, bytes([2, 3, 7, 8])))
    program = (f'say(12, 1, 2, {r8}, 0, 5, 3, 1, 1, 0, 0, 16)\nimport mmap\nfd = socket.recv_fds(s, 1, 1)[1][0]\nmemory = mmap.mmap(fd, 16)\n'
               f'memory[:15] = {texels!r}\nsay(14, 1, 0, 0, 0, 0, 5, 3, 1, 15, 0)\nsay(13, 1, 0, 0, 0, 0, 5, 3, 1, 15, 0)\nsay(13, 1, 0, 1, 0, 0, 2, 2, 1, 4, 1)\n'
               'create(2, 64)\nsay(13, 2, 0, 0, 0, 0, 64, 1, 1, 64, 0)\nping()')
    wanted = ''
    for number, (width, height, data) in enumerate(box):
        rows = b''.join(data[width * y:width * (y + 1)] + bytes(-width % 4) for y in range(height))
        wanted += f'{number}\t{width}x{height}\t{hashlib.sha256(rows).hexdigest()}\n'
    path, sums = c.path('reads'), c.path('sums')
    done = gl('--stats', '--record', path, '--frames-sha', 'reads=' + sums, '--', sys.executable, '-c', r.CLIENT + program)
    findings = [] if done.returncode == 0 and c.read(sums).decode() == wanted and 'reads\t2\n' in done.stderr else [f'{done}: {c.read(sums)} is not {wanted!r}']
    findings += c.exit_is(c.YES, 'replay', path, '--frames-sha', 'reads=-', *ENGINE, out=wanted)
    findings += c.exit_is(c.NO, 'replay', path, '--frames-sha', 'reads=-', '--frames-sha', c.path('none'), *ENGINE, out=wanted, err='shows no frame')
    findings += c.exit_is(c.USAGE, 'replay', path, '--frames-sha', 'reads=', err='--frames-sha is FILE or reads=FILE, not reads=')
    findings += c.exit_is(c.USAGE, 'replay', path, '--frames-sha', 'a', '--frames-sha', 'b', err='--frames-sha FILE is there twice')
    empty = c.write('empty', r.recording(r.buffer(1)))
    return findings + c.exit_is(c.NO, 'replay', empty, '--frames-sha', 'reads=-', *ENGINE, out='', err='reads no texture back')


def enough():
    """With --frames a program is ended after as many, with all that it has begun and though it does not want to; it answers no
    if it shows fewer. What it shows of more is in no output."""
    findings, sums = [], c.path('enough')
    shows = r.CLIENT + 'window(1)\n'
    more = 'for n in range(2):\n    say(13, 1, 0, 0, 0, 0, 2, 2, 1, 16, 0)\nping()\n'
    deaf = 'import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n'
    for count, program, wanted, lines, said in (
            ('2', (sys.executable, '-c', shows + more + 'gone()\ntime.sleep(60)'), c.YES, 2, ''),
            ('1', (sys.executable, '-c', shows + r.LONG + 'time.sleep(60)'), c.YES, 1, ''),  # the server is at work
            ('1', (sys.executable, '-c', deaf + shows + 'time.sleep(60)'), c.YES, 1, ''),
            ('1', ('sh', '-c', '"$0" -c "$1" & wait; sleep 60', sys.executable, shows + 'time.sleep(60)'), c.YES, 1, ''),
            ('4', (sys.executable, '-c', shows + more), c.NO, 3, 'scheelite: the program showed 3 of 4 frames\n'),
            ('4', (sys.executable, '-c', shows + 'sys.exit(9)'), 9, 1, 'scheelite: the program showed 1 of 4 frames\n')):
        begin = time.monotonic()
        done = gl('--frames', count, '--frames-sha', sums, '--', *program)
        if done.returncode != wanted or c.read(sums).count(b'\n') != lines or (done.stderr if not said else done.stderr[-len(said):]) != said or time.monotonic() - begin > 30:
            findings.append(f'{count}: {done} {c.read(sums)}')
    return findings


# ---- two at once where no name space can be made -----------------------------------------------------------------------

# Runs in a name space of its own, with an empty folder for temporary files: the fixed name there is nobody else's.
TWO = r'''
import os, subprocess, sys, time
COMMAND, CLIENT, FIXED = sys.argv[1:4]
TEMPORARY = os.path.dirname(FIXED)
at = lambda *names: os.path.join(TEMPORARY, *names)
def gl(*options, program=CLIENT, socket=repr(FIXED), env={}):
    words = [COMMAND, 'gl', '--engine', 'interp', '--cache', 'none', *options, '--', sys.executable, '-c', program.replace('os.environ["VTEST_SOCKET_NAME"]', socket)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env})
def told(process, text=''):
    out, err = process.communicate(text, timeout=60)
    print(process.returncode, out.strip(), '|', err.strip().replace('\n', ' '))
named = 'os.environ["VTEST_SOCKET_NAME"]'
first = gl(program=CLIENT + 'ping()\nprint("there", flush=True)\nsys.stdin.readline()')
first.stdout.readline()
os.makedirs(at('old', 'dri'))
os.makedirs(at('new', 'dri'))
with open(at('old', 'dri', 'swrast_dri.so'), 'wb') as file:
    file.write(b'\x7fELF ' + FIXED.encode())
with open(at('new', 'dri', 'swrast_dri.so'), 'wb') as file:
    file.write(b'\x7fELF a stub')
with open(at('new', 'libgallium-25.0.so'), 'wb') as file:
    file.write(b'\x7fELF .virgl_test VTEST_SOCKET_NAME')
program = CLIENT + 'ping()\nprint("drawn")'
told(gl(program=program, env={'LD_LIBRARY_PATH': at('old')}))                           # 1: refused
told(gl(program=program, socket=named, env={'LD_LIBRARY_PATH': at('new')}))             # 2: reads the name
told(gl('--named-socket', program=program, socket=named, env={'LD_LIBRARY_PATH': at('old')}))  # 3: as the user says
told(first, '\n')                                                                        # 4: the first one's own
told(gl(program=program))                                                                # 5: the name is free again
os.symlink(at('scheelite-gl-gone', 'socket'), FIXED)                                            # of one that was killed
told(gl(program=program))                                                                # 6
print(os.path.lexists(FIXED), sorted(name for name in os.listdir(TEMPORARY) if name.startswith('scheelite')))
'''


def two_at_once():
    """The second program is not started where it might draw on the first one's server; one whose driver reads the socket's name
    is, and has a server of its own."""
    can_refuse()
    folder = c.hidden_temporary()
    done = subprocess.run([sys.executable, '-c', TWO, c.COMMAND, r.CLIENT, FIXED], capture_output=True, text=True, timeout=120, cwd=os.path.abspath(os.sep),
                          env=environment(), preexec_fn=lambda: (c.hide_temporary(folder), refuse_calls('unshare')))
    if done.returncode == c.NO_NAME_SPACE:
        raise tap.Skip('no name space can be made')
    lines = done.stdout.splitlines()
    wanted = (f'3  | scheelite: the program is not started, as it might draw on another server: {c.TEMPORARY}/old/dri/swrast_dri.so does not read VTEST_SOCKET_NAME, '
              f'{FIXED} is in use, and the system gives the program no name space of mounts (docs/opengl.md, "The name of the socket"). '
              'If the program\'s driver reads VTEST_SOCKET_NAME, say --named-socket', '0 drawn |', '0 drawn |', '0  |', '0 drawn |', '0 drawn |', 'False []')
    if len(lines) != len(wanted):
        return [str(done)]
    return [f'line {number}: {line!r} is not {want!r}' for number, (line, want) in enumerate(zip(lines, wanted), 1) if line.strip() != want]


tap.run([('refusals of commands', played), ('damaged recordings', damaged), ('refusals of messages', served), ('what helps', advice), ('rules that are refused', refused_rules), ('machine code', code),
         ('exit codes', precedence), ('lines of the log', log_lines), ('several clients', several_clients), ('to the end', to_the_end), ('a program that ends first', ended_first), ('a program that is killed first', killed_first), ('clients that are left behind', left_behind), ('serve', of_serve), ('clients that leave', gone),
         ('nothing to write', nothing_to_write), ('reads', reads), ('enough frames', enough), ('two at once without name spaces', two_at_once)])
