#!/usr/bin/env python3
"""scheelite render: stream output in scenes, word by word, paused, full, and as the count of another draw. Expectations
are those of docs/pipeline.md, "Stream output", worked out by hand."""
import os

import command as c
from rendering import holds, refuses
import tap

# Vertex n is (n, n + 10), and 20 + n in the second output.
VS = ('shader vs vertex {\n  VERT\n  DCL SV[0], VERTEXID\n  DCL OUT[0], POSITION\n  DCL OUT[1], GENERIC[0]\n  IMM[0] UINT32 {10, 20, 0, 0}\n  MOV OUT[0].x, SV[0].xxxx\n'
      '  UADD OUT[0].y, SV[0].xxxx, IMM[0].xxxx\n  UADD OUT[1].x, SV[0].xxxx, IMM[0].yyyy\n  END\n}\n')
# A point on stream 0, and one on stream 2.
GS = ('shader gs geometry {\n  GEOM\n  PROPERTY GS_INPUT_PRIMITIVE POINTS\n  PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n  PROPERTY GS_MAX_OUTPUT_VERTICES 2\n'
      '  DCL IN[][0], POSITION\n  DCL OUT[0], POSITION\n  DCL OUT[1], GENERIC[0]\n  IMM[0] UINT32 {0, 2, 7, 0}\n  MOV OUT[0], IN[0][0]\n  MOV OUT[1].x, IMM[0].zzzz\n'
      '  EMIT IMM[0].xxxx\n  EMIT IMM[0].yyyy\n  END\n}\n')
BUFFERS = 'buffer a { uint 99 99 99 99 99 99 99 99 }\nbuffer b { uint 99 99 99 99 }\nstream_target ta a\nstream_target tb b offset 4 bytes 8\n'
PASS = 'pass {\n size 1 1\n rasterizer { rasterizer_discard on }\n use vs s\n'


def layouts():
    """Components, gaps, strides that are given and that are not, two buffers; a strip is cut into lines."""
    streams = 'stream_output s {\n stride 0 3\n output 0 y offset 1\n output 1 x buffer 1\n}\n'
    return holds(VS + BUFFERS + streams + PASS + ' stream 0 ta\n stream 1 tb\n draw points 2\n}\nexpect buffer a { uint 99 10 99 99 11 99 99 99 }\n'
                 'expect buffer b { uint 99 20 21 99 }\nexpect filled ta = 24\nexpect filled tb = 8\n') + \
        holds(VS + BUFFERS + 'stream_output s { output 0 xy; }\n' + PASS + ' stream 0 ta\n draw line_strip 3\n}\nexpect buffer a { uint 0 10 1 11 1 11 2 12 }\n')


def appends():
    """What is given goes on; what is not is paused; what is full stays as it is, in all buffers."""
    before = VS + BUFFERS + 'stream_output s { output 0 x; }\nstream_output two { output 0 x; output 1 x buffer 1; }\nquery w primitives_emitted\nquery n so_statistics\n' + \
        'query o so_overflow_predicate\nquery any so_overflow_any_predicate\n'
    begins, ends = ''.join(f' begin {q}\n' for q in ('w', 'n', 'o', 'any')), ''.join(f' end {q}\n' for q in ('w', 'n', 'o', 'any'))
    return holds(before + PASS + begins + ' stream 0 ta\n draw points 2\n stream 0 none\n draw points 5\n stream 0 ta\n draw points 1\n' + ends +
                 '}\nexpect buffer a { uint 0 1 0 99 }\nexpect filled ta = 12\nexpect query w = 3\nexpect query n = 3 3\nexpect query o = 0\nexpect query any = 0\n') + \
        holds(before + PASS + ' use two\n' + begins + ' stream 0 ta\n stream 1 tb\n draw points 3\n draw points 1\n' + ends +
              '}\nexpect buffer a { uint 0 1 99 99 }\nexpect buffer b { uint 99 20 21 99 }\nexpect query w = 2\nexpect query n = 2 4\nexpect query o = 1\nexpect query any = 1\n') + \
        holds(before + PASS + ' stream 0 ta\n draw points 2\n filled ta 4\n draw points 2\n}\nexpect buffer a { uint 0 0 1 99 }\n')


def streams():
    text = VS + GS + BUFFERS + 'stream_output s { output 0 xy; output 1 x buffer 1 stream 2; }\nquery g primitives_generated stream 2\nquery e primitives_emitted stream 2\n'
    return holds(text + PASS + ' use gs\n stream 0 ta\n stream 1 tb\n begin g\n begin e\n draw points 3\n end g\n end e\n}\nexpect buffer a { uint 0 10 1 11 2 12 99 99 }\n'
                 'expect buffer b { uint 99 7 7 99 }\nexpect query g = 3\nexpect query e = 2\n')


def counts():
    """A draw takes its count from a target: four vertices of 4 bytes, or two of 8."""
    text = VS + BUFFERS + 'stream_output s { output 0 x; }\nquery q pipeline_statistics\n'
    return holds(text + PASS + ' stream 0 ta\n draw points 4\n stream 0 none\n begin q\n draw points count_target ta\n draw points count_target ta stride 8\n end q\n}\nexpect query q = 6\n')


def errors():
    text = VS + BUFFERS + 'stream_output s { output 0 x; }\n'
    return refuses(VS + 'stream_output s { output 0 xz; }\n', 'one after the other') + \
        refuses('stream_output s { input 0; }\n', 'lines of output and stride') + \
        refuses('stream_output s { output 0 buffer 4; }\n', 'a buffer') + \
        refuses('stream_output s { output 0 x word 4; }\n', 'buffer, stream and offset') + \
        refuses('stream_target t b\n', 'no buffer above') + \
        refuses(BUFFERS + 'pass { size 1 1; stream 4 ta; }\n', 'a buffer') + \
        refuses(text + PASS + ' filled ta 33\n}\n', 'cannot be filled with 33 bytes') + \
        refuses(text + 'stream_target big a offset 40\n' + PASS + ' stream 0 big\n}\n', 'error 6300', 'from 40 on, of 32') + \
        refuses(VS + 'stream_output s { output 2 x; }\n' + PASS + ' draw points 1\n}\n', 'error 6300', 'OUT[2]') + \
        refuses(text + PASS + ' draw points count_target ta indirect a\n}\n', 'error 6300', 'count_target with indirect')


def example():
    done = c.run('render', os.path.join(c.EXAMPLES, 'scenes', 'fountain.scene'), '--check', '--threads', '3')
    return [] if done.stdout == b'2 passed, 0 failed\n' else [done.stdout.decode() + done.stderr.decode()]


tap.run([('layouts', layouts), ('append, pause, overflow', appends), ('streams', streams), ('counts', counts), ('errors', errors), ('the example', example)])
