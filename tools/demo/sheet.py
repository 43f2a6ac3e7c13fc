"""The contact sheet: a scene whose textures are the pictures, drawn by the command itself. Holds where they lie."""
import contents

WIDTH, GAP = 1440, 12
SHADERS = '''
shader passed vertex {
  VERT
  DCL IN[0]
  DCL IN[1]
  DCL OUT[0], POSITION
  DCL OUT[1], GENERIC[0]
  MOV OUT[0], IN[0]
  MOV OUT[1], IN[1]
  END
}
shader shown fragment {
  FRAG
  DCL IN[0], GENERIC[0], PERSPECTIVE
  DCL OUT[0], COLOR
  DCL SAMP[0]
  DCL SVIEW[0], 2D, FLOAT
  IMM[0] FLT32 { 1.0, 0.0, 0.0, 0.0 }
  TEX OUT[0].xyz, IN[0].xyyy, SAMP[0], 2D
  MOV OUT[0].w, IMM[0].xxxx
  END
}
sampler smooth { wrap clamp_to_edge; filter linear; mip_filter linear }
'''


def rows():
    """Names of pictures in rows."""
    scenes = [picture.name for picture in contents.SCENES[:contents.LARGE]]
    return scenes[:3], scenes[3:], [picture.name for picture in contents.SHADERS], ['lookup/plane', 'lookup/footprint', 'lookup/lod']


def scene(files):
    """The text of the scene; `files` has of each picture its file, width and height."""
    at, y = [], GAP
    for names in rows():
        shapes = [files[name][1] / files[name][2] for name in names]
        height, x = (WIDTH - GAP * (len(names) + 1)) / sum(shapes), GAP
        for name, shape in zip(names, shapes):
            at.append((name, round(x), y, round(x + height * shape) - round(x), round(height)))
            x += height * shape + GAP
        y += round(height) + GAP
    text = [f'texture sheet {{ size {WIDTH} {y} }}', SHADERS]
    draws = []
    for number, (name, left, top, width, height) in enumerate(at):
        text.append(f'texture t{number} {{ image "{files[name][0]}"; mips }}')
        corners = [(i, j) for j in (1, 0) for i in (0, 1)]
        places = '  '.join(f'{(left + i * width) * 2 / WIDTH - 1:.9f} {1 - (top + j * height) * 2 / y:.9f}  {i} {j}' for i, j in corners)
        text.append(f'mesh m{number} {{ position float2; place float2; vertices {{ {places} }} }}')
        draws.append(f'  bind fragment texture 0 t{number} sampler smooth\n  draw triangle_strip mesh m{number}')
    return '\n'.join(text + ['pass {', '  color 0 sheet', '  clear color 0.07 0.08 0.1 1', '  use passed shown', *draws, '}', 'output sheet', ''])
