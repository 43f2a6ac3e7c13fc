#!/usr/bin/env python3
"""Direct3D shaders whose course the caller or a debug layer decides: abort and debugbreak; interfaces."""
import command as c
import tap

WIDTHS = ['4', '8', '16']
HEAD = 'ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n'


def vectors(*lines):
    return c.write('vectors.tsv', ''.join(line + '\n' for line in lines))


def everywhere(wanted, *arguments, **expected):
    return [f for width in WIDTHS for f in c.exit_is(wanted, *arguments, '--width', width, **expected)]


def abort_ends_the_run():
    text = c.write('abort.asm', HEAD + 'if_nz v0.x\n  abort\nendif\nmov o0.xyzw, v0.yyyy\nret\n')
    good = vectors('IN[0]=0,1,0,0', 'IN[0]=0,2,0,0')
    findings = everywhere(c.YES, 'eval', text, '--vectors', good, out='OUT[0]=0x00000002,0x00000002')
    bad = vectors(*['IN[0]=0,1,0,0'] * 37, 'IN[0]=7,1,0,0', 'IN[0]=7,1,0,0')
    return findings + everywhere(c.NO, 'eval', text, '--vectors', bad, out='',
                                 err=':6:3: error 5003: aborted at instruction 1, by the invocation of line 38')


def helpers_abort_alone():
    """The fourth pixel of the quad, a helper, has an input of zeros."""
    text = c.write('helper.asm', HEAD + 'if_z v0.x\n  abort\nendif\nmov o0.xyzw, v0.yyyy\nret\n')
    three = vectors(*['IN[0]=1,2,0,0'] * 3)
    return (everywhere(c.YES, 'eval', text, '--quads', '--vectors', three, out='OUT[0]=0x00000002') +
            everywhere(c.NO, 'eval', text, '--quads', '--vectors', vectors('IN[0]=1,2,0,0', 'IN[0]=0,2,0,0'),
                       err='error 5003: aborted at instruction 2, by the invocation of line 2'))


def abort_in_subroutines_and_grids():
    text = ('cs_5_0\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 2\ndcl_thread_group 8, 1, 1\n'
            'ishl r0.x, vThreadID.x, l(2)\nstore_raw u0.x, r0.x, l(1)\nieq r1.x, vThreadID.x, l(21)\ncallc_nz r1.x, l0\nret\n'
            'label l0\nloop\n  abort\nendloop\nret\n')
    return everywhere(c.NO, 'run', c.write('grid.asm', text), '--grid', '4,1,1', '--buffer', '0=zero:128',
                      err=':13:3: error 5003: aborted at instruction 10, by invocation 21 of the grid')


def debugbreak_does_nothing():
    text = c.write('break.asm', HEAD + 'debugbreak\nmov o0.xyzw, v0.xyzw\ndebugbreak\nret\n')
    return everywhere(c.YES, 'eval', text, '--vectors', vectors('IN[0]=1,2,3,4'),
                      out='OUT[0]=0x00000001,0x00000002,0x00000003,0x00000004')


def abort_is_said():
    """As TGSI it is an opcode of our own; it runs from that text, too."""
    done = c.run('translate', '--to', 'tgsi', c.path('abort.asm'))
    again = c.write('abort.tgsi', done.stdout)
    return (c.exit_is(c.YES, 'check', again) + c.exit_is(c.YES, 'explain', 'ABORT', out='the run ends and has failed') +
            c.exit_is(c.NO, 'eval', again, '--vectors', vectors('IN[0]=7,1,0,0'), err='error 5003'))


tap.run([('abort ends the run', abort_ends_the_run), ('helpers abort alone', helpers_abort_alone),
         ('abort in subroutines and grids', abort_in_subroutines_and_grids),
         ('debugbreak does nothing', debugbreak_does_nothing), ('abort is said', abort_is_said)])
