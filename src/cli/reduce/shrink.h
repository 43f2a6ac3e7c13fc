/* Shrinking a file while something holds of it, by delta debugging: ranges of its pieces go, in sizes that halve, then
 * constructs, then all pieces that share a name; what is left becomes simpler. Nothing here depends on chance or time.
 * What pieces are, and which files are valid, is the caller's (struct sch_cli_form). Runs no process, opens no file. */
#ifndef SCH_CLI_SHRINK_H
#define SCH_CLI_SHRINK_H

#include "common/cli.h"

/* What a piece is written in. */
enum sch_cli_language {
    SCH_CLI_IN_TGSI,
    SCH_CLI_IN_D3D,
    SCH_CLI_IN_MAXWELL,
    SCH_CLI_IN_SCENE,
    SCH_CLI_IN_SCRIPT,
    SCH_CLI_IN_OTHER, /* text that is not looked into */
    SCH_CLI_IN_BYTES  /* no text */
};

/* A line of text, or a command of a stream. */
struct sch_cli_piece {
    const char *text; /* a zero byte follows the last */
    size_t bytes;
    enum sch_cli_language language;
    uint32_t of; /* the form's: what the piece is a part of */
};

struct sch_cli_pieces {
    struct sch_cli_piece *list;
    size_t count;
    char **texts; /* what holds the pieces' texts */
    size_t text_count;
    uint32_t room, text_room;
};

/* Adds a piece; its text is copied. False: memory. */
bool sch_cli_pieces_add(struct sch_cli_pieces *pieces, enum sch_cli_language language, uint32_t of, const char *text,
                        size_t bytes);
void sch_cli_pieces_release(struct sch_cli_pieces *pieces);

/* What a kind of files is to the shrinker. */
struct sch_cli_form {
    /* Takes a file apart. False: memory, or it is no such file. */
    bool (*split)(void *user, const void *data, size_t bytes, struct sch_cli_pieces *pieces);
    /* The file that the pieces make, from malloc; false: they make none that is valid. What `split` gives makes the
     * same file again. */
    bool (*make)(void *user, const struct sch_cli_pieces *pieces, char **data, size_t *bytes);
    void *user;
};

/* The caller. */
struct sch_cli_shrink_host {
    bool (*holds)(void *user, const void *data, size_t bytes); /* of a candidate: it is the best one from then on */
    bool (*stops)(void *user);                                 /* whether to end with what there is */
    void *user;
};

/* A file and what it shrinks to. */
struct sch_cli_shrunk {
    char *data; /* freed by free() */
    size_t bytes;
    size_t pieces; /* of which it is made */
};

/* Shrinks `shrunk->data`, which holds and was made by the form. False: memory; the best file so far is there anyway. */
bool sch_cli_shrink(const struct sch_cli_form *form, const struct sch_cli_shrink_host *host,
                    struct sch_cli_shrunk *shrunk);

/* ---- simplify.c ---- */

/* Simpler forms of a line of a shader, script or scene: operands without swizzles and signs, narrower masks, zeros for
 * numbers, MOV for other instructions. They need not be valid. Each leads away from where it came from, so that taking
 * one after the other ends. */

/* Takes a form: true ends the offers. */
typedef bool sch_cli_take_fn(void *user, const char *line);

/* Offers every simpler form of a piece, each differing from it in one place. Whether one was taken. */
bool sch_cli_simplify(const struct sch_cli_pieces *pieces, size_t piece, sch_cli_take_fn *take, void *user);

#endif
