"""The programs that time the workloads of bench/peers.def, one for each side, and the level of instructions that both
sides are held to. Holds no comparison and no table."""
import argparse
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHADERS = os.path.join(HERE, 'bench', 'peers')
PACKAGES = 'libegl-dev libgl-dev libgl1-mesa-dri'
VULKAN_PACKAGES = 'libvulkan-dev glslang-tools mesa-vulkan-drivers'
LLVMPIPE = {'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe', 'LP_NUM_THREADS': '1', 'MESA_SHADER_CACHE_DISABLE': '1'}
# By level: lanes of our vectors, what the processor must have, what both sides are told (the C library, too), and what
# llvmpipe. llvmpipe chooses 256 bits by itself where there are more, and crashes with 512 (Mesa 22.3.6).
LIBC = {'GLIBC_TUNABLES': 'glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW'}
LEVELS = {'sse2': ('4', 'sse2', LIBC, {'LP_NATIVE_VECTOR_WIDTH': '128', 'GALLIUM_OVERRIDE_CPU_CAPS': 'sse2'}),
          'avx2': ('8', 'avx2', LIBC, {'LP_NATIVE_VECTOR_WIDTH': '256'}),
          'avx512': ('16', 'avx512bw', {}, {}),
          'native': ('0', '', {}, {})}


def die(text):
    print('bench: ' + text, file=sys.stderr)
    sys.exit(1)


def processor():
    """The processor's name, and its features. A virtual machine's name may say little: family and model say more."""
    facts = {}
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        for line in file:
            name, _, value = line.partition(':')
            facts.setdefault(name.strip(), value.strip())
    name = facts.get('model name') or facts.get('CPU part') or 'unknown'
    family = f' (family {facts["cpu family"]}, model {facts["model"]})' if 'cpu family' in facts else ''
    return name + family, facts.get('flags', '').split()


def add_options(parser, rounds=3, timed=True):
    """What all commands that run workloads know."""
    parser.add_argument('--level', choices=LEVELS, default='native', help='instructions that both sides are held to')
    parser.add_argument('--only', help='workloads, separated by commas')
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    if timed:
        parser.add_argument('--engine', default='auto', help='interp, jit or auto')
        parser.add_argument('--rounds', type=int, default=rounds, help='turns of both sides for each workload')
        parser.add_argument('--repetitions', type=int, default=3, help='measurements in a turn; their median counts')
        parser.add_argument('--seconds', type=float, default=0.4, help='of one measurement')


class Side:
    """A program: what it knows of a workload is what its line says."""

    def __init__(self, asked, program, *options, environment=None, shaders=SHADERS):
        self.asked, self.program, self.options, self.shaders = asked, program, options, shaders
        self.environment = {**os.environ, **(environment or {})}

    def ways(self, work):
        """The ways that the program has to do the workload."""
        return listed(self.program).get(work, ('', [], []))[2]

    def rows(self, work, *options):
        """The lines of the workload, one for each way to do it; none: it did not run, which is said."""
        command = [self.program, '--shaders', self.shaders, '--only', work, *self.options, *options]
        ran = subprocess.run(command, capture_output=True, text=True, env=self.environment, check=False)
        lines = [line.split('\t') for line in ran.stdout.splitlines()]
        if ran.returncode or not lines:
            print(f'# {work}: exit {ran.returncode}: {ran.stderr.strip()[-500:]}', file=sys.stderr)
            return []
        return [{'unit': line[1], 'first': float(line[2]), 'rate': float(line[6]), 'wall': float(line[5]), 'check': line[9],
                 'way': line[10], 'renderer': ran.stderr} for line in lines]

    def draw(self, work, picture, *options):
        """Its first line, untimed; None: it did not run."""
        return next(iter(self.rows(work, '--repetitions', '0', '--picture', picture, *options)), None)

    def time(self, work, *options):
        return self.rows(work, '--repetitions', str(self.asked.repetitions), '--seconds', str(self.asked.seconds), *options)


def program(asked, name):
    path = os.path.join(asked.build, 'bench', name)
    if not os.path.exists(path):
        die(f'there is no {path}; Debian packages: {PACKAGES}')
    return path


def ours(asked, path=None, options=()):
    lanes, _, environment, _ = LEVELS[asked.level]
    return Side(asked, path or program(asked, 'peers'), '--engine', asked.engine, '--width', lanes, *options, environment=environment)


def llvmpipe(asked, options=()):
    _, _, environment, theirs = LEVELS[asked.level]
    return Side(asked, program(asked, 'peers-gl'), *options, environment={**environment, **LLVMPIPE, **theirs})


# Where bench/peers_vk.c expects what GLSL for OpenGL has no words for: uniforms, and the texture.
VULKAN = ('-V', '-R', '--amb', '--aml', '--sub', '4', '--stb', '8')


def lavapipe(asked, folder):
    """Mesa's llvmpipe through Vulkan, with the shaders' SPIR-V in `folder`; None: it, its program or glslang is not here."""
    path, glslang = os.path.join(asked.build, 'bench', 'peers-vk'), shutil.which('glslangValidator')
    if not os.path.exists(path) or not glslang:
        return None
    for name in sorted({name for _, shaders, _ in listed(path).values() for name in shaders}):
        made = subprocess.run([glslang, *VULKAN, '-o', os.path.join(folder, name + '.spv'), os.path.join(SHADERS, name)],
                              capture_output=True, text=True, check=False)
        if made.returncode:
            die(f'glslangValidator: {name}: {made.stdout}{made.stderr}')
    _, _, environment, theirs = LEVELS[asked.level]
    side = Side(asked, path, environment={**environment, **LLVMPIPE, **theirs}, shaders=folder)
    return side if subprocess.run([path, '--shaders', folder, '--only', 'none'], env=side.environment, capture_output=True,
                                  check=False).returncode == 0 else None


def kernels(asked):
    """None: kernels are written for AVX2 and up."""
    return None if asked.level == 'sse2' else Side(asked, program(asked, 'peers-kernels'), '--level', asked.level)


def listed(path):
    """By workload: unit, shaders, ways."""
    text = subprocess.run([path, '--list'], capture_output=True, text=True, check=True).stdout
    rows = [line.split('\t') for line in text.splitlines()]
    return {name: (unit, shaders.split(), ways.split()) for name, unit, shaders, ways in rows}


def settle_level(asked):
    """The level `native` becomes the one that it means here; ends where the processor lacks the level."""
    name, flags = processor()
    if asked.level == 'native':
        asked.level = next((level for level in ('avx512', 'avx2') if LEVELS[level][1] in flags), 'native')
    if LEVELS[asked.level][1] and LEVELS[asked.level][1] not in flags:
        die(f'{name} has no {asked.level}')


def wanted(asked):
    """The workloads that were asked for; ends where one is not known, or the processor lacks the level."""
    settle_level(asked)
    works = list(listed(program(asked, 'peers')))
    unknown = set(re.findall('[^,]+', asked.only or '')) - set(works)
    if unknown:
        die('no such workload: ' + ' '.join(sorted(unknown)) + '; there are: ' + ' '.join(works))
    return [work for work in works if not asked.only or work in asked.only.split(',')]
