#!/usr/bin/env python3
"""trace --html: the page is whole, asks for nothing from elsewhere and holds what --json says of all lanes; names and texts of
files stay texts. What its script does is tested in a browser (tests/system/trace_page.py)."""
import html.parser
import json
import os
import re

import command as c
import tap

SWIRL = [os.path.join(c.EXAMPLES, 'shaders', 'swirl.tgsi'), '--tex', f'0={c.PHOTO},filter=linear,mip=linear,mips=make,aniso=8', '--size', '60x20', '--pixel', '20,7']
COLLATZ = [os.path.join(c.EXAMPLES, 'shaders', 'collatz.tgsi'), '--grid', '2,1,1', '--thread', '5,0,0']
SHARED = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 40
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL MEMORY[0], SHARED
DCL TEMP[0..2]
IMM[0] UINT32 {4, 16, 31, 1}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx
BARRIER
USLT TEMP[1].x, SV[0].xxxx, IMM[0].yyyy
UIF TEMP[1].xxxx
LOAD TEMP[2].x, MEMORY[0], TEMP[0].xxxx
ATOMUADD TEMP[2].y, BUFFER[0], IMM[0].xxxx, TEMP[2].xxxx
ATOMINC_WRAP TEMP[2].z, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz
ELSE
MOV TEMP[2].x, IMM[0].xxxx
ENDIF
END
'''
GEOMETRY = '''GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], GENERIC[0]
DCL OUT[0], GENERIC[0]
DCL TEMP[0]
IMM[0] UINT32 {0, 0, 0, 0}
ADD TEMP[0], IN[0][0], IN[2][0]
MOV OUT[0], TEMP[0]
EMIT IMM[0].xxxx
END
'''
ENDLESS = 'COMP\nDCL TEMP[0]\nIMM[0] UINT32 {1, 0, 0, 0}\nBGNLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDLOOP\nEND\n'
EMPTY = {'meta', 'input', 'br', 'link', 'img'}


class Page(html.parser.HTMLParser):
    """Notes the document of moments, and what is not closed or names something elsewhere."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.findings, self.texts, self.scripts = [], [], [], 0
        self.feed(text)
        self.close()
        if self.open:
            self.findings.append(f'not closed: {self.open}')
        self.document = json.loads(''.join(self.texts))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.findings += [f'{tag} with {name}' for name in attributes if name in ('src', 'href', 'action', 'data', 'srcset', 'poster') or name.startswith('on')]
        self.scripts += tag == 'script'
        if tag not in EMPTY:
            self.open.append((tag, attributes.get('id')))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.findings.append(f'</{tag}> at {self.getpos()}')

    def handle_data(self, data):
        if self.open and self.open[-1] == ('script', 'document'):
            self.texts.append(data)


def page_of(*arguments, wanted=c.YES):
    """(findings, text, Page)."""
    done = c.run('trace', *arguments, '--html')
    text = done.stdout.decode()
    page = Page(text)
    findings = [] if done.returncode == wanted else [f'{arguments}: exit {done.returncode}: {done.stderr.decode()[-200:]}']
    return findings + page.findings, text, page


def told(*arguments):
    return json.loads(c.run('trace', *arguments, '--lanes', 'all', '--json').stdout)


def words_of(text, mask):
    """Lane to word."""
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    return {lane: text if len(text) == 8 else text[8 * n:8 * n + 8] for n, lane in enumerate(lanes)}


def states(document):
    """What all registers hold at each moment: {(name, channel, lane): word}, the same dictionary each time."""
    state = {(one['name'], channel, lane): word for one in document['registers'] for channel, text in zip('xyzw', one['words'])
             for lane, word in words_of(text, 0xffffffff).items()}
    yield state
    for step in document['steps']:
        for write in step['writes']:
            for channel, text in zip(write['channels'], write['words']):
                state.update({(write['register'], channel, lane): word for lane, word in words_of(text, int(write['lanes'], 16)).items()})
        yield state


def differences(document, wanted):
    """Whether the document's registers are those that --json says were written, in all lanes, and its lookups the same."""
    findings = []
    at, moments = {step['time']: step for step in wanted['steps']}, states(document)
    next(moments)
    helpers, seen = None, 0
    for step, state in zip(document['steps'], moments):
        helpers, other = step.get('helpers', helpers), at.get(step['time'])
        if other is None:  # --json leaves out what no lane executes
            findings += [] if step['active'] == '0x00000000' and not step['writes'] else [f'{step["time"]}: not in --json']
            continue
        seen += 1
        for name, value in (('time', step['time']), ('instruction', step['instruction']), ('active', step['active']), ('helpers', helpers)):
            if other[name] != value:
                findings.append(f'{other["time"]}: {name} {value}, not {other[name]}')
        if document['lines'][step['instruction']] != other['line']:
            findings.append(f'{other["time"]}: line {document["lines"][step["instruction"]]}, not {other["line"]}')
        for write in other['writes']:
            for one in write['lanes']:
                for channel in write['channels']:
                    have, bits = state[write['register'], channel, one['lane']], one['bits']['xyzw'.index(channel)]
                    if '0x' + have != bits:
                        findings.append(f'{other["time"]}: lane {one["lane"]}: {write["register"]}.{channel} = {have}, not {bits}')
        have = {one['lane']: [(t[0], t[1], t[2], t[3], t[7], ['0x' + t[8][n:n + 8] for n in (0, 8, 16, 24)]) for t in one['texels']] for one in step.get('lookups', []) if one['texels']}
        wanted_lookups = {one['lane']: [(t['level'], t['tap'], t['x'], t['y'], t['weight'], t['bits']) for t in one['texels']] for one in other.get('lookups', [])}
        if have != wanted_lookups:
            findings.append(f'{other["time"]}: lookups of {sorted(have)}, not {sorted(wanted_lookups)}, or others')
    return findings if seen == len(at) else findings + [f'{seen} steps, not {len(at)}']


def holds_what_json_says():
    findings = []
    shared = [c.write('shared.tgsi', SHARED), '--grid', '1,1,1', '--thread', '3,0,0', '--buffer', f'0={c.write("zeros.bin", bytes(256))}']
    tiles = [os.path.join(c.EXAMPLES, 'shaders', 'tiles.tgsi'), '--pixel', '64,2']  # its corners are killed
    triangles = [c.write('points.tgsi', GEOMETRY), '--vectors', c.write('points.tsv', 'IN[0][0]=1.5\tIN[1][0]=0x2\tIN[2][0]=0x3\n')]
    for arguments, writes in ((SWIRL, 14), (COLLATZ, 500), (shared, 6), (tiles, 10), (triangles, 2)):
        wrong, text, page = page_of(*arguments)
        wanted = told(*arguments)
        findings += wrong + differences(page.document, wanted)
        if arguments is tiles and not any(step['helpers'] != '0x00000000' for step in page.document['steps'] if 'helpers' in step):
            findings.append('no helpers')
        if sum(len(step['writes']) for step in page.document['steps']) < writes:
            findings.append(f'{arguments[0]}: few writes')
        if page.document['end']['reason'] != 'end' or not text.startswith('<!DOCTYPE html>') or not text.endswith('</body>\n</html>\n'):
            findings.append(f'{arguments[0]}: {page.document["end"]}, {text[-40:]!r}')
        if [page.document[name] for name in ('file', 'invocation', 'lane', 'present')] != [wanted[name] for name in ('file', 'invocation', 'lane', 'present')]:
            findings.append(f'{arguments[0]}: {page.document["file"]}, {page.document["invocation"]}')
    return findings


def asks_for_nothing():
    """But for the name of SVG in its script, it has no address, and it forbids the browser to load anything."""
    _, text, page = page_of(*SWIRL)
    rest = text.replace("'http://www.w3.org/2000/svg'", '', 1)
    findings = re.findall(r'https?:|//[a-z]+\.[a-z]|@import|url\(|\bimport\b.{20}|fetch\(|XMLHttpRequest|WebSocket|innerHTML|\beval\(', rest)
    if "default-src 'none'" not in text or page.scripts != 2:
        findings.append(f'{page.scripts} scripts, or no policy')
    return findings


def texts_stay_texts():
    """Of a file whose name and comments would end the script."""
    source = '# </script><script>document.title = "x"</script> <!-- \' & \\\n' + 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n'
    name = c.write("<b>&amp;'\"<!--.tgsi", source)
    findings, _, page = page_of(name, '--pixel', '0,0', '--size', '1x1')
    if page.scripts != 2 or page.document['file'] != name or page.document['source'] != source:
        findings.append(f'{page.scripts} scripts, {page.document["file"]!r}, {page.document["source"]!r}')
    return findings


def part_of_it():
    """--from N --to M has the moments between, and begins with what the registers hold at N."""
    _, _, whole = page_of(*COLLATZ)
    findings, _, page = page_of(*COLLATZ, '--from', '100', '--to', '150')
    times = [step['time'] for step in page.document['steps']]
    if times != list(range(100, 151)) or page.document['end']['time'] != 151 or page.document['end']['reason'] != 'to':
        findings.append(f'{times[:1]} to {times[-1:]}, {page.document["end"]}')
    for number, state in enumerate(states(whole.document)):
        if number == 100 and state != next(states(page.document)):
            findings.append('other registers at moment 100')
    open_at = {}
    for step in whole.document['steps'][:101]:
        open_at = step.get('frames', open_at)
    if not open_at or page.document['steps'][0]['frames'] != open_at:
        findings.append(f'{page.document["steps"][0]["frames"]}, not {open_at}')
    return findings + c.exit_is(c.NO, 'trace', *COLLATZ, '--from', '5000', '--html', err='has ended before moment 5000', out='')


def memory_is_marked():
    """Also in constructs, and atomics whose names begin alike."""
    _, _, page = page_of(c.write('shared.tgsi', SHARED), '--grid', '1,1,1', '--thread', '3,0,0')
    marked = [step['instruction'] for step in page.document['steps'] if step.get('memory')]
    return [] if sorted(set(marked)) == [1, 5, 6, 7] else [f'memory: {marked}']


def pieces_at(document, moment):
    """What the page knows of memory before a step: {name, or (name, lane): {byte: word}}."""
    names = [(one['name'], one['lane']) if 'lane' in one else one['name'] for one in document['memory']]
    words = {name: {byte + 4 * n: int(text[8 * n:8 * n + 8], 16) for byte, text in one['rows'] for n in range(len(text) // 8)} for name, one in zip(names, document['memory'])}
    for step in document['steps']:
        if step['time'] >= moment:
            break
        for number, byte, text in step.get('stores', []):
            words[names[number]].update({byte + 4 * n: int(text[8 * n:8 * n + 8], 16) for n in range(len(text) // 8)})
    return words


def accesses_of(document, moment):
    """{lane: (name, byte, bytes, writes)} of a step."""
    step = next(one for one in document['steps'] if one['time'] == moment)
    return {lane: (document['memory'][one['piece']]['name'], int(at, 16), one['bytes'], one.get('writes', False)) for one in step.get('access', [])
            for lane, at in zip([lane for lane in range(32) if int(one['lanes'], 16) >> lane & 1], [one['at'][8 * n:8 * n + 8] for n in range(len(one['at']) // 8)])}


def memory_at_each_moment():
    """Shared memory before and behind the BARRIER, where the other group's words come; a buffer that atomics change, as `run` leaves it."""
    shader, zeros, out = c.write('shared.tgsi', SHARED), c.write('zeros.bin', bytes(4096)), c.path('out.bin')
    findings, text, page = page_of(shader, '--grid', '1,1,1', '--thread', '3,0,0', '--buffer', f'0={zeros}')
    document = page.document
    nothing, own, whole = [0] * 40, list(range(32)) + [0] * 8, list(range(40))
    for moment, words in ((1, nothing), (2, own), (8, whole), (14, whole)):  # the other group makes moments 3 to 7
        have = [pieces_at(document, moment)['SHARED'].get(4 * n) for n in range(40)]
        findings += [] if have == words else [f'shared memory at {moment}: {have}']
    for moment, word in ((9, 0), (10, sum(range(16))), (11, 15)):
        have = pieces_at(document, moment)['BUFFER[0]']
        findings += [] if have == {4 * n: word if n == 1 else 0 for n in range(8)} else [f'the buffer at {moment}: {have}']
    if [(one['name'], one['bytes'], len(one['rows'])) for one in document['memory']] != [('SHARED', 65536, 5), ('BUFFER[0]', 4096, 1)] or len(text) > 80000:
        findings.append(f'{document["memory"]}, {len(text)} bytes')
    if accesses_of(document, 1) != {lane: ('SHARED', 4 * lane, 4, True) for lane in range(32)} or accesses_of(document, 8) != {lane: ('SHARED', 4 * lane, 4, False) for lane in range(16)}:
        findings.append(f'{accesses_of(document, 1)}, {accesses_of(document, 8)}')
    c.run('run', shader, '--grid', '1,1,1', '--buffer', f'0={zeros}', '--buffer-out', f'0={out}')
    left = c.read(out)
    end = pieces_at(document, 1000)['BUFFER[0]']
    # The second group does not come to the atomics.
    return findings + ([] if all(int.from_bytes(left[byte:byte + 4], 'little') == word for byte, word in end.items()) else [f'{left[:32]}, not {end}'])


def memory_of_all_kinds():
    """Images by their texels' bytes, counters, memory of a lane, what is outside, what is never accessed."""
    source = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL BUFFER[0..1]\nDCL HWATOMIC[0][0..3]\n'
              'DCL MEMORY[0], PRIVATE\nDCL IMAGE[0], 2D, PIPE_FORMAT_R16_UINT, WR\nDCL TEMP[0..1]\nIMM[0] UINT32 {16, 4, 1, 4096}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n'
              'STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nATOMUADD TEMP[1].x, HWATOMIC[0][2], IMM[0].xxxx, IMM[0].zzzz\nSTORE IMAGE[0].x, IMM[0].zzzz, IMM[0].wwww, 2D, PIPE_FORMAT_R16_UINT\n'
              'STORE BUFFER[0].x, IMM[0].wwww, SV[0].xxxx\nEND\n')
    findings, _, page = page_of(c.write('kinds.tgsi', source), '--grid', '1,1,1', '--buffer', '0=zero:64', '--buffer', '1=zero:64', '--hwatomic', '0=zero:16', '--image', '0=zero:R16_UINT:5x3')
    document, end = page.document, pieces_at(page.document, 1000)
    wanted = {('PRIVATE', lane): lane for lane in range(4)}
    have = {name: words.get(16 * name[1]) for name, words in end.items() if name[0] == 'PRIVATE'}
    if have != wanted or end['HWATOMIC[0]'] != {0: 0, 4: 0, 8: 4, 12: 0} or end['BUFFER[0]'] != {}:
        findings.append(f'{have}, {end}')
    image = next(one for one in document['memory'] if one['name'] == 'IMAGE[0]')
    shape = [image[name] for name in ('bytes', 'format', 'texel_bytes', 'width', 'row_bytes', 'slice_bytes')]
    texel = image['row_bytes'] + 2  # 1,1
    word = end['IMAGE[0]'].get(texel // 4 * 4)
    if shape[1:4] != ['R16_UINT', 2, 5] or image['bytes'] != 3 * image['row_bytes'] or word is None or word >> 8 * (texel % 4) & 0xffff != 4096:
        findings.append(f'{shape}, {end["IMAGE[0]"]}')
    if accesses_of(document, 4) != {lane: ('BUFFER[0]', 4096, 4, True) for lane in range(4)} or 'BUFFER[1]' in end:
        findings.append(f'{accesses_of(document, 4)}')
    return findings


def memory_has_limits():
    """Rows beyond 16,384 are left out; of a buffer of more than 64 MiB the page has what the group accesses. It stays small."""
    shader, large = c.write('shared.tgsi', SHARED), str((64 << 20) + 4)
    findings, text, page = page_of(shader, '--grid', '1,1,1', '--buffer', f'0=zero:{large}')
    piece = page.document['memory'][1]
    words = pieces_at(page.document, 1000)['BUFFER[0]']
    if (piece['name'], piece.get('too_large'), len(piece['rows']), words[4]) != ('BUFFER[0]', True, 1, 15) or len(text) > 80000:
        findings.append(f'{piece}, {len(text)} bytes')
    many = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 32\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 {32, 1024, 1048576, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n'
            'BGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\nSTORE BUFFER[0].x, TEMP[0].xxxx, IMM[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nEND\n')
    wrong, text, page = page_of(c.write('many.tgsi', many), '--grid', '1,1,1', '--buffer', '0=zero:1048576')
    piece = page.document['memory'][0]
    if len(piece['rows']) != 16384 or piece.get('left_out') != 16384 or len(text) > 8 << 20:
        wrong.append(f'{len(piece["rows"])} rows, {piece.get("left_out")}, {len(text)} bytes')
    return findings + wrong


def direct3d_has_its_text():
    """A container as its listing; HLSL too, where that was compiled."""
    container = os.path.join(c.EXAMPLES, 'd3d', 'mandelbrot.dxbc')
    findings, _, page = page_of(container, '--pixel', '100,37')
    listing = c.run('dis', container).stdout.decode()
    document = page.document
    if document['source'] != listing or not document['direct3d'] or 'hlsl' in document:
        findings.append(f'{document["source"][:80]!r}')
    names = {one['name']: one.get('direct3d') for one in document['registers']}
    if [names[name] for name in ('TEMP[0]', 'IN[0]', 'OUT[0]', 'IMM[0]')] != ['r0', 'v0', 'o0', None]:
        findings.append(f'{names}')
    lines = dict(zip((step['instruction'] for step in document['steps']), (listing.split('\n')[document['lines'][step['instruction']] - 1] for step in document['steps'])))
    if not lines[0].startswith('mad r0.xy, v0') or sum(line.strip() == 'loop' for line in lines.values()) != 1:
        findings.append(f'{lines}')
    effect = c.write('effect.hlsl', 'float4 main() : SV_Target { return 1 < 2; }\n')
    findings += [f'HLSL: {wrong}' for wrong in page_of(effect, '--pixel', '0,0', '--hlsl-compiler', f'compile() {{ cp {container} "$3"; }}; compile')[0]]
    _, _, page = page_of(effect, '--pixel', '0,0', '--hlsl-compiler', f'compile() {{ cp {container} "$3"; }}; compile')
    if page.document.get('hlsl') != 'float4 main() : SV_Target { return 1 < 2; }\n' or page.document['source'] != listing:
        findings.append(f'{page.document.get("hlsl")!r}')
    return findings


def ends_where_it_must():
    """A page takes 100,000 moments; of a run that fails it has what came before."""
    endless = c.write('endless.tgsi', ENDLESS)
    findings, _, page = page_of(endless, '--grid', '1,1,1', wanted=c.LIMIT)
    end = page.document['end']
    if len(page.document['steps']) != 100000 or end['reason'] != 'limit' or end['time'] != 100000:
        findings.append(f'{len(page.document["steps"])} steps, {end}')
    findings += c.exit_is(c.LIMIT, 'trace', endless, '--grid', '1,1,1', '--html', err='the page ends before moment 100000: it takes 100000 moments and 64 MiB')
    wrong, _, page = page_of(endless, '--grid', '1,1,1', '--from', '10', '--budget', '50', wanted=c.LIMIT)
    if 'limit' in page.document['end']['reason'] and page.document['end']['reason'] == 'limit' or len(page.document['steps']) > 110:
        wrong.append(f'{len(page.document["steps"])} steps, {page.document["end"]}')
    return findings + wrong + c.exit_is(c.YES, 'trace', endless, '--grid', '1,1,1', '--from', '150000', '--to', '150009', '--html')


def mistakes():
    return [finding for more, said in ((['--json'], '--html does not go with --json'), (['--lanes', 'all'], '--html does not go with --lanes: the page shows all lanes and instructions'),
                                       (['--only', 'lookups'], '--html does not go with --only'), (['--floats', 'hex'], '--html does not go with --floats'))
            for finding in c.exit_is(c.USAGE, 'trace', *COLLATZ, '--html', *more, err=said, out='')]


tap.run([('holds what JSON says', holds_what_json_says), ('asks for nothing', asks_for_nothing), ('texts stay texts', texts_stay_texts), ('part of it', part_of_it),
         ('memory is marked', memory_is_marked), ('memory at each moment', memory_at_each_moment), ('memory of all kinds', memory_of_all_kinds),
         ('memory has limits', memory_has_limits), ('Direct3D has its text', direct3d_has_its_text), ('ends where it must', ends_where_it_must), ('mistakes', mistakes)])
