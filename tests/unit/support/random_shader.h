/* Random valid shaders of every stage, as texts: a pure function of a number. */
#ifndef RANDOM_SHADER_H
#define RANDOM_SHADER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RANDOM_SHADER_LINES = 400,
    RANDOM_SHADER_LINE = 240,
    RANDOM_SHADER_TEXT = 65536,
    RANDOM_SHADER_SUBROUTINES = 2,
    RANDOM_SHADER_TEMPS = 16
};

/* Shaders of one pool declare the same textures, samplers and images, so that what is bound can be the same. So many
 * pools take turns among so many shaders; behind these come other pools. */
enum { RANDOM_SHADER_POOLS = 5, RANDOM_SHADER_CHUNK = 12500 };

/* One or two statements; some; tens; and of one in 4,000 as many as the array of lines takes. */
enum random_shader_size { RANDOM_TINY, RANDOM_SMALL, RANDOM_MIDDLE, RANDOM_LARGE, RANDOM_SIZES };

struct random_shader_line {
    char text[RANDOM_SHADER_LINE];
    bool fixed; /* belongs to the structure: the validator must take it */
    int calls;  /* subroutine; -1: no CAL */
    int begins; /* subroutine; -1: no BGNSUB */
};

struct random_shader {
    char text[RANDOM_SHADER_TEXT]; /* the shader */
    unsigned stage;                /* enum sch_stage */
    enum random_shader_size size;
    unsigned pool;

    /* while it is made */
    uint64_t seed;
    char head[8192];
    unsigned head_lines, line_count, loops;
    int left;                             /* statements */
    uint8_t written[RANDOM_SHADER_TEMPS]; /* channels of temporaries */
    bool called[RANDOM_SHADER_SUBROUTINES];
    bool samples;     /* the SAMPLE family, else TEX: they do not mix */
    bool indexes;     /* temporaries by address, which keeps all of them in memory */
    bool subroutines; /* with which the compiler does not ask what lives where */
    struct random_shader_line lines[RANDOM_SHADER_LINES];
};

/* Fails the running test where it makes what the validator refuses. */
void random_shader_make(struct random_shader *shader, uint64_t number);

#endif
