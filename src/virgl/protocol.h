/* Numbers and layouts of the protocol that more than one file reads. */
#ifndef SCH_VIRGL_PROTOCOL_H
#define SCH_VIRGL_PROTOCOL_H

#include "virgl.h"

enum {
#define COMMAND(number, name, least, most, waits, function, words) SCH_VIRGL_##name = number,
#include "commands.def"
#undef COMMAND
};

enum { SCH_VIRGL_TO_HOST = 1, SCH_VIRGL_FROM_HOST = 2 }; /* directions of TRANSFER3D */
enum { SCH_VIRGL_READ_FROM_HOST = 2 };                   /* flag of COPY_TRANSFER3D */

static inline struct sch_virgl_box sch_virgl_read_box(const uint32_t *words)
{
    return (struct sch_virgl_box){words[0], words[1], words[2], words[3], words[4], words[5]};
}

/* The first eleven words of all commands that transfer. */
static inline struct sch_virgl_transfer sch_virgl_read_transfer(const uint32_t *words)
{
    return (struct sch_virgl_transfer){.resource = words[0],
                                       .level = words[1],
                                       .row_bytes = words[3],
                                       .layer_bytes = words[4],
                                       .box = sch_virgl_read_box(words + 5)};
}

#endif
