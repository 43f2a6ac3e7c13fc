/* The tables of this folder as arrays, and the look-ups in them. */
#include "isa/isa.h"

#include <string.h>

#define OP_ROW(name_, number_, section_, dsts_, srcs_, shape_, signature_, flags_, title_, ...)                        \
    {                                                                                                                  \
        .name = #name_, .title = title_, .signature = #signature_, .opcode = number_,                                  \
        .section = SCH_SECTION_##section_, .dsts = dsts_, .srcs = srcs_, .shape = SCH_SHAPE_##shape_, .flags = flags_, \
        .dst_type = #signature_[0], .src_type = {                                                                      \
            srcs_ > 0 ? #signature_[2] : 0,                                                                            \
            srcs_ > 1 ? (#signature_ "    ")[3] : 0,                                                                   \
            srcs_ > 2 ? (#signature_ "    ")[4] : 0,                                                                   \
            srcs_ > 3 ? (#signature_ "    ")[5] : 0,                                                                   \
            srcs_ > 4 ? (#signature_ "    ")[6] : 0                                                                    \
        }                                                                                                              \
    }
#define OP(name, number, ...) [number] = OP_ROW(name, number, __VA_ARGS__),
static const struct sch_op_info op_rows[SCH_OP_LIMIT] = {
#include "isa/opcodes.def"
};
#undef OP

/* Opcodes that are also written with fewer sources. */
static const struct sch_op_info op_forms[] = {
    OP_ROW(TG4, SCH_OP_TG4, COMPUTE, 1, 2, TEX, X_FR, SCH_OPF_TEXTURE, "Texture Gather", ),
};

/* The public enumerations have the numbers of the rows (tools/gen-types). */
#define STAGE(name, number, word, doc)               _Static_assert(SCH_STAGE_##name == number, "SCH_STAGE_" #name);
#define TARGET(name, number, word, coordinates, doc) _Static_assert(SCH_TARGET_##name == number, "SCH_TARGET_" #name);
#define FILE_(name, number, word, doc)               _Static_assert(SCH_FILE_##name == number, "SCH_FILE_" #name);
#define LOCATION(name, number, word, doc)            _Static_assert(SCH_LOCATION_##name == number, "SCH_LOCATION_" #name);
#define MEMORY_KIND(name, number, word, doc)         _Static_assert(SCH_MEMORY_##name == number, "SCH_MEMORY_" #name);
#define QUALIFIER(name, bit, word, doc)              _Static_assert(SCH_QUALIFIER_##name == bit, "SCH_QUALIFIER_" #name);
#define RETURN_TYPE(name, number, word, doc)         _Static_assert(SCH_RETURN_##name == number, "SCH_RETURN_" #name);
#define INTERPOLATION(name, number, word, doc)                                                                         \
    _Static_assert(SCH_INTERPOLATION_##name == number, "SCH_INTERPOLATION_" #name);
#define IMMEDIATE(name, number, word, values, doc)                                                                     \
    _Static_assert(SCH_IMMEDIATE_##name == number, "SCH_IMMEDIATE_" #name);
#include "isa/names.def"
#define SEMANTIC(name, number, ...) _Static_assert(SCH_SEMANTIC_##name == number, "SCH_SEMANTIC_" #name);
#include "isa/semantics.def"
#undef SEMANTIC
#define FORMAT(name, number, ...) _Static_assert(SCH_FORMAT_##name == number, "SCH_FORMAT_" #name);
#include "isa/formats.def"
#undef FORMAT

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* Compares a word of the input, any case, with a name of a table (formats have lower-case letters: ASTC_4x4). */
static bool same_word(const char *name, const char *word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (!name[i] || upper(name[i]) != upper(word[i])) return false;
    return name[bytes] == 0;
}

const struct sch_op_info *sch_op_info(unsigned opcode)
{
    if (opcode >= SCH_OP_LIMIT || !op_rows[opcode].name) return NULL;
    return &op_rows[opcode];
}

enum sch_value_type sch_value_of_letter(char letter)
{
    static const char letters[] = {[SCH_VALUE_FLOAT] = 'F',   [SCH_VALUE_INT] = 'I',   [SCH_VALUE_UINT] = 'U',
                                   [SCH_VALUE_FLOAT64] = 'D', [SCH_VALUE_INT64] = 'L', [SCH_VALUE_UINT64] = 'Q'};
    for (unsigned type = SCH_VALUE_FLOAT; type < sizeof letters; type++)
        if (letters[type] == letter) return (enum sch_value_type)type;
    return SCH_VALUE_UNKNOWN;
}

/* 0: the shape does not say it. */
enum { AS_WRITTEN = 16 };
static const uint8_t channels_read[] = {
    [SCH_SHAPE_COMP] = AS_WRITTEN, [SCH_SHAPE_REPL] = 1,    [SCH_SHAPE_VREPL2] = 3,
    [SCH_SHAPE_VREPL3] = 7,        [SCH_SHAPE_VREPL4] = 15, [SCH_SHAPE_UNPACK] = 1,
};

static unsigned channels_of(const struct sch_op_info *info)
{
    return info->shape < sizeof channels_read ? channels_read[info->shape] : 0;
}

bool sch_op_tells_channels(const struct sch_op_info *info) { return channels_of(info) != 0; }

unsigned sch_op_channels_read(const struct sch_op_info *info, unsigned written)
{
    const unsigned channels = channels_of(info);
    if (channels == AS_WRITTEN) return written;
    return channels ? channels : 15;
}

const struct sch_op_info *sch_op_form(unsigned opcode, unsigned srcs)
{
    for (size_t i = 0; i < sizeof op_forms / sizeof *op_forms; i++)
        if (op_forms[i].opcode == opcode && op_forms[i].srcs == srcs) return &op_forms[i];
    return sch_op_info(opcode);
}

const struct sch_op_info *sch_op_find(const char *name, size_t bytes)
{
    if (!bytes) return NULL;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++)
        if (op_rows[i].name && op_rows[i].name[0] == upper(name[0]) && same_word(op_rows[i].name, name, bytes))
            return &op_rows[i];
    return NULL;
}

#define WORD(word_, doc_, number_, extra_, type_, name_)                                                               \
    {.word = word_, .doc = doc_, .number = number_, .extra = extra_, .type = type_, .name = name_},

static const struct sch_word stages[] = {
#define STAGE(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word files[] = {
#define FILE_(name, number, word, doc) WORD(word, doc, number, 0, NULL, #name)
#include "isa/names.def"
};
static const struct sch_word targets[] = {
#define TARGET(name, number, word, coordinates, doc) WORD(word, doc, number, coordinates, NULL, #name)
#include "isa/names.def"
};
static const struct sch_word interpolations[] = {
#define INTERPOLATION(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word locations[] = {
#define LOCATION(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word memory_kinds[] = {
#define MEMORY_KIND(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word qualifiers[] = {
#define QUALIFIER(name, bit, word, doc) WORD(word, doc, bit, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word return_types[] = {
#define RETURN_TYPE(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word immediates[] = {
#define IMMEDIATE(name, number, word, values, doc) WORD(word, doc, number, values, NULL, word)
#include "isa/names.def"
};
static const struct sch_word primitives[] = {
#define PRIMITIVE(name, number, word, vertices, doc) WORD(word, doc, number, vertices, NULL, word)
#include "isa/names.def"
};
static const struct sch_word origins[] = {
#define ORIGIN(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word pixel_centers[] = {
#define PIXEL_CENTER(name, number, word, doc) WORD(word, doc, number, 0, NULL, word)
#include "isa/names.def"
};
static const struct sch_word semantics[] = {
#define SEMANTIC(name, number, word, files, type, input, output, system_value, produced, components, doc)              \
    WORD(word, doc, number, files, #type, #name)
#include "isa/semantics.def"
#undef SEMANTIC
};

/* The stages of semantics.def. */
enum {
    V = 1 << SCH_STAGE_VERTEX,
    C = 1 << SCH_STAGE_TESS_CTRL,
    E = 1 << SCH_STAGE_TESS_EVAL,
    G = 1 << SCH_STAGE_GEOMETRY,
    F = 1 << SCH_STAGE_FRAGMENT,
    K = 1 << SCH_STAGE_COMPUTE,
    PRE = V | C | E | G,
    ALL = PRE | F | K
};

static const struct sch_semantic_info semantic_infos[SCH_SEMANTIC_COUNT] = {
#define SEMANTIC(name_, number_, word_, files_, type_, input_, output_, system_value_, produced_, components_, doc_)   \
    [number_] = {.word = word_,                                                                                        \
                 .files = files_,                                                                                      \
                 .input = input_,                                                                                      \
                 .output = output_,                                                                                    \
                 .system_value = system_value_,                                                                        \
                 .produced = produced_,                                                                                \
                 .components = components_},
#include "isa/semantics.def"
#undef SEMANTIC
};

static const struct sch_word properties[] = {
#define PROPERTY(name, number, stages, value, doc) WORD(#name, doc, number, 0, #value, #name)
#include "isa/properties.def"
#undef PROPERTY
};
static const struct sch_word formats[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    WORD(#name, channels, number, 0, swizzle, #name)
#include "isa/formats.def"
#undef FORMAT
};

static const uint8_t property_stages[SCH_PROPERTY_COUNT] = {
#define PROPERTY(name, number, stages, value, doc) [number] = stages,
#include "isa/properties.def"
#undef PROPERTY
};

static const struct {
    const struct sch_word *words;
    size_t count;
} vocabularies[SCH_WORDS_COUNT] = {
#define ENTRY(id, array) [id] = {array, sizeof(array) / sizeof *(array)}
    ENTRY(SCH_WORDS_STAGE, stages),         ENTRY(SCH_WORDS_FILE, files),
    ENTRY(SCH_WORDS_TARGET, targets),       ENTRY(SCH_WORDS_INTERPOLATION, interpolations),
    ENTRY(SCH_WORDS_LOCATION, locations),   ENTRY(SCH_WORDS_MEMORY_KIND, memory_kinds),
    ENTRY(SCH_WORDS_QUALIFIER, qualifiers), ENTRY(SCH_WORDS_RETURN_TYPE, return_types),
    ENTRY(SCH_WORDS_IMMEDIATE, immediates), ENTRY(SCH_WORDS_PRIMITIVE, primitives),
    ENTRY(SCH_WORDS_ORIGIN, origins),       ENTRY(SCH_WORDS_PIXEL_CENTER, pixel_centers),
    ENTRY(SCH_WORDS_SEMANTIC, semantics),   ENTRY(SCH_WORDS_PROPERTY, properties),
    ENTRY(SCH_WORDS_FORMAT, formats),
#undef ENTRY
};

const struct sch_semantic_info *sch_semantic_info(unsigned semantic)
{
    return semantic < SCH_SEMANTIC_COUNT && semantic_infos[semantic].word ? &semantic_infos[semantic] : NULL;
}

unsigned sch_semantic_stages(const struct sch_semantic_info *info, unsigned file)
{
    switch (file) {
    case SCH_FILE_INPUT:
        return info->input;
    case SCH_FILE_OUTPUT:
        return info->output;
    case SCH_FILE_SYSTEM_VALUE:
        return info->system_value;
    default:
        return 0;
    }
}

unsigned sch_property_stages(unsigned property)
{
    return property < SCH_PROPERTY_COUNT ? property_stages[property] : 0;
}

bool sch_semantic_is_of_patch(unsigned semantic)
{
    return semantic == SCH_SEMANTIC_PATCH || semantic == SCH_SEMANTIC_TESSOUTER || semantic == SCH_SEMANTIC_TESSINNER ||
           semantic == SCH_SEMANTIC_PRIMID;
}

bool sch_semantic_is_of_subgroup(unsigned semantic)
{
    return semantic >= SCH_SEMANTIC_SUBGROUP_INVOCATION && semantic <= SCH_SEMANTIC_SUBGROUP_LT_MASK;
}

bool sch_file_is_per_vertex(unsigned stage, unsigned file)
{
    if (file == SCH_FILE_OUTPUT) return stage == SCH_STAGE_TESS_CTRL;
    return file == SCH_FILE_INPUT &&
           (stage == SCH_STAGE_GEOMETRY || stage == SCH_STAGE_TESS_CTRL || stage == SCH_STAGE_TESS_EVAL);
}

const struct sch_word *sch_words(enum sch_vocabulary vocabulary, size_t *count)
{
    *count = vocabularies[vocabulary].count;
    return vocabularies[vocabulary].words;
}

const struct sch_word *sch_word_by_number(enum sch_vocabulary vocabulary, unsigned number)
{
    size_t count;
    const struct sch_word *words = sch_words(vocabulary, &count);
    for (size_t i = 0; i < count; i++)
        if (words[i].number == number) return &words[i];
    return NULL;
}

const struct sch_word *sch_word_find(enum sch_vocabulary vocabulary, const char *word, size_t bytes)
{
    size_t count;
    const struct sch_word *words = sch_words(vocabulary, &count);
    for (size_t i = 0; i < count; i++)
        if (bytes && same_word(words[i].word, word, bytes)) return &words[i];
    return NULL;
}
