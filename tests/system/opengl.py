#!/usr/bin/env python3
"""Mesa's OpenGL with its driver virpipe, on a server of ours: programs of our own (opengl_client.c, gl_*.c) on EGL's
surfaceless platform. The same picture by every engine and with any number of threads."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
CLIENT = os.path.join(FOLDER.name, 'client')
NO_PLATFORM = 77
PROGRAMS = ('gl_textures', 'gl_depths', 'gl_feedback', 'gl_compute', 'gl_samples')


def compiled(name, program):
    compiler = shutil.which('cc') or shutil.which('gcc')
    if not compiler:
        raise tap.Skip('no C compiler')
    source = os.path.join(tap.SOURCE, 'tests', 'system', name + '.c')
    done = subprocess.run([compiler, '-std=c17', source, '-o', program, '-lEGL', '-lGL'], capture_output=True, text=True, timeout=120)
    if done.returncode and ('No such file' in done.stderr or 'cannot find -l' in done.stderr):
        raise tap.Skip('no libegl-dev or libgl-dev')
    return [done.stderr] if done.returncode else []


def build():
    return compiled('opengl_client', CLIENT)


def run(*options, program=CLIENT):
    done = subprocess.run([COMMAND, 'gl', *options, '--', program], capture_output=True, text=True, timeout=300)
    if done.returncode == NO_PLATFORM:
        raise tap.Skip('EGL has no surfaceless platform')
    return done


def checked(name):
    """A program that checks what it reads: nothing is wrong, nothing was refused, and every engine gives the same sum."""
    def check():
        program = os.path.join(FOLDER.name, name)
        findings = compiled(name, program)
        if findings:
            return findings
        done = run('--stats', program=program)
        lines = done.stdout.splitlines()
        if done.returncode or len(lines) != 2 or 'Scheelite' not in lines[0]:
            findings.append(str(done))
        findings += [f'no {row!r}: {done.stderr}' for row in ('refused_messages\t0', 'refused_commands\t0') if row + '\n' not in done.stderr]
        for options in (('--engine', 'interp', '--width', '4'), ('--engine', 'jit', '--threads', '3')):
            other = run(*options, program=program)
            if other.stdout != done.stdout:
                findings.append(f'{options}: {other}')
        return findings
    return check


def picture():
    """The renderer is ours, the clear is as OpenGL says (0.2, 0.4 and 0.6 of 255), and nothing was refused."""
    done = run('--stats')
    lines = done.stdout.splitlines()
    findings = [] if done.returncode == 0 and len(lines) == 3 else [str(done)]
    if not findings and ('Scheelite' not in lines[0] or lines[1] != '51 102 153 255'):
        findings.append(done.stdout)
    return findings + [f'no {row!r}: {done.stderr}' for row in ('refused_messages\t0', 'refused_commands\t0', 'draws\t1', 'clears\t1') if row + '\n' not in done.stderr]


def same_bits():
    wanted = run('--engine', 'interp', '--threads', '1').stdout
    findings = [] if wanted.count('\n') == 3 else ['no picture']
    for options in (('--threads', '3'), ('--width', '4'), ('--width', '16'), ('--engine', 'jit'), ('--engine', 'jit', '--width', '4', '--threads', '2'),
                    ('--no-sandbox',)):
        done = run(*options)
        if done.stdout != wanted:
            findings.append(f'{options}: {done}')
    return findings


tap.run([('a program that draws', build), ('its picture', picture), ('the same bits', same_bits),
         *((name, checked(name)) for name in PROGRAMS)])
