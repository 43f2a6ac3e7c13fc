#!/usr/bin/env python3
"""scheelite gl --clock: a program's clocks go on with its frames, and where it waits, by nothing else. No server is used: the
program shows frames of no window."""
import subprocess
import sys

import command as c
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


def wrong_rates():
    findings = []
    for rate in ('0', '1/0', '-1', 'x', '', '60/', '/2', '1/2/3', '1000001', '60fps'):
        findings += c.exit_is(c.USAGE, 'gl', '--clock', rate, '--', 'true', err='--clock is frames in a second')
    return findings


tap.run([('frames pass', frames_pass), ('waits pass', waits_pass), ('looks pass', looks_pass), ('without it', without_it),
         ('wrong rates', wrong_rates)])
