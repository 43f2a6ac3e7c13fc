/* What tests of random draws share: random meshes, state and framebuffers, what is bound, and the sum of all that a
 * draw wrote. A test chooses the shaders. All of it is a pure function of the seed. Holds no expectation of what a
 * pixel is. */
#ifndef TESTS_RANDOM_DRAW_H
#define TESTS_RANDOM_DRAW_H

#include "../support/draw_support.h"
#include "../support/random_textures.h"
#include "base/sha256.h"

enum {
    RANDOM_DRAW_STAGES = SCH_STAGE_COMPUTE + 1,
    RANDOM_DRAW_VERTICES = 48,
    RANDOM_DRAW_REGISTERS = 16,
    RANDOM_DRAW_INDICES = 64,
    RANDOM_DRAW_CONSTANTS = 128,
    RANDOM_DRAW_SIDE = 80, /* pixels of a framebuffer, at most */
    RANDOM_DRAW_TARGETS = 3,
    RANDOM_DRAW_BUFFERS = 8,
    RANDOM_DRAW_MEMORY = 64, /* words of a storage buffer */
    RANDOM_DRAW_COUNT = 120,
    RANDOM_DRAW_LONG_COUNT = 10000,
    RANDOM_DRAW_THREADS = 3 /* at most */
};

/* What a draw is made of, the same for all that draw it. Zeros but for the seed and the layers at first. */
struct random_draw {
    uint64_t seed;
    uint32_t layers;                 /* of the framebuffer */
    char *texts[RANDOM_DRAW_STAGES]; /* of the shaders, from malloc; NULL: there is none */
    float vertices[RANDOM_DRAW_VERTICES][RANDOM_DRAW_REGISTERS][4];
    float drawn[RANDOM_DRAW_VERTICES][RANDOM_DRAW_REGISTERS][4]; /* what draws read: a copy, which may be written */
    uint32_t indices[RANDOM_DRAW_INDICES];
    uint32_t constants[RANDOM_DRAW_STAGES][RANDOM_DRAW_CONSTANTS][4];
    struct draw_scene scene;
    struct sch_resource *colors[RANDOM_DRAW_TARGETS];
    uint32_t color_count;
    struct sch_draw draw;
    struct random_textures textures[RANDOM_DRAW_STAGES];

    uint32_t memory[RANDOM_DRAW_BUFFERS][RANDOM_DRAW_MEMORY]; /* that all stages of a draw share */
    struct sch_storage_buffer buffers[RANDOM_DRAW_BUFFERS];
    struct sch_constant_buffer constant_buffers[RANDOM_DRAW_STAGES];
    struct sch_bindings bindings[RANDOM_DRAW_STAGES];
    bool twice; /* draws happen twice, with the same objects */
};

uint32_t random_draw_below(struct random_draw *subject, uint32_t count);
bool random_draw_chance(struct random_draw *subject, uint32_t one_of);
float random_draw_part(struct random_draw *subject); /* from 0 to 1 */

/* Shaders that draw something of these vertices, where there are no captured ones. */
extern const char random_draw_vertex[], random_draw_fragment[];
char *random_draw_copy(const char *text);
bool random_draw_is_d3d(const char *text); /* assembly, which begins with the profile */
/* A captured text of a stage, whose folder is `stage`. NULL: there are none. */
char *random_draw_captured(struct random_draw *subject, char **paths, size_t count, const char *stage);

/* Makes a scene with its context and random targets. */
void random_draw_framebuffer(struct random_draw *subject);
/* After that and the shaders: vertices, state, the draw and textures. */
void random_draw_state(struct random_draw *subject);
void random_draw_end(struct random_draw *subject);

/* What draws read and write is as it was before any of them; what their stages see is bound. */
void random_draw_reset(struct random_draw *subject);
/* Binds so many storage buffers, constants and textures of a stage. */
void random_draw_bind(struct random_draw *subject, enum sch_stage stage, struct sch_storage_buffer *buffers);
/* Adds targets and storage buffers; the bytes of any resource. */
void random_draw_sum(const struct random_draw *subject, struct sch_sha256 *sum);
void random_draw_add(struct sch_sha256 *sum, const struct sch_resource *resource);

/* Draws a subject that begins with a struct random_draw, and sums up all that was written. */
typedef enum sch_result random_draw_function(void *subject, enum sch_engine engine, unsigned width, unsigned threads,
                                             uint8_t digest[SCH_SHA256_BYTES]);
/* Draws by the interpreter, with vectors of 4 lanes and one thread, and again as SCH_TEST_ENGINE and SCH_LONG ask for,
 * with other widths and numbers of threads, each time twice with the same objects; all answers are equal. The answer is
 * added to the sum. False: the draw does not go well, which some do not. */
bool random_draw_has_one_answer(random_draw_function *once, void *subject, uint64_t number, struct sch_sha256 *sum,
                                uint8_t answer[SCH_SHA256_BYTES]);

/* The draws of a test, and those that it runs: with SCH_DRAW only that one, with SCH_DRAWS so many, from SCH_DRAW on
 * where both are set. */
struct random_draws {
    unsigned count, first, end;
    bool all;
};
struct random_draws random_draw_range(void);
uint64_t random_draw_seed(unsigned number, unsigned test);

/* Ends the sum and prints it, so that builds by different compilers can be compared. */
void random_draw_tell(struct sch_sha256 *sum, unsigned draws);

#endif
