/* A shader rewritten so that lookups and image accesses name bindless handles in temporaries in place of registers. */
#ifndef CORPUS_HANDLES_H
#define CORPUS_HANDLES_H

#include "ir/ir.h"

/* The text, from malloc; NULL where nothing could be replaced without changing what the program means. */
char *text_with_handles(const struct sch_ir_shader *shader);

#endif
