#!/usr/bin/env python3
"""A real client of the Debug Adapter Protocol: Emacs with dap-mode, without a screen, sets a breakpoint, runs, steps, and goes
back, by what is installed for it (editors/emacs). What the registers are is worked out by hand."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
HERE = os.path.dirname(os.path.abspath(__file__))
# Pixel 100,37 of 256 x 256: x and y are (100.5, 37.5) / 256 - 0.5, z is their length; the step writes 1 - 2 z to w.
BEGIN, BEFORE, BEHIND = '0.0, 0.0, 0.0, 0.0', '-0.107421875, -0.35351562, 0.36947632, 0.0', '-0.107421875, -0.35351562, 0.36947632, 0.26104736'
WANTED = [f'begin: line 8, TEMP[0] {BEGIN}', f'run: line 11, TEMP[0] {BEFORE}', f'step: line 12, TEMP[0] {BEHIND}', f'back: line 11, TEMP[0] {BEFORE}',
          f'run back: line 8, TEMP[0] {BEGIN}', 'exit 0']


def emacs():
    """Each place where the shader stops."""
    editor = shutil.which('emacs')
    if not editor:
        raise tap.Skip('no emacs')
    if subprocess.run([editor, '--batch', '--eval', "(unless (locate-library \"dap-mode\") (kill-emacs 1))"], capture_output=True, timeout=120).returncode:
        raise tap.Skip('no dap-mode (Debian package elpa-dap-mode)')
    with tempfile.TemporaryDirectory(prefix='scheelite-emacs-') as home:
        shader = os.path.join(home, 'swirl.tgsi')
        shutil.copy(os.path.join(tap.SOURCE, 'examples', 'shaders', 'swirl.tgsi'), shader)
        done = subprocess.run([editor, '--batch', '-l', os.path.join(HERE, 'dap_mode.el'), shader, COMMAND, os.path.join(tap.SOURCE, 'examples', 'pictures', 'photo.png'),
                               os.path.join(tap.SOURCE, 'editors', 'emacs', 'scheelite.el')], env={**os.environ, 'HOME': home}, capture_output=True, text=True, timeout=300)
    stops = [line for line in done.stdout.splitlines() if re.match('[a-z ]+: line |exit ', line)]
    return [] if (stops, done.returncode) == (WANTED, 0) else [f'status {done.returncode}', *stops, *done.stderr.splitlines()[-20:]]


tap.run([('Emacs', emacs)])
