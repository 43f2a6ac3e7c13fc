/* Cube maps and arrays that are compared (OpenGL 4.6 8.23.1; EXT_texture_shadow_lod): reference, level and bias are
 * operands of one lookup. Level 0 has less than the reference, level 1 has more. */
#include "gl_program.h"

#include <string.h>

enum { SIDE = 8, LAYERS = 2 };

static const char vertex[] = "#version 430\nout vec2 at;\nvoid main() {\n"
                             "  at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
                             "  gl_Position = vec4(at, 0.0, 1.0);\n}\n";
/* The face is as large as the picture, so the level without bias is 0. Layer or cube 0 has no texel that is far enough;
 * a single cube has only the other ones. */
#define FRAGMENT(sampler, place, lookup)                                                                               \
    "#version 430\n#extension GL_EXT_texture_shadow_lod : require\n"                                                   \
    "#extension GL_ARB_texture_cube_map_array : enable\n"                                                              \
    "in vec2 at;\nout vec4 color;\nlayout(binding = 0) uniform " sampler " map;\nuniform float layer;\n"               \
    "void main() {\n  vec4 place = " place ";\n"                                                                       \
    "  color = vec4(textureLod(map, place, " lookup "0.0), textureLod(map, place, " lookup "1.0),\n"                   \
    "               texture(map, place, " lookup "0.0), texture(map, place, " lookup "1.0));\n}\n"

static const struct kind {
    GLenum target;
    GLsizei faces; /* of a layer */
    const char *fragment;
} kinds[] = {
    {GL_TEXTURE_CUBE_MAP_ARRAY, 6, FRAGMENT("samplerCubeArrayShadow", "vec4(1.0, at.y, at.x, layer)", "0.5, ")},
    {GL_TEXTURE_CUBE_MAP, 6, FRAGMENT("samplerCubeShadow", "vec4(1.0, at.y, at.x, 0.5)", "")},
    {GL_TEXTURE_2D_ARRAY, 1, FRAGMENT("sampler2DArrayShadow", "vec4(at * 0.5 + 0.5, layer, 0.5)", "")},
};

static void make_texture(const struct kind *kind)
{
    static float texels[2][6 * LAYERS * SIDE * SIDE];
    const GLsizei layers = kind->faces * LAYERS;
    GLuint texture;
    for (int n = 0; n < 6 * LAYERS * SIDE * SIDE; n++) {
        texels[0][n] = 0.25f;
        texels[1][n] = n < kind->faces * SIDE * SIDE / 4 ? 0.25f : 0.75f;
    }
    glGenTextures(1, &texture);
    glBindTexture(kind->target, texture);
    if (kind->target == GL_TEXTURE_CUBE_MAP)
        glTexStorage2D(kind->target, 2, GL_DEPTH_COMPONENT32F, SIDE, SIDE);
    else
        glTexStorage3D(kind->target, 2, GL_DEPTH_COMPONENT32F, SIDE, SIDE, layers);
    for (GLint level = 0; level < 2; level++)
        if (kind->target != GL_TEXTURE_CUBE_MAP)
            glTexSubImage3D(kind->target, level, 0, 0, 0, SIDE >> level, SIDE >> level, layers, GL_DEPTH_COMPONENT,
                            GL_FLOAT, texels[level]);
        else
            for (GLenum face = 0; face < 6; face++)
                glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, 0, 0, SIDE >> level, SIDE >> level,
                                GL_DEPTH_COMPONENT, GL_FLOAT, texels[level] + 6 * SIDE * SIDE / 4);
    glTexParameteri(kind->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(kind->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(kind->target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(kind->target, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

static void look_up(const struct kind *kind)
{
    uint8_t pixels[SIDE][SIDE][4];
    make_texture(kind);
    const GLuint program = gl_program(vertex, kind->fragment);
    for (int layer = 0; layer < LAYERS; layer++) {
        glUniform1f(glGetUniformLocation(program, "layer"), (float)layer);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        const uint8_t wanted = layer || kind->target == GL_TEXTURE_CUBE_MAP ? 255 : 0;
        for (unsigned n = 0; n < SIDE * SIDE; n++) {
            const uint8_t *pixel = pixels[n / SIDE][n % SIDE];
            CHECK(pixel[0] == 0 && pixel[1] == wanted && pixel[2] == 0 && pixel[3] == wanted);
        }
        gl_add(pixels, sizeof pixels);
    }
}

int main(void)
{
    GLint count = 0;
    gl_begin();
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    while (count && strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)count - 1), "GL_EXT_texture_shadow_lod"))
        count--;
    CHECK(count);
    gl_framebuffer(SIDE, SIDE, 0);
    for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++) look_up(&kinds[n]);
    return gl_end();
}
