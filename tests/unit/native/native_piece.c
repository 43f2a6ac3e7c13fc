/* A relocatable object for the tests of src/native, as a compiler would make one: code that refers to nothing outside
 * of itself, with what needs relocation: constants, a table of addresses, calls. Compiled by itself, not linked. */
#include "exec/machine.h"

void sch_native_group(struct sch_group *group);
unsigned sch_native_reply(unsigned number);

static const unsigned primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

/* What a compiler says about its frames (native/object.h): at most 120 bytes each. */
#if defined(__x86_64__) || defined(__aarch64__)
__asm__(".pushsection .stack_sizes,\"o\",@progbits,.text\n"
        ".quad prime\n.byte 120\n.quad square\n.byte 120\n"
        ".quad sch_native_reply\n.byte 120\n.quad sch_native_group\n.byte 0xf8, 0\n"
        ".popsection\n");
#endif

static __attribute__((noinline, used)) unsigned prime(unsigned number) { return primes[number & 7]; }
static __attribute__((noinline, used)) unsigned square(unsigned number) { return number * number; }

static unsigned (*const functions[2])(unsigned) = {prime, square};

unsigned sch_native_reply(unsigned number) { return functions[number & 1](number) + prime(number / 2); }

/* What code keeps in registers of its own begins as zero. */
static inline __attribute__((always_inline)) void clear(struct sch_exec_machine *machine, enum sch_file number)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[number];
    volatile uint32_t *words = machine->group.space[SCH_SPACE_STATE][file->base].u; /* no call of memset */
    for (size_t n = 0; n < 4 * (size_t)SCH_GROUP_LANES * file->count && !machine->program->cleared[number]; n++)
        words[n] = 0;
}

/* The interpreter's loop: the engines' frame cannot tell it from code that a compiler made. */
void sch_native_group(struct sch_group *group)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_prepared_instruction *at = &machine->program->prepared.instructions[group->at];
    group->at = SCH_GROUP_ENDED;
    if (at == machine->program->prepared.instructions) {
        clear(machine, SCH_FILE_TEMPORARY);
        clear(machine, SCH_FILE_ADDRESS);
        clear(machine, SCH_FILE_OUTPUT);
    }
    while (at) {
        machine->group.executed++;
#ifdef LIES /* for tests that must notice: a wrong bit in y of what MUL writes, in one lane */
        const struct sch_prepared_instruction *in = at;
        at = machine->program->handlers[at->number](machine, at);
        if (in->opcode == SCH_OP_MUL) machine->group.space[SCH_SPACE_STATE][in->dst[0].channel + 1].u[2] ^= 1;
#else
        at = machine->program->handlers[at->number](machine, at);
#endif
    }
}
