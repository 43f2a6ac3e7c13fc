#!/usr/bin/env python3
"""The stack that compiled programs take, read from their assembly: every frame of more than a page is touched page by
page as it is made, nothing else moves the stack pointer, and the sizes add up to what the object says of itself, which
is a little more.

Compiles captured shaders (some; all with --long), and lookups come with their spans. Usage: frames.py SCHEELITE
"""
import concurrent.futures
import os
import re
import subprocess
import sys

PAGE = 4096
LIMIT = 64 << 10  # SCH_NATIVE_STACK
EACH = 128  # SCH_NATIVE_STACK_EACH
RETURN = 8
SOME = 12

LABEL = re.compile(r'^"?([A-Za-z_][\w.$]*)"?:')
ALIGN = re.compile(r'^\s+andq\s+\$-(\d+), %rsp')
DOWN = re.compile(r'^\s+subq\s+\$(\d+), %rsp')
GOAL = re.compile(r'^\s+leaq\s+-(\d+)\(%rsp\), %r11')
TOUCH = re.compile(r'^\s+movq\s+\$0, \(%rsp\)')
AGAIN = re.compile(r'^\s+cmpq\s+%r11, %rsp')
MOVES = re.compile(r'^\s+(\w+)\s.*%rsp$')
HARMLESS = {'addq', 'popq', 'cmpq', 'movq', 'leaq', 'pushq', 'subq', 'testq'}


def read_frames(text):
    """By function: its frame, as its instructions make it. Raises ValueError where one is not as it must be."""
    frames, functions, name = {}, set(re.findall(r'^\s+\.type\s+"?([\w.$]+)"?,@function', text, re.M)), None
    lines = text.splitlines()
    goal = 0
    for at, line in enumerate(lines):
        if (match := LABEL.match(line)) and match.group(1) in functions:
            name = match.group(1)
            frames[name] = 0
        elif re.match(r'^\s+pushq\s', line):
            frames[name] += 8
        elif match := ALIGN.match(line):
            frames[name] += int(match.group(1)) - 1
        elif match := GOAL.match(line):
            goal = int(match.group(1))
        elif match := DOWN.match(line):
            bytes_down = int(match.group(1))
            touched = at + 1 < len(lines) and any(TOUCH.match(l) for l in lines[at + 1:at + 3])
            if bytes_down > PAGE or (bytes_down == PAGE and not touched):
                raise ValueError(f'{name}: {line.strip()} is not touched')
            looped = any(AGAIN.match(l) for l in lines[at + 1:at + 5])
            frames[name] += goal if looped else bytes_down
            goal = 0
        elif re.match(r'^\s+(subq|leaq)\s.*, %rsp$', line) and not re.match(r'^\s+leaq\s+-\d+\(%rbp\), %rsp$', line):
            raise ValueError(f'{name}: {line.strip()} moves the stack by what is not known')
        elif (match := MOVES.match(line)) and match.group(1) not in HARMLESS:
            raise ValueError(f'{name}: {line.strip()}')
    return frames


def check(command, path, options):
    """What is wrong, and how much stack the code takes; no code: nothing is wrong."""
    def ask(what):
        return subprocess.run([command, 'jit', what, *options, '--cache', 'none', path], capture_output=True, text=True)
    assembly, stats = ask('--asm'), ask('--stats')
    if assembly.returncode or stats.returncode:
        return ('' if assembly.returncode == stats.returncode == 4 else 'assembly and object differ', -1)
    said = int(re.search(r'^stack_bytes\t(\d+)$', stats.stdout, re.M).group(1))
    try:
        frames = read_frames(assembly.stdout)
    except ValueError as wrong:
        return (str(wrong), said)
    # LLVM says the frame without return address and what is lost by aligning it, for which the object has some bytes.
    made = sum(frames.values()) + RETURN * len(frames)
    if not made <= said <= made + EACH * len(frames):
        return (f'the frames are {made} bytes, the object says {said}: {frames}', said)
    return ('' if said <= LIMIT else 'too much stack', said)


def shaders(folder):
    found = []
    for stage in ('cs', 'fs', 'gs', 'tcs', 'tes', 'vs'):
        at = os.path.join(folder, 'corpus', 'tgsi', stage)
        if os.path.isdir(at):
            found += [os.path.join(at, name) for name in sorted(os.listdir(at)) if name.endswith('.tgsi')]
    return found


def main():
    command = sys.argv[1]
    found = shaders(os.environ.get('SCH_SHARED', '../shared'))
    if not found:
        print('1..0 # SKIP no captured shaders')
        return
    if not os.environ.get('SCH_LONG'):
        # The longest of the stages, of which geometry shaders have frames of several pages, and others from all of them.
        by_size = sorted(found, key=os.path.getsize)
        longest = [[path for path in by_size if os.sep + stage + os.sep in path][-2:] for stage in ('cs', 'fs', 'gs')]
        found = sum(longest, []) + found[::len(found) // SOME]
    jobs = [(path, options) for path in found for options in ([], ['--partial'])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: check(command, *job), jobs))
    print('1..2')
    wrong = [(job, result[0]) for job, result in zip(jobs, results) if result[0]]
    for (path, options), why in wrong[:20]:
        print('#', os.path.basename(path), *options, why)
    print('not ok' if wrong else 'ok', '1 - frames are touched, and are as the objects say')
    most, compiled = max(results, key=lambda r: r[1])[1], sum(r[1] >= 0 for r in results)
    print(f'# {compiled} of {len(jobs)} pieces of code; {most} bytes of stack at most')
    print('ok' if compiled * 10 >= len(jobs) * 9 else 'not ok', '2 - nearly all are compiled')
    sys.exit(bool(wrong))


if __name__ == '__main__':
    main()
