#!/usr/bin/env python3
"""What options take: the last number that is good and the first that is not, and every word of what is said of it; help
and usage, whole. Numbers of options become the words that Python packs."""
import re
import struct

import command as c
import tap

SECTIONS = {'Read, check and translate': ('check', 'info', 'dis', 'asm', 'translate', 'headers'), 'Run': ('run', 'eval', 'sample'), 'Compare and debug': ('trace', 'debug', 'compare', 'reduce', 'jit'),
            'Pictures and scenes': ('render', 'convert', 'diff'), 'OpenGL programs': ('gl', 'serve', 'replay'), 'Look up': ('explain', 'list', 'doctor')}
VERBS = tuple(verb for verbs in SECTIONS.values() for verb in verbs)
READS = set(VERBS) - {'list', 'explain', 'doctor'}
FRAGMENT = ('FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL CONST[0..1]\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nMOV OUT[0], CONST[0]\n'
            'MOV OUT[1], CONST[1]\nEND\n')


def usage(message, verb, *arguments, stdin=b''):
    """One line, and where help is. Behind the message may stand what was meant, which verbs have such an option, or the word
    of the value that lacks: tests/cli/mistakes.py reads these."""
    done = c.run(verb, *arguments, stdin=stdin)
    said = re.fullmatch(re.escape(f'scheelite {verb}: {message}') + r'((; |: )[^\n]+| did you mean [^\n]+)?\nsee: scheelite help ' + verb + '\n', done.stderr.decode(errors='replace'))
    return [] if said and done.returncode == c.USAGE and not done.stdout else [f'{verb} {arguments}: {done}, not {message}']


def help_texts():
    """help, -h, --help and no verb at all; each verb's title, usage, options and, where it reads, the common ones."""
    whole, findings = c.run('help').stdout.decode(), []
    lines = whole.split('\n')
    if lines[0] != 'scheelite reads, checks and runs shaders.' or lines[1] or not lines[-2].startswith('Exit codes: 0 yes, 1 no (invalid), 2 usage'):
        findings.append(f'help: {whole}')
    listed = [[line for line in part.split('\n')] for part in whole.split('\n\n')[1:-1]]
    if [part[0] for part in listed] != [title + ':' for title in SECTIONS] or [line.split()[0] for part in listed for line in part[1:]] != [*VERBS, 'help', 'version']:
        findings.append(f'help has the sections {listed}')
    for verb, line in zip(VERBS, (line for part in listed for line in part[1:])):
        title = line[12:]
        if line != f'  {verb:<9} {title}' or not title:
            findings.append(f'help says {line!r} of {verb}')
        text, full = c.run(verb, '--help').stdout.decode(), c.run(verb, '--help-all').stdout.decode()
        for shown in (text, full):
            if not shown.startswith(f'scheelite {verb}: {title}\nusage: scheelite {verb} ') or f'\nExamples:\n  scheelite {verb}' not in shown or not shown.endswith(f'`man scheelite-{verb}` says more.\n') or \
                    not 0 < shown.index('\nExamples:\n') < shown.index('\n  -'):
                findings.append(f'{verb} --help: {shown}')
        if ('\nEvery verb that reads:\n  -W' in full) != (verb in READS):
            findings.append(f'{verb} --help-all: {full}')
        options = [re.findall(r'^  (-[\w-]+)', shown, re.MULTILINE) for shown in (text, full)]
        more = re.search(f'`scheelite {verb} --help-all` shows (\\d+) more options', text)
        if not set(options[0]) <= set(options[1]) or (len(options[0]) != 8 or len(options[0]) + int(more[1]) != len(options[1]) if more else text != full):
            findings.append(f'{verb}: {len(options[0])} options of --help, {len(options[1])} of --help-all, and it says {more and more[1]}')
        if any(len(line) > 100 and ' ' in line.strip() and not line.lstrip().startswith(('scheelite', '--', 'usage:')) and line.startswith(' ' * 24) or line != line.rstrip() for line in text.split('\n')):
            findings.append(f'{verb} --help has lines that are too long or end with blanks')
        if verb == 'gl': # what stands behind the program is the program's
            findings += c.says(c.YES, text, '', verb, '--threads', '1', '--help', 'x') + c.says(c.YES, text, '', verb, '-h')
        else:
            findings += c.says(c.YES, text, '', verb, 'x', '--help', '--nothing') + c.says(c.YES, text, '', verb, '-h')
        findings += c.says(c.YES, text, '', 'help', verb)
        if c.run(verb, '--', '--help').stdout.decode() == text:
            findings.append(f'{verb} -- --help is a name')
    for word in ('--help', '-h'):
        findings += c.says(c.YES, whole, '', word)
    findings += c.says(c.USAGE, '', whole)
    two = [c.run(verb, '--help').stdout.decode() for verb in ('check', 'dis')]
    findings += c.says(c.YES, '\n'.join(two), '', 'help', 'check', 'dis')
    for word, said in (('', ''), ('Help', ''), ('chec', '; did you mean check?'), ('chekc', '; did you mean check?'), ('-V', '')):
        for arguments in ((word,), ('help', word)):
            findings += c.says(c.USAGE, '', f'scheelite: there is no verb {word}{said}\nsee: scheelite help\n', *arguments)
    return findings + c.says(c.USAGE, '', 'scheelite: there is no verb a?b?\nsee: scheelite help\n', 'a\x1fb\x7f') + \
        c.says(c.USAGE, '', 'scheelite: there is no verb a b~\u00e9\nsee: scheelite help\n', 'a b~\u00e9')


def first_words():
    """What stands for the verb, shortly; `help` has all."""
    whole, findings = c.run('help').stdout.decode(), []
    for word in ('--help', '-h'):
        findings += c.says(c.YES, whole, '', word)
    return findings + c.says(c.USAGE, '', whole) + c.says(c.USAGE, '', 'scheelite: there is no verb -V\nsee: scheelite help\n', '-V')


def flags_and_values():
    """A flag has no value, an option that takes one has it behind it or behind =, one with a single dash only behind it."""
    good, text = c.write('flags.tgsi', FRAGMENT), c.run('dis', c.write('flags.tgsi', FRAGMENT)).stdout.decode()
    return (usage('--json takes no value', 'check', good, '--json=') + usage('-x needs a value', 'dis', good, '-x') + usage('--floats needs a value', 'dis', good, '--floats') +
            usage('there is no option -x=tgsi', 'dis', good, '-x=tgsi') + usage('there is no option --floatshex', 'dis', good, '--floatshex') +
            c.says(c.YES, text, '', 'dis', '--floats=dec', good, '-x', 'tgsi') + usage('--floats is given twice', 'dis', '--floats=hex', good, '--floats', 'dec') +
            c.says(c.YES, '', '', 'check', '-q', '-q', good) + usage('--floats is hex or dec, not ', 'dis', '--floats=', good) +
            usage('--floats is hex or dec, not -x', 'dis', '--floats', '-x', good))


def words_of_verbs():
    """What each verb says of arguments that are none of its."""
    good, findings = c.write('good.tgsi', FRAGMENT), []
    for verb in VERBS:
        for word in ('--nothing', '-', '--', '-z', '---') if verb != 'list' else ('--nothing', '-z'):
            if word not in ('-', '--') and verb != 'headers':
                findings += usage(f'there is no option {word}', verb, word)
    table = [
        ('asm', 'which file?', ()), ('asm', 'either -o OUT or --words', (good,)), ('asm', 'either -o OUT or --words', (good, '--words', '-o', 'x')),
        ('asm', 'one file only', (good, good, '--words')), ('asm', '--to is tgsi-bin, dxbc or maxwell, not tgsi', (good, '--to', 'tgsi')), ('asm', '-o needs a value', (good, '-o')),
        ('asm', '--hex goes with -x maxwell', (good, '--hex')), ('asm', '--hex does not go with --words: it prints a word for each line', (good, '--hex', '-x', 'maxwell', '--words')),
        ('asm', '--hex does not go with -o: it prints a word for each line', (good, '--hex', '-x', 'maxwell', '-o', 'x')), ('asm', '--words takes no value', (good, '--words=1')),
        ('check', 'which file?', ()), ('check', '--json takes no value', ('--json=', good)), ('check', '-x needs a value', (good, '-x')),
        ('dis', 'which file?', ()), ('dis', '--floats is hex or dec, not octal', (good, '--floats', 'octal')),
        ('dis', '--style is isa, nvdisasm, fxc or vkd3d, not mine', (good, '--style', 'mine')), ('dis', '--words goes with -x tgsi-bin', (good, '--words')),
        ('dis', '--hex goes with -x maxwell', (good, '--hex')), ('dis', '--control goes with --hex', (good, '--control')),
        ('dis', '--hex goes with -x maxwell', (good, '--hex', '-x', 'cubin')), ('asm', '--hex goes with -x maxwell', (good, '--hex', '-x', 'cubin')),
        ('info', 'which file?', ()),
        ('render', 'which scene?', ()), ('render', 'one scene only', (good, good)), ('render', '--target says what -o writes, --explain-pixel explains or --heat counts', (good, '--target', 'x')), ('render', '--explain-pixel is X,Y with numbers from 0, not 3', (good, '--explain-pixel', '3')),
        ('render', '--width is 4, 8 or 16, not 5', (good, '--width', '5')), ('render', '--threads is 1 to 256, not 0', (good, '--threads', '0')),
        ('eval', 'which shader?', ()), ('eval', 'which invocations? (--vectors)', (good,)), ('eval', 'one shader only', (good, good)),
        ('eval', 'shader and vectors cannot both be standard input', ('-', '--vectors', '-')),
        ('explain', 'which name or number?', ()), ('headers', 'which file?', ()), ('headers', 'one file only', (good, good)),
        ('headers', '--headers does not go with --samplers: a pool holds either', (good, '--headers', '--samplers')), ('jit', 'which shader?', ()), ('jit', '--ir, --asm or --stats?', (good,)),
        ('jit', '--ir does not go with --asm', (good, '--ir', '--asm')), ('jit', 'one shader only', (good, good)),
        ('jit', 'jit takes no --budget', (good, '--stats', '--budget', '1')), ('jit', '--span does not go with --quads: spans are of whole groups of quads', (good, '--ir', '--span', '--quads')),
        ('jit', '--span does not go with --partial: spans are of whole groups of quads', (good, '--ir', '--span', '--partial')),
        ('asm', '--to is tgsi-bin, dxbc or maxwell, not glsl', (good, '--to', 'glsl')), ('asm', '--to is tgsi-bin, dxbc or maxwell, not d3d-asm', (good, '--to', 'd3d-asm')),
        *((verb, '--arch is sm_50, sm_52, sm_53, sm_60 or sm_61, not sm_70', (good, '--arch', 'sm_70')) for verb in ('check', 'dis', 'asm', 'info')), ('jit', '--width is 4, 8 or 16, not 5', (good, '--ir', '--width', '5')),
        ('run', '--grid is for compute shaders', (good, '-o', 'x', '--grid', '1,1,1')), ('run', '--block is for compute shaders', (good, '-o', 'x', '--block', '1,1,1')),
        ('translate', 'which file?', ()), ('translate', '--to says into which language', (good,)),
        ('translate', '--to is tgsi, maxwell, d3d-asm or dxbc, not glsl', (good, '--to', 'glsl')),
        ('serve', 'what is x?', ('x',)), ('serve', '--max-clients is 1 to 1024, not 0', ('--max-clients', '0')), ('serve', '--max-clients is 1 to 1024, not 1025', ('--max-clients', '1025')),
        ('serve', '--memory is 16 to 16777216 MiB, not 15', ('--memory', '15')), ('serve', '--memory is 16 to 16777216 MiB, not 16777217', ('--memory', '16777217')),
        ('serve', '--time is a number of seconds from 1, not 0', ('--time', '0')), ('serve', '--engine is auto, interp or jit, not both', ('--engine', 'both')), ('serve', '--engine is auto, interp or jit, not maxwell', ('--engine', 'maxwell')), ('serve', '--socket needs a value', ('--socket',)),
        ('gl', 'which program?', ()), ('gl', 'which program?', ('--stats', '--')), ('gl', '--engine is auto, interp or jit, not both', ('--engine', 'both', 'x')), ('gl', '--max-clients is 1 to 1024, not x', ('--max-clients', 'x')),
        ('gl', '--threads is 1 to 256, not 257', ('--threads', '257', 'x')), ('gl', '--deadline is a number of milliseconds from 1, not 0', ('--deadline', '0', 'x')),
        ('gl', '--screenshot is a frame\'s number from 0, = and a file, not 3', ('--screenshot', '3', 'x')), ('gl', '--screenshot is a frame\'s number from 0, = and a file, not 3=', ('--screenshot', '3=', 'x')),
        ('gl', '--screenshot is a frame\'s number from 0, = and a file, not =f', ('--screenshot', '=f', 'x')), ('gl', '--screenshot is a frame\'s number from 0, = and a file, not 4294967296=f', ('--screenshot', '4294967296=f', 'x')),
        ('gl', '--frames is a number from 1, not 0', ('--frames', '0', 'x')), ('gl', '--frames is a number from 1, not -1', ('--frames', '-1', 'x')),
        ('gl', '--screenshot can be given 64 times', ('--screenshot', '1=f') * 65 + ('x',)),
        ('replay', 'which recording?', ()), ('replay', 'one recording only: y', ('x', 'y')), ('replay', '--frame goes with -o, --heat or --debug-pixel', ('x', '--frame', '1')),
        *((verb, '--compress is 0 to 12, not 13', ('--compress', '13', 'x')) for verb in ('gl', 'replay')),
        ('replay', '--frame is a number from 0, not x', ('x', '--frame', 'x')), ('replay', '--engine is auto, interp or jit, not both', ('x', '--engine', 'both'))]
    for verb, message, arguments in table:
        findings += usage(message, verb, *arguments)
    for kind in ('glsl', 'TGSI', 'tgsi-', ''):
        findings += usage(f'-x is tgsi, tgsi-bin, dxbc, d3d-asm or hlsl, not {kind}', 'translate', '-x', kind, good)
    for kind in ('maxwell', 'cubin'):
        findings += c.says(c.UNSUPPORTED, '', f'scheelite: kind {kind} is not available in this version\n', 'translate', '-x', kind, good)
    for nth in ('0', '', 'x', '4294967296', '-1', '1x'):
        findings += usage(f'--nth is a number from 1, not {nth}', 'info', '--nth', nth, good)
    return findings + c.exit_is(c.USAGE, 'info', '--nth', '2', good) + c.exit_is(c.YES, 'info', '--nth=1', good)


def common_options():
    """-W, -q and --limit: what is none of them, and the greatest and least numbers of limits."""
    good, findings = c.write('good.tgsi', FRAGMENT), []
    limits = [line.split('\t') for line in c.run('list', 'limits').stdout.decode().splitlines()]
    for word in ('', 'all', 'errors', 'no', 'pedanti', 'pedantic2'):
        findings += usage(f'there is no -W{word} (-Wpedantic, -Wno-pedantic, -Werror, -Wno-error, -Wno-N)', 'check', '-W' + word, good)
    for word in ('', '1', '99999999999999999999', 'no-such', '4294967296', '6514x'):
        findings += usage(f'-Wno-{word}: there is no such number or name', 'check', '-Wno-' + word, good)
    for word in ('-Wno-6514', '-Wno-unbound_constants', '-Wno-UNBOUND_CONSTANTS', '-Wno-1001', '-Wpedantic', '-Wno-error', '-Werror', '-q', '-Wno-pedantic'):
        findings += c.says(c.YES, '', '', 'check', word, good)
    name = limits[0][0]
    for text in ('', 'x', name, name + '=' + '1' * 24, 'n' * 32 + '=1', '=1' * 0 + 'x' * 40):
        findings += usage(f'--limit is NAME=N, not {text}; `scheelite list limits` has the names', 'check', '--limit', text, good)
        findings += usage(f'--limit is NAME=N, not {text}; `scheelite list limits` has the names', 'check', '--limit=' + text, good)
    findings += usage('--limit needs a value', 'check', good, '--limit') + usage('there is no option --limits', 'check', good, '--limits', 'x=1')
    for digits in ('', '0', 'x', '-1', '1k', '1KK', 'K', '18446744073709551616', '18014398509481984K', '17592186044416M', '17179869184G', '1.5', '1 '):
        findings += usage(f'--limit {name}: {digits} is not a number from 1', 'check', '--limit', f'{name}={digits}', good)
    for unknown in ('n' * 31, 'n', '', name + 'x', name[:-1]):
        findings += usage(f'there is no limit {unknown}; `scheelite list limits` has the names', 'check', '--limit', f'{unknown}=1', good)
    for large in ('4294967296', '4G', '4194304K'):
        findings += usage(f'--limit nesting: {large} is too large', 'check', '--limit', 'nesting=' + large, good)
    findings += c.says(c.YES, '', '', 'check', *['-Wno-6514'] * 1100, good)
    size = len(FRAGMENT)
    for number in (str(size), f'{size + 1}', '1K', '1M', '1G', '1023K'):
        findings += c.says(c.YES, '', '', 'check', '--limit', f'source_bytes={number}', good)
    findings += c.exit_is(c.LIMIT, 'check', '--limit', f'source_bytes={size - 1}', good, err=f'good.tgsi is larger than the limit of {size - 1} bytes')
    for number, factor in (('1K', 1 << 10), ('2K', 2 << 10)):
        for over in (0, 1):
            padded = c.write('padded.tgsi', FRAGMENT + '#' * (factor + over - size))
            wanted = (c.LIMIT, '', f'scheelite: {padded} is larger than the limit of {factor} bytes\n') if over else (c.YES, '', '')
            findings += c.says(*wanted, 'check', '--limit', f'source_bytes={number}', padded)
    return findings


def numbers(text):
    """Bits that --const makes of its numbers, by Python's own reading."""
    words = []
    for part in text.split(','):
        bits = re.fullmatch(r'0[xX]([0-9a-fA-F]{8})', part)
        words.append(int(bits.group(1), 16) if bits else struct.unpack('<I', struct.pack('<f', float(part)))[0])
    return words + [0] * (4 - len(words))


def constants():
    shader, findings = c.write('constants.tgsi', FRAGMENT), []
    call = ('eval', shader, '--vectors', '-')

    def rows(*registers):
        return '\t'.join(f'OUT[{i}]=' + ','.join(f'0x{w:08x}' for w in numbers(text)) for i, text in enumerate(registers)) + '\n'
    for text in ('0', '1', '-1', '1.5', '-0.0', '+2.25', '1e10', '1e-45', '0x00000000', '0xffffffff', '0X12345678', '0xDEADbeef', '0x9abcdef0',
                 '1,2', '1,2,3', '1,2,3,4', '0x00000001,0x00000002,1,2', 'inf', '-inf', '.5', '5.', '1677721', '4294967295'):
        findings += c.says(c.YES, rows(text, '0'), None, *call, '--const', '0:0=' + text, stdin='\n')
        findings += c.says(c.YES, rows('7', text), '', *call, '--const', '0:1=' + text, '--const', '0:0=7', stdin='\n')
    for same in ('0:1=2,3', 'cb0:1=2,3', 'cb0[1]=2,3', 'CONST[1]=2,3', 'CONST[0][1]=2,3', '0:cb0:1=2,3'):
        findings += c.says(c.YES, rows('7', '2,3'), '', *call, '--const', same, '--const', 'cb0:0=7', stdin='\n')
    findings += c.says(c.YES, rows('7', '2,3'), '', *call, stdin='cb0[0]=7.0\tcb0[1]=2.0,3.0\n')
    for text in ('cb:0=1', 'cb0=1', 'cb0[0=1', 'cb0[0]1=1', 'cb0[0][0]=1', 'CONST=1', 'CONST[0][0][0]=1', 'CONST[]=1', 'b0:0=1', 'cb0:cb0=1', '0:0:cb0=1'):
        findings += usage(f'--const is [SPACE:]B:N=x,y,z,w, not {text}', *call[:1], *call[1:], '--const', text)
    for text in ('0:0', '0=1', ':0=1', '0:=1', 'x:0=1', '0:x=1', '0:0:0:0=1', '=1', '', '0:0 =1', '4294967296:0=1', '0:4294967296=1', '0:0:4294967296=1', '99999999999:0=1', '0:0x=1'):
        findings += usage(f'--const is [SPACE:]B:N=x,y,z,w, not {text}', *call[:1], *call[1:], '--const', text)
    for text in ('32:0=1', '4294967295:0=1', '0:65536=1', '0:4294967295=1', '1:0:65536=1'):
        findings += usage('--const: buffers are 0 to 31, registers 0 to 65535', *call, '--const', text)
    for text in ('31:65535=1', '31:0=1', '0:65535=1'):
        findings += c.exit_is(c.YES, *call, '--const', text, stdin='\n')
    for text, rest in (('', ''), ('x', 'x'), ('1,', ''), ('1,,2', ',2'), ('1,y', 'y'), ('1,2,3,', ''), ('1x', '1x'), ('0x', '0x'), ('0x1p', '0x1p'),
                       ('0x1234567g', '0x1234567g'), ('3f80000', '3f80000')):
        findings += usage(f'--const: {rest}: expected a value: 1.5, -3.0, inf, nan, 3i, 3u, or a word in hexadecimal: 0x40400000', *call, '--const', '0:0=' + text)
    for text, rest in (('0x1234567:', ':'), ('1 ', ' '), ('1,2,3,4,5', ',5'), ('1,2,3,4,', ','), ('1;2', ';2'), ('0x00000000;', ';')):
        findings += usage(f'--const: what does {rest} mean?', *call, '--const', '0:0=' + text)
    # A buffer ends behind its last register, and what is between is zero.
    for last in (0, 1, 15, 16, 31, 40):
        ends = c.write('ends.tgsi', f'FRAG\nDCL CONST[0..{last + 1}]\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nMOV OUT[0], CONST[{last}]\nMOV OUT[1], CONST[{last + 1}]\nEND\n')
        said = f'CONST[{last + 1}] reads 0: {16 * (last + 1)} bytes of constants are bound, which end before\n'
        done = c.run('eval', ends, '--vectors', '-', '--const', f'0:{last}=1.5,2', stdin='\n')
        if (done.returncode, done.stdout.decode()) != (c.YES, rows('1.5,2', '0')) or said not in done.stderr.decode():
            findings.append(f'{last}: {done}, not {said}')
    return findings


def numbers_of_engines():
    shader, findings = c.write('plain.tgsi', FRAGMENT), []
    call = ('eval', shader, '--vectors', '-')
    for option, good, bad, message in (
            ('--width', ('4', '8', '16', '04'), ('3', '5', '12', '17', '0', '', '32', '2', '6', 'x', '15'), '--width is 4, 8 or 16, not {}'),
            ('--threads', ('1', '2', '256'), ('0', '257', '', 'x', '-1', '18446744073709551617'), '--threads is 1 to 256, not {}'),
            ('--budget', ('1', '18446744073709551615'), ('0', '18446744073709551616', '', 'x', '1.'), '--budget is a number from 1, not {}'),
            ('--work', ('100', '18446744073709551615'), ('0', '18446744073709551616', '', '1:', '1/'), '--work is a number from 1, not {}'),
            ('--deadline', ('60000', '4294967295'), ('0', '4294967296', '', '-5'), '--deadline is a number of milliseconds from 1, not {}'),
            ('--samples', ('1', '2', '4', '8', '16'), ('0', '3', '5', '6', '7', '12', '15', '17', '32', '', 'x', '4x', '-4'), '--samples is 1, 2, 4, 8 or 16, not {}'),
            ('--engine', ('auto', 'interp'), ('fast', '', 'Interp', 'interpreter'), '--engine is auto, interp, jit, both or maxwell, not {}'),
            ('--cache', ('none',), ('',), '--cache is a folder or none, not nothing'),
            ('--buffer', ('0=zero:1', '191=zero:1', 't0=zero:1', 'u63=zero:4', 't127=zero:4', '3=zero:1048576'), ('0', '', '=zero:1', '192=zero:4', '0=', 'x=zero:4', 't128=zero:1', '1a=zero:1'),
             '--buffer is N=FILE with N from 0 to 191, or SPACE:N, not {}'),
            ('--buffer', (), ('0=zero:0', '0=zero:', '0=zero:x', '0=zero:1073741825', '5=zero:-1'), None),
            ('--buffer-out', (), ('0', '192=x', '0='), '--buffer-out is N=FILE with N from 0 to 191, or SPACE:N, not {}'),
            ('--image', ('0=zero:R32_UINT:1x1', '63=zero:R8G8B8A8_UNORM:1x1', 'u5=zero:R32_UINT:1x1'), ('t0=zero:R32_UINT:1x1', '0', '64=zero:R32_UINT:1x1', '', '0='), '--image is N=FILE with N from 0 to 63, or SPACE:N, not {}'),
            ('--image', (), ('0=zero:R32_UINT:1x1,target=4D', '0=zero:R32_UINT:1x1,target=', '0=zero:R32_UINT:1x1,target=SHADOW2D'), None),
            ('--image-out', (), ('0', '64=x', '='), '--image-out is N=FILE with N from 0 to 63, or SPACE:N, not {}'),
            ('--tex', ('0=zero:R32_UINT:1x1', '127=zero:R32_UINT:1x1', 't5=zero:R32_UINT:1x1'), ('s0=x', 't=x', 'tt0=x', '0,space0=x', 't0,space=x', '0', '128=x', '', 'x=1', '0=', '=x'), '--tex is N=FILE with N from 0 to 127, or SPACE:N, not {}'),
            ('--sampler', ('0=filter=linear', '127=wrap=clamp', 's5=filter=linear'), ('t0=filter=linear', '0', '128=filter=linear', '', '0='), '--sampler is N=KEY=VALUE,... with N from 0 to 127, or SPACE:N, not {}'),
            ('--sampler', (), ('0=linear', '0=filter'), None),
            ('--hwatomic', ('0=zero:4', '191=zero:4'), ('0', '192=zero:4', '', '0=', 'x=zero:4', '0zero:4', '99999999999=zero:4', '=zero:4'), '--hwatomic is N=FILE with N from 0 to 191, not {}'),
            ('--hwatomic-out', (), ('0', '192=x', '0='), '--hwatomic-out is N=FILE with N from 0 to 191, not {}'),
            ('--fb', ('0=zero:R32_UINT:1x1', '63=zero:R32_UINT:1x1'), ('0', '64=zero:R32_UINT:1x1', '0='), '--fb is N=FILE with N from 0 to 63, not {}'),
            ('--global', ('zero:1',), ('',), '--global is a file, not nothing'), ('--global-out', (), ('',), '--global-out is a file, not nothing'),
            ('--input', ('zero:1',), ('',), '--input is a file, not nothing')):
        for value in good:
            findings += c.says(c.YES, None, '', *call, option, value, '--const', '0:0=1', '--const', '0:1=1', stdin='\n')
        for value in bad:
            told = message
            if value.startswith(('0=zero:', '5=zero:')) and option == '--buffer':
                told = '--buffer: zero:BYTES takes 1 to 1073741824, not ' + value[7:]
            if option == '--image' and ',target=' in value:
                told = '--image: there is no target ' + value.split(',target=')[1]
            if option == '--sampler' and message is None:
                told = '--sampler: what does ' + value[2:] + ' mean?'
            findings += usage(told.format(value), *call, option, value)
            findings += usage(told.format(value), *call, f'{option}={value}')
    findings += c.exit_is(c.LIMIT, *call, '--work', '1', stdin='\n', err='the work of 1 instructions is used up before instruction 1')
    late = c.run(*call, '--deadline', '1', stdin='\n')
    if late.returncode not in (c.YES, c.LIMIT): findings.append(f'--deadline 1: {late}')
    for option, value, text in (('--buffer-out', '3=x', '--buffer-out 3: there is no --buffer 3'), ('--image-out', '2=x', '--image-out 2: there is no --image 2'),
                                ('--global-out', 'x', '--global-out: there is no --global to write'), ('--hwatomic-out', '1=x', '--hwatomic-out 1: there is no --hwatomic 1')):
        findings += c.says(c.USAGE, '', f'scheelite: {text}\n', *call, option, value, stdin='\n')
    return findings


def interfaces():
    shader, findings = c.write('plain.tgsi', FRAGMENT), []
    call = ('eval', shader, '--vectors', '-', '--interface')
    for text in ('', '0', 'x=1', '=1', '253=0', '9999999999=0', '99999999999=0', '0:1'):
        findings += usage(f'--interface is SLOT=TABLE[,cb=B,offset=O,texture=T,sampler=S], slots 0 to 252, not {text}', *call, text)
    for text in ('', 'x', 'ft', 'f1', 'f12', 'fx2', '4294967296', '1x', 'ft1x', '1 '):
        findings += usage(f'--interface: a table is a number from 0 or ft#, not {text}', *call, '0=' + text)
    for text in (',', ',x=1', ',cb', ',cb=1,', ',cb=1,y'):
        rest = text if text[1:3] != 'cb' or '=' not in text else text[5:]
        findings += usage(f'--interface: what does {rest} mean? (cb=, offset=, texture=, sampler=)', *call, '0=1' + text)
    for name, most in (('cb', 13), ('offset', 4095), ('texture', 127), ('sampler', 15)):
        for value in (str(most + 1), '', 'x', '-1', '1x', '4294967296'):
            findings += usage(f'--interface: {name}=N has N from 0 to {most}, not {value}', *call, f'0=1,{name}={value}')
        for slot in (0, 252):
            findings += c.says(c.USAGE, '', f'scheelite: --interface: the shader has no interface with slot {slot}\n', *call, f'{slot}=1,{name}={most}', stdin='\n')
    # Wherever they stand and whatever follows them, all are looked at.
    linked = c.write('linked.asm', 'ps_5_0\ndcl_function_body fb0\ndcl_function_table ft0 = {fb0}\ndcl_interface fp0[1][1] = {ft0}\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0, 0, 0)\nfcall fp0[0][0]\nret\nlabel fb0\nret\n')
    vectors = c.write('one.tsv', '\n')
    for given, said in ((('7=0', '0=0'), 'the shader has no interface with slot 7'), (('0=0', '7=0'), 'the shader has no interface with slot 7'), (('0=1',), 'the interface in slot 0 has 1 tables, but no 1'),
                        (('0=ft1',), 'the interface in slot 0 has 1 tables, but no ft1'), (('9=0', '8=0', '0=0'), 'the shader has no interface with slot 8')):
        findings += c.says(c.USAGE, '', f'scheelite: --interface: {said}\n', 'eval', linked, '--vectors', vectors, *[word for one in given for word in ('--interface', one)])
    return findings + c.says(c.YES, 'OUT[0]=0x3f800000,0x00000000,0x00000000,0x00000000\n', None, 'eval', linked, '--vectors', vectors, '--interface', '0=ft0')


if __name__ == '__main__':
    tap.run([('first words', first_words), ('flags and values', flags_and_values), ('help', help_texts), ('what is no argument', words_of_verbs), ('-W, -q and --limit', common_options), ('numbers of --const', constants), ('numbers of options', numbers_of_engines),
             ('--interface', interfaces)])
