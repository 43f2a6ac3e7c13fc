#!/usr/bin/env python3
"""Byte order marks: every reader of texts takes one before UTF-8, and places in reports are those of the text without it.
UTF-16 is named by every reader with what to do. Bytes that are no text keep all of theirs."""
import struct

import command as c
import tap

MARK = b'\xef\xbb\xbf'
NAMES = {'cwd': c.FOLDER.name}
TGSI = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n'
ASM = 'ps_4_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0, 0, 0, 0)\nret\n'
SASS = 'TEXS R4, R2, R0, R1, 0x0, 2D, RGBA ;\n'
SCENE = 'mesh m "marked.obj"\nshader v vertex "marked_v.tgsi"\ntexture t { size 1 1; solid 1 0 0 1 }\nexpect pixel t 0 0 = 1 0 0 1\n'
OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
VERTEX = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n'
SCRIPT = '[require]\nshader model >= 4.0\n'
POOL = 'sampler 0 {\n}\n'

# What is read as a text: the name of its file, the text, and a command that reads it (@ is the file).
READERS = [('shader.tgsi', TGSI, ('check', '@')), ('shader.asm', ASM, ('check', '@')), ('code.sass', SASS, ('check', '-x', 'maxwell', '@')),
           ('shader.asm', ASM, ('dis', '@')), ('shader.tgsi', TGSI, ('info', '@')), ('scene.scene', SCENE, ('render', '--check', '@')),
           ('script.shader_test', SCRIPT, ('run', '@')), ('pool.txt', POOL, ('headers', '@', '-o', 'pool.bin')),
           ('values.tsv', 'IN[0]=1.0,2.0,3.0,4.0\n', ('eval', 'plain.tgsi', '--vectors', '@')),
           ('values.tsv', 'IN[0]=1.0,2.0,3.0,4.0\n', ('trace', 'plain.tgsi', '--vectors', '@')),
           ('values.tsv', 'IN[0]=1.0,2.0,3.0,4.0\n', ('compare', 'plain.tgsi', 'plain.tgsi', '--count', '0', '--vectors', '@')),
           ('list.txt', '--at 0.5,0.5\n', ('sample', '--tex', c.PHOTO, '--batch', '@')),
           ('shader.asm', ASM, ('asm', '@', '--words')), ('shader.asm', ASM, ('translate', '--to', 'tgsi', '@')),
           ('shader.tgsi', TGSI, ('reduce', '@', '--test', 'false', '-o', 'reduced.tgsi', '--tries', '3'))]


def words(name, command):
    return [name if word == '@' else word for word in command]


def prepare():
    c.write('plain.tgsi', TGSI)
    c.write('marked.obj', MARK + OBJ.encode())
    c.write('marked_v.tgsi', MARK + VERTEX.encode())


def marks():
    """With the mark the answer is the same as without it; from standard input, too."""
    prepare()
    findings = []
    for name, text, command in READERS:
        c.write(name, text)
        wanted = c.run(*words(name, command), **NAMES)
        c.write(name, MARK + text.encode())
        got = c.run(*words(name, command), **NAMES)
        if (got.returncode, got.stdout, got.stderr) != (wanted.returncode, wanted.stdout, wanted.stderr):
            findings.append(f'{name}, {command}: {got}, wanted {wanted}')
        if wanted.returncode not in (c.YES,) and command[0] != 'reduce':
            findings.append(f'{command} without a mark: {wanted}')
    return findings


def places():
    """An error on the first line is in the column that it has without the mark, and its caret stands below it."""
    findings = []
    for name, text in (('wrong.tgsi', 'FRAGS\n'), ('wrong.asm', 'ps_4_0\nnonsense\n'), ('wrong.asm', 'ps_9_9\n')):
        c.write(name, text)
        wanted = c.run('check', name, **NAMES)
        c.write(name, MARK + text.encode())
        got = c.run('check', name, **NAMES)
        findings += [] if got.stderr == wanted.stderr and got.returncode == c.NO else [f'{name}: {got.stderr}, wanted {wanted.stderr}']
    return findings


def utf16():
    """Of both orders of bytes, and without a mark: refused by the number, and by a command that helps."""
    prepare()
    findings = []
    for name, text, command in READERS:
        for coding, mark in (('utf-16-le', b'\xff\xfe'), ('utf-16-be', b'\xfe\xff'), ('utf-16-le', b'')):
            c.write(name, mark + text.encode(coding))
            findings += c.exit_is(c.NO, *words(name, command), err=f'{name}: error 1090: the text is UTF-16, and UTF-8 is read: iconv -f UTF-16 -t UTF-8 {name}', **NAMES)
    return findings


def bytes_stay():
    """A buffer that begins with the bytes of a mark keeps them, and words that look like letters of 16 bits stay words."""
    shader = c.write('copy.tgsi', 'COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n'
                     'DCL BUFFER[0]\nDCL BUFFER[1]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nLOAD TEMP[0], BUFFER[0], IMM[0].xxxx\nSTORE BUFFER[1].xyzw, IMM[0].xxxx, TEMP[0]\nEND\n')
    findings = []
    for data in (MARK + b'abcdefghijklm', b'\xff\xfe' + 'abcdefg'.encode('utf-16-le'), 'abcdefgh'.encode('utf-16-le')):
        c.write('in.bin', data)
        done = c.run('run', shader, '--grid', '1,1,1', '--buffer', '0=in.bin', '--buffer', '1=zero:16', '--buffer-out', '1=out.bin', **NAMES)
        got = c.read(c.path('out.bin')) if done.returncode == c.YES else done
        findings += [] if got == data else [f'{data}: {got}']
    return findings


tap.run([('byte order marks', marks), ('places in reports', places), ('UTF-16', utf16), ('bytes that are no text', bytes_stay)])
