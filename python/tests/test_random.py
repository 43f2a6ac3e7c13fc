"""Calls with random arguments: arrays of any type, shape and order of bytes, odd numbers, damaged files and texts. What is
checked: nothing but the exceptions that the package documents comes out; what is read stays as it was, and so does what
stands around an array that is written; a call that is made again gives the same. For two seconds, or as many as
SCHEELITE_RANDOM_SECONDS says, from SCHEELITE_RANDOM_SEED on; with a library that was built with a sanitizer this is a fuzzer
of the package."""
import math
import os
import random
import time
import warnings

import numpy as np
import pytest

import scheelite
from conftest import ENDLESS, FRAGMENT, PHOTO, SQUARES, VERTEX

SECONDS = float(os.environ.get('SCHEELITE_RANDOM_SECONDS', 2))
SEED = int(os.environ.get('SCHEELITE_RANDOM_SEED', 1))
ALLOWED = (scheelite.Error, ValueError, TypeError, MemoryError)
LIMITS = {'memory': 1 << 24, 'context_memory': 1 << 25}
TARGETS = ['1D', '2D', '3D', '1D_ARRAY', '2D_ARRAY', 'CUBE', 'CUBE_ARRAY', 'BUFFER', 'RECT', '2D_MSAA', 'none']
FORMATS = [None, None, None, 'R8G8B8A8_UNORM', 'R32_FLOAT', 'R32G32B32A32_FLOAT', 'R32_UINT', 'R16G16_SINT', 'Z32_FLOAT', 'DXT1_RGBA',
           'R8_SRGB', 'R10G10B10A2_UNORM', 'Z24_UNORM_S8_UINT', 'nothing']
TYPES = [np.uint8, np.float32, np.float32, np.uint16, np.int8, np.int32, np.uint32, np.float16, np.float64, np.int64, np.bool_, '>f4', '>u2']
ODD = [0, 1, -1, 2, 3, 4, 7, 16, 17, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64, -2**31, 0.5, -0.0, 1e30, math.nan, math.inf, -math.inf, True]
LOOKUP = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[0][0..1]\nDCL TEMP[0]\n'
          'TEX TEMP[0], IN[0], SAMP[0], 2D\nADD OUT[0], TEMP[0], CONST[0][1]\nEND\n')
TEXTS = [VERTEX, FRAGMENT, LOOKUP, SQUARES, ENDLESS]


class Maker:
    """Random arguments; what arrays are given to calls, with their bytes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.given = []
        self.odd_ones = seed % 2 == 0  # of odd seeds most arguments are right
        self.context = scheelite.Context(limits=LIMITS, budget=64, work=20000)

    def one(self, *values):
        return self.random.choice(values)

    def odd(self):
        return self.random.choice(ODD if self.odd_ones else ODD[:2])

    def small(self, most=5):
        return self.odd() if self.random.random() < 0.1 else self.random.randrange(1, most)

    def array(self, shape=None, kinds=TYPES):
        if not self.odd_ones:
            shape, kinds = shape or (self.random.randrange(1, 6), self.random.randrange(1, 6), 4), [kinds[0]] if kinds is not TYPES else [np.uint8, np.float32]
        shape = shape if shape is not None else tuple(self.random.randrange(0 if self.random.random() < 0.1 else 1, 6) for _ in range(self.random.randrange(0, 5)))
        kind = np.dtype(self.random.choice(kinds))
        count = int(np.prod(shape, dtype=np.int64))
        made = np.frombuffer(self.random.randbytes(count * kind.itemsize), kind if kind.kind != 'b' else np.uint8).reshape(shape).copy()
        made = made.astype(bool) if kind.kind == 'b' else made
        how = self.random.randrange(8)
        if how == 0:
            made = np.asfortranarray(made)
        elif how == 1 and made.ndim:
            made = made[::-1]
        elif how == 2 and made.ndim and made.shape[-1]:
            made = np.repeat(made, 2, axis=-1)[..., ::2]
        elif how == 3:
            made.flags.writeable = False
        self.given.append((made, made.tobytes()))
        return made

    def texture(self):
        target, kind = (self.random.choice(TARGETS), self.random.choice(FORMATS)) if self.odd_ones else ('2D', None)
        options = {'target': target} if self.random.random() < 0.5 else {}
        if self.random.random() < 0.3:
            return scheelite.Texture.empty(self.one(self.small(), (self.small(), self.small()), (self.small(), self.small(), self.small())), kind or 'R8_UNORM',
                                           levels=self.small(3), layers=self.small(8), samples=self.one(1, 1, 2, 4, 3), context=self.context, **options)
        data = [self.array() for _ in range(2)] if self.random.random() < 0.1 else self.array()
        return scheelite.Texture(data, format=kind, mips=self.random.random() < 0.3, srgb=self.random.random() < 0.1, context=self.context, **options)

    def sampled(self):
        texture = self.texture()
        if self.random.random() < 0.7 or not self.odd_ones:
            return texture
        return texture.view(format=self.random.choice(FORMATS), target=self.one(None, *TARGETS), swizzle=self.one(None, 'xyzw', 'xxx1', 'wzyx', 'x', 'abcd'))

    def sampler(self):
        if not self.odd_ones:
            return self.one({}, {'filter': 'linear', 'wrap': 'clamp_to_edge'}, {'mip': 'linear', 'anisotropy': 4})
        words = ['repeat', 'clamp', 'clamp_to_edge', 'clamp_to_border', 'mirror_repeat', 'mirror_clamp', 'wrap']
        made = {}
        if self.random.random() < 0.5:
            made['wrap'] = self.one(self.one(*words), [self.one(*words) for _ in range(self.random.randrange(2, 5))])
        if self.random.random() < 0.5:
            made['filter'] = self.one('nearest', 'linear', ('linear', 'nearest'), 'none')
        if self.random.random() < 0.4:
            made[self.one('anisotropy', 'lod_bias', 'min_lod', 'max_lod')] = self.odd()
        if self.random.random() < 0.3:
            made[self.one('mip', 'compare', 'rules', 'reduction')] = self.one('nearest', 'linear', 'less', 'd3d', 'maxwell', 'minimum', 'none')
        if self.random.random() < 0.2:
            made['border'] = self.one([1, 2, 3, 4], [0.5] * 4, [self.odd() for _ in range(4)], 1)
        return made

    def at(self):
        if not self.odd_ones:
            return self.array((3, 2), [np.float32])
        return self.one(self.array, lambda: self.array((3, self.random.randrange(1, 5)), [np.float32]), lambda: [self.odd(), self.odd()], self.odd)()

    def text(self):
        text = self.random.choice(TEXTS) if self.odd_ones else LOOKUP
        for _ in range(self.random.randrange(3) if self.random.random() < 0.5 and self.odd_ones else 0):
            at = self.random.randrange(len(text))
            text = text[:at] + self.one('', ' ', '0', '[', '-', '9999999999', '\n', 'x', '\0', 'é') + text[at + self.random.randrange(4):]
        return text

    def bound(self):
        made = {}
        if self.random.random() < 0.8:
            made['textures'] = {self.one(0, 0, 0, 1, self.odd()): self.one(self.sampled, self.array)()}
        if self.random.random() < 0.5:
            made['samplers'] = {0: self.sampler()}
        if self.random.random() < 0.5:
            made['constants'] = self.one(self.array(kinds=[np.float32, np.uint32, np.int64]), {self.one(0, 1, self.odd()): self.array()}, [self.odd()] * 8)
        if self.random.random() < 0.2:
            made[self.one('threads', 'lanes', 'deadline', 'budget', 'work')] = self.odd()
        return made


# ---- calls: each returns something that is the same when it is made again ------------------------------------------------


def textures(make):
    texture = make.texture()
    if make.random.random() < 0.5:
        texture.write(make.array() if make.odd_ones else texture.array(), level=make.small(3) - 1 if make.odd_ones else 0)
    if make.random.random() < 0.3:
        texture.clear([make.odd() for _ in range(4)], level=make.small(3) - 1)
    if make.random.random() < 0.2:
        texture.write_bytes(make.one(make.random.randbytes(make.random.randrange(64)), make.array()))
    return texture.array(make.small(3) - 1 if make.odd_ones else 0).tobytes(), texture.tobytes(), repr(texture)


def lookups(make):
    call = make.one(scheelite.sample, scheelite.gather, scheelite.explain_sample)
    extra = {make.one('lod', 'bias', 'offset', 'reference', 'component'): make.at()} if make.random.random() < 0.3 and make.odd_ones else {}
    return str(call(make.sampled(), make.at(), make.sampler(), **extra))


def fetches(make):
    texture = make.sampled()
    return (np.asarray(scheelite.fetch(texture, make.at() if make.odd_ones else [[0, 0]], level=make.one(0, make.odd()))).tobytes(),
            np.asarray(scheelite.query_size(texture, make.one(0, make.odd()))).tobytes())


def runs(make):
    out = None
    size = (make.small(12), make.small(12))
    around = None
    if make.random.random() < 0.4 and all(isinstance(side, int) and 0 < side < 64 for side in size):
        around = np.full((size[1] + 2, size[0], 4), 7, np.float32)
        out = around[1:-1]
    try:
        picture = scheelite.run(make.text(), size, dtype=make.one(np.float32, np.uint8, np.int32, np.float64) if make.odd_ones else np.float32, out=out,
                                target=make.one(0, 'depth', [0], 9) if make.odd_ones else 0, context=make.context, **make.bound())
    finally:
        assert around is None or ((around[0] == 7).all() and (around[-1] == 7).all()), 'what stands around `out` was written'
    return str(picture)


def grids(make):
    around = np.full(3 * 64, 5, np.float32)
    inner = around[64:128]
    try:
        scheelite.dispatch(make.text() if make.random.random() < 0.3 else SQUARES, make.one(1, 1, 2, (1, 1, 1), make.odd(), (make.odd(), 1)),
                           buffers={0: make.one(np.ones(64, np.float32), make.array()), 1: make.one(inner, inner[make.random.randrange(64):], make.array())},
                           context=make.context)
    finally:
        outside = (around[:64] == 5).all() and (around[128:] == 5).all()
        make.given = [(array, data) for array, data in make.given if not array.flags.writeable or not array.flags.c_contiguous]
        assert outside, 'what stands around a buffer was written'
    return inner.tobytes()


def invocations(make):
    done = scheelite.invoke(make.text(), make.one(make.array, lambda: make.array((3, 4), [np.float32]), make.odd)() if make.odd_ones else make.array((3, 4), [np.float32]),
                            context=make.context, **make.bound())
    return done.int.tobytes()


def draws(make):
    attributes = [make.one(make.array, lambda: make.array((3, 4), [np.float32]))() for _ in range(make.random.randrange(3))]
    frame = scheelite.draw(make.text() if make.random.random() < 0.3 else VERTEX, FRAGMENT, attributes, (make.small(20), make.small(20)),
                           samples=make.one(1, 1, 4, make.odd()), context=make.context,
                           **({'indices': make.array(kinds=[np.uint8, np.uint16, np.uint32, np.int64])} if make.random.random() < 0.4 else {}))
    return frame.color.tobytes()


def files(make):
    data = bytearray(PHOTO.read_bytes()[:make.one(40, 4000, 10**6) if make.odd_ones else None])
    for _ in range(make.random.randrange(4) if make.odd_ones else 0):
        data[make.random.randrange(min(len(data), 80))] = make.random.randrange(256)
    return scheelite.load(bytes(data), mips=make.random.random() < 0.3, context=make.context).tobytes()


def texts(make):
    text = make.one(make.text(), make.text().encode('utf-8'), make.random.randbytes(40))
    call = make.one(scheelite.check, scheelite.dis, scheelite.asm, lambda one, context: scheelite.translate(one, make.one('d3d-asm', 'tgsi', 'x'), context=context),
                    lambda one, context: scheelite.Shader(one, context=context).registers, lambda one, context: scheelite.shaders(one, context=context))
    return str(call(text, context=make.context))


CALLS = [textures, lookups, fetches, runs, grids, invocations, draws, files, texts]


def answer(call, seed):
    """What a call gives: its result, or the class of its exception."""
    make = Maker(seed)
    try:
        return call(make)
    except ALLOWED as error:
        assert str(error), f'seed {seed}: {type(error).__name__} without a text'
        return type(error).__name__
    finally:
        for array, data in make.given:
            assert array.tobytes() == data, f'seed {seed}: what was read has changed'


@pytest.mark.parametrize('call', CALLS, ids=lambda call: call.__name__)
def test_random_calls(call):
    end, seed, results = time.monotonic() + SECONDS / len(CALLS), SEED, 0
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        while time.monotonic() < end or seed < SEED + 8:
            try:
                first, second = answer(call, seed), answer(call, seed)
            except Exception as error:
                raise AssertionError(f'{call.__name__} of seed {seed}: {type(error).__name__}: {error}') from error
            assert first == second, f'{call.__name__} of seed {seed}: {first!r}, then {second!r}'
            results += not isinstance(first, str) or first not in {one.__name__ for one in (*ALLOWED, *scheelite.Error.__subclasses__())}
            seed += 1
    assert results, f'{seed - SEED} calls were all refused'
