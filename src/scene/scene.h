/* Scenes: texts that say what is drawn, with which shaders, meshes, textures and state, and what is expected of the
 * result. docs/scenes.md has the language. Reading a scene, and executing it on a context, on the public headers alone.
 * It prints nothing and opens no file: what it has to say, and the files that a scene names, go through the caller's
 * functions. */
#ifndef SCH_SCENE_SCENE_H
#define SCH_SCENE_SCENE_H

#include "../player/player.h"

enum { SCH_SCENE_PROBLEM = 160 };

/* The caller. All are called by the thread that reads or runs. */
struct sch_scene_host {
    void *user;
    /* An error or warning: about the scene if `source` is its name, else about a file that it names. */
    void (*report)(void *user, const struct sch_diagnostic_info *report);
    /* Reads the file with the path that the scene gives; `*file` is zero. NULL: scenes have no files. */
    void (*read)(void *user, const char *path, struct sch_player_file *file);
    /* Compiles HLSL; `*compiled` is zero, and its problem comes after the shader's name. NULL: nothing does. */
    void (*compile)(void *user, const struct sch_player_hlsl *hlsl, struct sch_player_file *compiled);
};

/* A scene that was read. It does not change while it is executed. */
struct sch_scene;

/* Reads a scene, of which text[bytes] is 0, and the files that it names; text and name must outlive it. INVALID: the
 * host received the reason; MEMORY. */
enum sch_result sch_scene_read(const char *name, const char *text, size_t bytes, const struct sch_scene_host *host,
                               struct sch_scene **scene);
void sch_scene_destroy(struct sch_scene *scene); /* takes NULL */

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* A pixel whose history is recorded (scheelite/draw.h, "pixel history"). */
struct sch_scene_pixel {
    const char *target; /* a texture; NULL: the scene's output */
    uint32_t x, y;
    char problem
        [SCH_SCENE_PROBLEM]; /* why there is no such pixel: the run ends with ARGUMENT before anything is drawn */
};

/* What is counted at the pixels of a texture (struct sch_heat), by the draws of passes that write it. */
struct sch_scene_heat {
    const char *target; /* a texture; NULL: the scene's output */
    void *user;
    /* Called once, before anything is drawn: gives counts of a picture of that size, which the run adds to. NULL: no
     * memory. */
    const struct sch_heat *(*begin)(void *user, uint32_t width, uint32_t height);
    const char *name; /* receives the texture's */
    uint64_t draws;   /* receives how many were counted */
    char problem
        [SCH_SCENE_PROBLEM]; /* why there is no such texture: the run ends with ARGUMENT before anything is drawn */
};

struct sch_scene_options {
    struct sch_program_options program;
    /* But for its list. `work` and `deadline_ms` are of all draws of the scene together. */
    struct sch_dispatch_options dispatch;
    bool check;                    /* what the scene expects is compared with what is there; else it is passed over */
    bool stats;                    /* passes are measured */
    struct sch_scene_pixel *pixel; /* NULL: none */
    struct sch_scene_heat *heat;   /* NULL: none; `dispatch` has none of its own */
    /* The statement whose draws get dispatch.debug (scheelite/debug.h): the label of an event, or of the draw that
     * sch_scene_find_draw names. Other draws have no session. */
    uint64_t debug_label;
};

/* A pass that was drawn. */
struct sch_scene_stats {
    const char *name; /* of the pass; "": it has none */
    uint32_t number;  /* of passes, from 0 */
    uint64_t draws, statistics[SCH_STATISTICS], samples, nanoseconds;
};

/* What a run reports to the caller; each may be NULL. */
struct sch_scene_watch {
    void *user;
    void (*failed)(void *user, const struct sch_player_outcome *outcome);
    void (*passed)(void *user, const struct sch_scene_stats *stats);
    /* `done` of `all` statements that are executed, those in passes too, are after it. */
    void (*reached)(void *user, uint64_t done, uint64_t all);
};

/* What a run left: textures with what was drawn. It belongs to the context, and the scene must live as long. */
struct sch_scene_player;

/* Draws a scene. The host receives what is wrong; other results than SCH_OK are those of the library's functions. The
 * player is made in any case, unless memory is out (NULL). `expected` and `failed` (optional) receive the number of
 * expectations, and of those that do not hold. */
enum sch_result sch_scene_run(const struct sch_scene *scene, struct sch_context *context,
                              const struct sch_scene_options *options, const struct sch_scene_host *host,
                              const struct sch_scene_watch *watch, struct sch_scene_player **player, uint64_t *expected,
                              uint64_t *failed);
void sch_scene_player_destroy(struct sch_scene_player *player); /* takes NULL */

/* All that was reported to the host. */
const struct sch_diagnostics_list *sch_scene_player_reports(const struct sch_scene_player *player);

/* Texture or buffer `index` of the player, in the scene's order, and its name; NULL: it was not used. False past the
 * last. */
bool sch_scene_player_resource(const struct sch_scene_player *player, size_t index, const char **name,
                               struct sch_resource **resource);

/* What was recorded of the pixel that the options named, while the player lives; NULL: none was. `*target` receives the
 * texture's name. */
const struct sch_pixel_history *sch_scene_player_history(const struct sch_scene_player *player, const char **target);

/* What the label of an event stands for: a statement of the scene. */
struct sch_scene_statement {
    uint32_t line;
    const char *word; /* draw, clear, blit, copy, mips */
    bool in_pass;
    uint32_t pass;           /* its number, from 0 */
    const char *pass_name;   /* "": it has none */
    const char *source;      /* of a blit or a copy: the texture that is read; NULL: another statement */
    const char *primitive;   /* of a draw: its word */
    const char *fragment;    /* of a draw: the name of its fragment shader; "": it has none */
    bool instanced, several; /* there may be more than one instance; more than one draw */
};
/* The label of draw statement `number`, from 0, in the scene's order. False: there is none. */
bool sch_scene_find_draw(const struct sch_scene *scene, uint32_t number, uint64_t *label);

/* The shader of a stage that a draw statement uses. False: it is not a draw, or has no such shader. */
bool sch_scene_find_shader(const struct sch_scene *scene, uint64_t label, enum sch_stage stage,
                           struct sch_player_source *source);

/* False: there is no such statement. */
bool sch_scene_find_statement(const struct sch_scene *scene, uint64_t label, struct sch_scene_statement *statement);

/* A picture. */
struct sch_scene_picture {
    uint32_t width, height;
    enum sch_format format;
    enum sch_format own; /* the texture's */
    uint8_t *texels;     /* freed by free() */
    size_t bytes;
    char problem[SCH_SCENE_PROBLEM];
};

/* The picture of the texture `target`, or of the scene's output (NULL), as `*picture`, which is zero; otherwise the
 * problem says why there is none. Samples are resolved. Without `numbers` it has four channels of 8 bits, and depth is
 * grey; with them it has the texture's numbers: floats or integers of 32 bits in four channels, Z32_FLOAT or S8_UINT.
 * ARGUMENT: there is no such texture. */
enum sch_result sch_scene_player_picture(struct sch_scene_player *player, const char *target, bool numbers,
                                         struct sch_scene_picture *picture);

#endif
