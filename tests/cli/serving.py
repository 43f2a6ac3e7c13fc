#!/usr/bin/env python3
"""serve and gl: options, the socket, exit codes, what a program finds around it. The clients are written here and draw
nothing (Mesa's are of tests/system)."""
import hashlib
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import command as c
import refused as r
import tap

ENGINE = ('--engine', 'interp', '--cache', 'none')  # a compiler that is started takes time
FIXED = os.path.join(c.TEMPORARY, '.virgl_test')
PING, CAPS = 10, 9


def environment(**more):
    names = ('VTEST_SOCKET_NAME', 'GALLIUM_DRIVER', 'LIBGL_ALWAYS_SOFTWARE', 'XDG_RUNTIME_DIR')
    return {**{name: value for name, value in os.environ.items() if name not in names}, **more}


class Serve:
    """A server, until it ends; its standard error in `text` then."""

    def __init__(self, path, *options, env=None, engine=ENGINE, preexec=None):
        self.path = path
        self.process = subprocess.Popen([c.COMMAND, 'serve', *engine, *options], stderr=subprocess.PIPE, text=True,
                                        env=env or environment(), preexec_fn=preexec)
        self.text = self.process.stderr.readline()
        while self.text and 'the socket is' not in self.text:
            self.text += self.process.stderr.readline()

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.connect(self.path)  # without a time limit it waits where the backlog is full
        client.settimeout(60)
        return client

    def end(self, number=None):
        if number:
            self.process.send_signal(number)
        self.text += self.process.communicate(timeout=60)[1]
        return self.process.returncode


def ping(client):
    client.sendall(struct.pack('<II', 0, PING))
    return client.recv(8) == struct.pack('<II', 0, PING)


def serving():
    """A client, its name in the log, what is refused, and the end by SIGTERM and SIGINT."""
    findings = []
    for number in (signal.SIGTERM, signal.SIGINT):
        path = c.path('socket')
        server = Serve(path, '--socket', path)
        client = server.connect()
        client.sendall(struct.pack('<II', 5, 8) + b'mine\0' + struct.pack('<III', 1, 3, 77))
        if not ping(client):
            findings.append('no answer')
        other = server.connect()
        if not ping(other):
            findings.append('no answer to another client')
        findings += c.exit_is(c.IO, 'serve', '--socket', path, *ENGINE, err=f'{path}: a server is there already', out='')
        client.close()
        code = server.end(number)
        if code != c.YES or os.path.exists(path):
            findings.append(f'end by {number}: exit {code}, {server.text}')
        for text in (f'scheelite serve: the socket is {path}\n', 'scheelite serve: client 1: the client is mine\n',
                     'scheelite serve: client 1: message 2 (RESOURCE_UNREF) at byte 13 is refused: wrong argument\n'):
            if text not in server.text:
                findings.append(f'no {text!r} in {server.text}')
    return findings


# A thousand rounds of a loop in each invocation of a grid without end.
LONG = """COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 32
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 1000, 0}
  0: MOV TEMP[0].x, IMM[0].xxxx
  1: BGNLOOP
  2: USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz
  3: UIF TEMP[0].yyyy
  4: BRK
  5: ENDIF
  6: UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  7: ENDLOOP
  8: END
"""
CREATE_SHADER, BIND_SHADER, LAUNCH_GRID, COMPUTE, SUBMIT = 1 | 4 << 8, 31, 37, 5, 6


def long_grid():
    """A message: the shader is made and bound, and the grid begun."""
    text = LONG.encode() + bytes(4 - len(LONG) % 4)
    words = [CREATE_SHADER | 5 + len(text) // 4 << 16, 1, COMPUTE, len(LONG) + 1, 300, 0, *struct.unpack(f'<{len(text) // 4}I', text),
             BIND_SHADER | 2 << 16, 1, COMPUTE, LAUNCH_GRID | 8 << 16, 32, 1, 1, 65535, 65535, 1, 0, 0]
    return struct.pack(f'<{2 + len(words)}I', len(words), SUBMIT, *words)


def deadlines():
    """A grid that takes too long ends at its deadline, and its client goes on. Until then another client is answered as
    ever: within 50 ms, in one of several rounds, as the machine may be busy with other tests."""
    path, most = c.path('deadline'), 0.05
    server = Serve(path, '--socket', path, '--deadline', '3000', '--threads', '1')
    busy, other = server.connect(), server.connect()
    good = ping(busy) and ping(other)
    begun = time.monotonic()
    busy.sendall(long_grid())
    waits = []
    while good and time.monotonic() < begun + 2.5 and (not waits or min(waits) >= most):
        longest = 0
        for _ in range(50):
            at = time.monotonic()
            good = good and ping(other)
            longest = max(longest, time.monotonic() - at)
        waits.append(longest)
    print(f'# beside an endless grid another client waits {1000 * min(waits):.1f} ms at most')
    good = good and ping(busy)
    took = time.monotonic() - begun
    busy.close()
    other.close()
    server.end(signal.SIGTERM)
    findings = [] if good and min(waits) < most else [f'waits of {waits} s']
    if took < 2.9 or 'LAUNCH_GRID at word ' not in server.text or 'grid: ' not in server.text:
        findings.append(f'the grid took {took} s: {server.text}')
    return findings


def held(server):
    """Descriptors, processes of clients, KiB of the server's memory."""
    folder = f'/proc/{server.process.pid}'
    with open(f'{folder}/status', encoding='utf-8') as file:
        memory = int(re.search(r'VmRSS:\s*(\d+)', file.read()).group(1))
    with open(f'{folder}/task/{server.process.pid}/children', encoding='utf-8') as file:
        return len(os.listdir(f'{folder}/fd')), len(file.read().split()), memory


def deaths():
    """Clients that die within a message, or behind one: the server has what it had before."""
    create = struct.pack('<13I', 11, 12, 1, 2, 67, 0x8a, 64, 64, 1, 1, 0, 0, 64 * 64 * 4)
    messages = (create[:9], create + create[:20], create + struct.pack('<4I', 100, SUBMIT, 5, 6), create + struct.pack('<5I', 11, 14, 1, 0, 0))
    path = c.path('deaths')
    server = Serve(path, '--socket', path)

    def die(times):
        for number in range(times):
            with server.connect() as client:
                client.sendall(messages[number % len(messages)])
        with server.connect() as client:  # is answered when those before it were taken
            good = ping(client)
        deadline = time.monotonic() + 60
        while held(server)[1] != 1 and time.monotonic() < deadline:
            time.sleep(0.02)
        return good

    threading.Thread(target=server.process.stderr.read, daemon=True).start()  # what it says of them
    try:
        die(20)
        before = held(server)
        good = die(100 if c.SANITIZED else 1000)
        after = held(server)
    finally:
        server.process.terminate()
        server.process.wait(60)
    grown = after[2] - before[2] if c.WATCH else 0  # the sanitizers have memory of their own, and look after ours
    return [] if good and after[:2] == before[:2] and grown < 1024 else [f'{before} before, {after} after']


def once():
    """--once ends with its client; the socket's name may come from the environment."""
    path = c.path('once')
    server = Serve(path, '--once', '--no-sandbox', '--threads', '2', '--memory', '64', '--time', '9', env=environment(VTEST_SOCKET_NAME=path))
    client = server.connect()
    good = ping(client)
    client.sendall(struct.pack('<II', 0, CAPS))
    head = struct.unpack('<II', client.recv(8, socket.MSG_WAITALL))
    body = client.recv(head[0] - 1, socket.MSG_WAITALL)
    client.close()
    code = server.end()
    return [] if good and head == (1377, 2) and b'Scheelite' in body and code == c.YES and not os.path.exists(path) else [f'{head} {code} {server.text}']


def leave_child():
    """In a child, before it is the command: a child of that which it does not know, and which ends soon."""
    if os.fork() == 0:
        time.sleep(0.3)
        os._exit(0)


def ended_children(process):
    """Zombies."""
    with open(f'/proc/{process}/task/{process}/children', encoding='ascii') as file:
        children = file.read().split()
    states = []
    for child in children:
        try:
            with open(f'/proc/{child}/stat', encoding='utf-8', errors='replace') as file:
                states.append(file.read().rpartition(')')[2].split()[0])
        except OSError:  # it was waited for meanwhile
            pass
    return states.count('Z')


def first_process():
    """What serves in a container inherits the children of others: none stays as a zombie."""
    path = c.path('first')
    server = Serve(path, '--socket', path, preexec=leave_child)
    client = server.connect()
    good = ping(client)
    time.sleep(0.6)
    zombies = ended_children(server.process.pid)
    client.close()
    code = server.end(signal.SIGTERM)
    findings = [] if good and not zombies and code == c.YES else [f'serve: {zombies} zombies, exit {code}: {server.text}']
    program = 'import os, sys, time\ntime.sleep(0.6)\nname = f"/proc/{os.getppid()}/task/{os.getppid()}/children"\nprint(*sorted(open(f"/proc/{n}/stat").read().rpartition(")")[2].split()[0] for n in open(name).read().split()))\nsys.exit(6)'
    done = subprocess.run([c.COMMAND, 'gl', *ENGINE, '--', 'python3', '-c', program], capture_output=True, text=True, timeout=120, env=environment(),
                          preexec_fn=leave_child)
    return findings + ([] if done.returncode == 6 and len(done.stdout.split()) == 2 and 'Z' not in done.stdout else [f'gl: {done}'])


def sockets():
    """What a socket is not made of."""
    there, nowhere = c.write('there', 'text'), c.path('none') + '/socket'
    findings = c.exit_is(c.IO, 'serve', '--socket', there, *ENGINE, err='is there and is not a socket', out='')
    findings += c.exit_is(c.IO, 'serve', '--socket', nowhere, *ENGINE, err='No such file or directory', out='')
    findings += c.exit_is(c.IO, 'serve', '--socket', 'x' * 200, *ENGINE, err='1 to 107 bytes', out='')
    return findings + ([] if c.read(there) == b'text' else ['a file was replaced'])


def gl(*words, env=None, preexec=None):
    return subprocess.run([c.COMMAND, 'gl', *ENGINE, *words], capture_output=True, text=True, timeout=120, env=env or environment(),
                          preexec_fn=preexec)


# A program that has drawn with another driver, or in another way, has to know.
NOBODY = ('scheelite gl: the program did not use the server: it has no OpenGL, or not with Mesa\'s driver virpipe, to which X, Wayland and EGL\'s '
          'surfaceless platform lead, and GBM and OSMesa do not\n')


def programs():
    """Exit codes, arguments, the environment; nothing stays behind."""
    findings, runtime = [], c.path('runtime')
    os.mkdir(runtime, 0o700)
    env = environment(XDG_RUNTIME_DIR=runtime)
    for script, code in (('exit 0', 0), ('exit 7', 7), ('exit 255', 255), ('kill -9 $$', 137), ('kill -15 $$', 143)):
        done = gl('--', 'sh', '-c', script, env=env)
        if done.returncode != code or done.stdout or NOBODY not in done.stderr:
            findings.append(f'{script}: exit {done.returncode}: {done.stderr}')
    done = gl('no-such-program', env=env)
    if done.returncode != 127 or 'scheelite gl: no-such-program cannot be run: No such file or directory' not in done.stderr or NOBODY in done.stderr:
        findings.append(f'no-such-program: {done}')
    done = gl('sh', '-c', 'echo $GALLIUM_DRIVER $LIBGL_ALWAYS_SOFTWARE "$@"; test -S $VTEST_SOCKET_NAME', 'sh', '--stats', '-v', env=env)
    if done.returncode or done.stdout != 'virpipe 1 --stats -v\n':
        findings.append(f'environment: {done}')
    done = gl('--stats', 'sh', '-c', 'echo out; echo err >&2', env=env)
    if done.stdout != 'out\n' or not done.stderr.startswith('err\n') or 'clients\t0\n' not in done.stderr or 'draws\t0\n' not in done.stderr:
        findings.append(f'--stats: {done}')
    return findings + [f'{name} is left' for name in os.listdir(runtime)]


CLIENT = ('import os, socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1] if len(sys.argv) > 1 else os.environ["VTEST_SOCKET_NAME"])\n'
          's.sendall(bytes([0] * 4 + [10, 0, 0, 0]))\nprint(s.recv(8) == bytes([0] * 4 + [10, 0, 0, 0]))\n')


def recordings():
    """A file for each client that came, and none else."""
    folder = c.path('recordings')
    os.mkdir(folder)
    path = os.path.join(folder, 'F')
    done = gl('--record', path, '--', 'sh', '-c', 'python3 -c "$0"; python3 -c "$0"', CLIENT)
    findings = [] if done.returncode == 0 and done.stdout == 'True\nTrue\n' and NOBODY not in done.stderr else [str(done)]
    names = sorted(os.listdir(folder))
    if names != ['F', 'F-2'] or any(not c.read(os.path.join(folder, name)).startswith(b'SCHVIRGL') for name in names):
        findings.append(f'{names}')
    done = gl('--record', os.path.join(folder, 'none', 'F'), 'true')
    return findings + ([] if done.returncode == c.IO and 'none/F: No such file or directory' in done.stderr else [str(done)])


# Shows a window of 2 x 2, whose first texel has the frame's number, so many times.
WINDOW = ('import mmap, os, socket, struct, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect(os.environ["VTEST_SOCKET_NAME"])\n'
          'say = lambda number, *words: s.sendall(struct.pack(f"<{2 + len(words)}I", len(words), number, *words))\n'
          'say(12, 1, 2, 67, 0x8a, 2, 2, 1, 1, 0, 0, 16)\nfd = socket.recv_fds(s, 1, 1)[1][0]\nmemory = mmap.mmap(fd, 16)\n'
          'for n in range(int(sys.argv[1])):\n    memory[:] = bytes([n] + list(range(1, 16)))\n    say(14, 1, 0, 0, 0, 0, 2, 2, 1, 16, 0)\n    say(13, 1, 0, 0, 0, 0, 2, 2, 1, 16, 0)\n'
          '    say(10)\n    s.recv(8, socket.MSG_WAITALL)\n')


def frames():
    """Sums as each frame is shown, counted through all connections, and pictures of some; the sandbox is closed."""
    findings = []
    texels = [bytes([n % 3, 1, 2, 255, 4, 5, 6, 255, 8, 9, 10, 255, 12, 13, 14, 255]) for n in range(6)]
    wanted = ''.join(f'{n}\t2x2\t{hashlib.sha256(frame).hexdigest()}\n' for n, frame in enumerate(texels))
    sums, first, last = c.path('sums'), c.path('first.png'), c.path('last.png')
    twice = ('sh', '-c', 'python3 -c "$0" 3; python3 -c "$0" 3', WINDOW)
    done = gl('--stats', '--frames-sha', sums, '--screenshot', f'1={first}', f'--screenshot=5={last}', '--', *twice)
    if done.returncode or c.read(sums).decode() != wanted or 'frames\t6\n' not in done.stderr or 'compiled\t0\n' not in done.stderr:
        findings.append(f'{done}: {c.read(sums)} is not {wanted!r}')
    for path, frame in ((first, 1), (last, 5)):
        if c.picture(path) != (2, 2, texels[frame]):
            findings.append(f'frame {frame} is {c.picture(path)}')
    done = gl('--frames-sha', '-', '--', *twice)
    if done.returncode or done.stderr != wanted or done.stdout:
        findings.append(str(done))
    return findings


def missing_frames():
    """A frame that is not shown, and a file that cannot be written, fail the command, but not a program that fails itself."""
    findings, path, nowhere = [], c.path('no.png'), os.path.join(c.path('none'), 'file')
    for options, script, code, text in (
            (('--screenshot', f'3={path}'), 'python3 -c "$0" 3', 1, 'the program shows no frame 3: the last is frame 2'), (('--screenshot', f'3={path}'), 'exit 9', 9, 'it showed none'),
            (('--screenshot', f'0={nowhere}'), 'python3 -c "$0" 1', c.IO, f'cannot write {nowhere}'),
            (('--frames-sha', nowhere), 'exit 0', c.IO, f'cannot write {nowhere}: No such file or directory')):
        done = gl(*options, '--', 'sh', '-c', script, WINDOW)
        if done.returncode != code or text not in done.stderr:
            findings.append(f'{options}: {done}')
    return findings + (['a picture was written'] if os.path.exists(path) else [])


def fixed_name():
    """The socket that old drivers know, in a name space of the program's own: what is there for others stays as it is. The folder
    for temporary files is the test's own, since any other program of `gl` may use the name at the same time."""
    if not shutil.which('python3'):
        raise tap.Skip('no python3')
    findings = []
    folder = c.hidden_temporary()
    hidden = os.path.join(folder, os.path.basename(FIXED))
    for text in (None, 'of another program'):
        if text is not None:
            c.write(hidden, text)
        before = os.path.lexists(hidden) and os.lstat(hidden).st_ino
        done = gl('--stats', '--', 'python3', '-c', CLIENT, FIXED, preexec=lambda: c.hide_temporary(folder))
        if done.returncode == c.NO_NAME_SPACE or 'do not find the server' in done.stderr:
            raise tap.Skip('no name space can be made')
        if done.stdout != 'True\n' or 'clients\t1\n' not in done.stderr or 'messages\t1\n' not in done.stderr:
            findings.append(str(done))
        after = os.path.lexists(hidden) and os.lstat(hidden).st_ino
        if before != after:
            findings.append(f'{FIXED} was {before}, is {after}')
    return findings if c.read(hidden) == text.encode() else [*findings, f'{FIXED} has changed']


def passed_on():
    """What ends the command ends the program, whose exit code it has; the server goes with it."""
    runtime = c.path('signals')
    os.mkdir(runtime, 0o700)
    process = subprocess.Popen([c.COMMAND, 'gl', *ENGINE, '--', 'sh', '-c', 'trap "exit 5" TERM; echo ready; while :; do sleep 0.05; done'],
                               stdout=subprocess.PIPE, text=True, env=environment(XDG_RUNTIME_DIR=runtime))
    process.stdout.readline()
    process.terminate()
    code = process.wait(60)
    process.stdout.close()
    deadline = time.monotonic() + 10
    while os.listdir(runtime) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [] if code == 5 and not os.listdir(runtime) else [f'exit {code}, left: {os.listdir(runtime)}']


def own_code():
    """Machine code of servers is kept apart from that of other commands, which execute what their cache has."""
    folder, path = c.path('code'), c.path('coded')
    server = Serve(path, '--socket', path, engine=('--engine', 'auto', '--cache', folder))
    client = server.connect()
    answered = ping(client)
    client.close()
    code = server.end(signal.SIGTERM)
    kept = os.listdir(folder)
    return [] if answered and code == c.YES and kept == ['server'] else [f'exit {code}, {kept}: {server.text}']


def left_code():
    """What a program is too short for is compiled when it has ended: gl and its pipes are closed by then, and the next one finds it.
    Nothing is left where nothing is kept."""
    if not c.compiles():
        raise tap.Skip('the compiler of machine code is not built')
    folder, server = c.path('left'), os.path.join(c.path('left'), 'server')
    rounds = r.shader(5, r.COMPUTE, r.ROUNDS) + r.bound(r.COMPUTE, 5) + r.command(37, 1, 1, 1, 60, 1, 1, 0, 0)
    program = r.CLIENT + f'say(6, *struct.unpack("<{len(rounds) // 4}I", {rounds!r}))\nping()'
    findings, counts = [], []
    for round in range(2):
        done = subprocess.run([c.COMMAND, 'gl', '--cache', folder, '--stats', '--', sys.executable, '-c', program], capture_output=True, text=True, timeout=60)
        counts += [line for line in done.stderr.splitlines() if line.startswith(('compiled', 'from_cache'))]
        deadline = time.monotonic() + 40
        while not os.listdir(server) and time.monotonic() < deadline:
            time.sleep(0.05)
        findings += [str(done)] if done.returncode or not os.listdir(server) else []
    if counts != ['compiled\t0', 'from_cache\t0', 'compiled\t0', 'from_cache\t1']:
        findings.append(str(counts))
    return findings


tap.run([('a server and its clients', serving), ('a deadline', deadlines), ('clients that die', deaths), ('one client', once), ('kept code', own_code), ('code that is left', left_code), ('children of others', first_process), ('names of sockets', sockets), ('programs', programs),
         ('recordings', recordings), ('frames', frames), ('frames that are not shown', missing_frames), ('the fixed name', fixed_name), ('signals', passed_on)])
