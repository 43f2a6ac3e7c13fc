#!/usr/bin/env python3
"""The page of `trace --html` in a browser: keys, slider, lanes and lines go to and fro, and what it shows is what --json says."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

COMMAND = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
EXAMPLES = os.path.join(tap.SOURCE, 'examples')
SWIRL = [os.path.join(EXAMPLES, 'shaders', 'swirl.tgsi'), '--tex', f'0={os.path.join(EXAMPLES, "pictures", "photo.png")},filter=linear,mip=linear,mips=make,aniso=8',
         '--size', '60x20', '--pixel', '20,7']
COLLATZ = [os.path.join(EXAMPLES, 'shaders', 'collatz.tgsi'), '--grid', '2,1,1', '--thread', '5,0,0']
MANDELBROT = [os.path.join(EXAMPLES, 'd3d', 'mandelbrot.dxbc'), '--pixel', '100,37']
FOLDER = tempfile.TemporaryDirectory(prefix='scheelite-page-')

# A triangle over all of the picture: its vertices are (0.25, 0.5, 0.125), which the first shader doubles and the second adds to itself.
SCENE = '''texture t { size 8 8; format R32G32B32A32_FLOAT }
mesh all { position float3; color float4; vertices { -1 -1 0 0.25 0.5 0.125 1  3 -1 0 0.25 0.5 0.125 1  -1 3 0 0.25 0.5 0.125 1 } }
shader vs vertex {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0]
ADD OUT[1], IN[1], IN[1]
END
}
shader fs fragment {
FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
ADD OUT[0], IN[0], IN[0]
END
}
pass { color 0 t; use vs fs; draw triangles mesh all }
'''

# Does what the steps of a test say as a user would, and notes behind each what the page shows.
PROBE = '''<script>
addEventListener('load', () => {
  const seen = [], id = name => document.getElementById(name), text = name => id(name).textContent;
  const problems = [];
  addEventListener('error', event => problems.push(event.message));
  const acts = {
    key: (key, shift) => document.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey: !!shift, bubbles: true})),
    slide: to => { id('time').value = to; id('time').dispatchEvent(new Event('input', {bubbles: true})); },
    lane: lane => document.querySelector(`#lanes [data-lane="${lane}"]`).click(),
    form: form => { id('form').value = form; id('form').dispatchEvent(new Event('change')); },
    press: name => id(name).click(),
    line: (tab, row) => { document.querySelectorAll('#tabs button')[tab].click(); document.querySelectorAll('#texts > div')[tab].children[row].click(); },
    watch: name => document.querySelector(`[data-name="${name}"]`).click(),
    piece: name => [...document.querySelectorAll('#pieces button')].find(one => one.textContent.split(' ')[0] === name).click(),
  };
  for (const [act, ...more] of STEPS) {
    acts[act](...more);
    const shown = [...document.querySelectorAll('#texts > div')].find(box => !box.hidden);
    seen.push({
      moment: text('moment'), slider: id('time').value, next: text('next'), previous: text('previous'), lane: text('lane'),
      values: Object.fromEntries([...document.querySelectorAll('td.value')].map(cell => [cell.dataset.name, cell.textContent])),
      changed: [...document.querySelectorAll('td.changed')].map(cell => cell.dataset.name),
      lanes: Object.fromEntries([...document.querySelectorAll('#lanes button')].map(one => [one.dataset.lane, [one.className, one.lastChild.textContent]])),
      watched: text('watched'), current: (shown.querySelector('.current .text') || {}).textContent, frames: [...document.querySelectorAll('.frame b')].map(one => one.textContent.trim()),
      texels: [...document.querySelectorAll('[data-texel]')].map(one => [one.closest('.pane').querySelector('h3').textContent, one.dataset.texel, Number(one.dataset.share)]),
      taps: document.querySelectorAll('.pane circle').length, lookup: text('lookup'), strip: id('strip').children[1].getAttribute('d').split('M').length - 1,
      pieces: [...document.querySelectorAll('#pieces button')].map(one => one.textContent), piece: (document.querySelector('#pieces [aria-pressed=true]') || {}).textContent,
      words: Object.fromEntries([...document.querySelectorAll('#words td[data-byte]')].map(one => [one.dataset.byte, [one.textContent, one.className]])),
      gaps: [...document.querySelectorAll('#words .gap')].map(one => one.textContent), note: text('words-note'),
    });
  }
  const out = document.createElement('pre');
  out.id = 'probe';
  out.textContent = JSON.stringify({seen, problems});
  document.body.append(out);
});</script>'''


def told(*arguments):
    done = subprocess.run([COMMAND, 'trace', *arguments, '--lanes', 'all', '--json'], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def browse(arguments, steps):
    """What the page shows behind each of the steps."""
    browser = shutil.which('chromium') or shutil.which('chromium-browser')
    if not browser:
        raise tap.Skip('no chromium')
    page = subprocess.run([COMMAND, 'trace', *arguments, '--html'], capture_output=True, text=True, timeout=120, check=True).stdout
    path = os.path.join(FOLDER.name, 'page.html')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(page.replace('</body>', PROBE.replace('STEPS', json.dumps(steps)) + '</body>'))
    done = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={os.path.join(FOLDER.name, "browser")}', '--enable-logging=stderr',
                           '--virtual-time-budget=20000', '--window-size=1440,1000', '--dump-dom', 'file://' + path], capture_output=True, text=True, timeout=300, check=False)
    found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.S)
    if not found and '<title>' not in done.stdout:
        raise tap.Skip(f'chromium does not run here: {done.stderr[-300:]}')
    assert found, f'the page did not come to the end: {done.stderr[-600:]}'
    seen = json.loads(found[1].replace('&lt;', '<').replace('&gt;', '>').replace('&quot;', '"').replace('&amp;', '&'))
    consoles = [line for line in done.stderr.splitlines() if 'CONSOLE' in line]
    assert not seen['problems'] and not consoles, f'{seen["problems"]} {consoles}'
    return seen['seen']


def written(trace, moment, lane):
    """The words of all components that were written before the moment, as --json says: {name: word}."""
    words = {}
    for step in trace['steps']:
        if step['time'] >= moment:
            return words
        for write in step['writes']:
            for one in write['lanes']:
                if one['lane'] == lane:
                    words.update({f'{write["register"]}.{channel}': one['bits']['xyzw'.index(channel)] for channel in write['channels']})
    return words


def same_values(seen, trace, moment, lane, read=lambda text: text):
    words = written(trace, moment, lane)
    wrong = [f'moment {moment}, lane {lane}: {name} is {seen["values"][name]}, not {word}' for name, word in words.items() if read(seen['values'][name]) != word]
    if seen['moment'].split()[1] != str(moment) or seen['lane'] != str(lane):
        wrong.append(f'{seen["moment"]}, lane {seen["lane"]}, not {moment} and {lane}')
    return wrong


def forward_and_back():
    """Each moment by each way to get there, in hexadecimal and as floats."""
    trace = told(*COLLATZ)
    steps = [('form', 'hex'), ('slide', 700), ('key', 'ArrowLeft'), ('key', 'ArrowRight'), ('key', 'PageDown'), ('key', 'PageUp'), ('key', 'Home'), ('key', 'End'), ('press', 'back'),
             ('press', 'first'), ('press', 'forward'), ('slide', 300), ('lane', 26), ('slide', 301), ('slide', 12), ('press', 'last'), ('key', 'ArrowRight'), ('slide', 0), ('key', 'ArrowLeft')]
    seen = browse(COLLATZ, steps)
    last = int(seen[0]['moment'].split()[-1])
    moments = [0, 700, 699, 700, 710, 700, 0, last, last - 1, 0, 1, 300, 300, 301, 12, last, last, 0, 0]
    findings = [] if trace['steps'][-1]['time'] < last < trace['steps'][-1]['time'] + 5 else [f'{last} moments']
    for number, (one, moment) in enumerate(zip(seen, moments)):
        findings += same_values(one, trace, moment, 26 if number >= 12 else 5)
        if one['slider'] != str(moment) or one['moment'] != f'moment {moment} of {last}':
            findings.append(f'{steps[number]}: slider {one["slider"]}, {one["moment"]}')
    return findings


def floats_too():
    trace = told(*SWIRL)
    lane = trace['lane']
    seen = browse(SWIRL, [('form', 'float'), ('slide', 12), ('key', 'End'), ('form', 'hex'), ('form', 'int'), ('form', 'uint'), ('form', 'hex'), ('slide', 12)])
    as_float = lambda text: f'0x{struct.unpack("<I", struct.pack("<f", float(text)))[0]:08x}'  # noqa: E731
    as_integer = lambda text: f'0x{int(text) & 0xffffffff:08x}'  # noqa: E731
    findings = same_values(seen[1], trace, 12, lane, as_float) + same_values(seen[7], trace, 12, lane)  # back over steps that wrote several components
    for one, read in zip(seen[2:6], (as_float, lambda text: text, as_integer, as_integer)):
        findings += same_values(one, trace, 14, lane, read)
    if not any(value.startswith('-') for value in seen[4]['values'].values()) or any(value.startswith('-') for value in seen[5]['values'].values()):
        findings.append('int is as uint')
    return findings


def differences_are_marked():
    """What the last step changed, and of which lanes it is shown."""
    trace = told(*SWIRL)
    seen = browse(SWIRL, [('form', 'hex'), ('slide', 1), ('slide', 13), ('slide', 14), ('watch', 'TEMP[0].y'), ('watch', 'TEMP[0].y')])
    findings = [] if [one['changed'] for one in seen[1:4]] == [['TEMP[0].x', 'TEMP[0].y'], ['TEMP[2].x', 'TEMP[2].y'], [f'OUT[0].{channel}' for channel in 'xyzw']] else \
        [f'{[one["changed"] for one in seen]}']
    if [one['watched'] for one in seen] != ['', 'TEMP[0].x', 'TEMP[2].x', 'OUT[0].x', 'TEMP[0].y', 'OUT[0].x']:
        findings.append(f'{[one["watched"] for one in seen]}')
    for one, name in ((seen[3], 'OUT[0].x'), (seen[4], 'TEMP[0].y')):
        wrong = [lane for lane in range(32) if one['lanes'][str(lane)][1] != written(trace, 14, lane)[name]]
        findings += [f'{name} of lanes {wrong}'] if wrong else []
    return findings


def lanes_and_constructs():
    """Lanes are active as the mask says; Shift goes to what the lane executes, a click on a line to its execution."""
    trace = told(*COLLATZ)
    masks = {step['time']: int(step['active'], 16) for step in trace['steps']}
    instructions = {step['time']: step['instruction'] for step in trace['steps']}
    of_lane = [time for time, mask in masks.items() if mask >> 2 & 1]
    behind = next(time for time in of_lane if time > 12)
    with open(COLLATZ[0], encoding='utf-8') as file:
        source = file.read().splitlines()
    row = next(number for number, line in enumerate(source) if ' 12:' in line)
    steps = [('lane', 2), ('slide', 12), ('key', 'ArrowRight', True), ('key', 'ArrowLeft', True), ('slide', 100), ('press', 'first'), ('line', 1, row)]
    seen = browse(COLLATZ, steps)
    before = max(time for time in of_lane if time < behind)
    first = next(time for time in of_lane if instructions[time] == 12)
    moments = [0, 12, behind, before, 100, 0, first]
    findings = [f'{step}: {one["moment"]}, not {moment}' for step, one, moment in zip(steps, seen, moments) if one['moment'].split()[1] != str(moment)]
    for one, moment in zip(seen, moments):
        active = sum(1 << int(lane) for lane, (name, _) in one['lanes'].items() if 'active' in name.split())
        if active != masks.get(moment, 0):  # what no lane executes is not in --json
            findings.append(f'moment {moment}: {active:08x}, not {masks.get(moment, 0):08x}')
    if seen[0]['strip'] != sum(mask >> 2 & 1 for mask in masks.values()):
        findings.append(f'{seen[0]["strip"]} bars of the lane')
    if seen[6]['current'] != source[row] or 'USHR' not in seen[6]['next'] or seen[6]['frames'] != ['LOOP', 'IF']:
        findings.append(f'{seen[6]["current"]!r}, {seen[6]["next"]}, {seen[6]["frames"]}')
    return findings


def footprints():
    """Every texel of the lookup has its cell, with its share; a dot for each tap of each level."""
    trace = told(*SWIRL)
    seen = browse(SWIRL, [('slide', 12), ('key', 'n'), ('lane', 3), ('press', 'first'), ('press', 'lookup-forward')])
    findings = [] if not seen[0]['texels'] and [one['moment'].split()[1] for one in seen] == ['12', '13', '13', '0', '13'] else ['moments, or texels before the lookup']
    for one, lane in ((seen[1], trace['lane']), (seen[2], 3), (seen[4], 3)):
        lookup = next(found for found in trace['steps'][13]['lookups'] if found['lane'] == lane)
        wanted = {(f'level {t["level"]}', f'{t["x"]},{t["y"]}') for t in lookup['texels']}
        have = {(title.split(':')[0], texel) for title, texel, _ in one['texels']}
        total = sum(share for _, _, share in one['texels'])
        levels = len({t['level'] for t in lookup['texels']})
        if have != wanted or abs(total - 1) > 1e-5 or one['taps'] != lookup['taps'] * levels or lookup['taps'] < 2:
            findings.append(f'lane {lane}: {have ^ wanted}, {total}, {one["taps"]} taps of {lookup["taps"]}')
        if not one['lookup'].startswith('13: TEX OUT[0]'):
            findings.append(one['lookup'])
    return findings


def direct3d():
    """The listing's line is the current one, also behind a click."""
    listing = subprocess.run([COMMAND, 'dis', MANDELBROT[0]], capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    row = next(number for number, line in enumerate(listing) if line.strip().startswith('iadd'))
    trace = told(*MANDELBROT)
    time = next(step['time'] for step in trace['steps'] if step['text'].strip().startswith('iadd'))
    seen = browse(MANDELBROT, [('slide', trace['steps'][1]['time']), ('line', 1, row), ('form', 'hex')])
    opcodes = [one['current'].split()[0] for one in seen]
    findings = [] if opcodes == [trace['steps'][1]['text'].split()[0], 'iadd', 'iadd'] and seen[1]['moment'].split()[1] == str(time) else [f'{opcodes}; {seen[1]["moment"]}, not {time}']
    words = {name.replace('r', 'TEMP[').replace('.', '].'): word for name, word in written(trace, time, trace['lane']).items() if name[0] == 'r'}
    return findings + [f'{name} is {seen[2]["values"][name]}, not {word}' for name, word in words.items() if seen[2]['values'][name] != word] + ([] if words else ['no registers'])


def memory():
    """64 threads put ones into shared memory, those of the other group at the BARRIER, and add them up; forward and back."""
    ones = os.path.join(FOLDER.name, 'ones.bin')
    with open(ones, 'wb') as file:
        file.write(struct.pack('<64I', *[1] * 64))
    arguments = [os.path.join(EXAMPLES, 'bugs', 'sum-mended.tgsi'), '--grid', '1,1,1', '--thread', '3,0,0', '--buffer', f'0={ones}', '--buffer', '1=zero:8']
    trace = told(*arguments)
    store, barrier = (next(step['time'] for step in trace['steps'] if step['text'].startswith(word)) for word in ('STORE MEMORY[0]', 'BARRIER'))
    behind = next(step['time'] for step in trace['steps'] if step['time'] > barrier)
    load = next(step['time'] for step in trace['steps'] if step['text'].startswith('LOAD TEMP[1].x, BUFFER[0]'))
    index = {}  # of moments on the slider
    for number, step in enumerate(trace['steps']):
        index[step['time']] = number
    places = {time: f'moment {time}' for time in (load + 1, store, store + 1, behind)}
    steps = [('slide', index[store]), ('key', 'ArrowRight'), ('slide', index[behind]), ('key', 'End'), ('piece', 'BUFFER[1]'), ('key', 'Home'), ('piece', 'SHARED'), ('slide', index[store] + 1),
             ('key', 'ArrowLeft'), ('piece', 'SHARED'), ('form', 'hex')]
    seen = browse(arguments, steps)
    words = lambda one: {int(byte): text for byte, (text, _) in one['words'].items()}  # noqa: E731
    marked = lambda one, name: sorted(int(byte) for byte, (_, classes) in one['words'].items() if name in classes.split())  # noqa: E731
    findings = []
    if seen[0]['piece'] != 'BUFFER[0]' or marked(seen[0], 'mine') != [12] or marked(seen[0], 'written') != [4 * n for n in range(32)] or marked(seen[0], 'changed'):
        findings.append(f'behind LOAD: {seen[0]["piece"]}, {seen[0]["words"]}')
    first, second = {4 * n: '1' if n < 32 else '0' for n in range(64)}, {4 * n: '1' for n in range(64)}
    for one, wanted, changed, where in ((seen[1], first, range(32), 'behind STORE'), (seen[2], second, range(32, 64), 'behind BARRIER'), (seen[7], first, range(32), 'back behind STORE')):
        have = words(one)
        if one['piece'] != 'SHARED' or any(have.get(byte, '0') != word for byte, word in wanted.items()) or marked(one, 'changed') != [4 * n for n in changed]:
            findings.append(f'{where}: {one["piece"]}, {one["moment"]}, {one["words"]}')
    if marked(seen[1], 'mine') != [12] or marked(seen[2], 'mine') or not all(one['moment'].startswith(places[time]) for one, time in ((seen[0], store), (seen[1], store + 1), (seen[2], behind))):
        findings.append(f'{[one["moment"] for one in seen[:3]]}, {marked(seen[1], "mine")}')
    if words(seen[4]).get(0) != '64' or words(seen[5]).get(0) != '0' or words(seen[6]) != {byte: '0' for byte in words(seen[6])} or seen[8]['piece'] != 'SHARED':
        findings.append(f'the sum: {seen[4]["words"]}, {seen[5]["words"]}; {seen[6]["words"]}')
    if seen[4]['pieces'] != ['BUFFER[0]', 'SHARED', 'BUFFER[1]'] or seen[6]['gaps'] != [f'{65536 - 256} bytes'] or not seen[6]['note'].startswith('256 of 65536 bytes'):
        findings.append(f'{seen[4]["pieces"]}, {seen[6]["gaps"]}, {seen[6]["note"]}')
    if seen[9]['piece'] != 'BUFFER[0]' or words(seen[10]).get(0) != '0x00000001':  # nothing is chosen: what the last step accessed
        findings.append(f'{seen[9]["piece"]}, {seen[10]["words"]}')
    return findings


def across_stages():
    """Of a pixel of a scene, the fragment begins with what the vertex has made; slider, lanes and values of both."""
    path = os.path.join(FOLDER.name, 'draws.scene')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(SCENE)
    findings, ends = [], {}
    for stage in ('vertex', 'fragment'):
        arguments = [path, '--pixel', '3,2', '--stage', stage]
        trace = told(*arguments)
        seen = browse(arguments, [('form', 'hex'), ('key', 'End'), ('slide', 1), ('lane', 1)])
        ends[stage] = seen
        last = int(seen[1]['moment'].split()[1])
        findings += [f'{stage}: {wrong}' for wrong in same_values(seen[1], trace, last, trace['lane']) + same_values(seen[2], trace, 1, trace['lane']) + same_values(seen[3], trace, 1, 1)]
        if seen[0]['pieces'] or seen[0]['slider'] != '0':
            findings.append(f'{stage}: {seen[0]["pieces"]}, slider {seen[0]["slider"]}')
    out, into, color = ([[one['values'][f'{name}.{channel}'] for channel in 'xyzw'] for one in ends[stage]] for stage, name in (('vertex', 'OUT[1]'), ('fragment', 'IN[0]'), ('fragment', 'OUT[0]')))
    if out[1] != ['0x3f000000', '0x3f800000', '0x3e800000', '0x40000000'] or into[0] != out[1] or color[1] != ['0x3f800000', '0x40000000', '0x3f000000', '0x40800000']:
        findings.append(f'{out[1]}, {into[0]}, {color[1]}')
    return findings


def recordings():
    """A draw of a program that Mesa recorded: values and lanes of both stages, as --json says them."""
    compiler = shutil.which('cc') or shutil.which('gcc')
    client, recorded = (os.path.join(FOLDER.name, name) for name in ('client', 'recorded'))
    done = compiler and subprocess.run([compiler, '-std=c17', os.path.join(tap.SOURCE, 'tests', 'system', 'opengl_client.c'), '-o', client, '-lEGL', '-lGL'], capture_output=True, timeout=120, check=False)
    if not done or done.returncode:
        raise tap.Skip('no C compiler, libegl-dev or libgl-dev')
    done = subprocess.run([COMMAND, 'gl', '--record', recorded, '--', client], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 77:
        raise tap.Skip('EGL has no surfaceless platform')
    findings = [] if done.returncode == 0 else [done.stderr[-300:]]
    for stage in ('vertex', 'fragment'):
        arguments = [recorded, '--draw', '1', '--stage', stage]
        trace = told(*arguments)
        seen = browse(arguments, [('form', 'hex'), ('key', 'End'), ('slide', 1), ('lane', 2)])
        last = int(seen[1]['moment'].split()[1])
        findings += [f'{stage}: {wrong}' for wrong in same_values(seen[1], trace, last, trace['lane']) + same_values(seen[3], trace, 1, 2)]
        if not written(trace, last, trace['lane']) or not seen[1]['lanes'][str(trace['lane'])][0].split()[-2:].count('chosen'):
            findings.append(f'{stage}: nothing is written, or {seen[1]["lanes"]}')
    return findings


def maxwell():
    """Lookups by Maxwell's instructions: values at each moment; they tell no texels."""
    arguments = [*SWIRL, '--engine', 'maxwell']
    trace = told(*arguments)
    seen = browse(arguments, [('form', 'hex'), ('key', 'End'), ('slide', 13), ('lane', 3), ('key', 'n')])
    findings = same_values(seen[1], trace, 14, trace['lane']) + same_values(seen[2], trace, 13, trace['lane']) + same_values(seen[3], trace, 13, 3)
    have = {(title.split(':')[0], texel) for title, texel, _ in seen[3]['texels']}
    wanted = {(f'level {t["level"]}', f'{t["x"]},{t["y"]}') for step in trace['steps'] for one in step.get('lookups', []) if one['lane'] == 3 for t in one['texels']}
    return findings + ([] if have == wanted else [f'{have ^ wanted}'])


def checked(check):
    def run():
        try:
            return check()
        except AssertionError as problem:
            return [str(problem)]
    return run


tap.run([(name, checked(check)) for name, check in (('forward and back', forward_and_back), ('floats too', floats_too), ('differences are marked', differences_are_marked),
                                                    ('lanes and constructs', lanes_and_constructs), ('footprints', footprints), ('Direct3D', direct3d), ('memory', memory), ('across stages', across_stages),
                                                    ('recordings', recordings), ('Maxwell', maxwell))])
