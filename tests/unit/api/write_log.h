/* A shader rewritten so that it logs what it does: behind each instruction that writes a register, that register goes
 * to a buffer, with the instruction's number, once for each time that an invocation executes it. What else the shader
 * computes stays the same. */
#ifndef WRITE_LOG_H
#define WRITE_LOG_H

#include "ir/ir.h"

enum {
    LOG_BUFFER =
        40, /* BUFFER[40] is the log, BUFFER[41] a word that counts invocations as they begin; zeros at first */
    LOG_BYTES = 4 << 20
};

/* One write. Of the words those of the write mask are there. */
struct log_entry {
    uint32_t words[4];
    uint32_t number; /* of the instruction, counted from 1; 0: nothing was written: a helper, or the end of the log */
    uint32_t unused[3];
};

/* The place of an invocation's write: both counted from 0, of `invocations` at most. Past the end of the log nothing is
 * stored. */
static inline size_t log_place(uint32_t invocations, size_t invocation, size_t write)
{
    return write * invocations + invocation;
}

/* Whether destination `number` of an instruction is logged: registers are, memory is not, nor what names memory. */
bool is_logged(const struct sch_ir_instruction *in, unsigned number);

/* Why a shader cannot be logged. */
enum log_refusal {
    LOG_GRANTED,
    LOG_CHOSEN, /* an instruction writes what chooses the register that it writes: behind it nobody can tell which */
    LOG_CLOCK,  /* it counts instructions */
    LOG_REFUSALS
};
enum log_refusal log_refuses(const struct sch_ir_shader *shader);

/* The text of a shader that is not refused, from malloc. */
char *text_with_log(const struct sch_ir_shader *shader, uint32_t invocations);

#endif
