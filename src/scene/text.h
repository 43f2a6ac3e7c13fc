/* Reading a scene's text: tokens, words, numbers and errors (text.c), and the parts that several statements share.
 * Holds no execution.
 *
 * A statement ends with its line, unless a brace is open; `;` ends one, too. The first error of a statement sets
 * `wrong`; from there on nothing is read until the next statement that is in the first column. */
#ifndef SCH_SCENE_TEXT_H
#define SCH_SCENE_TEXT_H

#include "../support/text.h"
#include "../support/words.h"
#include "items.h"

enum sch_scene_token_kind {
    SCH_SCENE_ATOM, /* a word or a number */
    SCH_SCENE_STRING,
    SCH_SCENE_SIGN, /* { } = * */
    SCH_SCENE_LINE_END,
    SCH_SCENE_TEXT_END
};

struct sch_scene_token {
    enum sch_scene_token_kind kind;
    const char *text; /* of a string, what is between the quotes */
    size_t bytes;
    struct sch_scene_place place;
};

struct sch_scene_text {
    struct sch_scene *scene;
    const struct sch_scene_host *host;
    struct sch_cursor cursor;
    bool wrong;
    struct sch_scene_token token; /* the next one */
    struct sch_nearest nearest;   /* of the words that a token was compared with: what was perhaps meant */
    struct sch_scene_step **last_step;
    struct sch_scene_command **last_command;
};

/* ---- text.c ---- */

void sch_scene_next(struct sch_scene_text *text);
/* Reports an error at the next token, or at a place; `name` is that of the diagnostic. False, always. */
bool sch_scene_refuse(struct sch_scene_text *text, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A warning of what a file that the scene names says of itself. */
void sch_scene_warn_of_file(struct sch_scene_text *text, const struct sch_scene_place *place, unsigned code,
                            const char *path, const char *message);
bool sch_scene_refuse_at(struct sch_scene_text *text, const struct sch_scene_place *place, const char *name,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Take the next token if it is this one. */
bool sch_scene_is(struct sch_scene_text *text, const char *word);
/* A word that the next token may be meant to be: an error about the token says the nearest. Words of sch_scene_is are
 * tried. */
void sch_scene_try(struct sch_scene_text *text, const char *word);
bool sch_scene_word(struct sch_scene_text *text, const char *word);
bool sch_scene_sign(struct sch_scene_text *text, char sign);
bool sch_scene_at_end(const struct sch_scene_text *text); /* of the statement */
void sch_scene_skip_lines(struct sch_scene_text *text);

/* These take the next token, or report that it is not what is needed, and return false; `what` says what that is. */
bool sch_scene_open(struct sch_scene_text *text);
bool sch_scene_end(struct sch_scene_text *text); /* of the statement */
/* `words` end with NULL (../support/words.h); `*number` is the word's place. */
bool sch_scene_choice(struct sch_scene_text *text, const char *const *words, const char *what, uint32_t *number);
bool sch_scene_bool(struct sch_scene_text *text, bool *value);
bool sch_scene_number(struct sch_scene_text *text, const char *what, struct sch_scene_number *number);
bool sch_scene_uint(struct sch_scene_text *text, const char *what, uint64_t low, uint64_t high, uint64_t *value);
bool sch_scene_u32(struct sch_scene_text *text, const char *what, uint32_t low, uint32_t high, uint32_t *value);
bool sch_scene_float(struct sch_scene_text *text, const char *what, float *value);
bool sch_scene_floats(struct sch_scene_text *text, const char *what, float *values, unsigned count);
/* FIRST [COUNT], the count 1 if it is not given, and what both are called. */
bool sch_scene_span(struct sch_scene_text *text, const char *what, const char *many, uint32_t high, uint32_t *first,
                    uint32_t *count);
bool sch_scene_at_number(const struct sch_scene_text *text);
bool sch_scene_offset(struct sch_scene_text *text, uint64_t *offset); /* [offset N] */
bool sch_scene_format(struct sch_scene_text *text, enum sch_format *format);
const char *sch_scene_string(struct sch_scene_text *text, const char *what); /* NULL: there is none */
/* The object of a kind with the name that is the next token. NULL: there is none. */
const struct sch_scene_object *sch_scene_named(struct sch_scene_text *text, enum sch_scene_kind kind);
/* A number, if the token is one. */
bool sch_scene_parse_number(const char *text, size_t bytes, struct sch_scene_number *number);

bool sch_scene_target(struct sch_scene_text *text, enum sch_target *target);      /* read_texture.c */
bool sch_scene_scissor(struct sch_scene_text *text, struct sch_scissor *scissor); /* read_dynamic.c */
bool sch_scene_color(struct sch_scene_text *text, struct sch_scene_number color[4]);

/* ---- names.c ---- */

/* A file that the scene names, at the next token: its bytes are the scene's. */
bool sch_scene_read_file(struct sch_scene_text *text, const char **path, struct sch_scene_bytes *file);
/* The same for what may be a text: after its byte order mark. */
bool sch_scene_read_text(struct sch_scene_text *text, const char **path, struct sch_scene_bytes *file);

/* Makes an object; `name` NULL: without one. NULL: the name is not new, or memory. */
struct sch_scene_object *sch_scene_make(struct sch_scene_text *text, enum sch_scene_kind kind,
                                        const struct sch_scene_token *name);

/* A step at the end of the scene's, and a command at the end of the pass's; NULL: memory, or too many. */
struct sch_scene_step *sch_scene_add_step(struct sch_scene_text *text, enum sch_scene_step_kind kind);
struct sch_scene_command *sch_scene_add_command(struct sch_scene_text *text, enum sch_scene_command_kind kind);

/* ---- the statements ---- */

void sch_scene_read_shader(struct sch_scene_text *text, struct sch_scene_object *object); /* read_shader.c */
void sch_scene_read_buffer(struct sch_scene_text *text, struct sch_scene_object *object); /* read_data.c */
bool sch_scene_read_data(struct sch_scene_text *text, struct sch_scene_bytes *data);      /* { ... } */
/* The same, with the types of its numbers. */
bool sch_scene_read_expected(struct sch_scene_text *text, struct sch_scene_expect *expect);
void sch_scene_read_mesh(struct sch_scene_text *text, struct sch_scene_object *object);          /* read_mesh.c */
void sch_scene_read_obj(struct sch_scene_text *text, struct sch_scene_mesh *mesh);               /* obj.c */
void sch_scene_read_texture(struct sch_scene_text *text, struct sch_scene_object *object);       /* read_texture.c */
void sch_scene_read_sampler(struct sch_scene_text *text, struct sch_scene_object *object);       /* read_state.c */
void sch_scene_read_elements(struct sch_scene_text *text, struct sch_scene_object *object);      /* read_state.c */
void sch_scene_read_state(struct sch_scene_text *text, struct sch_scene_object *object);         /* read_state.c */
void sch_scene_read_stream_output(struct sch_scene_text *text, struct sch_scene_object *object); /* read_stream.c */
void sch_scene_read_stream_target(struct sch_scene_text *text, struct sch_scene_object *object);
/* Commands of a pass, and what is beside passes, after their word. */
void sch_scene_read_stream(struct sch_scene_text *text, struct sch_scene_command *command);
void sch_scene_read_filled(struct sch_scene_text *text, struct sch_scene_command *command);
void sch_scene_read_dynamic(struct sch_scene_text *text, struct sch_scene_dynamic *dynamic); /* read_dynamic.c */
bool sch_scene_read_matrix(struct sch_scene_text *text, struct sch_scene_matrix *matrix);    /* matrix.c */
void sch_scene_read_pass(struct sch_scene_text *text, struct sch_scene_step *step);          /* read_pass.c */
void sch_scene_read_draw(struct sch_scene_text *text, struct sch_scene_command *command);    /* read_draw.c */
void sch_scene_read_bind(struct sch_scene_text *text, struct sch_scene_command *command);    /* read_draw.c */
void sch_scene_read_clear(struct sch_scene_text *text, struct sch_scene_command *command);   /* read_draw.c */
void sch_scene_read_blit(struct sch_scene_text *text, struct sch_scene_step *step);          /* read_step.c */
void sch_scene_read_copy(struct sch_scene_text *text, struct sch_scene_step *step);
void sch_scene_read_mips(struct sch_scene_text *text, struct sch_scene_step *step);   /* read_step.c */
void sch_scene_read_expect(struct sch_scene_text *text, struct sch_scene_step *step); /* read_step.c */
void sch_scene_read_output(struct sch_scene_text *text);                              /* read_step.c */

#endif
