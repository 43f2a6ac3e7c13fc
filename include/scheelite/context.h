/* The context: allocator and limits. Every other object is made from one and must be destroyed before it. */
#ifndef SCHEELITE_CONTEXT_H
#define SCHEELITE_CONTEXT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sch_context;

struct sch_context_options {
    size_t size;
    const struct sch_memory_callbacks *memory; /* optional: malloc and free; copied */
    const struct sch_limit_options *limits;    /* optional: the defaults; copied */
};

/* Makes a context. `options` is optional. On failure `*context` is NULL: SCH_ERROR_ARGUMENT or SCH_ERROR_MEMORY. A
 * context may be used by several threads at once; the objects made from it say their own rules. */
SCH_API enum sch_result sch_context_create(const struct sch_context_options *options, struct sch_context **context);

/* Takes NULL. All objects of the context must have been destroyed. */
SCH_API void sch_context_destroy(struct sch_context *context);

/* Gives back text or words that a function of this library handed out as "the caller's". Takes NULL. */
SCH_API void sch_free(struct sch_context *context, void *memory);

#ifdef __cplusplus
}
#endif
#endif
