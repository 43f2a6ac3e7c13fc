#!/usr/bin/env python3
"""debug in a terminal (screen.py): at 80 x 24 all panes and keys are there, keys do what is said, other sizes and no terminal
at all. Skips where this scheelite has no ncurses."""
import os

import command as c
import screen
import tap
from debugger import Session, has_terminal

SWIRL = os.path.join(c.EXAMPLES, 'shaders', 'swirl.tgsi')
SHARED = '''COMP
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL TEMP[0]
IMM[0] UINT32 {4, 3, 8, 0}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
USLT TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
UIF TEMP[0].yyyy
STORE MEMORY[0].x, TEMP[0].xxxx, IMM[0].zzzz
ENDIF
BARRIER
END
'''
ENDLESS = 'FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDLOOP\nEND\n'


def panes():
    has_terminal()
    s = Session(SWIRL, '--pixel', '100,37', '--tex', f'0={c.PHOTO}')
    s.shows(r'^pixel 100,37, .*moment 0$', r'^ Source: .*swirl\.tgsi', r'^ >   8 .*ADD TEMP\[0\]\.xy', r'^ Registers of lane 10 \(as used\) +Masks$', r'^IN\[0\] +0\.39257812 0\.14648438 +0\.0 +0\.0  active  ffffffff',
            r'helpers 00000000$', r' Memory: none$', r'^The group begins\.$', r'^s step .*q quit$', r'^<- -> lane .*scroll$')
    if len(s.screen.text().splitlines()) != 24:
        s.findings.append('not 24 lines')
    s.press('ss', r'moment 2$', r'^ >  10 ', r'^TEMP\[0\] -1\.074e-01 -3\.535e-01 ')
    s.press('b', r'moment 1$', r'^ >   9 ')
    s.press('ffff', r'lane 10 \(hex\)', r'^TEMP\[0\] 0xbddc0000 0xbeb50000 0x00000000')
    s.press('f', r'\(as used\)')
    s.press(['right'], r'^pixel 101,37', r'Registers of lane 11')
    s.press(['left', 'left'], r'^pixel 101,36', r'Registers of lane 9')
    s.press(['left', 'right', 'right'], r'^pixel 100,37')
    s.press('e', 'stops at: Infinities and NaNs')
    s.press('ee', 'stops at: Texture lookups')
    s.press('r', r'moment 13 ', r'^ >  21 .*TEX', 'The next instruction looks a texture up')
    s.press('eee', r'moment 13$')
    s.press(['up', 'up', 'p'], r'^\*   19 .*MAD', r'A breakpoint on line 19')
    s.press('R', r'moment 11$', r'^\*>  19', 'A breakpoint was reached')
    s.press('R', r'moment 0$')
    s.press('r', r'moment 11$')
    s.press('p', r'^ >  19', 'No breakpoint on line 19')
    s.press('t', r'^ Program: ')
    s.press(['down', 'p'], r'^\*   20 .*ADD TEMP\[2\]')
    s.press('nt', r'moment 12$', r'^ Source: ')
    s.press('r', r'moment 14$', 'The group ends: its registers are final', r'^OUT\[0\] +0\.24')
    s.press('r', 'The run has ended: ')
    s.press('b', r'moment 14$')
    return s.end()


def others():
    """Masks, constructs and memory; other sizes; other ends."""
    has_terminal()
    shader = c.write('shared.tgsi', SHARED)
    s = Session(shader, '--grid', '1,1,1', '--block', '8,1,1')
    s.shows(r' Memory: shared$', r'active  000000ff', r'^work group 0,0,0, thread 0,0,0')
    s.press('sss', r'active  00000007', r'IF +000000ff 000000f8', 'moment 3')
    s.press(['right'] * 3, r'active  00000007 waits')
    s.press('s', r' 0 00000008 00000008$', r' 8 00000008 00000000$')
    s.press('\t\t', r'Memory')
    s.press(['down'], r'Memory: shared\n.* 8 00000008 00000000$')
    s.press('o', 'moment')
    s.screen.resize(60, 16)
    s.shows(r'^s step', r'Memory: shared$')
    s.screen.resize(41, 12)
    s.shows(r'^s step', r'Registers of lane')
    s.screen.resize(30, 8)
    s.shows('40 x 12 at least')
    s.screen.resize(132, 40)
    s.shows(r'^ Source: ', 'Memory: shared', 'q quit')
    findings = s.end(['\x03'])
    # What takes long is ended by a key, which does nothing else.
    s = Session(c.write('endless.tgsi', ENDLESS), '--vectors', c.write('one.tsv', '\n'), '--budget', '1000000000000000')
    s.shows('moment 0')
    s.press('r', 'It runs; any key stops it')
    s.press('q', 'It was interrupted', r'moment [1-9]\d+')
    findings += s.end()
    # Bytes of a source that terminals would obey.
    s = Session(c.write('odd.tgsi', 'FRAG\n# \x1b[2J\tand \xe9\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n'), '--pixel', '1,1')
    s.shows(r'   2 # \?\[2J')
    return findings + s.end()


def refusals():
    """Without a terminal it says so."""
    has_terminal()
    findings = c.exit_is(c.UNSUPPORTED, 'debug', SWIRL, '--pixel', '1,1', err='there is no terminal', out='')
    s = screen.Screen([c.COMMAND, 'debug', SWIRL, '--pixel', '1,1'], env={'TERM': 'no-such-terminal'})
    code, errors = s.end()
    if code != c.UNSUPPORTED or 'TERM is no-such-terminal' not in errors:
        findings.append(f'exit {code}: {errors}')
    return findings + c.exit_is(c.USAGE, 'debug', err='which shader?') + c.exit_is(c.USAGE, 'debug', SWIRL, err='which invocation?') + \
        c.exit_is(c.USAGE, 'debug', SWIRL, '--pixel', '300,1', err='outside of the picture') + \
        c.exit_is(c.USAGE, 'debug', SWIRL, '--pixel', '1,1', '--buffer-out', '0=' + c.path('out.bin'), err='takes no --buffer-out')


tap.run([('panes', panes), ('others', others), ('refusals', refusals)])
