/* Maxwell code in the command: which inputs are some, and reading it as a shader. */
#ifndef SCH_CLI_MAXWELL_H
#define SCH_CLI_MAXWELL_H

#include "common/cli.h"

/* What a verb's options say of Maxwell code. */
struct sch_cli_maxwell_options {
    bool chosen; /* -x maxwell or -x cubin */
    enum sch_kind kind;
    enum sch_maxwell_arch arch; /* --arch */
    enum sch_maxwell_text_style style;
    size_t offset;      /* --offset: where raw code begins */
    bool schedule;      /* --schedule */
    const char *kernel; /* --kernel; NULL: all sections */
    bool labels;        /* --labels */
};

/* The kind of `-x`, Maxwell's or a shader's; as sch_cli_kind. */
enum sch_cli_exit sch_cli_any_kind(const struct sch_cli_verb *verb, const char *word, enum sch_kind *kind,
                                   struct sch_cli_maxwell_options *options);

/* The value of --offset, decimal or in hexadecimal with 0x. */
enum sch_cli_exit sch_cli_maxwell_offset(const struct sch_cli_verb *verb, const char *word,
                                         struct sch_cli_maxwell_options *options);

/* The word of `--arch`, and of an architecture. */
enum sch_cli_exit sch_cli_arch(const struct sch_cli_verb *verb, const char *word,
                               struct sch_cli_maxwell_options *options);
const char *sch_cli_arch_word(enum sch_maxwell_arch arch);

/* USAGE, and said: the shader is Maxwell code, which the verb takes with -x maxwell, or not at all. */
enum sch_cli_exit sch_cli_refuse_maxwell(const struct sch_cli_shader *shader, const char *what);
/* Whether the first bytes of an input are those of Maxwell text or a cubin. */
bool sch_cli_looks_like_maxwell(const struct sch_cli_input *input);
/* Whether an input that was read is a Maxwell program: by -x, else, without -x, by its first bytes. */
bool sch_cli_is_maxwell(const struct sch_cli_maxwell_options *options, enum sch_kind kind,
                        const struct sch_cli_input *input);

enum { SCH_CLI_CODE_HEADER_WORDS = 20 };

/* Where raw code begins in its file, if something comes before it: --offset, and a graphics program's header. */
struct sch_cli_code_place {
    const char *file; /* as it was named */
    char name[300];   /* the input's: where the code begins, too */
    size_t skipped;   /* bytes before the code */
    bool has_header;
    uint32_t header[SCH_CLI_CODE_HEADER_WORDS]; /* its words */
};

/* Reads a program from the bytes of `input`, which it takes over; the reports are in the list. Release it whatever the
 * result was. */
enum sch_cli_exit sch_cli_maxwell_read(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                       struct sch_cli_shader *shader);
/* Checks Maxwell code that is to be executed, as warnings of the pages' restrictions are errors then; others pass. */
enum sch_cli_exit sch_cli_maxwell_check(const struct sch_cli_shader *shader);

/* A word on each line (--hex): `control` reads control word, slot and word. */
enum sch_cli_exit sch_cli_maxwell_dis_lines(const struct sch_cli_maxwell_options *options, const char *path,
                                            bool control);
enum sch_cli_exit sch_cli_maxwell_asm_lines(const struct sch_cli_maxwell_options *options, const char *path);

#endif
