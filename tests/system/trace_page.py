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


def checked(check):
    def run():
        try:
            return check()
        except AssertionError as problem:
            return [str(problem)]
    return run


tap.run([(name, checked(check)) for name, check in (('forward and back', forward_and_back), ('floats too', floats_too), ('differences are marked', differences_are_marked),
                                                    ('lanes and constructs', lanes_and_constructs), ('footprints', footprints), ('Direct3D', direct3d))])
