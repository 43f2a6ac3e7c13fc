/* Random valid shaders of every stage, as texts: a pure function of a number. */
#ifndef RANDOM_SHADER_H
#define RANDOM_SHADER_H

#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_SHADER_LINES = 400, RANDOM_SHADER_LINE = 120, RANDOM_SHADER_TEXT = 65536, RANDOM_SHADER_SUBROUTINES = 2 };

struct random_shader_line {
    char text[RANDOM_SHADER_LINE];
    bool fixed; /* belongs to the structure: the validator must take it */
    int calls;  /* subroutine; -1: no CAL */
    int begins; /* subroutine; -1: no BGNSUB */
};

struct random_shader {
    char text[RANDOM_SHADER_TEXT]; /* the shader */
    unsigned stage;                /* enum sch_stage */

    /* while it is made */
    uint64_t seed;
    char head[8192];
    unsigned head_lines, line_count, loops, budget;
    bool samples; /* the SAMPLE family, else TEX: they do not mix */
    struct random_shader_line lines[RANDOM_SHADER_LINES];
};

/* Fails the running test where it makes what the validator refuses. */
void random_shader_make(struct random_shader *shader, uint64_t number);

#endif
