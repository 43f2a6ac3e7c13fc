/* Texels come through lookups as they went in; a level is the mean of four texels of the one before it. */
#include "gl_program.h"

enum { SIDE = 4 };

static const char vertex[] = "#version 430\nout vec2 at;\nvoid main() {\n"
                             "  at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;\n"
                             "  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);\n}\n";
static const char fragment[] =
    "#version 430\nin vec2 at;\nout vec4 color;\nuniform sampler2D texels;\nuniform float level;\n"
    "void main() { color = textureLod(texels, at, level); }\n";

static void read_level(GLuint program, float level, uint8_t pixels[SIDE][SIDE][4])
{
    glUniform1f(glGetUniformLocation(program, "level"), level);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl_add(pixels, SIDE * SIDE * 4);
}

int main(void)
{
    uint8_t texels[SIDE][SIDE][4], pixels[SIDE][SIDE][4];
    GLuint texture;
    int same = 1, means = 1;
    gl_begin();
    gl_framebuffer(SIDE, SIDE, 0);
    for (unsigned n = 0; n < sizeof texels; n++) (&texels[0][0][0])[n] = (uint8_t)(n * 37 & 0xfc);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    const GLuint program = gl_program(vertex, fragment);
    read_level(program, 0, pixels);
    for (unsigned n = 0; n < sizeof texels; n++) same &= (&pixels[0][0][0])[n] == (&texels[0][0][0])[n];
    CHECK(same);
    read_level(program, 1, pixels);
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            for (unsigned c = 0; c < 4; c++) {
                const unsigned i = x / 2 * 2, j = y / 2 * 2;
                means &= abs(4 * pixels[y][x][c] - texels[j][i][c] - texels[j][i + 1][c] - texels[j + 1][i][c] -
                             texels[j + 1][i + 1][c]) <= 4;
            }
    CHECK(means);
    return gl_end();
}
