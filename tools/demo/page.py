"""The page of the demo: one file of HTML with its pictures in it. Holds its words and layout; draws nothing."""
import base64
import html
import os

import contents
import drawing

LOUPE = (64, 32)
DOCUMENTS = [('The tour, command by command', 'docs/tour.md'), ('How to draw OpenGL programs', 'docs/opengl.md'), ('OpenGL in CI', 'docs/ci.md'), ('The library', 'include/scheelite')]


def read(path, mode='rb', **more):
    with open(path, mode, **more) as file:
        return file.read()


def text_of(name):
    return read(os.path.join(contents.ROOT, name), 'r', encoding='utf-8')


def image(path, alt, name=''):
    width, height, _ = drawing.texels(path)
    data = base64.b64encode(read(path)).decode()
    return f'<img{f" class={name}" if name else ""} alt="{html.escape(alt)}" width="{width}" height="{height}" src="data:image/png;base64,{data}">'


def mark(good, yes, no):
    return f'<span class="good">✓ {yes}</span>' if good else f'<span class="bad">✗ {no}</span>'


def command(words):
    """As one types it; no line ends within the dashes of an option."""
    text = html.escape(drawing.shown(words), quote=False).replace(',', ',<wbr>')
    return '<pre class="command">' + ' '.join(f'<span class="option">{word}</span>' if word.startswith('-') else word for word in text.split(' ')) + '</pre>'


def loupe(path):
    """A part of a picture around the chosen pixel, much enlarged."""
    width, _, texels = drawing.texels(path)
    wide, high = LOUPE
    left, top = contents.PIXEL[0] - wide // 2, contents.PIXEL[1] - high // 2
    rows = b''.join(texels[(y * width + left) * 4:(y * width + left + wide) * 4] for y in range(top, top + high))
    data = base64.b64encode(read(drawing.command.png('loupe.png', wide, high, rows))).decode()
    return f'<img class="loupe crisp" alt="the ringed part, enlarged" src="data:image/png;base64,{data}">'


def figure(drawn, name='', over='', crisp=False, more=''):
    """A picture with its title, its sentence and its sum."""
    picture = drawn.picture
    verdict = mark(drawn.same, 'the repository’s bits', 'other bits than the repository’s')
    return (f'<figure class="{name}{"" if drawn.same else " wrong"}"><div class="frame">{image(drawn.path, picture.title, "crisp" if crisp else "")}{over}</div>'
            f'<figcaption><h3>{html.escape(picture.title)}</h3><p>{html.escape(picture.text)}</p>{more}'
            f'<p class="proves">{html.escape(picture.proves)}</p><a class="sum" href="#{anchor(picture.name)}">{verdict}</a></figcaption></figure>')


def anchor(words):
    return html.escape(words.lower().replace(' ', '-').replace('/', '-').replace(',', ''))


def link(root, path, words):
    return f'<a href="{html.escape(os.path.join(root, path))}">{html.escape(words)}</a>'


def section(title, words, *parts):
    return f'<section id="{anchor(title)}"><h2>{title}</h2><p class="soft">{words}</p>{"".join(parts)}</section>'


def grid(name, *parts):
    return f'<div class="grid {name}">{"".join(parts)}</div>'


# ---- the parts of the page -------------------------------------------------------------------------------------------

def head(found):
    wrong = [drawn for drawn in found.pictures if not drawn.same]
    count = len(found.pictures)
    if wrong or found.wrong:
        verdict = f'✗ {len(wrong)} of {count} pictures differ from the repository\'s' if wrong else '✗ ' + '; '.join(found.wrong)
    else:
        verdict = f'✓ All {count} pictures are the same bits as in the repository: the same as on every machine'
    return (f'<header><h1>Scheelite</h1><p class="lead">Shaders in TGSI, Direct3D and Maxwell code, run on the CPU with the same bits on every machine.</p>'
            f'<div class="verdict {"bad" if wrong or found.wrong else "good"}">{html.escape(verdict)}</div>'
            f'<p class="soft whole">{html.escape(found.machine)}</p></header>')


def contents_of(sections, root):
    """Links to the parts of the page and to the documents beside it."""
    titles = [part.split('<h2>', 1)[1].split('</h2>', 1)[0] for part in sections]
    parts = [f'<a href="#{anchor(title)}">{title}</a>' for title in titles]
    return f'<nav>{"".join(parts + [link(root, path, name) for name, path in DOCUMENTS])}</nav>'


def scenes(found):
    large = [figure(found.by_name[picture.name]) for picture in contents.SCENES[:contents.LARGE]]
    small = [figure(found.by_name[picture.name], 'small', crisp=True) for picture in contents.SCENES[contents.LARGE:]]
    bits = 'The bits are the same.' if all(len(set(drawn.digests)) == 1 for drawn in found.pictures) else 'The bits differ.'
    return section('The pipeline', 'Each scene is a text: shaders, meshes, textures, state, passes. Each was drawn twice just now: '
                   + ('by machine code on all processors' if found.compiles else 'on all processors') +
                   f', and by the interpreter on one. {bits}', grid('two', *large), grid('six', *small),
                   grid('', command(contents.SCENES[0].words + ['-o', 'shadows.png'])))


def shaders(found):
    return section('Fragment shaders', 'TGSI texts of <code>examples/shaders</code>, run over a picture by <code>scheelite run</code>.',
                   grid('six', *(figure(found.by_name[picture.name]) for picture in contents.SHADERS)),
                   grid('', command(contents.SHADERS[0].words + ['-o', 'swirl.png'])))


def lookup(found):
    x, y = contents.PIXEL
    ring = f'<div class="ring" style="left:{(x + 0.5) / contents.WIDTH * 100:.3f}%;top:{(y + 0.5) / contents.HEIGHT * 100:.3f}%"></div>'
    planes = [figure(found.by_name[picture.name], over=ring + loupe(found.by_name[picture.name].path)) for picture in contents.PLANES]
    foot = found.by_name['lookup/footprint']
    explained = f'<div class="column">{command(foot.picture.words + [foot.picture.to, "texels.png"])}<pre class="explained">{html.escape(foot.report)}</pre></div>'
    return section('A lookup explained', 'A floor of tiles, tilted to the horizon: where pixels cover long strips of the texture, filtering is hard. '
                   'Every step of a lookup can be shown: the level of detail, the texels, their weights.',
                   grid('two', *planes), grid('wide', figure(foot), explained),
                   grid('two', *(figure(found.by_name[picture.name]) for picture in contents.HEATS)),
                   grid('', command(contents.HEATS[0].words + ['-o', 'lod.png'])))


def languages(found):
    columns = []
    for (name, sources, words), answer in zip(contents.LANGUAGES, found.answers):
        lines = '\n'.join(line for source in sources for line in text_of(source).splitlines() if not line.startswith(('//', '#')))
        cells = ''.join(f'<span>{html.escape(word)}</span>' for word in answer.split(','))
        columns.append(f'<div class="column"><h3>{html.escape(name)}</h3><pre class="verbatim">{html.escape(lines)}</pre>'
                       f'<div class="answer">{cells}</div>{command(words)}</div>')
    color = [round(value * 255) for value in drawing.floats(found.answers[0])]
    swatch = f'<span class="swatch" style="background:rgb({color[0]},{color[1]},{color[2]})"></span>'
    return section('One lookup, three languages, one answer', 'The lookup of the ringed pixel as TGSI, as Direct3D bytecode, and as Maxwell machine code '
                   'with a texture header, a sampler and blocklinear memory.', grid('three', *columns),
                   f'<p style="margin-top:18px">{mark(found.one_answer, "one answer", "the answers differ")}: red, green, blue and alpha as bits of floats. In the picture above '
                   f'the pixel ({contents.PIXEL[0]}, {contents.PIXEL[1]}) is {swatch} {", ".join(map(str, color[:3]))}: '
                   f'{mark(found.in_picture, "that colour", "another colour")}.</p>')


def times(found):
    rows, most = [], max(taken[0] for taken in found.times.values())
    for name, (interpreted, compiled, first) in found.times.items():
        bars = f'<div class="bar" style="width:{interpreted / most * 100:.2f}%"></div>'
        cells = f'<td class="number">{interpreted * 1000:.0f} ms</td>'
        if compiled is not None:
            bars += f'<div class="bar fast" style="width:{compiled / most * 100:.2f}%"></div>'
            cells += (f'<td class="number">{compiled * 1000:.0f} ms</td><td class="number"><b>{interpreted / compiled:.1f}×</b></td>'
                      f'<td class="number soft">{first * 1000:.0f} ms</td>')
        rows.append(f'<tr><td>{html.escape(name.split("/")[1])}</td><td style="width:52%">{bars}</td>{cells}</tr>')
    heads = '<th>picture</th><th></th><th class="number">interpreter</th>'
    words = f'Pictures of {contents.TIMED_SIZE} pixels, measured on this machine just now: the least of up to {drawing.TURNS} turns of the whole command, from its start to the written file.'
    if found.compiles:
        heads += '<th class="number">machine code</th><th class="number"></th><th class="number">first time</th>'
        words += (' The first time a shader is compiled; then its machine code comes from the cache.'
                  '<span class="key" style="background:var(--warm)"></span>interpreter<span class="key" style="background:var(--accent)"></span>machine code')
    else:
        words += ' This build has no compiler of machine code: that needs clang 19 and LLVM 19 (Debian packages clang-19 and llvm-19-dev).'
    return section('Interpreter and machine code', words, f'<div class="scroll"><table><tr>{heads}</tr>{"".join(rows)}</table></div>')


def client(found):
    words = 'Any program that draws with OpenGL, through Mesa’s driver virpipe, with no graphics card.'
    if found.absent:
        return section('OpenGL programs', words, f'<p>Not shown here: {html.escape(found.absent)}.</p>', command(['gl', 'glxgears']))
    program, path, same = found.client
    verdict = mark(same, 'the interpreter draws the same frame from a recording', 'the interpreter draws another frame from the recording')
    shown = (f'<figure><div class="frame">{image(path, program[0])}</div><figcaption><h3>{html.escape(program[0])}</h3><p>The first frame of a program from Debian, drawn just now.</p>'
             f'<div class="sum">{verdict}</div></figcaption></figure>')
    return section('OpenGL programs', words, grid('two', shown, f'<div class="column">{command(["gl", *program])}'
                                                  f'{command(["gl", "--record", "recording", *program])}{command(["replay", "recording", "--frame", "0", "-o", "frame.png"])}'
                                                  '<p class="soft">A frame depends on the client’s own arithmetic and its version of Mesa, so the repository keeps no sum of it. '
                                                  'What the client sent is recorded, and drawn again by the interpreter.</p></div>'))


def sums(found):
    rows = []
    for drawn in found.pictures:
        same = '<span class="good">✓ same</span>' if drawn.same else '<span class="bad">✗ differs</span>'
        ways = ' / '.join(dict.fromkeys(drawn.digests))
        rows.append(f'<tr id="{anchor(drawn.picture.name)}"><td>{html.escape(drawn.picture.name)}</td><td><code>{ways}</code></td><td><code{"" if drawn.same else " class=bad"}>{drawn.known or "none"}</code></td><td>{same}</td></tr>')
    return section('Every sum', 'SHA-256 of the texels of each picture (red, green, blue and alpha, 8 bits), as drawn here and as in '
                   '<code>examples/scenes/pictures.sha256</code>. No picture depends on the processor, the compiler, the engine, the vector width or the number of threads.',
                   f'<div class="scroll"><table class="sums"><tr><th>picture</th><th>drawn here</th><th>in the repository</th><th></th></tr>{"".join(rows)}</table></div>')


def page(found):
    style = read(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'style.css'), 'r', encoding='utf-8')
    sections = [client(found), scenes(found), shaders(found), lookup(found), languages(found), times(found), sums(found)]
    body = [head(found), contents_of(sections, found.root), *sections]
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<title>Scheelite</title><link rel="icon" href="data:,"><style>{style}</style></head><body><main>{"".join(body)}'
            f'<footer>Drawn by <code>./dev demo</code>. {link(found.root, "docs/tour.md", "docs/tour.md")} has the commands, '
            f'{link(found.root, "ARCHITECTURE.md", "ARCHITECTURE.md")} the rules.</footer></main></body></html>\n')
