/* A second opinion on which instruction a group executes when: walks the tree of a shader's constructs with a set of
 * lanes, and knows nothing of the interpreter's masks and links. For texts of one instruction a line whose conditions
 * are made of MOV, UADD, AND, USGE, USLT and USEQ on x of TEMP; every other instruction is a step without effect. */
#ifndef TESTS_STOP_WALKER_H
#define TESTS_STOP_WALKER_H

#include <stdint.h>

enum { WALK_STEPS = 1 << 16 };

struct walk_step {
    uint32_t instruction, lane; /* the lowest that executes it; 0 where none does */
    uint32_t segment;           /* BARRIERs that the group has passed */
};

struct walk {
    uint32_t count;
    struct walk_step steps[WALK_STEPS];
};

/* Walks a group of the lanes 0 to `lanes` - 1; SV[0] is the lane. Fails the test on a text that it does not take. */
void walk_group(const char *text, uint32_t lanes, struct walk *walk);

/* Line of the shader's first instruction, from 1. */
uint32_t walk_first_line(const char *text);

#endif
