/* The tables: opcodes, semantics, properties, formats, Maxwell's instructions, diagnostics, and the decisions where the
 * specification is silent. All constant; thread-safe. */
#ifndef SCHEELITE_TABLES_H
#define SCHEELITE_TABLES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sch_opcode_info {
    size_t size;
    const char *name, *title, *section;
    const char *signature; /* types of destination and sources: src/isa/opcodes.def explains the letters */
    const char *formula;   /* lines of meaning, separated by \n */
    const char *words;     /* in words; may be empty */
    unsigned number;       /* in binary tokens */
    unsigned destinations, sources;
    char flags[160]; /* blank-separated words, may be empty */
};

struct sch_name_info {
    size_t size;
    const char *name; /* the specification's name */
    const char *word; /* what the text says; differs from the name where Mesa's spelling does (PRIMID: PRIM_ID) */
    unsigned number;
    const char *type; /* semantics: float or integer; properties: how the value is written; formats: swizzle; else "" */
    const char *doc;
};

/* The stages of a semantic or property: words of the text ("VERT FRAG"), "all", or "". */
struct sch_stages_info {
    size_t size;
    char input[64], output[64], system_value[64]; /* semantics: where the specification names it, by file */
    char produced[64];                            /* semantics: further stages in which producers write it */
    char property[64];                            /* properties: the stages whose behaviour it changes */
};

/* A word of TGSI's text that no other table has: statements, attributes, suffixes, stages, modes, types, ... */
struct sch_keyword_info {
    size_t size;
    char word[32];
    char kind[32]; /* statement, attribute, suffix, stage, interpolation, location, memory kind, qualifier, ... */
    char form[96]; /* how it is typed */
    char meaning[160];
};

/* How an instruction is typed. */
struct sch_opcode_form_info {
    size_t size;
    char form[160];       /* "TEX dst, src0, SAMP[#], TARGET [, offset]" */
    char example[2][128]; /* lines of text that are read; the second one, of memory, may be "" */
};

/* A place where the specification is silent, undefined or contradicts itself. */
struct sch_decision_info {
    size_t size;
    const char *subjects; /* blank-separated names of opcodes, semantics, properties, or topics in lower case */
    const char *clause;   /* what the specification says, and where */
    const char *choice;   /* what Scheelite does */
    const char *reason;
};

/* A field of Maxwell's texture headers or samplers. */
struct sch_header_field_info {
    size_t size;
    char name[48];     /* as text has it; fields of several versions may have one name */
    char versions[96]; /* of headers, blank-separated; or SAMPLER */
    char bits[24];     /* of 256, high to low; a second range has the value's upper bits */
    char value[32];    /* how the bits are a value */
    char fallback[48]; /* the value where a text leaves it out */
    char words[2048];  /* of its vocabulary: blank-separated NAME=CODE; else "" */
    char meaning[96];
};

/* A member of struct sch_limit_options. */
struct sch_limit_info {
    size_t size;
    char name[24];
    uint64_t fallback; /* where the member is 0 */
    uint64_t most;     /* what the member holds */
    char meaning[96];
};

enum sch_name_table {
    SCH_NAMES_SEMANTICS,
    SCH_NAMES_PROPERTIES,
    SCH_NAMES_FORMATS,
    SCH_NAMES_TARGETS,
    SCH_NAMES_FILES
};

/* Row `index` from 0; false past the last. */
SCH_API bool sch_table_opcode(size_t index, struct sch_opcode_info *view);
SCH_API bool sch_table_name(enum sch_name_table table, size_t index, struct sch_name_info *view);
SCH_API bool sch_table_decision(size_t index, struct sch_decision_info *view);
SCH_API bool sch_table_error(size_t index, struct sch_error_info *view);

/* The same; also false where `view->size` is none of this struct's. The texts are the caller's. */
SCH_API bool sch_table_maxwell(size_t index, struct sch_maxwell_info *view);
SCH_API bool sch_table_keyword(size_t index, struct sch_keyword_info *view);
/* Of row `index` of sch_table_opcode. */
SCH_API bool sch_table_opcode_form(size_t index, struct sch_opcode_form_info *view);
/* Of row `index` of the semantics or the properties; false for other tables. */
SCH_API bool sch_table_stages(enum sch_name_table table, size_t index, struct sch_stages_info *view);
SCH_API bool sch_table_limit(size_t index, struct sch_limit_info *view);
SCH_API bool sch_table_header_field(size_t index, struct sch_header_field_info *view);

#ifdef __cplusplus
}
#endif
#endif
