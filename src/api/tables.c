/* The tables of src/isa as public structs: every row of a .def file is a row here, in the file's order. */
#include <scheelite/tables.h>

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "base/nearest.h"
#include "isa/d3d.h"
#include "isa/errors.h"
#include "isa/isa.h"
#include "maxwell/text/describe.h"

static const struct {
    unsigned number;
    const char *formula, *words;
} opcodes[] = {
#define OP(name, number, section, dsts, srcs, shape, signature, flags, title, formula, words) {number, formula, words},
#include "isa/opcodes.def"
#undef OP
};

static const struct sch_decision_info decisions[] = {
#define DECISION(subjects_, clause_, choice_, reason_)                                                                 \
    {.subjects = subjects_, .clause = clause_, .choice = choice_, .reason = reason_},
#include "isa/decisions.def"
#undef DECISION
};

/* The specification's headings (tgsi.rst, "Instruction Set"). */
static const char *const sections[SCH_SECTION_COUNT] = {
    [SCH_SECTION_CORE] = "Core ISA",
    [SCH_SECTION_COMPUTE] = "Compute ISA",
    [SCH_SECTION_INTEGER] = "Integer ISA",
    [SCH_SECTION_BITWISE] = "Bitwise ISA",
    [SCH_SECTION_GEOMETRY] = "Geometry ISA",
    [SCH_SECTION_GLSL] = "GLSL ISA",
    [SCH_SECTION_INTERPOLATION] = "Interpolation ISA",
    [SCH_SECTION_DOUBLE] = "Double ISA",
    [SCH_SECTION_INT64] = "64-bit Integer ISA",
    [SCH_SECTION_SAMPLING] = "Resource Sampling Opcodes",
    [SCH_SECTION_RESOURCE] = "Resource Access Opcodes",
    [SCH_SECTION_BINDLESS] = "Bindless Opcodes",
    [SCH_SECTION_SYNC] = "Inter-thread synchronization opcodes",
    [SCH_SECTION_ATOMIC] = "Atomic opcodes",
    [SCH_SECTION_LANE] = "Inter-lane opcodes",
    [SCH_SECTION_PEER] = "Mesa 22.3, not in the specification",
    [SCH_SECTION_D3D] = "Direct3D, not in TGSI",
};

static const struct {
    unsigned flag;
    const char *word;
} flag_words[] = {
    {SCH_OPF_CANON, "canonical-nan"},
    {SCH_OPF_LEGACY, "legacy-math"},
    {SCH_OPF_FUSED, "fused"},
    {SCH_OPF_DERIVATIVE, "derivative"},
    {SCH_OPF_FRAGMENT, "fragment-only"},
    {SCH_OPF_GEOMETRY_STAGE, "geometry-only"},
    {SCH_OPF_TEXTURE, "texture"},
    {SCH_OPF_SAMPLE, "sample"},
    {SCH_OPF_BRANCH, "branch"},
    {SCH_OPF_MEMORY, "memory"},
    {SCH_OPF_STORE, "store"},
    {SCH_OPF_ATOMIC, "atomic"},
    {SCH_OPF_CROSS_LANE, "cross-lane"},
    {SCH_OPF_BARRIER, "barrier"},
    {SCH_OPF_D3D, "d3d-rules"},
};

static void write_flags(unsigned flags, char *text, size_t bytes)
{
    for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++)
        if (flags & flag_words[i].flag) sch_api_append(text, bytes, " ", flag_words[i].word);
}

bool sch_table_opcode(size_t index, struct sch_opcode_info *info)
{
    if (!info || !sch_sized_fits(info->size, sizeof *info) || index >= sizeof opcodes / sizeof *opcodes) return false;
    const struct sch_op_info *row = sch_op_info(opcodes[index].number);
    struct sch_opcode_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.name = row->name;
    made.title = row->title;
    made.section = sections[row->section];
    made.signature = row->signature;
    made.formula = opcodes[index].formula;
    made.words = opcodes[index].words;
    made.number = row->opcode;
    made.destinations = row->dsts;
    made.sources = row->srcs;
    write_flags(row->flags, made.flags, sizeof made.flags);
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_table_name(enum sch_name_table table, size_t index, struct sch_name_info *info)
{
    static const enum sch_vocabulary vocabularies[] = {[SCH_NAMES_SEMANTICS] = SCH_WORDS_SEMANTIC,
                                                       [SCH_NAMES_PROPERTIES] = SCH_WORDS_PROPERTY,
                                                       [SCH_NAMES_FORMATS] = SCH_WORDS_FORMAT,
                                                       [SCH_NAMES_TARGETS] = SCH_WORDS_TARGET,
                                                       [SCH_NAMES_FILES] = SCH_WORDS_FILE};
    if (!info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if ((unsigned)table >= sizeof vocabularies / sizeof *vocabularies) return false;
    size_t count;
    const struct sch_word *words = sch_words(vocabularies[table], &count);
    if (index >= count) return false;
    const struct sch_word *word = &words[index];
    const char *type = word->type ? word->type : "";
    if (table == SCH_NAMES_SEMANTICS) type = strcmp(type, "F") == 0 ? "float" : "integer";
    struct sch_name_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.name = word->name;
    made.word = word->word;
    made.number = word->number;
    made.type = type;
    made.doc = word->doc;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_table_decision(size_t index, struct sch_decision_info *info)
{
    const size_t count = sizeof decisions / sizeof *decisions;
    if (!info || !sch_sized_fits(info->size, sizeof *info) || index >= count) return false;
    sch_sized_write(info, &decisions[index], sizeof decisions[index]);
    return true;
}

bool sch_table_error(size_t index, struct sch_error_info *info)
{
    size_t count;
    const struct sch_error_info *rows = sch_diagnostic_rows(&count);
    if (!info || !sch_sized_fits(info->size, sizeof *info) || index >= count) return false;
    sch_sized_write(info, &rows[index], sizeof rows[index]);
    return true;
}

bool sch_table_limit(size_t index, struct sch_limit_info *info)
{
    static const struct {
        const char *name, *meaning;
        uint64_t fallback, most;
    } rows[] = {
#define LIMIT(name_, type_, fallback_, meaning_) {#name_, meaning_, fallback_, (type_)-1},
#include "base/limits.def"
#undef LIMIT
    };
    if (!info || !sch_sized_fits(info->size, sizeof *info) || index >= sizeof rows / sizeof *rows) return false;
    struct sch_limit_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.fallback = rows[index].fallback;
    made.most = rows[index].most;
    snprintf(made.name, sizeof made.name, "%s", rows[index].name);
    snprintf(made.meaning, sizeof made.meaning, "%s", rows[index].meaning);
    sch_sized_write(info, &made, sizeof made);
    return true;
}

/* `name` NULL: all. */
static bool find_maxwell_fact(const char *name, size_t index, struct sch_maxwell_info *info)
{
    struct sch_maxwell_info made;
    if (!info || !sch_sized_fits(info->size, sizeof *info) || !sch_maxwell_describe(name, index, &made)) return false;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_table_maxwell(size_t index, struct sch_maxwell_info *info) { return find_maxwell_fact(NULL, index, info); }

bool sch_table_maxwell_named(const char *name, size_t index, struct sch_maxwell_info *info)
{
    return name && find_maxwell_fact(name, index, info);
}

bool sch_nearer_word(const char *word, size_t word_bytes, const char *name, size_t name_bytes, unsigned *apart)
{
    return word && name && apart && sch_nearer_name(word, word_bytes, name, name_bytes, apart);
}

/* ---- names ---- */

const char *sch_semantic_name(enum sch_semantic semantic)
{
    if (semantic < 0) return NULL;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, (unsigned)semantic);
    return word ? word->word : NULL;
}

enum sch_semantic sch_semantic_by_name(const char *name)
{
    const struct sch_word *word = name ? sch_word_find(SCH_WORDS_SEMANTIC, name, strlen(name)) : NULL;
    return word ? (enum sch_semantic)word->number : SCH_SEMANTIC_NONE;
}

const char *sch_system_value_name(enum sch_system_value value)
{
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_SIGNATURE, (unsigned)value);
    return word ? word->word : NULL;
}
