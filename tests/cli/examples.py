#!/usr/bin/env python3
"""The example programs print what examples/output says, and are short; all are listed where they are described."""
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

EXAMPLES = os.path.join(tap.SOURCE, 'examples')
LINES = 120


def programs():
    return sorted(os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(EXAMPLES, '*.c')))


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def prints(name, before=()):
    """What differs, after running the program behind the words `before`."""
    done = subprocess.run([*before, os.path.join(tap.BUILD, 'examples', name)], capture_output=True, text=True,
                          timeout=300, check=False)
    want = text_of(os.path.join(EXAMPLES, 'output', f'{name}.txt'))
    findings = [f'exit status {done.returncode}'] if done.returncode else []
    findings += [f'stderr: {line}' for line in done.stderr.splitlines()]
    return findings + ([] if done.stdout == want else ['it prints:', *done.stdout.splitlines()])


def short():
    counts = {name: len(text_of(os.path.join(EXAMPLES, f'{name}.c')).splitlines()) for name in programs()}
    return [f'{name}.c: {count} lines' for name, count in counts.items() if count >= LINES]


def described():
    findings = []
    for place, form in (('examples/README.md', '`{}.c`'), ('docs/tour.md', 'examples/{}.c'), ('docs/api/tasks.dox', '@example {}.c')):
        text = text_of(os.path.join(tap.SOURCE, place))
        findings += [f'{place}: no {name}.c' for name in programs() if form.format(name) not in text]
    return findings


def built_as_said():
    """Each file has the line that compiles it."""
    return [f'{name}.c: no line with cc' for name in programs()
            if not re.search(rf'cc {name}\.c \$\(pkg-config --cflags --libs scheelite\)', text_of(os.path.join(EXAMPLES, f'{name}.c')))]


if __name__ == '__main__':
    tap.run([(f'{name} prints what it should', lambda name=name: prints(name)) for name in programs()] +
            [('each has fewer than 120 lines', short), ('each is listed', described), ('each says how to build it', built_as_said)])
