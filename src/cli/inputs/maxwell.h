/* Maxwell programs in the command: which inputs are some, reading one, and what the verbs do with it. */
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

/* The word of `--arch`. */
enum sch_cli_exit sch_cli_arch(const struct sch_cli_verb *verb, const char *word,
                               struct sch_cli_maxwell_options *options);

/* USAGE, and said: the shader is Maxwell code, which the verb takes with -x maxwell, or not at all. */
enum sch_cli_exit sch_cli_refuse_maxwell(const struct sch_cli_shader *shader, const char *what);
/* Whether the first bytes of an input are those of Maxwell text or a cubin. */
bool sch_cli_looks_like_maxwell(const struct sch_cli_input *input);
/* Whether an input that was read is a Maxwell program: by -x, else, without -x, by its first bytes. */
bool sch_cli_is_maxwell(const struct sch_cli_maxwell_options *options, enum sch_kind kind,
                        const struct sch_cli_input *input);

/* A program that was read, with what belongs to it. */
struct sch_cli_maxwell {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *program;
    struct sch_cli_input input; /* what is read: raw code without what stands before it */
    const char *file;           /* as it was named; input.name says where the code begins, too */
    char name[300];
    size_t skipped; /* bytes before the code: --offset, and a graphics program's header of 80 bytes */
    bool has_header;
    uint32_t header[20]; /* its words */
};

/* Reads a program from the bytes of `input`, which it takes over; the reports are in the list. Release it whatever the
 * result was. */
enum sch_cli_exit sch_cli_maxwell_read(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                       struct sch_cli_maxwell *maxwell);
/* Reads a file that is to be executed: says what is wrong with it, as warnings of the pages' restrictions are errors
 * then. Release it likewise. */
enum sch_cli_exit sch_cli_maxwell_load(const struct sch_cli_maxwell_options *options, const char *path,
                                       struct sch_cli_maxwell *maxwell);
void sch_cli_maxwell_release(struct sch_cli_maxwell *maxwell);

/* What the verbs do with a program; each takes the input over. */
enum sch_cli_exit sch_cli_maxwell_dis(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input);
enum sch_cli_exit sch_cli_maxwell_asm(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                      const char *output);
enum sch_cli_exit sch_cli_maxwell_info(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                       bool json);

/* A word on each line (--hex): `control` reads control word, slot and word. */
enum sch_cli_exit sch_cli_maxwell_dis_lines(const struct sch_cli_maxwell_options *options, const char *path,
                                            bool control);
enum sch_cli_exit sch_cli_maxwell_asm_lines(const struct sch_cli_maxwell_options *options, const char *path);

/* Whether the arguments of a verb are about Maxwell code, which is another form of it; eval and trace by their
 * forms. */
bool sch_cli_maxwell_is_form(const struct sch_cli_verb *verb, const struct sch_cli_verb *form, int argc, char **argv);
enum sch_cli_exit sch_cli_maxwell_lanes(const struct sch_cli_verb *form, int argc, char **argv);

/* The same of run: kernels, and tests of them (launch/launch.c). */
bool sch_cli_launch_is_form(int argc, char **argv);
enum sch_cli_exit sch_cli_launch(int argc, char **argv);

#endif
