/* Recognises what is not a shader of ours, so that the error says what it is and what to do with it. A kind's own mark
 * comes first, ours before those of others, then the words of texts; what only looks like something is a guess and
 * comes last. */
#include "foreign.h"

#include "../support/text.h"

#include <string.h>

#include <scheelite/files.h>

#define BY_HLSL                                                                                                        \
    "-x hlsl calls a compiler (see --hlsl-compiler), or compile it for shader model 4 or 5 (fxc, or vkd3d-compiler "   \
    "1.3 or later: -b dxbc-tpf -p ps_5_0), and read that"

static const struct sch_cli_foreign
    none = {NULL, NULL},
    cubin = {"an object file (cubin)", "check, dis, asm, info and eval read it: -x cubin"},
    script = {"a shader_test script", "`scheelite run` runs it"},
    recording = {"a recording of OpenGL commands", "`scheelite replay` plays it"},
    spirv = {"SPIR-V", "make HLSL of it (spirv-cross --hlsl), and compile that for shader model 5"},
    dxil = {"DXIL (shader model 6)", "compile its source for shader model 5.1 or earlier"},
    d3d9 = {"Direct3D 9 code (shader models 1 to 3)", "compile its source for shader model 4 or later"},
    hlsl = {"HLSL", BY_HLSL},
    glsl = {"GLSL", "let Mesa compile it: ST_DEBUG=tgsi prints the TGSI of a program's shaders"},
    nir = {"NIR", "let Mesa translate it: ST_DEBUG=tgsi prints TGSI where a driver takes it"},
    ptx = {"PTX", "ptxas makes an object file of it, which is read: -x cubin"},
    listing =
        {"a listing of nvdisasm or cuobjdump",
         "-x maxwell reads one that shows the words (nvdisasm -hex, cuobjdump -sass); the object file is read as it "
         "is: -x cubin"},
    words = {"words in hexadecimal", "of Maxwell code: dis -x maxwell --hex; of TGSI tokens: dis -x tgsi-bin --words"},
    raw = {"perhaps raw Maxwell code", "-x maxwell reads it as such"};

static bool begins(const struct sch_cli_input *input, const char *bytes, size_t count)
{
    return input->bytes >= count && memcmp(input->data, bytes, count) == 0;
}

static bool has(const struct sch_cli_input *input, const char *word)
{
    return memmem(input->data, input->bytes, word, strlen(word)) != NULL;
}

static bool has_any(const struct sch_cli_input *input, const char *const *list)
{
    for (; *list; list++)
        if (has(input, *list)) return true;
    return false;
}

/* Texts have no control characters but white space. */
static bool is_text(const struct sch_cli_input *input)
{
    for (size_t i = 0; i < input->bytes; i++) {
        const unsigned char c = (unsigned char)input->data[i];
        if (c < 0x20 && (c < '\t' || c > '\r') && c != 0x1a && c != 0x1b) return false;
    }
    return input->bytes != 0;
}

/* TGSI text, also as part of a log, has declarations or an end of its own; a listing of Direct3D has its profile. */
static bool is_ours(const struct sch_cli_input *input)
{
    static const char *const marks[] = {"\nDCL ", "IMM[", "PROPERTY ", "dcl_", "END\n", NULL};
    return has_any(input, marks);
}

/* Nothing but hexadecimal words of eight or sixteen digits. */
static bool is_words(const struct sch_cli_input *input)
{
    static const char digits[] = "0123456789abcdefABCDEF", blanks[] = " \t\r\n,";
    const char *at = input->data + strspn(input->data, blanks);
    if (!*at) return false;
    while (*at) {
        if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) at += 2;
        const size_t count = strspn(at, digits);
        if (count != 8 && count != 16) return false;
        at += count;
        if (*at && !strchr(blanks, *at)) return false;
        at += strspn(at, blanks);
    }
    return true;
}

/* The first word that is not in a comment of C. */
static const char *first_word(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        const char *end = strncmp(at, "//", 2) == 0   ? strchr(at, '\n')
                          : strncmp(at, "/*", 2) == 0 ? strstr(at, "*/")
                                                      : at;
        if (!end || end == at) return at;
        at = end + (*end == '*' ? 2 : 1);
    }
}

/* What NVIDIA's tools write: nvdisasm begins with directives, cuobjdump with what it found in a file. */
static bool is_listing(const char *text)
{
    static const char *const beginnings[] = {".headerflags", ".elftype",    "Fatbin ",
                                             "code for sm_", "Function : ", NULL};
    const char *at = first_word(text);
    for (size_t i = 0; beginnings[i]; i++)
        if (strncmp(at, beginnings[i], strlen(beginnings[i])) == 0) return true;
    return false;
}

static struct sch_cli_foreign text_of(const struct sch_cli_input *input)
{
    static const char *const
        hlsl_words[] = {"SV_Target", "SV_Position",  "SV_POSITION", "SV_TARGET",  "cbuffer ",
                        "Texture2D", "SamplerState", "numthreads(", "technique ", NULL},
        *const glsl_words[] = {"gl_Position", "gl_FragColor", "void main(", "#version ", NULL},
        *const script_endings[] = {".shader_test", NULL}, *const hlsl_endings[] = {".hlsl", ".fx", ".hlsli", NULL},
        *const glsl_endings[] = {".glsl", ".frag", ".vert", ".comp", ".geom", ".tesc", ".tese", NULL},
        *const old[] = {"vs_1_", "vs_2_", "vs_3_", "ps_1_", "ps_2_", "ps_3_", NULL};
    if (sch_text_name_ends(input->name, script_endings)) return script;
    if ((has(input, "MESA_SHADER_") || has(input, "decl_function ")) && !is_ours(input)) return nir;
    for (size_t i = 0; old[i]; i++)
        if (begins(input, old[i], strlen(old[i]))) return d3d9;
    if (is_words(input)) return words;
    if (strncmp(first_word(input->data), ".version ", 9) == 0) return ptx;
    if (is_listing(input->data)) return listing;
    if (is_ours(input)) return none;
    if (has_any(input, hlsl_words) || sch_text_name_ends(input->name, hlsl_endings)) return hlsl;
    if (has_any(input, glsl_words) || sch_text_name_ends(input->name, glsl_endings)) return glsl;
    return none;
}

/* Bare tokens: the header says how many words it has, and how many follow, of which the first is the stage. */
static bool is_tokens(const struct sch_cli_input *input)
{
    enum { HEADER_WORDS = 2, STAGES = 6 };
    if (input->bytes < 4 * HEADER_WORDS || input->bytes % 4) return false;
    const uint32_t header = sch_bytes_word(input->data, 0);
    return (header & 0xff) == HEADER_WORDS && (header >> 8) + HEADER_WORDS == input->bytes / 4 &&
           sch_bytes_word(input->data, 1) < STAGES;
}

/* A container that has a chunk of this name. */
static bool has_chunk(const struct sch_cli_input *input, const char *name)
{
    enum { COUNT_AT = 28, OFFSETS_AT = 32 };
    if (input->bytes < OFFSETS_AT) return false;
    const uint32_t count = sch_bytes_word(input->data + COUNT_AT, 0);
    for (size_t i = 0; i < count && OFFSETS_AT + 4 * (i + 1) <= input->bytes; i++) {
        const uint32_t at = sch_bytes_word(input->data + OFFSETS_AT + 4 * i, 0);
        if (at <= input->bytes - 4 && memcmp(input->data + at, name, 4) == 0) return true;
    }
    return false;
}

static bool is_dxil(const struct sch_cli_input *input)
{
    return has_chunk(input, "DXIL") && !has_chunk(input, "SHEX") && !has_chunk(input, "SHDR");
}

/* A version token of vertex or pixel shaders; `ends`: also the token that ends them. */
static bool is_d3d9(const struct sch_cli_input *input, bool ends)
{
    const unsigned char *bytes = (const unsigned char *)input->data;
    if (input->bytes < 8 || bytes[3] != 0xff || bytes[2] < 0xfe || bytes[1] < 1 || bytes[1] > 3) return false;
    return !ends || sch_bytes_word(input->data, input->bytes / 4 - 1) == 0xffff;
}

/* Groups of a control word, whose upper bit is 0, and three instructions, which are not 0. */
static bool is_raw(const struct sch_cli_input *input)
{
    uint64_t group[4];
    if (!input->bytes || input->bytes % sizeof group) return false;
    for (size_t at = 0; at < input->bytes; at += sizeof group) {
        memcpy(group, input->data + at, sizeof group);
        if (group[0] >> 63 || !group[0] || !group[1] || !group[2] || !group[3]) return false;
    }
    return true;
}

static struct sch_cli_foreign guess(const struct sch_cli_input *input)
{
    if (is_d3d9(input, true)) return d3d9;
    if (is_raw(input)) return raw;
    return is_d3d9(input, false) ? d3d9 : none;
}

/* Pictures, also those of kinds that are not read. */
static struct sch_cli_foreign picture_of(const struct sch_cli_input *input)
{
    static char what[32];
    struct sch_file_kind_info info = {.size = sizeof info};
    const char *unread = sch_file_unread_kind_of(input->data, input->bytes);
    const bool read = sch_file_kind_get_info(sch_file_kind_of(input->data, input->bytes), &info) == SCH_OK;
    if (!read && !unread) return none;
    snprintf(what, sizeof what, "a %s picture", read ? info.name : unread);
    if (read) return (struct sch_cli_foreign){what, "info, convert and the options for textures read it"};
    return (struct sch_cli_foreign){what, "nor as a texture: PNG, JPEG, PNM, PFM, HDR, EXR, DDS, KTX and KTX2 are"};
}

struct sch_cli_foreign sch_cli_foreign_of(const struct sch_cli_input *input)
{
    if (input->compiled) return none; /* the name is that of the source */
    if (begins(input, "SCHTGSI\n", 8) || is_tokens(input)) return none;
    if (begins(input, "DXBC", 4)) return is_dxil(input) ? dxil : none;
    if (begins(input, "SCHVIRGL", 8)) return recording;
    if (begins(input, "\177ELF", 4)) return cubin;
    if (begins(input, "[require]", 9)) return script;
    if (begins(input, "\x03\x02\x23\x07", 4) || begins(input, "\x07\x23\x02\x03", 4)) return spirv;
    if (begins(input, "BC\xc0\xde", 4)) return dxil;
    const struct sch_cli_foreign picture = picture_of(input);
    if (picture.what) return picture;
    return is_text(input) ? text_of(input) : guess(input);
}
