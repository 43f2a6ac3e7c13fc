/* OpenGL programs that do one thing many times, for tools/bench-kinds: `kinds NAME [COUNT]`. Prints the renderer and
 * a sum of what was read, so that those who draw the same print the same. Holds no times: who runs it takes those of
 * the processor. */
#include "../tests/system/gl_program.h"

#include <string.h>

enum { SIDE = 64, WIDE = 512 };

static const char corners[] = "#version 430\nout vec2 at;\nvoid main() {\n"
                              "  at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;\n"
                              "  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);\n}\n";
static const char places[] = "#version 430\nlayout(location = 0) in vec2 place;\nvoid main() {\n"
                             "  gl_Position = vec4(place, 0.0, 1.0);\n}\n";
static const char white[] = "#version 430\nout vec4 color;\nvoid main() { color = vec4(0.25, 0.5, 0.75, 1.0); }\n";
static const char looked_up[] = "#version 430\nin vec2 at;\nout vec4 color;\nuniform sampler2D texels;\n"
                                "void main() { color = texture(texels, at) * 0.5 + 0.5; }\n";

static void read_side(GLsizei side)
{
    uint8_t *pixels = malloc((size_t)side * (size_t)side * 4);
    glReadPixels(0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl_add(pixels, (size_t)side * (size_t)side * 4);
    free(pixels);
}

/* ---- buffers ---- */

static const float *triangle_at(unsigned n)
{
    static float triangle[6];
    const float x = (float)(n % 61) / 32 - 1, y = (float)(n % 53) / 32 - 1;
    const float made[6] = {x, y, x + 0.125F, y, x, y + 0.125F};
    memcpy(triangle, made, sizeof triangle);
    return triangle;
}

static void begin_triangles(GLsizeiptr bytes)
{
    GLuint buffer;
    gl_begin();
    gl_framebuffer(SIDE, SIDE, 0);
    gl_program(places, white);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, bytes, NULL, GL_DYNAMIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
}

/* A part of a buffer that nobody uses, mapped without waiting; a new one where it is full. */
static void run_maps(unsigned count)
{
    enum { ROOM = 1024, VERTICES = 3, BYTES = 24 };
    begin_triangles(ROOM * BYTES);
    for (unsigned n = 0; n < count; n++) {
        const unsigned at = n % ROOM;
        const GLbitfield how = at ? GL_MAP_UNSYNCHRONIZED_BIT : GL_MAP_INVALIDATE_BUFFER_BIT;
        memcpy(glMapBufferRange(GL_ARRAY_BUFFER, (GLintptr)at * BYTES, BYTES, GL_MAP_WRITE_BIT | how), triangle_at(n),
               BYTES);
        glUnmapBuffer(GL_ARRAY_BUFFER);
        glDrawArrays(GL_TRIANGLES, (GLint)at * VERTICES, VERTICES);
    }
    read_side(SIDE);
}

/* The same memory each time, which the draw before may use. */
static void run_waits(unsigned count)
{
    begin_triangles(24);
    for (unsigned n = 0; n < count; n++) {
        memcpy(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE), triangle_at(n), 24);
        glUnmapBuffer(GL_ARRAY_BUFFER);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    read_side(SIDE);
}

/* New memory each time. */
static void run_discards(unsigned count)
{
    begin_triangles(24);
    for (unsigned n = 0; n < count; n++) {
        memcpy(glMapBufferRange(GL_ARRAY_BUFFER, 0, 24, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT),
               triangle_at(n), 24);
        glUnmapBuffer(GL_ARRAY_BUFFER);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    read_side(SIDE);
}

/* A new buffer for each draw. */
static void run_buffers(unsigned count)
{
    begin_triangles(24);
    for (unsigned n = 0; n < count; n++) {
        GLuint buffer;
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, 24, triangle_at(n), GL_STATIC_DRAW);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDeleteBuffers(1, &buffer);
    }
    read_side(SIDE);
}

/* ---- textures ---- */

static void begin_lookups(GLsizei side)
{
    gl_begin();
    gl_framebuffer(side, side, 0);
    gl_program(corners, looked_up);
}

static void make_texture(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void fill(uint8_t *bytes, size_t count, unsigned n)
{
    uint32_t state = n * 2654435769u + 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

static const struct {
    GLenum format;
    unsigned bytes; /* of a block */
} blocks[] = {{GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 8},  {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, 16},
              {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 16}, {GL_COMPRESSED_RED_RGTC1, 8},
              {GL_COMPRESSED_RG_RGTC2, 16},           {GL_COMPRESSED_RGBA_BPTC_UNORM, 16}};
enum { BLOCK_FORMATS = sizeof blocks / sizeof *blocks };

/* A box of few blocks goes into a texture of many, and comes to the screen. */
static void run_blocks(unsigned count)
{
    enum { TEXELS = 256, BOX = 16 };
    static uint8_t data[TEXELS * TEXELS];
    GLuint textures[BLOCK_FORMATS];
    begin_lookups(SIDE);
    for (unsigned i = 0; i < BLOCK_FORMATS; i++) {
        make_texture();
        glGetIntegerv(GL_TEXTURE_BINDING_2D, (GLint *)&textures[i]);
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, blocks[i].format, TEXELS, TEXELS, 0,
                               (GLsizei)(TEXELS / 4 * (TEXELS / 4) * blocks[i].bytes), data);
    }
    for (unsigned n = 0; n < count; n++) {
        const unsigned i = n % BLOCK_FORMATS, bytes = BOX / 4 * (BOX / 4) * blocks[i].bytes;
        fill(data, bytes, n);
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)(n % 16 * BOX), (GLint)(n / 16 % 16 * BOX), BOX, BOX,
                                  blocks[i].format, (GLsizei)bytes, data);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        read_side(4);
    }
    read_side(SIDE);
}

/* The same, of a texture of its own for each; the texture itself is read, too. */
static void run_block_textures(unsigned count)
{
    enum { TEXELS = 32 };
    static uint8_t data[TEXELS * TEXELS];
    begin_lookups(SIDE);
    for (unsigned n = 0; n < count; n++) {
        const unsigned i = n % BLOCK_FORMATS, bytes = TEXELS / 4 * (TEXELS / 4) * blocks[i].bytes;
        GLuint texture;
        fill(data, bytes, n);
        make_texture();
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, blocks[i].format, TEXELS, TEXELS, 0, (GLsizei)bytes, data);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        read_side(4);
        glGetCompressedTexImage(GL_TEXTURE_2D, 0, data);
        gl_add(data, bytes);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, (GLint *)&texture);
        glDeleteTextures(1, &texture);
    }
}

static const struct {
    GLenum internal, format, type;
} kinds_of_texels[] = {{GL_R8_SNORM, GL_RED, GL_BYTE},     {GL_RG8_SNORM, GL_RG, GL_BYTE},
                       {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE}, {GL_R16_SNORM, GL_RED, GL_SHORT},
                       {GL_RG16_SNORM, GL_RG, GL_SHORT},   {GL_RGBA16_SNORM, GL_RGBA, GL_SHORT},
                       {GL_RGB8_SNORM, GL_RGB, GL_BYTE},   {GL_RGB16_SNORM, GL_RGB, GL_SHORT}};
enum { TEXEL_KINDS = sizeof kinds_of_texels / sizeof *kinds_of_texels };

/* Signed texels are uploaded, drawn with, and read back from the texture and the screen. */
static void run_signed(unsigned count)
{
    enum { TEXELS = 64 };
    static uint8_t data[TEXELS * TEXELS * 8];
    begin_lookups(WIDE);
    for (unsigned n = 0; n < count; n++) {
        const unsigned i = n % TEXEL_KINDS;
        GLuint texture;
        fill(data, sizeof data, n);
        make_texture();
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)kinds_of_texels[i].internal, TEXELS, TEXELS, 0, kinds_of_texels[i].format,
                     kinds_of_texels[i].type, data);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        read_side(WIDE);
        glGetTexImage(GL_TEXTURE_2D, 0, kinds_of_texels[i].format, kinds_of_texels[i].type, data);
        gl_add(data, TEXELS * TEXELS);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, (GLint *)&texture);
        glDeleteTextures(1, &texture);
    }
}

/* ---- programs ---- */

/* Fixed functions: each combination of state is a program of the driver's. Pixels are read one by one. */
static void run_fog(unsigned count)
{
    static const EGLint version[] = {EGL_NONE};
    static const GLint modes[] = {GL_LINEAR, GL_EXP, GL_EXP2};
    static const GLenum tests[] = {GL_ALWAYS, GL_LESS, GL_GREATER, GL_NOTEQUAL};
    static const GLfloat color[] = {0, 1, 0, 1};
    gl_begin_version(version);
    gl_framebuffer(WIDE, WIDE, 0);
    glEnable(GL_FOG);
    glEnable(GL_ALPHA_TEST);
    glFogfv(GL_FOG_COLOR, color);
    for (unsigned n = 0; n < count; n++) {
        glFogi(GL_FOG_MODE, modes[n % 3]);
        glFogi(GL_FOG_COORD_SRC, n / 3 % 2 ? GL_FOG_COORD : GL_FRAGMENT_DEPTH);
        glFogf(GL_FOG_END, (float)(1 + n % 7));
        glAlphaFunc(tests[n / 6 % 4], 0.5F);
        for (unsigned light = 0; light < 8; light++) (n / 24 >> light & 1 ? glEnable : glDisable)(GL_LIGHT0 + light);
        (n / 24 ? glEnable : glDisable)(GL_LIGHTING);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glBegin(GL_TRIANGLE_STRIP);
        for (unsigned v = 0; v < 4; v++) {
            glColor4f(1, (float)v / 3, 0, 1 - (float)v / 4);
            glFogCoordf((float)v / 3);
            glVertex3f((float)(v & 1) * 2 - 1, (float)(v >> 1) * 2 - 1, (float)v / 4);
        }
        glEnd();
        for (GLint i = 0; i < 16; i++) {
            uint8_t pixel[4];
            glReadPixels(i % 4 * 128, i / 4 * 128, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
            gl_add(pixel, sizeof pixel);
        }
    }
}

/* ---- framebuffers ---- */

/* Draws read what the draw before has written to the same place: blending by programs. */
static void run_barriers(unsigned count)
{
    enum { TARGETS = 8, PARTS = 128 * 128 /* of 4 x 4 pixels */ };
    static const char blends[] = "#version 430\nuniform sampler2D texels[8];\nlayout(location = 0) out vec4 color[8];\n"
                                 "void main() {\n  for (int i = 0; i < 8; i++)\n"
                                 "    color[i] = texelFetch(texels[i], ivec2(gl_FragCoord.xy), 0) * 0.75 + 0.125;\n}\n";
    static const char parts[] = "#version 430\nvoid main() {\n"
                                "  vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                "  at = (at + vec2(gl_InstanceID & 127, gl_InstanceID >> 7)) / 128.0;\n"
                                "  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);\n}\n";
    static uint8_t texels[WIDE * WIDE * 4];
    GLuint framebuffer, textures[TARGETS];
    GLenum buffers[TARGETS];
    gl_begin();
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(TARGETS, textures);
    const GLuint program = gl_program(parts, blends);
    fill(texels, sizeof texels, 1);
    for (unsigned i = 0; i < TARGETS; i++) {
        char name[16];
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDE, WIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, textures[i], 0);
        snprintf(name, sizeof name, "texels[%u]", i);
        glUniform1i(glGetUniformLocation(program, name), (GLint)i);
    }
    glDrawBuffers(TARGETS, buffers);
    glViewport(0, 0, WIDE, WIDE);
    for (unsigned n = 0; n < count; n++) {
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, PARTS);
        glTextureBarrier();
    }
    for (unsigned i = 0; i < TARGETS; i++) {
        glReadBuffer(buffers[i]);
        read_side(WIDE);
    }
}

/* All layers of colours and depths are cleared at once. */
static void run_layers(unsigned count)
{
    enum { LAYERS = 256 };
    static const struct {
        GLenum internal, format, type, attachment;
    } made[] = {{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_COLOR_ATTACHMENT0},
                {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, GL_DEPTH_STENCIL_ATTACHMENT}};
    GLuint framebuffer, textures[2];
    gl_begin();
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(2, textures);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D_ARRAY, textures[i]);
        glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, (GLint)made[i].internal, SIDE, SIDE, LAYERS, 0, made[i].format,
                     made[i].type, NULL);
        glFramebufferTexture(GL_FRAMEBUFFER, made[i].attachment, textures[i], 0);
    }
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    for (unsigned n = 0; n < count; n++) {
        glClearColor((float)(n % 5) / 4, 0.5F, 0.25F, 1);
        glClearDepth((double)(n % 9) / 8);
        glClearStencil((GLint)n & 255);
        glClear(GL_COLOR_BUFFER_BIT | (n % 3 != 1 ? GL_DEPTH_BUFFER_BIT : 0) |
                (n % 3 != 2 ? GL_STENCIL_BUFFER_BIT : 0));
    }
    for (GLint layer = 0; layer < LAYERS; layer += 85) {
        uint32_t depths[SIDE * SIDE];
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, textures[0], 0, layer);
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, textures[1], 0, layer);
        read_side(SIDE);
        glReadPixels(0, 0, SIDE, SIDE, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, depths);
        gl_add(depths, sizeof depths);
    }
}

/* Each layer is drawn to, and its depths are read, one after the other. */
static void run_depths(unsigned count)
{
    enum { LAYERS = 64 };
    static float depths[WIDE * WIDE];
    GLuint framebuffer, texture;
    gl_begin();
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT32F, WIDE, WIDE, LAYERS, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 NULL);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    for (unsigned n = 0; n < count; n++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture, 0, (GLint)(n % LAYERS));
        glClearDepth((double)(n % 17) / 16);
        glClear(GL_DEPTH_BUFFER_BIT);
        glReadPixels(0, 0, WIDE, WIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
        gl_add(depths, 4096);
    }
}

static const struct {
    const char *name;
    void (*run)(unsigned count);
    unsigned count; /* where none is given */
} kinds[] = {
    {"maps", run_maps, 40000},       {"waits", run_waits, 10000},  {"discards", run_discards, 40000},
    {"buffers", run_buffers, 10000}, {"blocks", run_blocks, 2624}, {"block_textures", run_block_textures, 2624},
    {"signed", run_signed, 400},     {"fog", run_fog, 384},        {"barriers", run_barriers, 42},
    {"layers", run_layers, 100},     {"depths", run_depths, 256}};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (argc > 1 && strcmp(argv[1], kinds[i].name) != 0) continue;
        if (argc < 2) {
            puts(kinds[i].name);
            continue;
        }
        kinds[i].run(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : kinds[i].count);
        return gl_end();
    }
    return argc > 1 ? 2 : 0;
}
