/* The handlers that the interpreter finds by an opcode's name: control flow (exec/control.c), the opcodes that look at
 * other lanes or at the lane itself (exec/lanes.c), memory (exec/memory.c), the framebuffer (exec/image.c) and barriers
 * (exec/barrier.c). Declared from the table: a row without a handler does not link. */
#ifndef SCH_EXEC_CONTROL_H
#define SCH_EXEC_CONTROL_H

#include "exec/machine.h"

/* NAMED_<shape>(name) expands for the shapes whose rows have a handler each. */
#define NAMED_COMP(name)
#define NAMED_REPL(name)
#define NAMED_VREPL2(name)
#define NAMED_VREPL3(name)
#define NAMED_VREPL4(name)
#define NAMED_CHAN(name)
#define NAMED_UNPACK(name)
#define NAMED_COMP64(name)
#define NAMED_COMPARE64(name)
#define NAMED_WIDEN64(name)
#define NAMED_NARROW64(name)
#define NAMED_FRACEXP(name)
#define NAMED_FLOW(name) NAMED(name)
#define NAMED_LANE(name) NAMED(name)
#define NAMED_TEX(name)
#define NAMED_MEMORY(name) NAMED(name)
#define NAMED_ATOMIC(name)
#define NAMED_STREAM(name)      NAMED(name)
#define NAMED_INTERPOLATE(name) NAMED(name)
#define NAMED_SYNC(name)        NAMED(name)
#define NAMED_FETCH(name)       NAMED(name)
#define NAMED_HANDLE(name)      NAMED(name)

#define NAMED(name)                                                         extern sch_exec_handler sch_exec_##name;
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) NAMED_##shape(name)
#include "isa/opcodes.def"
#undef OP
#undef NAMED

#endif
