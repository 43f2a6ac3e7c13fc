#!/usr/bin/env python3
"""Writes the tests of the kernels in this folder, NAME.test, with what each should give, computed here.

make.py [FOLDER]: writes them to the folder, else to this one. A test of the repository compares them."""
import os
import random
import struct
import sys


def bits(number):
    return struct.unpack('<I', struct.pack('<f', number))[0]


def rounded(number):
    """A float of 32 bits."""
    return struct.unpack('<f', struct.pack('<f', number))[0]


def words(numbers):
    lines = [numbers[i:i + 8] for i in range(0, len(numbers), 8)]
    return ''.join(' '.join(f'{number:08x}' for number in line) + '\n' for line in lines)


def test(kernel, grid, block, parameters, buffers, results):
    text = f'kernel {kernel}\ngrid {grid} 1 1\nblock {block} 1 1\n'
    text += ''.join(f'param 0x{offset:x} {kind} {value}\n' for offset, kind, value in parameters)
    text += ''.join(f'buffer {name} {len(numbers)}\n{words(numbers)}' for name, numbers in buffers)
    text += ''.join(f'result {name} {len(numbers)} init 0 compare exact\n{words(numbers)}' for name, numbers in results)
    return text + 'end\n'


def saxpy(source):
    """Small integers and halves, whose sums are exact. y is read and written, and zero at first."""
    x = [source.randrange(-400, 400) / 4 for _ in range(100)]
    return test('saxpy', 2, 64, [(0x140, 'ptr', 'x'), (0x148, 'ptr', 'y'), (0x150, 'u32', 100),
                                 (0x154, 'f32', f'{bits(2.5):08x}')],
                [('x', [bits(number) for number in x])],
                [('y', [bits(rounded(2.5 * number) + 0.0) for number in x] + [0] * 28)])


def reduction(source):
    numbers = [source.randrange(2**32) for _ in range(3 * 128)]
    sums = [sum(numbers[i:i + 128]) % 2**32 for i in range(0, len(numbers), 128)]
    return test('reduction', 3, 128, [(0x140, 'ptr', 'in'), (0x148, 'ptr', 'out')], [('in', numbers)], [('out', sums)])


def histogram(source):
    numbers = [source.randrange(2**32) for _ in range(2 * 96)]
    counts, order, blocks = [0] * 16, [], [0] * 32
    for i, number in enumerate(numbers):
        order.append(counts[number % 16])
        counts[number % 16] += 1
        blocks[i // 96 * 16 + number % 16] += 1
    return test('histogram', 2, 96, [(0x140, 'ptr', 'in'), (0x148, 'ptr', 'counts'), (0x150, 'ptr', 'order'),
                                     (0x158, 'ptr', 'blocks')],
                [('in', numbers)], [('counts', counts), ('order', order), ('blocks', blocks)])


def steps(number):
    count = 0
    while number > 1:
        number = 3 * number + 1 if number % 2 else number // 2
        count += 1
    return count


def collatz(source):
    numbers = [1, 2, 3, 27, 97, 703] + [source.randrange(1, 5000) for _ in range(58)]
    return test('collatz', 2, 32, [(0x140, 'ptr', 'in'), (0x148, 'ptr', 'out')], [('in', numbers)],
                [('out', [steps(number) for number in numbers])])


def skipping(source):
    numbers = [0, 1, 2, 3] + [source.randrange(60) for _ in range(60)]
    return test('skipping', 1, 64, [(0x140, 'ptr', 'in'), (0x148, 'ptr', 'out')], [('in', numbers)],
                [('out', [sum(i for i in range(number) if i % 3) for number in numbers])])


def fibonacci(number):
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def calls(source):
    numbers = [source.randrange(13) for _ in range(32)]
    return test('calls', 1, 32, [(0x140, 'ptr', 'in'), (0x148, 'ptr', 'out')], [('in', numbers)],
                [('out', [fibonacci(number) for number in numbers])])


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for kernel in (saxpy, reduction, histogram, collatz, skipping, calls):
        with open(os.path.join(folder, f'{kernel.__name__}.test'), 'w') as file:
            file.write(kernel(random.Random(kernel.__name__)))


if __name__ == '__main__':
    main()
