#!/usr/bin/env python3
"""Texture files beside other programs: libscheelite-files reads what ImageMagick and astcenc wrote, and they read what it
writes. Calls the library as any program does. Holds no file."""
import ctypes
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
DDS, KTX = 7, 8
TARGET_2D = 2
WIDTH, HEIGHT = 23, 14
FORMATS = {'R8G8B8_UNORM': 51, 'R8G8B8A8_UNORM': 53, 'B8G8R8_UNORM': 52, 'B8G8R8A8_UNORM': 54, 'B8G8R8X8_UNORM': 125, 'R16G16B16A16_FLOAT': 83,
           'DXT1_RGBA': 163, 'DXT5_RGBA': 165, 'ASTC_4x4': 325, 'ASTC_6x5': 328, 'ASTC_8x8_SRGB': 346}


class Allocator(ctypes.Structure):
    _fields_ = [('alloc', ctypes.c_void_p), ('free', ctypes.c_void_p), ('user', ctypes.c_void_p)]


class Texture(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('target', ctypes.c_int), ('format', ctypes.c_int), ('width', ctypes.c_uint32),
                ('height', ctypes.c_uint32), ('depth', ctypes.c_uint32), ('layers', ctypes.c_uint32), ('levels', ctypes.c_uint32),
                ('texels', ctypes.POINTER(ctypes.c_uint8)), ('bytes', ctypes.c_size_t), ('memory', Allocator),
                ('transfer', ctypes.c_int), ('gamma', ctypes.c_float), ('premultiplied', ctypes.c_bool)]


class Error(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('code', ctypes.c_uint), ('message', ctypes.c_char * 160), ('argument', ctypes.c_char * 48)]


class Bytes(ctypes.Structure):
    _fields_ = [('data', ctypes.POINTER(ctypes.c_uint8)), ('bytes', ctypes.c_size_t), ('memory', Allocator)]


class Refused(Exception):
    pass


def library():
    found = sorted(glob.glob(os.path.join(tap.BUILD, 'src', 'files', 'libscheelite-files.so*')))
    return ctypes.CDLL(next(path for path in found if os.path.isfile(path)))


def read(path):
    """Shape and texels of a file."""
    with open(path, 'rb') as file:
        data = file.read()
    texture, error = Texture(size=ctypes.sizeof(Texture)), Error(size=ctypes.sizeof(Error))
    if library().sch_file_texture_read(None, data, ctypes.c_size_t(len(data)), ctypes.byref(texture), ctypes.byref(error)):
        raise Refused(f'{os.path.basename(path)}: {error.code}: {error.message.decode()}')
    texels = ctypes.string_at(texture.texels, texture.bytes)
    shape = (texture.target, texture.format, texture.width, texture.height, texture.layers, texture.levels)
    library().sch_file_texture_release(ctypes.byref(texture))
    return shape, texels


def write(path, kind, shape, texels):
    target, format_number, width, height, layers, levels = shape
    memory = (ctypes.c_uint8 * len(texels)).from_buffer_copy(texels)
    texture = Texture(size=ctypes.sizeof(Texture), target=target, format=format_number, width=width, height=height, depth=1, layers=layers,
                      levels=levels, texels=memory, bytes=len(texels))
    made, error = Bytes(), Error(size=ctypes.sizeof(Error))
    if library().sch_file_texture_write(None, kind, ctypes.byref(texture), ctypes.byref(made), ctypes.byref(error)):
        raise Refused(f'{os.path.basename(path)}: {error.code}: {error.message.decode()}')
    with open(path, 'wb') as file:
        file.write(ctypes.string_at(made.data, made.bytes))
    library().sch_file_bytes_release(ctypes.byref(made))


def place(name):
    return os.path.join(FOLDER.name, name)


def call(*command):
    if not shutil.which(command[0]):
        raise tap.Skip(f'no {command[0]}')
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def picture(width=WIDTH, height=HEIGHT):
    """The RGBA bytes of a picture of smooth colours and noise, and a PNG file of it."""
    numbers = random.Random(7)
    texels = bytes(255 if channel == 3 and x % 3 else (x * (7 + channel) + y * 5 + numbers.randrange(9)) % 256
                   for y in range(height) for x in range(width) for channel in range(4))
    path, raw = place('picture.png'), place('picture.raw')
    with open(raw, 'wb') as file:
        file.write(texels)
    call('convert', '-size', f'{width}x{height}', '-depth', '8', f'rgba:{raw}', f'png32:{path}')
    return texels, path


def raw_of(path):
    """The RGBA texels that ImageMagick sees in the first picture of a file."""
    call('convert', f'{path}[0]', '-depth', '8', f'rgba:{place("seen.rgba")}')
    with open(place('seen.rgba'), 'rb') as file:
        return file.read()


def level_bytes(format_name, width, height, levels):
    side, block = {'DXT1_RGBA': (4, 8), 'DXT5_RGBA': (4, 16)}.get(format_name, (1, 4))
    return sum(-(-max(width >> i, 1) // side) * -(-max(height >> i, 1) // side) * block for i in range(levels))


def imagemagick_writes_dds():
    findings = []
    for compression, name in (('none', 'B8G8R8A8_UNORM'), ('dxt1', 'DXT1_RGBA'), ('dxt5', 'DXT5_RGBA')):
        for width, height, levels in ((WIDTH, HEIGHT, 1), (32, 16, 4)):
            texels, path = picture(width, height)
            made = place('theirs.dds')
            call('convert', path, '-define', f'dds:compression={compression}', '-define', f'dds:mipmaps={levels - 1}', made)
            shape, found = read(made)
            if shape != (TARGET_2D, FORMATS[name], width, height, 1, levels) or len(found) != level_bytes(name, width, height, levels):
                findings.append(f'{compression}, {levels} levels: {shape}, {len(found)} bytes')
            first = found[:width * height * 4]
            if compression == 'none' and swapped(first) != texels:
                findings.append(f'{compression}, {levels} levels: other texels')
            ours = place('ours.dds')
            write(ours, DDS, shape, found)
            if raw_of(ours) != raw_of(made):
                findings.append(f'{compression}, {levels} levels: ImageMagick sees another picture in what we write')
    return findings


def swapped(texels):
    """Red and blue in each other's place."""
    return bytes(texels[i ^ 2 if i % 2 == 0 else i] for i in range(len(texels)))


def imagemagick_reads_dds():
    """ImageMagick 6 takes the masks of 24 and 32 bits for those of blue in the lowest byte."""
    findings = []
    for name, channels, order in (('B8G8R8A8_UNORM', 4, (2, 1, 0, 3)), ('B8G8R8_UNORM', 3, (2, 1, 0))):
        texels, _ = picture()
        stored = bytes(texels[i + channel] for i in range(0, len(texels), 4) for channel in order)
        wanted = texels if channels == 4 else bytes(255 if i % 4 == 3 else value for i, value in enumerate(texels))
        write(place('ours.dds'), DDS, (TARGET_2D, FORMATS[name], WIDTH, HEIGHT, 1, 1), stored)
        if raw_of(place('ours.dds')) != wanted:
            findings.append(f'{name}: another picture')
    return findings


def blocks_of(path):
    """The blocks of an .astc file, behind its header of 16 bytes."""
    with open(path, 'rb') as file:
        return file.read()[16:]


def astcenc_blocks():
    """Blocks in KTX: theirs are those of its own kind of file; ours it decodes to the same picture."""
    findings = []
    _, path = picture()
    for mode, block, name in (('l', '4x4', 'ASTC_4x4'), ('l', '6x5', 'ASTC_6x5'), ('s', '8x8', 'ASTC_8x8_SRGB')):
        call('astcenc', f'-c{mode}', path, place('a.ktx'), block, '-fast', '-silent')
        call('astcenc', f'-c{mode}', path, place('a.astc'), block, '-fast', '-silent')
        shape, texels = read(place('a.ktx'))
        if shape != (TARGET_2D, FORMATS[name], WIDTH, HEIGHT, 1, 1) or texels != blocks_of(place('a.astc')):
            findings.append(f'{name}: {shape}, or other blocks')
        write(place('b.ktx'), KTX, shape, texels)
        for source, png in (('a.astc', 'a.png'), ('b.ktx', 'b.png')):
            call('astcenc', f'-d{mode}', place(source), place(png), '-silent')
        if raw_of(place('a.png')) != raw_of(place('b.png')):
            findings.append(f'{name}: astcenc sees another picture in what we write')
    return findings


def astcenc_texels():
    """Decoded texels in DDS and KTX are those in PNG; of texels in our DDS and KTX it makes the same blocks as of PNG."""
    findings = []
    _, path = picture()
    call('astcenc', '-cl', path, place('a.astc'), '4x4', '-fast', '-silent')
    call('astcenc', '-dl', place('a.astc'), place('a.png'), '-silent')
    wanted = raw_of(place('a.png'))
    for ending, kind in (('dds', DDS), ('ktx', KTX)):
        call('astcenc', '-dl', place('a.astc'), place(f'a.{ending}'), '-silent')
        shape, texels = read(place(f'a.{ending}'))
        if shape != (TARGET_2D, FORMATS['R8G8B8A8_UNORM'], WIDTH, HEIGHT, 1, 1) or texels != wanted:
            findings.append(f'{ending}: {shape}, or other texels')
        call('astcenc', '-dh', place('a.astc'), place(f'h.{ending}'), '-silent')
        shape, texels = read(place(f'h.{ending}'))
        if shape[1] != FORMATS['R16G16B16A16_FLOAT'] or len(texels) != WIDTH * HEIGHT * 8:
            findings.append(f'{ending} of halves: {shape}')
        source = raw_of(path)
        write(place(f'ours.{ending}'), kind, (TARGET_2D, FORMATS['R8G8B8A8_UNORM'], WIDTH, HEIGHT, 1, 1), source)
        call('astcenc', '-cl', place(f'ours.{ending}'), place('c.astc'), '4x4', '-fast', '-silent')
        if blocks_of(place('c.astc')) != blocks_of(place('a.astc')):
            findings.append(f'{ending}: astcenc sees another picture in what we write')
    return findings


def refusals_are_findings(check):
    def checked():
        try:
            return check()
        except Refused as refused:
            return [str(refused)]
    return checked


tap.run([(name, refusals_are_findings(check)) for name, check in (
    ('DDS files of ImageMagick', imagemagick_writes_dds),
    ('our DDS files in ImageMagick', imagemagick_reads_dds),
    ('KTX files of blocks, and astcenc', astcenc_blocks),
    ('DDS and KTX files of texels, and astcenc', astcenc_texels),
)])
