#!/usr/bin/env python3
"""Prints the constants of src/ops/alu/math_pair.h and checks what that file says of them.

Standard library only; the methods are those of coefficients.py.
"""
from decimal import Decimal as D

from coefficients import LN2, fact, grid, interpolate, series

ROWS = 32


def log2(x):
    return x.ln() / LN2


def nearest(x, bits=24):
    """x rounded to so many significant bits."""
    if x == 0:
        return D(0)
    e = int(log2(abs(x)).to_integral_value(rounding='ROUND_FLOOR'))
    unit = D(2) ** (e - bits + 1)
    return (x / unit).to_integral_value(rounding='ROUND_HALF_EVEN') * unit


def literal(x):
    mantissa, _, exponent = float(x).hex().partition('p')
    mantissa = mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa
    return mantissa + 'p' + exponent + 'f' if x else '0.0f'


def horner(cs, x):
    s = D(0)
    for c in reversed(cs):
        s = s * x + c
    return s


def factor(row):
    """A number of 6 bits near 1/m in the row's interval of m."""
    low, high = 1 + D(row) / ROWS, 1 + D(row + 1) / ROWS
    if row == 0:
        return D(1)
    if row == ROWS - 1:
        return D(1) / 2
    return min((D(k) / 64 for k in range(32, 65)), key=lambda c: max(abs(low * c - 1), abs(high * c - 1)))


def check_row(row, c, head):
    ends = [(1 + D(row + k) / ROWS) * c - 1 for k in (0, 1)]
    assert max(map(abs, ends)) <= D(1) / 32 and ends[0] > D('-0.0236')
    for e in (-1, 0, 1):
        part = max(abs(log2(1 + z)) for z in ends)
        assert e + head == 0 or abs(e + head) - part > D('0.019')


def logarithms():
    factors, heads, rests = [], [], []
    for row in range(ROWS):
        c = factor(row)
        value = -log2(c)
        head = (value * 2 ** 16).to_integral_value() / 2 ** 16
        check_row(row, c, head)
        factors.append(c)
        heads.append(head)
        rests.append(nearest(value - head) if head != value and abs(value - head) > D(2) ** -60 else D(0))
    return factors, heads, rests


def table(name, values):
    print('static const float %s[32] __attribute__((unused)) = {' % name)
    print('    ' + ', '.join(literal(v) for v in values) + '};')


def error(what, values):
    print('/* %s: 2^%.1f */' % (what, float(log2(max(abs(v) for v in values)))))


def report():
    for name, values in zip(('v_log2_factor', 'v_log2_high', 'v_log2_low'), logarithms()):
        table(name, values)
    powers = [D(2) ** (D(row) / ROWS) for row in range(ROWS)]
    table('v_exp2_high', [nearest(p) for p in powers])
    table('v_exp2_low', [nearest(p - nearest(p)) if row else D(0) for row, p in enumerate(powers)])
    for name, value in (('L0', 1 / LN2), ('L1', -1 / LN2 / 2), ('K0', LN2)):
        print('/* %s */' % name, literal(nearest(value)), literal(nearest(value - nearest(value))))
    low, high = D('-0.0236'), D(1) / 32
    q = lambda z: series(z, lambda k: (-1) ** k / LN2 / (k + 3))
    cs = [nearest(c) for c in interpolate(q, low, high, 4)]
    print('/* Q */', ', '.join(map(literal, cs)))
    error('z^3 Q', [z ** 3 * (horner(cs, z) - q(z)) for z in grid(low, high, 301)])
    bound = D(1) / 64 + D(2) ** -16
    k = lambda r: series(r, lambda n: LN2 ** (n + 2) / fact(n + 2))
    cs = [nearest(c) for c in interpolate(k, -bound, bound, 2)]
    print('/* K */', ', '.join(map(literal, cs)))
    error('r^2 K', [r * r * (horner(cs, r) - k(r)) for r in grid(-bound, bound, 301)])


if __name__ == '__main__':
    report()
