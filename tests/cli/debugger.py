"""What the tests of debug share: comparisons, and sessions in a terminal (screen.py). Holds no test."""
import os
import re
import traceback

import command as c
import screen
import tap


def is_equal(value, wanted, what):
    return [] if value == wanted else [f'{what}: {value!r}, not {wanted!r}']


def has(text, wanted, what):
    return [] if isinstance(text, str) and wanted in text else [f'{what}: {text!r} lacks {wanted!r}']


def alone(check):
    """What a session that went another way raises is a finding."""
    def checked():
        try:
            return check()
        except (EOFError, IndexError, KeyError, TypeError, ValueError):
            return traceback.format_exc().splitlines()
    return checked


def has_terminal():
    if b'ok\tterminal' not in c.run('doctor').stdout:
        raise tap.Skip('built without ncurses')
    if not any(os.path.exists(os.path.join(folder, 'v', 'vt100')) for folder in ('/usr/share/terminfo', '/lib/terminfo', '/etc/terminfo')):
        raise tap.Skip('no terminfo of vt100')


class Session:
    """A debugger on a screen: what is not as wanted is in `findings`."""

    def __init__(self, *arguments, **more):
        self.screen, self.findings = screen.Screen([c.COMMAND, 'debug', *arguments], **more), []

    def shows(self, *wanted):
        if not self.screen.wait(lambda text: all(re.search(one, text, re.M) for one in wanted)):
            self.findings.append(f'not on the screen: {[one for one in wanted if not re.search(one, self.screen.text(), re.M)]}\n{self.screen.text()}')

    def press(self, keys, *wanted):
        self.screen.press(*keys)
        self.shows(*wanted)

    def end(self, keys=('q',)):
        self.screen.press(*keys)
        code, errors = self.screen.end()
        return self.findings + ([] if (code, errors) == (c.YES, '') else [f'exit {code}: {errors}'])
