/* Numbers of scenes as bytes, for buffers, constants, texels and vertices. */
#ifndef SCH_SCENE_DATA_H
#define SCH_SCENE_DATA_H

#include "text.h"

enum { SCH_SCENE_DATA_BYTES = 1 << 27, SCH_SCENE_TYPES = 9 };

enum sch_scene_type_kind { SCH_SCENE_IEEE, SCH_SCENE_SIGNED, SCH_SCENE_UNSIGNED };

/* A type of numbers. */
struct sch_scene_type {
    const char *word;
    enum sch_scene_type_kind kind;
    unsigned bytes;
};
extern const struct sch_scene_type sch_scene_types[SCH_SCENE_TYPES];

/* The next token as a number of a type, in the first bytes of `data`. */
bool sch_scene_take(struct sch_scene_text *text, const struct sch_scene_type *type, uint8_t data[8]);

/* Bytes whose number is not known before, and, where `typed`, what numbers they are. */
struct sch_scene_growing {
    uint8_t *data;
    size_t bytes, room;
    bool typed;
    struct sch_scene_run *runs;
    size_t run_count, run_room;
};
bool sch_scene_put(struct sch_scene_text *text, struct sch_scene_growing *growing, const void *data, size_t bytes);
/* Moves the bytes to the scene's memory. */
void sch_scene_keep(struct sch_scene_text *text, struct sch_scene_growing *growing, struct sch_scene_bytes *kept);

#endif
