/* What a kind of file gives to the functions for all kinds (texture.c): one row in kinds.c. Holds no file format. */
#ifndef SCH_FILES_CODEC_H
#define SCH_FILES_CODEC_H

#include "files/files.h"

/* One file that is read. `limits` has all defaults filled in. */
struct sch_files_reader {
    struct sch_file_options limits;
    const uint8_t *data;
    size_t bytes;
    struct sch_file_error *error; /* may be NULL: sch_files_report() takes that */
};

/* One file that is written: a texture whose shape and bytes were checked. `file` is empty and has its allocator. */
struct sch_files_writer {
    struct sch_file_write_options options;
    struct sch_file_options limits;
    const struct sch_file_texture *texture;
    struct sch_bytes *file;
    struct sch_file_error *error;
};

struct sch_files_codec {
    enum sch_file_kind kind;
    const char *name, *extensions;
    const char *needs; /* the library that this build lacks, or NULL */
    bool textures;
    bool (*is)(const uint8_t *data, size_t bytes);
    /* NULL where the library is missing. `texture` is empty; a reader fills in the shape, calls sch_files_allocate(),
     * and writes all texels. What it leaves behind when it fails is released by the caller. */
    enum sch_result (*read)(const struct sch_files_reader *reader, struct sch_file_texture *texture);
    enum sch_result (*write)(const struct sch_files_writer *writer); /* NULL: the kind is not written */
};

/* The rows: kinds.c. */
const struct sch_files_codec *sch_files_codec_of(enum sch_file_kind kind);

/* The bytes of the shape's texels; false: the shape is none that resources have, or the bytes are more than memory. */
bool sch_files_texture_bytes(const struct sch_file_texture *texture, size_t *bytes);

/* Checks the shape that a reader found against the limits, reports what is wrong (LIMIT; INVALID: a shape that no
 * resource has), and allocates the texels. */
enum sch_result sch_files_allocate(const struct sch_files_reader *reader, struct sch_file_texture *texture);

#endif
