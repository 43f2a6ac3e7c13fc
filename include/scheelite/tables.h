/* The library's tables, as `scheelite list` and `scheelite explain` show them: opcodes, semantics, properties, formats,
 * Maxwell's instructions, diagnostics, limits, and the decisions where the specification is silent. All are constant,
 * and all functions are thread-safe. Strings that are pointers live as long as the library.
 *
 * Example:
 *
 *     struct sch_opcode_info opcode = {.size = sizeof opcode};
 *     for (size_t n = 0; sch_table_opcode(n, &opcode); n++)
 *         if (strcmp(opcode.name, "LRP") == 0)
 *             printf("%u sources: %s\n", opcode.sources, opcode.title); // prints 3 sources: Linear Interpolate
 */
#ifndef SCHEELITE_TABLES_H
#define SCHEELITE_TABLES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An opcode of TGSI, or one of Scheelite's own. */
struct sch_opcode_info {
    size_t size;
    const char *name, *title, *section;
    const char *signature; /* types of destination and sources; src/isa/opcodes.def explains the letters */
    const char *formula;   /* what it computes, in lines separated by \n */
    const char *words;     /* a description in words; may be empty */
    unsigned number;       /* in binary tokens; Scheelite's own opcodes have numbers from 256 */
    unsigned destinations, sources;
    char flags[160]; /* words separated by blanks; may be empty */
};

/* A semantic, property, format, target or register file. */
struct sch_name_info {
    size_t size;
    const char *name; /* the specification's name */
    const char *word; /* as text has it, in Mesa's spelling (PRIM_ID for PRIMID) */
    unsigned number;
    /* Semantics: float or integer; properties: how the value is written; formats: the swizzle; or "". */
    const char *type;
    const char *doc;
};

/* The stages of a semantic or property: stages as text has them ("VERT FRAG"), "all", or "" for none. */
struct sch_stages_info {
    size_t size;
    char input[64], output[64], system_value[64]; /* semantics: stages that the specification names, by register file */
    char produced[64];                            /* semantics: further stages in which producers write it */
    char property[64];                            /* properties: the stages whose behaviour it changes */
};

/* A word of TGSI text that no other table has. */
struct sch_keyword_info {
    size_t size;
    char word[32];
    char kind[32]; /* statement, attribute, suffix, stage, interpolation, location, memory kind, qualifier, ... */
    char form[96]; /* how it is written */
    char meaning[160];
};

/* How an instruction is written. */
struct sch_opcode_form_info {
    size_t size;
    char form[160];       /* "TEX dst, src0, SAMP[#], TARGET [, offset]" */
    char example[2][128]; /* valid lines of text; the second is for opcodes that also access images, otherwise "" */
};

/* A place where the specification is silent or contradicts itself, and what Scheelite does there. */
struct sch_decision_info {
    size_t size;
    const char *subjects; /* names of opcodes, semantics and properties, or topics in lower case, separated by blanks */
    const char *clause;   /* what the specification says, and where */
    const char *choice;   /* what Scheelite does */
    const char *reason;
};

/* A field of Maxwell's texture headers or samplers. */
struct sch_header_field_info {
    size_t size;
    char name[48];     /* as text has it; fields of several versions may share a name */
    char versions[96]; /* versions of headers, separated by blanks; or SAMPLER */
    char bits[24];     /* of the 256 bits, high to low; a second range has the upper bits of the value */
    char value[32];    /* how the bits encode a value */
    char fallback[48]; /* the value if text leaves the field out */
    char words[2048];  /* its named values: NAME=CODE, separated by blanks; or "" */
    char meaning[96];
};

/* A member of struct sch_limit_options. */
struct sch_limit_info {
    size_t size;
    char name[24];
    uint64_t fallback; /* the default */
    uint64_t most;     /* the greatest value that the member holds */
    char meaning[96];
};

/* The tables that sch_table_name reads. */
enum sch_name_table {
    SCH_NAMES_SEMANTICS,
    SCH_NAMES_PROPERTIES,
    SCH_NAMES_FORMATS,
    SCH_NAMES_TARGETS,
    SCH_NAMES_FILES
};

/* Each fills in `*info` with row `index`, counted from 0. False past the last row, and if `info->size` is not set. */
SCH_API bool sch_table_opcode(size_t index, struct sch_opcode_info *info);
SCH_API bool sch_table_name(enum sch_name_table table, size_t index, struct sch_name_info *info);
SCH_API bool sch_table_decision(size_t index, struct sch_decision_info *info);
SCH_API bool sch_table_error(size_t index, struct sch_error_info *info);
SCH_API bool sch_table_maxwell(size_t index, struct sch_maxwell_info *info);
/* The same of one operation or form alone, such as "TEX" or "TEX.B", in letters of any case. */
SCH_API bool sch_table_maxwell_named(const char *name, size_t index, struct sch_maxwell_info *info);
SCH_API bool sch_table_keyword(size_t index, struct sch_keyword_info *info);
SCH_API bool sch_table_limit(size_t index, struct sch_limit_info *info);

/* For "did you mean": whether few letters are wrong in `word` where `name` was meant, and fewer than `*apart`, which
 * becomes their number. `*apart` is UINT_MAX before the first name; the last name that was nearer is the nearest.
 * Letters may be put in, taken out, changed, or exchanged with their neighbour. Capitals do not count as mistakes. In
 * words of less than four letters one may be wrong, else two. Neither text needs a zero byte after it. */
SCH_API bool sch_nearer_word(const char *word, size_t word_bytes, const char *name, size_t name_bytes, unsigned *apart);
SCH_API bool sch_table_header_field(size_t index, struct sch_header_field_info *info);

/* The word of a semantic in TGSI text, such as "PRIM_ID" for SCH_SEMANTIC_PRIMID; NULL for NONE and for other
 * numbers. */
SCH_API const char *sch_semantic_name(enum sch_semantic semantic);
/* The semantic of a word in TGSI text, in upper or lower case; NONE: there is none. `name` may be NULL. */
SCH_API enum sch_semantic sch_semantic_by_name(const char *name);
/* The word of a system value in the signatures of fxc's listings, such as "POS"; "NONE" for NONE, NULL for other
 * numbers. */
SCH_API const char *sch_system_value_name(enum sch_system_value value);

/* How the opcode of row `index` of sch_table_opcode is written. */
SCH_API bool sch_table_opcode_form(size_t index, struct sch_opcode_form_info *info);

/* The stages of row `index` of the semantics or the properties; false for other tables. */
SCH_API bool sch_table_stages(enum sch_name_table table, size_t index, struct sch_stages_info *info);

#ifdef __cplusplus
}
#endif
#endif
