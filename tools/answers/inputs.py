"""What a shader is given to run: its declarations, read from TGSI text; vectors for eval, textures, buffers and
constants made from its name. Holds no call of the command."""
import hashlib
import json
import random
import re

POOL_WORDS = 1 << 16
REGISTERS = 24      # constants of one range that are set
UNITS = 4           # of an array of textures or buffers that are bound
VERTICES = {'POINTS': 1, 'LINES': 2, 'LINES_ADJACENCY': 4, 'TRIANGLES': 3, 'TRIANGLES_ADJACENCY': 6}
PATCH = 4           # vertices of patches and of whatever else is an array
BUFFER_BYTES = 1024
FORMATS = {'FLOAT': ('R8G8B8A8_UNORM', 'R16G16B16A16_FLOAT', 'R32G32B32A32_FLOAT', 'B5G6R5_UNORM', 'R8_SNORM', 'R8G8B8A8_SRGB'),
           'UINT': ('R32G32B32A32_UINT', 'R8G8_UINT'), 'SINT': ('R32G32B32A32_SINT', 'R16_SINT'), 'SHADOW': ('Z32_FLOAT', 'Z16_UNORM')}
WRAPS = ('repeat', 'clamp_to_edge', 'mirror_repeat', 'clamp_to_border')
SIZES = {'1D': '21', '3D': '9x7x5', 'CUBE': '8x8', 'BUFFER': '64'}
# What execution itself knows; the others are given.
KNOWN = ('INVOCATIONID', 'SAMPLEID', 'SAMPLEPOS', 'SAMPLEMASK', 'THREAD_ID', 'BLOCK_ID', 'VERTICESIN', 'HELPER_INVOCATION')
COUNTS = (32, 12, 4)  # invocations of each dispatch of eval

DECLARED = re.compile(rb'^\s*DCL\s+(\w+)((?:\[[^\]]*\])+)(?:\.\w+)?(.*)$', re.M)


def numbers(seed):
    return random.Random(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], 'little'))


def _pool():
    """Small integers, any bits, and floats around zero, in hexadecimal."""
    drawn, words = numbers('words'), []
    for _ in range(POOL_WORDS):
        kind, bits = drawn.randrange(4), drawn.getrandbits(32)
        if kind >= 2:
            exponent, sign = 0x3d + drawn.randrange(5), drawn.randrange(2)
            bits = sign << 31 | exponent << 24 | bits >> 8
        words.append(f'0x{bits % 8 if kind == 0 else bits:x}')
    return words


POOL = _pool()


class Words:
    """An endless sequence of words that the seed tells."""

    def __init__(self, seed):
        self.at = numbers(seed).randrange(POOL_WORDS)

    def take(self, count):
        self.at = (self.at + 7919) % (POOL_WORDS - count)
        return POOL[self.at:self.at + count]

    def vector(self):
        return ','.join(self.take(4))

    def bits(self):
        """The same as one argument: 0x and eight digits are the bits."""
        return ','.join('0x' + word.rjust(8, '0') for word in self.take(4))

    def bytes(self, count):
        return b''.join(int(word, 16).to_bytes(4, 'little') for word in self.take(count // 4))


class Shader:
    """What a TGSI text declares; `registers`: of a Direct3D shader its ranges of registers, from info."""

    def __init__(self, name, text, info):
        self.name, self.text, self.words = name, text, Words(name)
        self.stage = info.get('stage', '')
        self.ranges = info.get('ranges', [])
        self.spaces = info.get('profile', '').endswith('_5_1')
        self.declared = [(file.decode(), dimensions.decode(), rest.decode()) for file, dimensions, rest in DECLARED.findall(text)]
        self.draw = numbers(name + ' state')

    def of(self, file):
        """(brackets before the last, first, last, words behind) of each declaration of a file."""
        for name, dimensions, rest in self.declared:
            if name == file:
                *before, last = re.findall(r'\[([^\]]*)\]', dimensions)
                first, _, end = last.partition('..')
                if first.strip().isdigit():
                    yield before, int(first), int(end or first), [w.strip() for w in rest.split(',') if w.strip()]

    def property(self, name, default):
        found = re.search(rf'^\s*PROPERTY {name} (\w+)'.encode(), self.text, re.M)
        return found.group(1).decode() if found else default

    def slot(self, file, unit):
        """How options name a unit: the register and its space where there are spaces. None: by no option."""
        if not self.spaces:
            return str(unit)
        for given in self.ranges:
            if given['file'] == file and 0 <= unit - given['unit'] < given['units']:
                letter, number = given['register'][0], int(given['register'][1:]) + unit - given['unit']
                return f'{given["space"]}:{letter if file == "BUFFER" else ""}{number}'
        return None

    def units(self, file):
        """(slot, unit, words behind) of each unit of a file, of arrays the first ones."""
        for _, first, last, rest in self.of(file):
            for unit in range(first, min(last, first + UNITS - 1) + 1):
                if self.slot(file, unit) is not None:
                    yield self.slot(file, unit), unit, rest

    # ---- what is bound -----------------------------------------------------------------------------------------------

    def texture(self, target, kind):
        """A texture of a target and its state, as an option says it."""
        shadow, plain = 'SHADOW' in target, target.replace('SHADOW', '')
        draw, samples = self.draw, 'MSAA' in target
        base = next((base for base in SIZES if plain.startswith(base) and plain != '2D'), '2D')
        layers = '' if 'ARRAY' not in plain else f':layers={12 if base == "CUBE" else 3}'
        levels = '' if samples or base == 'BUFFER' or plain == 'RECT' else f':levels={draw.randrange(1, 4)}'
        text = f'random:{draw.choice(FORMATS["SHADOW" if shadow else kind])}:{SIZES.get(base, "19x13")}{levels}{layers}'
        text += f'{":samples=4" if samples else ""}:seed={draw.randrange(1 << 16)},target={target}'
        if samples or base == 'BUFFER':
            return text
        if plain == 'RECT':
            return text + ',wrap=clamp_to_edge'
        return f'{text},{self.state()}' if kind == 'FLOAT' else f'{text},wrap={draw.choice(WRAPS)}'

    def state(self):
        draw = self.draw
        return (f'wrap={draw.choice(WRAPS)},filter={draw.choice(("linear", "linear", "nearest"))},mip={draw.choice(("none", "nearest", "linear"))},'
                f'compare={draw.choice(("lequal", "greater", "notequal"))}')

    def target_of(self, unit):
        """The target that the first lookup of a sampler names."""
        found = re.search(rf'SAMP\[{unit}\], ((?:SHADOW)?(?:[123]D|CUBE|RECT|BUFFER)\w*)'.encode(), self.text)
        return found.group(1).decode() if found else '2D'

    def textures(self):
        """Where views are declared, textures are theirs, and samplers have numbers of their own."""
        views = {slot: (rest[0] if rest and rest[0] != 'UNKNOWN' else '2D', rest[1] if len(rest) > 1 and rest[1] in FORMATS else 'FLOAT')
                 for slot, _, rest in self.units('SVIEW')}
        alone = {slot: unit for slot, unit, _ in self.units('SAMP') if slot not in views}
        options = [word for slot, (target, kind) in views.items() for word in ('--tex', f'{slot}={self.texture(target, kind)}')]
        for slot, unit in alone.items():
            options += ['--sampler', f'{slot}={self.state()}'] if views else ['--tex', f'{slot}={self.texture(self.target_of(unit), "FLOAT")}']
        return options

    def image_format(self, rest):
        declared = next((word[len('PIPE_FORMAT_'):] for word in rest if word.startswith('PIPE_FORMAT_')), 'NONE')
        return declared if declared != 'NONE' else self.draw.choice(('R32_UINT', 'R8G8B8A8_UNORM', 'R32G32B32A32_FLOAT', 'R32_FLOAT'))

    def images(self, files):
        options = []
        for slot, unit, rest in self.units('IMAGE'):
            target = rest[0] if rest else '2D'
            base = next((base for base in SIZES if target.startswith(base) and target != '2D'), '2D')
            layers = '' if 'ARRAY' not in target else f':layers={12 if base == "CUBE" else 3}'
            options += ['--image', f'{slot}=random:{self.image_format(rest)}:{SIZES.get(base, "19x13")}{layers}'
                        f'{":samples=4" if "MSAA" in target else ""}:seed={self.draw.randrange(1 << 16)},target={target}',
                        '--image-out', f'{slot}=image.{unit}']
            files.append(f'image.{unit}')
        return options

    def memory(self, place, files):
        options = []
        place.write('memory.bin', self.words.bytes(BUFFER_BYTES))
        for slot, unit, _ in {**{s: (s, u, r) for s, u, r in self.units('BUFFER')},
                              **{s: (s, u, r) for s, u, r in self.units('RES') if r[:1] == ['BUFFER']}}.values():
            options += ['--buffer', f'{slot}=memory.bin', '--buffer-out', f'{slot}=buffer.{unit}']
            files.append(f'buffer.{unit}')
        for slot in dict.fromkeys(int(before[0] or 0) for before, *_ in self.of('HWATOMIC') if before):
            options += ['--hwatomic', f'{slot}=memory.bin', '--hwatomic-out', f'{slot}=counters.{slot}']
            files.append(f'counters.{slot}')
        kinds = {word for *_, rest in self.of('MEMORY') for word in rest}
        if 'GLOBAL' in kinds:
            options += ['--global', 'memory.bin', '--global-out', 'global.bin']
            files.append('global.bin')
        return options + (['--input', 'memory.bin'] if 'INPUT' in kinds else [])

    def constants(self):
        """(slot of the buffer or None, buffer, register) of what is set."""
        for before, first, last, _ in self.of('CONST'):
            buffer = int(before[0] or 0) if before else 0
            for register in sorted({*range(first, min(last, first + REGISTERS - 1) + 1), last}):
                yield self.slot('CONST', buffer), buffer, register

    def constant_options(self):
        return [word for slot, _, register in self.constants() if slot is not None
                for word in ('--const', f'{slot}:{register}={self.words.bits()}')]

    def bindings(self, place, files):
        options = self.textures() + self.images(files) + self.memory(place, files)
        if b'FBFETCH' in self.text:
            options += ['--fb', '0=random:R8G8B8A8_UNORM:32x32:seed=5']
        return options

    # ---- invocations -------------------------------------------------------------------------------------------------

    def vertices(self):
        return VERTICES.get(self.property('GS_INPUT_PRIMITIVE', ''), PATCH)

    def counts(self):
        """Invocations of each dispatch: whole patches, whole primitives."""
        whole = {'tess_ctrl': 'TCS_VERTICES_OUT', 'geometry': 'GS_INVOCATIONS'}.get(self.stage)
        together = max(1, int(self.property(whole, '1'))) if whole else 1
        return [max(together, count - count % together) for count in COUNTS]

    def inputs(self):
        """The fields of one invocation."""
        words, fields = self.words, []
        for before, first, last, _ in self.of('IN'):
            for register in range(first, last + 1):
                vertices = range(self.vertices()) if before else [None]
                fields += [f'IN[{register}]={words.vector()}' if v is None else f'IN[{v}][{register}]={words.vector()}' for v in vertices]
                if b'INTERP_' in self.text and self.stage == 'fragment':
                    fields += [f'PLANE[{register}][{k}]={words.vector()}' for k in range(4)]
        for _, first, last, rest in self.of('SV'):
            if rest and not rest[0].startswith(KNOWN):
                fields += [f'SV[{register}]={words.vector()}' for register in range(first, last + 1)]
        if b'INTERP_' in self.text:
            fields.append('CENTROID[0]=3e000000,be800000')
        if b'FBFETCH' in self.text:
            fields.append(f'PIXEL[0]=0x{self.draw.randrange(32):x},0x{self.draw.randrange(32):x}')
        return fields

    def vectors(self):
        """The lines of eval; the constants of each dispatch are others where no option has set them."""
        lines = []
        for count in self.counts():
            given = [] if self.spaces else [f'CONST[{b}][{r}]={self.words.vector()}' for _, b, r in self.constants()]
            lines += ['\t'.join(self.inputs() + given) for _ in range(count)]
        return '\n'.join(lines).encode() + b'\n'


def read_info(answer):
    """What info --json says; {} if it says nothing."""
    try:
        return json.loads(answer.out)
    except ValueError:
        return {}
