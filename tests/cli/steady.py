#!/usr/bin/env python3
"""scheelite gl --clock: a program's clocks go on with its frames, and where it waits, by nothing else; programs that do not
see them. But for these no server is used: the program shows frames of no window."""
import os
import struct
import subprocess
import sys

import command as c
import refused as r
import tap

# eglSwapBuffers is the module's, whether there is a libEGL or not; without a display it shows nothing, and a frame counts.
PROGRAM = '''
import ctypes, select, threading, time
swap = ctypes.CDLL(None).eglSwapBuffers
swap.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
frame = lambda: swap(None, None)
def say(what):
    print(what, round(time.time() - 1577836800, 6), round(time.monotonic() - 1, 6), time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 10**9)
'''


def shown(rate, program):
    # The module is looked for beside the command itself.
    done = subprocess.run([c.COMMAND, 'gl', '--clock', rate, '--', sys.executable, '-c', PROGRAM + program], capture_output=True, timeout=120)
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    return [(name, float(a), float(b), int(ns)) for name, a, b, ns in lines] or [done.stderr.decode()]


def rows(rate, program, *expected):
    """Each clock is so many nanoseconds after its beginning."""
    wanted = [(name, round(ns / 1e9, 6), round(ns / 1e9, 6), ns) for name, ns in expected]
    got = shown(rate, program)
    return [] if got == wanted else [f'{rate}: {got}, not {wanted}']


def frames_pass():
    return rows('60', 'say("begin")\nframe()\nsay("one")\nfor n in range(59): frame()\nsay("sixty")\nsay("again")',
                ('begin', 0), ('one', 16666666), ('sixty', 10**9), ('again', 10**9)) + \
        rows('30000/1001', 'for n in range(30000): frame()\nsay("many")', ('many', 1001 * 10**9)) + \
        rows('1/2', 'frame()\nsay("slow")', ('slow', 2 * 10**9))


def waits_pass():
    """Without them a program that waits for its next frame would wait for ever. Those of other threads are real."""
    return rows('10', 'time.sleep(3600)\nsay("slept")\nframe()\nsay("late")', ('slept', 3600 * 10**9), ('late', 3600 * 10**9)) + \
        rows('10', 'frame()\nselect.select([], [], [], 0.02)\nsay("select")\np = select.poll()\np.poll(30)\nsay("poll")',
             ('select', 120 * 10**6), ('poll', 150 * 10**6)) + \
        rows('10', 'frame()\nt = threading.Thread(target=lambda: time.sleep(0.1))\nt.start()\nt.join()\nsay("thread")', ('thread', 10**8))


def looks_pass():
    """A loop that waits for a moment ends."""
    got = shown('10', 'frame()\nwhile time.time() < 1577836800.25: pass\nsay("loop")')
    return [] if len(got) == 1 and got[0][0] == 'loop' and 0.25 <= got[0][1] < 0.26 else [str(got)]


def without_it():
    done = c.run('gl', '--', sys.executable, '-c', 'import os; print(os.environ.get("LD_PRELOAD"), os.environ.get("SCH_CLOCK_FPS"))')
    return [] if done.stdout == b'None None\n' else [str(done)]


def unseen():
    """A frame of the server that the clock has not seen; one by a process that never asked for the time; both seen. Program
    files that load no module: without a loader's name (ELF, PT_INTERP), or with the rights of another user."""
    shows, swap, look = r.CLIENT + 'window(1)\n', 'import ctypes\nctypes.CDLL(None).eglSwapBuffers(None, None)\n', 'import time\ntime.time()\n'
    number = ': warning 6550: '
    findings = []
    for program, options, code, said in (
            ((sys.executable, '-c', shows), (), c.YES, number + 'the server has 1 frame of it, but the clocks of --clock have seen none'),
            ((sys.executable, '-c', shows), ('-Werror',), c.NO, number + 'the server has 1 frame of it, but the clocks of --clock have seen none'),
            ((os.environ['SCH_SHOWS'], sys.executable, '-c', shows), (), c.YES, number + 'it has shown frames, but never asked the C library for the time'),
            ((sys.executable, '-c', shows + look + swap), (), c.YES, None), ((sys.executable, '-c', look), (), c.YES, None)):
        done = subprocess.run([c.COMMAND, 'gl', '--engine', 'interp', '--clock', '60', *options, '--', *program], capture_output=True, timeout=120)
        if done.returncode != code or (said or '').encode() not in done.stderr or (number.encode() in done.stderr) != bool(said):
            findings.append(f'{program[-1]!r}: {done}, not {said}')
    wide = sys.maxsize > 1 << 32
    with open(sys.executable, 'rb') as file:
        own = file.read()
    head = own[:64 if wide else 52]
    size, entry = (56, '<Q') if wide else (32, '<I')
    at, count = struct.unpack_from(entry, head, 32 if wide else 28)[0], struct.unpack_from('<H', head, 56 if wide else 44)[0]
    parts = [own[at + n * size:at + (n + 1) * size] for n in range(count)]
    for kept, static in ((parts, False), ([part for part in parts if part[:4] != struct.pack('<I', 3)], True)):
        made = bytearray(head)
        struct.pack_into(entry, made, 32 if wide else 28, len(head))
        struct.pack_into('<H', made, 56 if wide else 44, len(kept))
        path = c.write(f'static{static}', bytes(made) + b''.join(kept))  # which the system will not run
        os.chmod(path, 0o755)
        for name, env in ((path, None), (os.path.basename(path), {**os.environ, 'PATH': '/nowhere:' + os.path.dirname(path)})):
            done = subprocess.run([c.COMMAND, 'gl', '--clock', '60', '--', name], capture_output=True, env=env, timeout=120)
            if (b'6550: it is linked statically' in done.stderr) != static:
                findings.append(f'{name}: {done}')
    script = c.write('rights', '#!/bin/sh\n')
    os.chmod(script, 0o4755)
    if os.geteuid() == 0:
        os.chown(script, 1, -1)
        os.chmod(script, 0o4755)
        done = subprocess.run([c.COMMAND, 'gl', '--clock', '60', '--', script], capture_output=True, timeout=120)
        if b'6550: it runs with the rights of its owner' not in done.stderr:
            findings.append(f'{done}')
    return findings


def wrong_rates():
    findings = []
    for rate in ('0', '1/0', '-1', 'x', '', '60/', '/2', '1/2/3', '1000001', '60fps'):
        findings += c.exit_is(c.USAGE, 'gl', '--clock', rate, '--', 'true', err='--clock is frames in a second')
    return findings


tap.run([('frames pass', frames_pass), ('waits pass', waits_pass), ('looks pass', looks_pass), ('without it', without_it), ('unseen', unseen),
         ('wrong rates', wrong_rates)])
