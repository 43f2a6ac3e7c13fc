"""A recording of an OpenGL program whose frames are known. Holds no test."""
import os
import struct

import command as c
import tap


def recorded_frames():
    """A recording of 8 x 8 texels that a window shows: frame 0 behind a clear, frames 1 and 2 behind a draw each of a triangle
    over half of them."""
    with open(os.path.join(tap.SOURCE, 'tests', 'fuzz', 'corpus', 'virgl', 'clear_and_draw'), 'rb') as file:
        data = file.read()
    create = struct.pack('<5I', 1, 40, 1, 2, 67)  # a record of 40 bytes: resource 1, 2D, R8G8B8A8_UNORM...
    at = data.index(create) + len(create)         # ...and what it is bound as
    shown = data[:at] + struct.pack('<I', 0x8a) + data[at + 4:]
    shown += shown[-(8 + 13 * 4 + 8 + 11 * 4):]  # the draw, and the fetch of what it drew
    return c.write('frames', shown.replace(struct.pack('<f', 3), struct.pack('<f', 1)))  # half of the picture
