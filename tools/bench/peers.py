"""Measures our workloads and Mesa's llvmpipe on the same shaders, textures and states, in turns, after comparing what both
draw, and lavapipe, llvmpipe through Vulkan, where it is there; or, with --against, our workloads by this build and by another one. What a workload is stands in bench/peers.def,
how it is timed in bench/peers.c."""
import argparse
import math
import os
import statistics
import sys
import tempfile

import sides
from sides import die

MEANS = 0.3  # of 255, that the pictures' mean colours may differ by
STEP, FEW = 1, 0.001  # what kernels' bytes may differ by from ours, and what part of them; numbers are equal


def arguments(words):
    parser = argparse.ArgumentParser(prog='./dev bench peers', description=__doc__)
    sides.add_options(parser)
    parser.add_argument('--ours', action='store_true', help='measure only ours')
    parser.add_argument('--against', metavar='PROGRAM', help='bench/peers of another build of ours, instead of llvmpipe')
    parser.add_argument('--no-lavapipe', action='store_true', help='do not time lavapipe')
    parser.add_argument('--no-limits', action='store_true', help='do not time the hand-written kernels')
    return parser.parse_args(words)


# ---- pictures ----

def pixels(path):
    """Bytes of red, green, blue and alpha; of a grid those of its numbers."""
    with open(path, 'rb') as file:
        data = file.read()
    return data[data.index(b'ENDHDR\n') + 7:] if data.startswith(b'P7') else data


def compare(a, b, folder):
    """'same' or what differs; and whether that is too much."""
    if a['check'].startswith('sum='):
        x, y = float(a['check'][4:]), float(b['check'][4:])
        wrong = not math.isclose(x, y, rel_tol=1e-3)
        return ('' if wrong else 'sums agree') or f'sums {x} {y}', wrong
    means = [[float(n) for n in side['check'][5:].split(',')] for side in (a, b)]
    off = max(abs(x - y) for x, y in zip(*means))
    first, second = (pixels(os.path.join(folder, name)) for name in ('ours', 'theirs'))
    differences = [abs(x - y) for x, y in zip(first, second) if x != y]
    far = sum(d > 3 for d in differences)
    return f'mean {off:.2f} most {max(differences, default=0)} far {far}', off > MEANS


def same_picture(ours, theirs, work, folder):
    """What differs between the sides' pictures, in words; None: too much, or one has none, which is said."""
    mine = ours.draw(work, os.path.join(folder, 'ours'))
    yours = theirs.draw(work, os.path.join(folder, 'theirs'))
    if not mine or not yours:
        return None
    if 'llvmpipe' not in yours['renderer']:
        die(f'no llvmpipe here (Debian package libgl1-mesa-dri): {yours["renderer"].strip()[:300]}')
    difference, wrong = compare(mine, yours, folder)
    if wrong:
        print(f'{work}\t{mine["unit"]}\tnot timed: the pictures differ: {difference}: {mine["check"]} {yours["check"]}')
    return None if wrong else difference


# ---- the limits ----

def limit(by, work, folder):
    """The rate of the workload's fastest kernel written by hand that draws what we draw; None: there is none."""
    rates = []
    for way in by['kernels'].ways(work):
        picture = os.path.join(folder, 'kernel')
        if not by['kernels'].draw(work, picture, '--way', way):
            continue
        mine, its = pixels(os.path.join(folder, 'ours')), pixels(picture)
        steps = [abs(x - y) for x, y in zip(mine, its) if x != y]
        if max(steps, default=0) > STEP or len(steps) > FEW * len(mine):
            print(f'# {work}: the kernel {way} draws something else: {len(steps)} of {len(mine)} bytes, by up to {max(steps)}')
            continue
        rates += [row['rate'] for row in by['kernels'].time(work, '--way', way)]
    return max(rates, default=None)


# ---- the turns ----

def take_turns(asked, taken, work):
    """A row of each side for each turn, in the order of `taken`; None: one did not run."""
    turns = []
    for turn in range(asked.rounds):
        rows = {}
        for side in taken[::-1] if turn % 2 else taken:
            found = side.time(work)
            if not found:
                return None
            rows[side] = found[0]
        turns.append([rows[side] for side in taken])
    return turns


HEADER = 'workload\tunit\tours\tllvmpipe\tours/llvmpipe\tlimit\tours/limit\tfirst ms\tllvmpipe first ms\tdifference\t' \
         'lavapipe\tours/lavapipe\tlavapipe first ms'


def middle(rows, what):
    return statistics.median(row[what] for row in rows)


def ratio_of(mine, yours):
    """The median of the turns' ratios."""
    return statistics.median(one['rate'] / other['rate'] for one, other in zip(mine, yours))


def measure(asked, by, work, folder):
    """Prints the row of a workload, and gives its name, unit and the ratio to each of the others; None: it was not timed."""
    if asked.ours:
        mine = [row for _ in range(asked.rounds) for row in by['ours'].time(work)]
        if mine:
            print(f'{work}\t{mine[0]["unit"]}\t{middle(mine, "rate"):.2f}\t\t\t\t\t{middle(mine, "first"):.1f}\t\t', flush=True)
        return (work, mine[0]['unit'], {}) if mine else None
    others = [name for name in ('llvmpipe', 'lavapipe') if name in by]
    differences = [same_picture(by['ours'], by[name], work, folder) for name in others]
    turns = None if None in differences else take_turns(asked, [by['ours'], *(by[name] for name in others)], work)
    if not turns:
        return None
    mine, *theirs = zip(*turns)
    rate, unit = middle(mine, 'rate'), mine[0]['unit']
    ratios = {name: ratio_of(mine, yours) for name, yours in zip(others, theirs)}
    best = limit(by, work, folder) if 'kernels' in by else None
    cells = [work, unit, f'{rate:.2f}', f'{middle(theirs[0], "rate"):.2f}', f'{ratios["llvmpipe"]:.2f}', f'{best:.0f}' if best else '',
             f'{rate / best:.3f}' if best else '', f'{middle(mine, "first"):.1f}', f'{middle(theirs[0], "first"):.1f}', differences[0]]
    if 'lavapipe' in by:
        cells += [f'{middle(theirs[1], "rate"):.2f}', f'{ratios["lavapipe"]:.2f}', f'{middle(theirs[1], "first"):.1f}']
    print('\t'.join(cells), flush=True)
    return work, unit, ratios


# ---- another build of ours ----

# A row is slower where the whole interval of its mean ratio lies below SLOWER; Student's t for 95 %, by turns less one.
SLOWER = 0.97
STUDENT = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09]


def interval(turns):
    """The geometric mean of the turns' ratios, and the factor that bounds it on both sides."""
    logs = [math.log(one['rate'] / other['rate']) for one, other in turns]
    degrees = len(logs) - 1
    student = STUDENT[degrees - 1] if degrees <= len(STUDENT) else 2.0
    return math.exp(statistics.mean(logs)), math.exp(student * statistics.stdev(logs) / len(logs) ** 0.5)


def against(asked, new, old, work):
    """The geometric mean of new/old over the turns, which begin with either in turn; None: not timed."""
    turns = take_turns(asked, [new, old], work)
    if not turns or turns[0][0]['check'] != turns[0][1]['check']:
        print(f'{work}\tnot timed, or the pictures differ')
        return None
    mean, half = interval(turns)
    news, olds = zip(*turns)
    slower = mean * half < SLOWER
    print(f'{work}\t{news[0]["unit"]}\t{middle(news, "rate"):.2f}\t{middle(olds, "rate"):.2f}\t{mean:.3f}\t{mean / half:.3f}\t'
          f'{mean * half:.3f}\t{middle(news, "first"):.1f}\t{middle(olds, "first"):.1f}\t{"SLOWER" if slower else ""}', flush=True)
    return mean, slower


def compare_builds(asked, works):
    if asked.rounds < 2:
        die('--against wants at least two --rounds')
    new, old = sides.ours(asked), sides.ours(asked, asked.against)
    print(f'# millions of units a processor second, engine {asked.engine}, one thread; {asked.rounds} turns of both builds')
    print('workload\tunit\tnew\told\tnew/old\tlow\thigh\tfirst ms\told first ms\t', flush=True)
    rows = [against(asked, new, old, work) for work in works]
    if None in rows:
        die('not every workload was timed')
    mean = math.exp(statistics.mean(math.log(ratio) for ratio, _ in rows))
    slower = sum(slow for _, slow in rows)
    print(f'# geometric mean of new/old {mean:.3f}; {slower} of {len(rows)} workloads slower')
    sys.exit(1 if slower else 0)


# ---- all ----

def print_means(ratios):
    """A mean for each kind of workload: fills measure the frame around shaders, dispatches the memory, draws the
    pipeline."""
    kinds = {'fills': [], 'shaders': [], 'dispatches': [], 'draws': []}
    draws = ('fill_blend', 'msaa4_fill')
    for work, unit, by_name in ratios:
        kind = 'dispatches' if unit == 'elem' else 'draws' if unit != 'pix' or work in draws else \
            'fills' if work.startswith('fill_') else 'shaders'
        kinds[kind].append(by_name)
    for kind, rows in kinds.items():
        for name in rows[0] if rows else ():
            known = [row[name] for row in rows]
            mean = math.exp(sum(math.log(ratio) for ratio in known) / len(known))
            faster = sum(ratio > 1 for ratio in known)
            print(f'# {kind}: geometric mean of ours/{name} {mean:.2f}; faster in {faster} of {len(known)} workloads')


def main(words):
    asked = arguments(words)
    works = sides.wanted(asked)
    if asked.against:
        compare_builds(asked, works)
    with tempfile.TemporaryDirectory() as folder:
        by = {'ours': sides.ours(asked)}
        if not asked.ours:
            by['llvmpipe'] = sides.llvmpipe(asked)
            by['lavapipe'] = None if asked.no_lavapipe else sides.lavapipe(asked, folder)
            by['kernels'] = None if asked.no_limits else sides.kernels(asked)
        by = {name: side for name, side in by.items() if side}
        print(f'# {sides.processor()[0]}, level {asked.level}')
        print(f'# millions of units a processor second; ours: engine {asked.engine}, one thread; llvmpipe: one thread; '
              'limit: the fastest hand-written kernel')
        if not asked.ours and not asked.no_lavapipe and 'lavapipe' not in by:
            print(f'# no lavapipe here; Debian packages: {sides.VULKAN_PACKAGES}')
        print(HEADER, flush=True)
        rows = [measure(asked, by, work, folder) for work in works]
    print_means([row for row in rows if row])
    if None in rows:
        die('not every workload was timed')
