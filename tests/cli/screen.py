"""A small terminal of 80 x 24: what a program draws on it, and keys for the program. It knows what ncurses writes for TERM
vt100, and refuses the rest. Holds no test."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

SEQUENCE = re.compile(rb'\x1b\[(\??[\d;]*)([A-Za-z])|\x1b([()][0-9AB]|[=>78MDE])|\x0f|\x0e')
KEYS = {'left': b'\x1bOD', 'right': b'\x1bOC', 'up': b'\x1bOA', 'down': b'\x1bOB'}


class Screen:
    def __init__(self, arguments, columns=80, rows=24, env=None):
        self.size(columns, rows)
        self.ours, theirs = pty.openpty()
        self.tell_size(theirs)
        self.process = subprocess.Popen(arguments, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True, env={**os.environ, 'TERM': 'vt100', **(env or {})},
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(theirs)
        self.rest = b''

    def size(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells, self.row, self.column = [[' '] * columns for _ in range(rows)], 0, 0
        self.top, self.bottom = 0, rows - 1

    def tell_size(self, end):
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack('HHHH', self.rows, self.columns, 0, 0))

    def resize(self, columns, rows):
        self.size(columns, rows)
        self.tell_size(self.ours)
        os.killpg(self.process.pid, signal.SIGWINCH)

    # ---- what is drawn

    def feed(self, data):
        data, at = self.rest + data, 0
        self.rest = b''
        while at < len(data):
            found = SEQUENCE.match(data, at)
            if found:
                if found.group(2):
                    self.command(found.group(1).decode(), found.group(2).decode())
                elif found.group(3) == b'M':
                    self.scroll(-1) if self.row == self.top else self.go(self.row - 1, self.column)
                elif found.group(3) in (b'D', b'E'):
                    self.down()
                at = found.end()
            elif data[at] == 0x1b:
                if len(data) - at > 16:
                    raise ValueError(f'the terminal does not know {data[at:at + 16]!r}')
                self.rest = data[at:]
                return
            else:
                self.character(data[at])
                at += 1

    def go(self, row, column):
        self.row, self.column = max(0, min(row, self.rows - 1)), max(0, min(column, self.columns - 1))

    def scroll(self, by):
        empty = [' '] * self.columns
        if by > 0:
            self.cells[self.top:self.bottom + 1] = self.cells[self.top + 1:self.bottom + 1] + [empty]
        else:
            self.cells[self.top:self.bottom + 1] = [empty] + self.cells[self.top:self.bottom]

    def down(self):
        if self.row == self.bottom:
            self.scroll(1)
        else:
            self.go(self.row + 1, self.column)

    def character(self, code):
        if code == 13:
            self.column = 0
        elif code == 10:
            self.down()
        elif code == 8:
            self.column = max(0, self.column - 1)
        elif code == 9:
            self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
        elif 32 <= code < 127:
            if self.column == self.columns:
                self.column = 0
                self.down()
            self.cells[self.row][self.column] = chr(code)
            self.column += 1
        elif code not in (0, 7):
            raise ValueError(f'the terminal does not know byte {code}')

    def command(self, numbers, letter):
        values = [int(n) if n else 0 for n in numbers.lstrip('?').split(';')]
        first = values[0]
        if letter in 'Hf':
            self.go(max(first, 1) - 1, (max(values[1], 1) if len(values) > 1 else 1) - 1)
        elif letter in 'ABCD':
            row, column = {'A': (-1, 0), 'B': (1, 0), 'C': (0, 1), 'D': (0, -1)}[letter]
            self.go(self.row + row * max(first, 1), self.column + column * max(first, 1))
        elif letter == 'J':
            self.erase_line(first)
            for row in range(self.row + 1, self.rows) if first == 0 else range(self.row) if first == 1 else range(self.rows):
                self.cells[row] = [' '] * self.columns
        elif letter == 'K':
            self.erase_line(first)
        elif letter == 'r':
            self.top, self.bottom = max(first, 1) - 1, (values[1] if len(values) > 1 and values[1] else self.rows) - 1
            self.go(0, 0)
        elif letter not in 'mlh':
            raise ValueError(f'the terminal does not know {letter}')

    def erase_line(self, how):
        begin, end = (self.column, self.columns) if how == 0 else (0, self.column + 1) if how == 1 else (0, self.columns)
        self.cells[self.row][begin:end] = [' '] * (end - begin)

    # ---- what is asked

    def text(self):
        return '\n'.join(''.join(row).rstrip() for row in self.cells)

    def wait(self, holds, seconds=30):
        """Draws until the screen is as wanted; false: it never was."""
        end = time.monotonic() + seconds
        while not holds(self.text()):
            if not select.select([self.ours], [], [], max(0, end - time.monotonic()))[0]:
                return False
            try:
                data = os.read(self.ours, 1 << 16)
            except OSError:  # the program has ended
                return False
            if not data:
                return False
            self.feed(data)
        return True

    def press(self, *keys):
        for key in keys:
            os.write(self.ours, KEYS.get(key, key.encode()))

    def end(self):
        """The exit code and what was said on standard error, behind the last key."""
        self.wait(lambda text: False)
        errors = self.process.stderr.read().decode(errors='replace')
        self.process.stderr.close()
        os.close(self.ours)
        return self.process.wait(60), errors
