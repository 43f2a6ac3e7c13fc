/* Blocks of ETC2, EAC and FXT1 decoded by Mesa's software drivers, against the decoders of src/ops
 * (tests/unit/block_codec.h): random blocks are uploaded, and a shader fetches every texel. Prints TAP, and how many
 * texels differ. Those of FXT1 may by one: its appendix extends channels of five and six bits "by bit replication",
 * Mesa to the nearest of 255ths. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/block_codec.h"
#include "../unit/random_number.h"
#include "surfaceless.h"

#ifdef PEER_HAS_GL
#include <GL/glcorearb.h>

#define FUNCTIONS                                                                                                      \
    X(GETERROR, GetError)                                                                                              \
    X(GENTEXTURES, GenTextures)                                                                                        \
    X(DELETETEXTURES, DeleteTextures)                                                                                  \
    X(BINDTEXTURE, BindTexture)                                                                                        \
    X(TEXPARAMETERI, TexParameteri)                                                                                    \
    X(TEXIMAGE2D, TexImage2D)                                                                                          \
    X(COMPRESSEDTEXIMAGE2D, CompressedTexImage2D)                                                                      \
    X(GENFRAMEBUFFERS, GenFramebuffers)                                                                                \
    X(BINDFRAMEBUFFER, BindFramebuffer)                                                                                \
    X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D)                                                                      \
    X(GENVERTEXARRAYS, GenVertexArrays)                                                                                \
    X(BINDVERTEXARRAY, BindVertexArray)                                                                                \
    X(CREATEPROGRAM, CreateProgram)                                                                                    \
    X(ATTACHSHADER, AttachShader)                                                                                      \
    X(USEPROGRAM, UseProgram)                                                                                          \
    X(VIEWPORT, Viewport)                                                                                              \
    X(DRAWARRAYS, DrawArrays)                                                                                          \
    X(READPIXELS, ReadPixels)

#define X(upper, name) static PFNGL##upper##PROC gl##name;
FUNCTIONS
#undef X

enum {
    SIDE = 512, /* texels of the texture, both ways */
    FXT1_RGB = 0x86b0,
    FXT1_RGBA = 0x86b1
};
static const struct block_codec *codec;
static uint64_t seed = 23;

/* ---- formats ---- */

/* What a fetch gives of a decoded word, as whole numbers: bytes, or 16 bits. EAC's 11 bits become 16 as its sections
 * say. */
static void bytes_of(uint32_t word, int32_t c[4])
{
    for (unsigned i = 0; i < 4; i++) c[i] = word >> 8 * i & 255;
}
static void unsigned_of(uint32_t word, int32_t c[4])
{
    for (unsigned i = 0; i < 2; i++) {
        const int32_t code = word >> 16 * i & 0xffff;
        c[i] = (code << 5) + (code >> 6);
    }
}
static void signed_of(uint32_t word, int32_t c[4])
{
    for (unsigned i = 0; i < 2; i++) {
        const int32_t code = (int16_t)(word >> 16 * i), size = code < 0 ? -code : code;
        const int32_t wide = (size << 5) + (size >> 5);
        c[i] = code < 0 ? -wide : wide;
    }
}

static void etc2(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    codec->etc2(block, false, texel);
}
static void punch_through(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    codec->etc2(block, true, texel);
}
static void rgba(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    codec->etc2_rgba(block, texel);
}
static void eac(const uint32_t *block, bool is_signed, unsigned channels, uint32_t texel[16])
{
    memset(texel, 0, 16 * sizeof *texel);
    for (unsigned c = 0; c < channels; c++) codec->eac(block + 2 * c, is_signed, 16 * c, texel);
}
static void r11(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    eac(block, false, 1, texel);
}
static void rg11(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    eac(block, false, 2, texel);
}
static void r11_signed(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    eac(block, true, 1, texel);
}
static void rg11_signed(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    (void)half;
    eac(block, true, 2, texel);
}
static void fxt1_rgb(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    codec->fxt1(block, false, half, texel);
}
static void fxt1_rgba(const uint32_t *block, unsigned half, uint32_t texel[16])
{
    codec->fxt1(block, true, half, texel);
}

static const struct format {
    const char *name;
    GLenum number;
    unsigned words, width, channels;
    int32_t one, allowed; /* the code of 1, and how far codes may be from ours */
    void (*decode)(const uint32_t *block, unsigned half, uint32_t texel[16]);
    void (*channels_of)(uint32_t word, int32_t c[4]);
} formats[] = {
    {"ETC2 RGB8", GL_COMPRESSED_RGB8_ETC2, 2, 4, 3, 255, 0, etc2, bytes_of},
    {"ETC2 RGB8 A1", GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 2, 4, 4, 255, 0, punch_through, bytes_of},
    {"ETC2 RGBA8", GL_COMPRESSED_RGBA8_ETC2_EAC, 4, 4, 4, 255, 0, rgba, bytes_of},
    {"EAC R11", GL_COMPRESSED_R11_EAC, 2, 4, 1, 65535, 0, r11, unsigned_of},
    {"EAC RG11", GL_COMPRESSED_RG11_EAC, 4, 4, 2, 65535, 0, rg11, unsigned_of},
    {"EAC signed R11", GL_COMPRESSED_SIGNED_R11_EAC, 2, 4, 1, 32767, 0, r11_signed, signed_of},
    {"EAC signed RG11", GL_COMPRESSED_SIGNED_RG11_EAC, 4, 4, 2, 32767, 0, rg11_signed, signed_of},
    {"FXT1 RGB", FXT1_RGB, 4, 8, 3, 255, 1, fxt1_rgb, bytes_of},
    {"FXT1 RGBA", FXT1_RGBA, 4, 8, 4, 255, 1, fxt1_rgba, bytes_of},
};

/* ---- OpenGL ---- */

static bool open_gl(const char *driver, char *why, size_t room)
{
    static const struct surfaceless_wish wish = {{45, 33}, false};
    GLuint name;
    if (!surfaceless_open(driver, &wish, why, room)) return false;
#define X(upper, name)                                                                                                 \
    gl##name = (PFNGL##upper##PROC)surfaceless_function("gl" #name);                                                   \
    if (!gl##name) return surfaceless_refuse(why, room, "no gl" #name);
    FUNCTIONS
#undef X
    glGenVertexArrays(1, &name);
    glBindVertexArray(name);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SIDE, SIDE, 0, GL_RGBA, GL_FLOAT, NULL);
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    glViewport(0, 0, SIDE, SIDE);
    GLuint program = glCreateProgram();
    glAttachShader(program, surfaceless_shader(GL_VERTEX_SHADER,
                                               "#version 330\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : "
                                               "-1, gl_VertexID == 2 ? 3 : -1, 0, 1); }\n"));
    glAttachShader(program, surfaceless_shader(GL_FRAGMENT_SHADER,
                                               "#version 330\nuniform sampler2D t; out vec4 c;\n"
                                               "void main() { c = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }\n"));
    if (!surfaceless_link(program)) return surfaceless_refuse(why, room, "no program");
    glUseProgram(program);
    return glGetError() == GL_NO_ERROR || surfaceless_refuse(why, room, "OpenGL refuses the target");
}

/* Every texel of a texture of blocks. */
static bool fetch(const struct format *format, const uint32_t *blocks, size_t bytes, float (*texels)[4])
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format->number, SIDE, SIDE, 0, (GLsizei)bytes, blocks);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteTextures(1, &name);
        return false;
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, texels);
    glDeleteTextures(1, &name);
    return true;
}

/* ---- comparing ---- */

struct differences {
    uint64_t texels, different;
    int32_t largest;
    uint32_t shown;
};

static int32_t nearest(float value, int32_t one)
{
    const double scaled = (double)value * one;
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

static void compare(const struct format *format, const uint32_t *block, unsigned texel, uint32_t word,
                    const float got[4], struct differences *differences)
{
    int32_t want[4], largest = 0;
    format->channels_of(word, want);
    for (unsigned c = 0; c < format->channels; c++) {
        const int32_t difference = abs(want[c] - nearest(got[c], format->one));
        if (difference > largest) largest = difference;
    }
    differences->texels++;
    if (!largest) return;
    differences->different++;
    if (largest > differences->largest) differences->largest = largest;
    if (getenv("SHOW") && differences->shown++ < 40)
        printf("# %s: block %08x %08x %08x %08x, texel %u: Mesa (%d %d %d %d), ours (%d %d %d %d)\n", format->name,
               block[0], block[1], format->words > 2 ? block[2] : 0, format->words > 2 ? block[3] : 0, texel,
               nearest(got[0], format->one), nearest(got[1], format->one), nearest(got[2], format->one),
               nearest(got[3], format->one), want[0], want[1], want[2], want[3]);
}

static void compare_blocks(const struct format *format, const uint32_t *blocks, float (*texels)[4],
                           struct differences *differences)
{
    const unsigned across = SIDE / format->width;
    for (unsigned n = 0; n < across * (SIDE / 4); n++)
        for (unsigned half = 0; half < format->width / 4; half++) {
            uint32_t word[16];
            const uint32_t *block = blocks + n * format->words;
            format->decode(block, half, word);
            for (unsigned i = 0; i < 16; i++) {
                const unsigned x = n % across * format->width + half * 4 + i % 4, y = n / across * 4 + i / 4;
                compare(format, block, 16 * half + i, word[i], texels[y * SIDE + x], differences);
            }
        }
}

static bool check(const struct format *format, uint64_t count)
{
    static uint32_t blocks[SIDE / 4 * SIDE / 4 * 4];
    static float texels[SIDE * SIDE][4];
    const size_t each = SIDE / format->width * SIDE / 4, words = each * format->words;
    struct differences differences = {0};
    for (uint64_t done = 0; done < count; done += each) {
        for (size_t i = 0; i < words; i++) blocks[i] = (uint32_t)(random_number(&seed) >> 32);
        if (!fetch(format, blocks, words * 4, texels)) {
            printf("# %s: the driver has no such format\n", format->name);
            return true;
        }
        compare_blocks(format, blocks, texels, &differences);
    }
    printf("# %s: %llu of %llu texels differ, by %d at most\n", format->name, (unsigned long long)differences.different,
           (unsigned long long)differences.texels, differences.largest);
    return differences.largest <= format->allowed;
}

int main(int argc, char **argv)
{
    const struct block_codec *codecs[BLOCK_CODECS];
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000;
    enum { FORMATS = sizeof formats / sizeof *formats };
    char why[200];
    bool good = true;
    if (argc < 2) return 2;
    if (!open_gl(argv[1], why, sizeof why)) {
        printf("1..0 # SKIP %s\n", why);
        return 0;
    }
    codec = codecs[block_codecs(codecs) - 1];
    printf("# %s\n1..%d\n", surfaceless_driver(), FORMATS);
    for (unsigned i = 0; i < FORMATS; i++) {
        const bool same = check(&formats[i], count);
        printf("%sok %u - %s\n", same ? "" : "not ", i + 1, formats[i].name);
        good = good && same;
    }
    surfaceless_close();
    return good ? 0 : 1;
}

#else
int main(void)
{
    printf("1..0 # SKIP built without EGL and OpenGL headers\n");
    return 0;
}
#endif
