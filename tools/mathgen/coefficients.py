#!/usr/bin/env python3
"""Prints the constants of src/ops/alu/math_f32.h.

Each polynomial interpolates its function at Chebyshev nodes in 60-digit decimal arithmetic, which
is within a small factor of the best one; its coefficients are then rounded to double. The error
printed is relative to the function: the largest one on a dense grid, of the rounded polynomial in
exact arithmetic.

Standard library only.
"""
from decimal import Decimal as D, getcontext
from fractions import Fraction

getcontext().prec = 60


def pi():
    def atan_inv(n):  # atan(1/n)
        x, s, k = D(1) / n, D(0), 0
        while abs(x) > D(10) ** -65:
            s += x / (2 * k + 1) * (-1) ** k
            x /= n * n
            k += 1
        return s
    return 4 * (4 * atan_inv(5) - atan_inv(239))


PI = pi()
LN2 = D(2).ln()


def sin_over(z):  # sin(sqrt z) / sqrt z
    t, s, k = D(1), D(0), 0
    while abs(t) > D(10) ** -65:
        s += t
        k += 1
        t *= -z / (2 * k * (2 * k + 1))
    return s


def cos_of(z):  # cos(sqrt z)
    t, s, k = D(1), D(0), 0
    while abs(t) > D(10) ** -65:
        s += t
        k += 1
        t *= -z / ((2 * k - 1) * 2 * k)
    return s


def series(z, term):  # sum of term(k) z^k
    s, p, k = D(0), D(1), 0
    while True:
        t = term(k) * p
        s += t
        if abs(t) < D(10) ** -65 or k > 400:
            return s
        p *= z
        k += 1


def cosine(x):  # for the Chebyshev nodes
    return cos_of(x * x)


def interpolate(f, lo, hi, degree):
    """Monomial coefficients of the polynomial through f at the Chebyshev nodes of [lo, hi]."""
    n = degree + 1
    xs = [(lo + hi) / 2 + (hi - lo) / 2 * cosine(PI * (2 * k + 1) / (2 * n)) for k in range(n)]
    c = [f(x) for x in xs]
    for j in range(1, n):  # divided differences
        for i in range(n - 1, j - 1, -1):
            c[i] = (c[i] - c[i - 1]) / (xs[i] - xs[i - j])
    poly = [D(0)]
    for i in range(n - 1, -1, -1):  # Newton form to monomials
        shifted = [D(0)] + poly
        poly = [a - b * xs[i] for a, b in zip(shifted, poly + [D(0)])]
        poly[0] += c[i]
    return poly[:n]


def exact(d):
    return D(Fraction(d).numerator) / D(Fraction(d).denominator)


def rounded(f, lo, hi, degree):
    return [float(c) for c in interpolate(f, lo, hi, degree)]


def horner(cs, x):
    s = D(0)
    for c in reversed(cs):
        s = s * x + exact(c)
    return s


def show(name, cs, error):
    print("/* %s: error 2^%.1f */" % (name, float(error.ln() / LN2)))
    for c in cs:
        print("    %s," % c.hex())


def grid(lo, hi, n=701):
    return [lo + (hi - lo) * k / (n - 1) for k in range(n)]


def report():
    half = D(1) / 2
    # 2^r = 1 + r Q(r), |r| <= 1/2
    q = lambda r: series(r, lambda k: LN2 ** (k + 1) / fact(k + 1))
    cs = rounded(q, -half, half, 10)
    show("2^r = 1 + r Q(r), Q", cs,
         max(abs(r * (horner(cs, r) - q(r))) / D(2) ** r for r in grid(-half, half)))
    # log2((1+s)/(1-s)) = s (2/ln 2 + z P(z)), z = s^2
    zmax = ((D(2).sqrt() - 1) / (D(2).sqrt() + 1)) ** 2 * D("1.0001")
    c0 = float(2 / LN2)
    whole = lambda z: series(z, lambda k: 2 / LN2 / (2 * k + 1))
    tail = lambda z: series(z, lambda k: 2 / LN2 / (2 * k + 3))
    cs = rounded(tail, D(0), zmax, 6)
    show("2/ln2 = %s (low %s), P" % (c0.hex(), float(2 / LN2 - exact(c0)).hex()), cs,
         max(abs(z * (horner(cs, z) - tail(z))) / whole(z) for z in grid(D(0), zmax)))
    # sin r = r + r z S(z); z = r^2, |r| <= pi/2 and what rounding x / pi in binary32 adds, x < 2^17
    zmax = (PI / 2 * D("1.0025")) ** 2
    s = lambda z: series(z, lambda k: D((-1) ** (k + 1)) / fact(2 * k + 3))
    for degree in (7, 5):
        cs = rounded(s, D(0), zmax, degree)
        show("sin r = r + r z S(z), S", cs,
             max(abs(z * (horner(cs, z) - s(z))) / sin_over(z) for z in grid(D(0), zmax)))
    # pi = A + B + C: two parts of 34 bits, the rest as a double; and in two parts
    rest, parts = PI, []
    for cut in (32, 66):
        k = int(rest * 2 ** cut)
        parts.append(float(Fraction(k, 2 ** cut)))
        rest -= exact(parts[-1])
    parts.append(float(rest))
    print("/* pi in parts */\n   ", ", ".join(x.hex() for x in parts))
    print("/* pi, its rest, 1/pi, pi/2 */\n   ",
          ", ".join(x.hex() for x in (float(PI), float(PI - exact(float(PI))), float(1 / PI), float(PI / 2))))
    # 2/pi: 32-bit windows at 8-bit steps
    getcontext().prec = 120
    two_over_pi = int(2 / pi_long() * 2 ** 320)
    print("/* floor(2/pi * 2^(8 i + 24)) mod 2^32 */")
    words = [(two_over_pi >> (320 - (8 * i + 24))) & 0xFFFFFFFF for i in range(26)]
    for i in range(0, 26, 6):
        print("    " + " ".join("0x%08xu," % w for w in words[i:i + 6]))


def pi_long():
    def atan_inv(n):
        x, s, k = D(1) / n, D(0), 0
        while abs(x) > D(10) ** -125:
            s += x / (2 * k + 1) * (-1) ** k
            x /= n * n
            k += 1
        return s
    return 4 * (4 * atan_inv(5) - atan_inv(239))


def fact(n):
    r = D(1)
    for k in range(2, n + 1):
        r *= k
    return r


if __name__ == "__main__":
    report()
