"""Pictures as numpy arrays, and files of pictures and textures, by libscheelite-files. Holds no drawing."""
from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, address, format_of, format_of_array, native
from ._context import Context, context_of
from ._library import NULL, Words, ffi, lib, refuse_file, string, struct
from ._texture import Texture, targets

__all__ = ['Picture', 'load', 'save']

_transfers = Words('file_transfer', 'SCH_FILE_TRANSFER_')
_supercompressions = Words('file_supercompression', 'SCH_FILE_SUPERCOMPRESSION_')


class Picture(np.ndarray[Any, np.dtype[Any]]):
    """An array of (height, width[, channels]) that notebooks show, and that can be saved. It shares the memory of the
    array that it is made of. In all else it is a numpy array."""

    def __new__(cls, array: npt.ArrayLike) -> Picture:
        refuse_file('a picture', array, 'scheelite.load({}).picture()')
        made = np.asarray(array).view(cls)
        if made.ndim not in (2, 3) or (made.ndim == 3 and not 1 <= made.shape[2] <= 4):
            raise ValueError(f'a picture has the shape (height, width[, 1 to 4 channels]), not {made.shape}')
        return made

    def unorm8(self) -> Picture:
        """As uint8 with four channels: floats are clamped to 0..1 (NaN is 0), times 255, rounded to even, as render
        targets of 8 bits are written. One or two channels are grey without and with alpha."""
        data = np.asarray(self)
        if data.dtype != np.uint8:
            if data.dtype.kind != 'f':
                raise ValueError(f'a picture of {data.dtype} has no colours: make it one of floats or of uint8')
            # The product is exact in float64, so that it is rounded once.
            clamped = np.clip(np.nan_to_num(data.astype(np.float64), nan=0, posinf=1, neginf=0), 0, 1)
            data = np.rint(clamped * 255).astype(np.uint8)
        if data.ndim == 2:
            data = data[:, :, None]
        channels = data.shape[2]
        if channels < 4:
            full = np.full((*data.shape[:2], 4), 255, np.uint8)
            full[..., :3] = data[..., :3] if channels == 3 else data[..., :1]
            if channels == 2:
                full[..., 3] = data[..., 1]
            data = full
        return Picture(np.ascontiguousarray(data))

    def sha256(self) -> str:
        """Of uint8 with four channels: the same number as the library's and the command's of this picture. Of other
        pictures: of shape, type and elements."""
        data = np.ascontiguousarray(np.asarray(self))
        if data.dtype == np.uint8 and data.ndim == 3 and data.shape[2] == 4:
            digest = ffi.new('uint8_t[]', lib.SCH_PICTURE_SHA256_BYTES)
            result = lib.sch_picture_sha256(_picture(data), digest)
            if result:
                errors.fail(result, 'SHA-256 of a picture')
            return bytes(digest).hex()
        data = data.astype(data.dtype.newbyteorder('<'), copy=False)
        head = f'{data.shape} {data.dtype.str}\n'.encode()
        return hashlib.sha256(head + data.tobytes()).hexdigest()

    def png(self) -> bytes:
        """The bytes of a PNG file, of unorm8()."""
        data = np.asarray(self.unorm8())
        file = ffi.new('struct sch_file_bytes *')
        error = struct('file_error')
        _check(lib.sch_png_write(NULL, _picture(data), file, error), error, 'PNG')
        return _taken(file)

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Writes a file; see scheelite.save."""
        save(path, self, **options)

    def _repr_png_(self) -> bytes | None:
        """What notebooks show; nothing for arrays that are no pictures (slices of pictures are arrays, too)."""
        shown = self.ndim in (2, 3) and self.size and (self.ndim == 2 or self.shape[2] <= 4)
        return self.png() if shown and (self.dtype == np.uint8 or self.dtype.kind == 'f') else None


def _picture(data: Array) -> Any:
    """The library's picture of an array, which the caller keeps."""
    return struct('picture', width=data.shape[1], height=data.shape[0], texels=ffi.cast('uint8_t *', address(data)),
                  bytes=data.nbytes)


def _taken(file: Any) -> bytes:
    """The bytes of a file that the library made, which are freed."""
    try:
        return bytes(ffi.buffer(file.data, file.bytes))
    finally:
        lib.sch_file_bytes_release(file)


def _check(result: int, error: Any, what: str) -> None:
    if result:
        message = string(error.message)
        if not message:
            errors.fail(result, what)
        report = errors.Diagnostic('error', error.code, 0, 0, 0, what, message, '', 0)
        errors.fail(result, what, [report])


def load(source: str | PathLike[str] | bytes, *, as_colors: bool = True, mips: bool = False,
         context: Context | None = None) -> Texture:
    """Reads a file of a texture or a picture, with all its levels, layers and faces: PNG, JPEG, PNM, PFM, Radiance,
    OpenEXR, DDS, KTX, KTX2. ``source`` is a path, or the file's bytes.

    With ``as_colors`` PNGs of up to 8 bits become R8G8B8A8_UNORM, whatever channels they have, as the command reads
    them. ``mips`` makes the levels that the file does not have. ``load(path).array()`` is the picture as an array."""
    context = context_of(context)
    name = 'picture' if isinstance(source, (bytes, bytearray, memoryview)) else os.fspath(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = ffi.from_buffer(source)
    else:
        with open(source, 'rb') as file:
            data = ffi.from_buffer(file.read())
    read = struct('file_texture')
    error = struct('file_error')
    options = struct('file_read_options', as_colors=as_colors)
    _check(lib.sch_file_texture_read(options, data, len(data), read, error), error, name)
    try:
        made = Texture.__new__(Texture)
        shape = {'width': read.width, 'height': read.height, 'depth': read.depth, 'samples': 1,
                 'layers': read.layers}
        levels = read.levels
        made._make(context, targets.word(read.target), format_of(read.format), shape, levels, mips)
        _fill(made, read)
    finally:
        lib.sch_file_texture_release(read)
    if mips:
        made.make_mips(first=levels - 1)
    return made


def _fill(texture: Texture, read: Any) -> None:
    """The texels of a file are in the library's order, level after level; a texture with more levels begins with
    these."""
    if texture.nbytes == read.bytes:
        lib.sch_resource_write_all(texture._handle.pointer, read.texels, read.bytes)
        return
    at = 0
    for level in range(read.levels):
        transfer = struct('transfer', level=level)
        size = lib.sch_transfer_bytes(texture._handle.pointer, transfer)
        reports = errors.Reports(texture._context._handle)
        reports.check(lib.sch_resource_write(texture._handle.pointer, transfer, read.texels + at, size, reports.pointer),
                      'texels of a file')
        at += size


def _kind_of(path: str) -> tuple[int, Any]:
    kind = lib.sch_file_kind_by_name(os.fsencode(path))
    info = struct('file_kind_info')
    if not kind or lib.sch_file_kind_get_info(kind, info):
        raise ValueError(f'{path}: its ending names no kind of file (png, exr, pfm, hdr, dds, ktx, ktx2, pnm, ...)')
    if info.needs:
        raise errors.UnsupportedError(f'{path}: this library was built without {string(info.needs)}')
    if not info.writes:
        raise errors.UnsupportedError(f'{path}: {string(info.name)} is read, but not written')
    return kind, info


def save(path: str | PathLike[str], data: npt.ArrayLike | Texture, *, format: str | None = None,
         compression: int | None = None, supercompression: str = 'none', transfer: str = 'unknown',
         premultiplied: bool = False, threads: int = 0) -> None:
    """Writes a file; the ending of its name says the kind. ``data`` is an array of (height, width[, channels]), or a
    texture, which is written with all its levels and layers where the kind has them.

    Nothing is lost: a kind that has no words for the texels is refused. One exception: floats that are written as PNG or
    PNM become 8 bits, as Picture.unorm8() has them. ``compression`` is 0 to 12 (PNG), ``supercompression`` none, zstd or
    zlib (KTX2), ``transfer`` the curve that colours are on: unknown, linear or srgb."""
    name = os.fspath(path)
    kind, _ = _kind_of(name)
    refuse_file('what is saved', data, 'scheelite.load({})')
    whole = isinstance(data, Texture)
    eight = kind in (lib.SCH_FILE_KIND_PNG, lib.SCH_FILE_KIND_PNM)
    if not whole:
        array = native(np.asarray(data))
        if array.dtype.kind == 'f' and eight:
            array = np.asarray(Picture(array).unorm8())
        array = np.ascontiguousarray(Picture(array))
        channels = array.shape[2] if array.ndim == 3 else 1
        found = format_of(format) if format else format_of_array(array.dtype, channels)
        if found.array != (array.dtype, channels):
            raise ValueError(f'{found.name} has no texels of {channels} channels of {array.dtype}')
        texels: Any = array
        shape: Sequence[int] = (array.shape[1], array.shape[0], 1)
        about = dict(target=targets.number('2D'), layers=1, levels=1)
        memory, size = ffi.cast('uint8_t *', address(array)), array.nbytes
    else:
        assert isinstance(data, Texture)
        if format is not None:
            raise ValueError('a texture is written in its own format')
        found, shape = data.format, data.size
        about = dict(target=targets.number(data.target), levels=data.levels, layers=data.layers)
        texels = data.tobytes()
        memory, size = ffi.cast('uint8_t *', ffi.from_buffer(texels)), len(texels)
    texture = struct('file_texture', format=found.number, width=shape[0], height=shape[1], depth=shape[2], texels=memory,
                     bytes=size, transfer=_transfers.number(transfer), premultiplied=premultiplied, **about)
    options = struct('file_write_options', has_compression=compression is not None, compression=compression or 0,
                     supercompression=_supercompressions.number(supercompression), threads=threads)
    file = ffi.new('struct sch_file_bytes *')
    error = struct('file_error')
    _check(lib.sch_file_texture_write(options, kind, texture, file, error), error, name)
    del texels
    with open(name, 'wb') as out:
        try:
            out.write(ffi.buffer(file.data, file.bytes))
        finally:
            lib.sch_file_bytes_release(file)
