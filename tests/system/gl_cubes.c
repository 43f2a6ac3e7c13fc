/* Arrays of cube maps that are compared (OpenGL 4.6 8.23.1; EXT_texture_shadow_lod): reference, level and bias are
 * operands of one lookup. Level 0 has less than the reference, level 1 has more. */
#include "gl_program.h"

#include <string.h>

enum { SIDE = 8, CUBES = 2 };

static const char vertex[] = "#version 430\nout vec2 at;\nvoid main() {\n"
                             "  at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
                             "  gl_Position = vec4(at, 0.0, 1.0);\n}\n";
/* The face is as large as the picture, so the level without bias is 0. Cube 0 has no texel that is near enough. */
static const char fragment[] =
    "#version 430\n#extension GL_EXT_texture_shadow_lod : require\n#extension GL_ARB_texture_cube_map_array : enable\n"
    "in vec2 at;\nout vec4 color;\nlayout(binding = 0) uniform samplerCubeArrayShadow cubes;\nuniform float cube;\n"
    "void main() {\n  vec4 place = vec4(1.0, at.y, at.x, cube);\n"
    "  color = vec4(textureLod(cubes, place, 0.5, 0.0), textureLod(cubes, place, 0.5, 1.0),\n"
    "               texture(cubes, place, 0.5, 0.0), texture(cubes, place, 0.5, 1.0));\n}\n";

static void cubes(void)
{
    static float texels[2][6 * CUBES * SIDE * SIDE];
    GLuint texture;
    for (unsigned n = 0; n < 6 * CUBES * SIDE * SIDE; n++) texels[0][n] = 0.25f;
    for (unsigned n = 0; n < 6 * CUBES * SIDE * SIDE / 4; n++) texels[1][n] = n < 6 * SIDE * SIDE / 4 ? 0.25f : 0.75f;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 2, GL_DEPTH_COMPONENT32F, SIDE, SIDE, 6 * CUBES);
    for (GLint level = 0; level < 2; level++)
        glTexSubImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, level, 0, 0, 0, SIDE >> level, SIDE >> level, 6 * CUBES,
                        GL_DEPTH_COMPONENT, GL_FLOAT, texels[level]);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

int main(void)
{
    GLint count = 0;
    uint8_t pixels[SIDE][SIDE][4];
    gl_begin();
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    while (count && strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)count - 1), "GL_EXT_texture_shadow_lod"))
        count--;
    CHECK(count);
    gl_framebuffer(SIDE, SIDE, 0);
    cubes();
    const GLuint program = gl_program(vertex, fragment);
    for (int cube = 0; cube < CUBES; cube++) {
        glUniform1f(glGetUniformLocation(program, "cube"), (float)cube);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        for (unsigned n = 0; n < SIDE * SIDE; n++) {
            const uint8_t *pixel = pixels[n / SIDE][n % SIDE], wanted = cube ? 255 : 0;
            CHECK(pixel[0] == 0 && pixel[1] == wanted && pixel[2] == 0 && pixel[3] == wanted);
        }
        gl_add(pixels, sizeof pixels);
    }
    return gl_end();
}
