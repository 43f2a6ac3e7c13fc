#!/usr/bin/env python3
"""The Python package as its users have it: a wheel made of this build, installed in a clean virtual environment, passes the
tests of python/tests; another is made of an installed prefix, as packages are built. Holds no test of what the package
does."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
TESTS = os.path.join(tap.SOURCE, 'python', 'tests')
# Modules that building and testing take, by Debian's packages. The version in PATH may be one that has none of them.
MODULES = {'cffi': 'python3-cffi', 'numpy': 'python3-numpy', 'setuptools': 'python3-setuptools', 'wheel': 'python3-wheel',
           'build': 'python3-build', 'pip': 'python3-pip', 'pytest': 'python3-pytest', 'ensurepip': 'python3-venv'}
LACKS = ('import importlib.util, sys\n'
         'print(*(name for name in sys.argv[1:] if not importlib.util.find_spec(name)), sep="\\n")')


def environment(**more):
    known = {name: value for name, value in os.environ.items() if name not in ('PYTHONPATH', 'PYTHONHOME', 'VIRTUAL_ENV')}
    return {**known, 'PIP_NO_INDEX': '1', 'PIP_DISABLE_PIP_VERSION_CHECK': '1', 'PYTHONDONTWRITEBYTECODE': '1', **more}


def output(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False,
                          **{'env': environment(), **options})
    return done.returncode, done.stdout


def lacking(python):
    """Asked in an empty folder: where a build is, its folder would pass for the module of that name."""
    status, text = output([python, '-c', LACKS, *MODULES], cwd=FOLDER.name)
    return text.split() if status == 0 else list(MODULES)


def interpreter():
    """The Python that has all modules: Debian's, if it is not the one that runs this."""
    candidates = [path for path in (sys.executable, '/usr/bin/python3') if os.path.exists(path)]
    best = min(candidates, key=lambda path: len(lacking(path)))
    missing = lacking(best)
    if missing:
        raise tap.Skip(f'{best} lacks {", ".join(f"{name} ({MODULES[name]})" for name in missing)}')
    status, _ = output([best, '-c', 'import sysconfig, os; open(os.path.join(sysconfig.get_path("include"), "Python.h"))'])
    if status:
        raise tap.Skip('no Python.h (python3-dev)')
    for program in ('pkg-config', 'cc', 'readelf'):
        if not shutil.which(program):
            raise tap.Skip(f'no {program}')
    return best


def wheel(name, builder, **variables):
    """Builds a wheel in a copy of the sources by `builder`, arguments of Python without folders. Returns its path, or what
    went wrong."""
    source, made = os.path.join(FOLDER.name, name), os.path.join(FOLDER.name, name + '-wheel')
    shutil.copytree(os.path.join(tap.SOURCE, 'python'), source,
                    ignore=shutil.ignore_patterns('build', 'dist', '*.egg-info', '*.so', '__pycache__', '.*_cache'))
    status, text = output([interpreter(), *builder, made, source], env=environment(**variables))
    found = glob.glob(os.path.join(made, '*.whl'))
    return (found[0], '') if status == 0 and len(found) == 1 else (None, text)


def venv(name, path):
    """A clean virtual environment with a wheel; numpy and cffi are the system's. Returns its Python."""
    folder = os.path.join(FOLDER.name, name)
    for command in ([interpreter(), '-m', 'venv', '--system-site-packages', folder],
                    [os.path.join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '--no-deps', path]):
        status, text = output(command)
        if status:
            raise OSError(f'{" ".join(command)}: {text}')
    return os.path.join(folder, 'bin', 'python')


def python_of_build():
    """Made by the first check, for all others."""
    path = os.path.join(FOLDER.name, 'venv', 'bin', 'python')
    if not os.path.exists(path):
        interpreter()
        raise OSError('there is no wheel to test')
    return path


def a_wheel_of_this_build():
    made, text = wheel('of-build', ['-m', 'build', '--wheel', '--no-isolation', '--outdir'],
                       PKG_CONFIG_PATH=os.path.join(tap.BUILD, 'meson-uninstalled'))
    if not made:
        return [text]
    if '-cp311-abi3-' not in os.path.basename(made):
        return [f'{os.path.basename(made)} is not for all versions of Python from 3.11 on']
    python = venv('venv', made)
    status, text = output([python, '-c', 'import scheelite; print(scheelite.__version__, scheelite.__file__)'],
                          cwd=FOLDER.name)
    version = os.path.basename(made).split('-')[1]
    good = status == 0 and text.startswith(version + ' ') and FOLDER.name in text
    return [] if good else [f'exit status {status}, version {version}: {text}']


def tests_of(path):
    def pass_all():
        python = python_of_build()
        command = os.path.join(tap.BUILD, 'src', 'cli', 'scheelite')
        compiler = os.path.join(tap.BUILD, 'src', 'jit', 'libscheelite-jit.so')
        known = {'SCHEELITE_COMPILER': compiler} if os.path.exists(compiler) else {}
        status, text = output([python, '-m', 'pytest', '-q', '-rs', '-p', 'no:cacheprovider', path],
                              env=environment(SCHEELITE_COMMAND=command, **known), cwd=FOLDER.name)
        skipped = [line for line in text.splitlines() if line.startswith('SKIPPED')]
        if status == 0 and ' passed' not in text.splitlines()[-1]:
            raise tap.Skip(' '.join(skipped))
        print(*(f'# {line}' for line in skipped), sep='\n', end='\n' if skipped else '')
        return [] if status == 0 else text.splitlines()
    return pass_all


def a_wheel_of_an_installed_prefix():
    """As a package is built: the libraries are in a folder that they do not stay in, and the loader finds them later."""
    interpreter()
    if not shutil.which('meson'):
        raise tap.Skip('no meson')
    root = os.path.join(FOLDER.name, 'root')
    status, text = output(['meson', 'install', '-C', tap.BUILD, '--no-rebuild', '--tags', 'runtime,devel', '--destdir', root])
    if status:
        return [text]
    found = glob.glob(os.path.join(root, '**', 'scheelite.pc'), recursive=True)
    made, text = wheel('of-prefix', ['-m', 'pip', 'wheel', '--no-build-isolation', '--no-deps', '--wheel-dir'],
                       PKG_CONFIG_PATH=os.path.dirname(found[0]), PKG_CONFIG_SYSROOT_DIR=root, SCHEELITE_RPATH='none')
    if not made:
        return [text]
    python = venv('venv-of-prefix', made)
    program = ('import scheelite; text = "FRAG\\nDCL IN[0], GENERIC, LINEAR\\nDCL OUT[0], COLOR\\n'
               'MOV OUT[0], IN[0]\\nEND\\n"; print(scheelite.run(text, (4, 1))[0, :, 0].tolist(), '
               'scheelite.compare(text, text, count=8).equal, scheelite.command_path())')
    module = glob.glob(os.path.join(FOLDER.name, 'venv-of-prefix', '**', '_native.abi3.so'), recursive=True)
    status, text = output(['readelf', '-d', *module])
    if status or 'libscheelite.so.1' not in text or 'PATH' in text:
        return ['the module should need the library and say nothing of its folder:', *text.splitlines()]
    status, text = output([python, '-c', program], cwd=FOLDER.name,
                          env=environment(LD_LIBRARY_PATH=os.path.dirname(os.path.dirname(found[0]))))
    command = os.path.realpath(glob.glob(os.path.join(root, '**', 'bin', 'scheelite'), recursive=True)[0])
    return [] if text == f'[0.125, 0.375, 0.625, 0.875] True {command}\n' else [f'exit status {status}: {text}']


tap.run([('a wheel of this build, in a clean virtual environment', a_wheel_of_this_build),
         *((f'python/tests/{os.path.basename(path)}', tests_of(path)) for path in
           sorted(glob.glob(os.path.join(TESTS, 'test_*.py')))),
         ('a wheel of an installed prefix', a_wheel_of_an_installed_prefix)])
