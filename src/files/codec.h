/* What a kind of file gives to the functions for all kinds (texture.c), one row in kinds.c; and what its reader and
 * writer share. Holds no file format. */
#ifndef SCH_FILES_CODEC_H
#define SCH_FILES_CODEC_H

#include "base/bytes.h"
#include "files/files.h"

/* One file that is read. `limits` has all defaults filled in. */
struct sch_files_reader {
    struct sch_file_options limits;
    const uint8_t *data;
    size_t bytes;
    struct sch_file_error *error; /* may be NULL: sch_files_report() takes that */
    bool as_colors, lenient;      /* as in struct sch_file_read_options */
    void (*warn)(void *warn_user, unsigned code, const char *message);
    void *warn_user;
};

/* Reports to the caller where a file breaks the rules of its kind, and what is read. */
void sch_files_warn(const struct sch_files_reader *reader, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

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
    bool (*is)(const uint8_t *data, size_t bytes); /* data may be NULL if there are no bytes */
    /* NULL where the library is missing. `texture` is empty; a reader fills in the shape, calls sch_files_allocate(),
     * and writes all texels. What it leaves behind when it fails is released by the caller. */
    enum sch_result (*read)(const struct sch_files_reader *reader, struct sch_file_texture *texture);
    enum sch_result (*write)(const struct sch_files_writer *writer); /* NULL: the kind is not written */
};

/* The rows: kinds.c. The second is for walking through all of them: NULL after the last one. */
const struct sch_files_codec *sch_files_codec_of(enum sch_file_kind kind);
const struct sch_files_codec *sch_files_codec_at(size_t index);

/* ---- formats (formats.c) ---- */

/* A block of a format: its bytes, and its texels along the axes. */
struct sch_files_format {
    const char *name;
    uint32_t bytes, width, height, depth;
    bool srgb;
};

/* False: no such format, or one of several planes, whose texels are not a row of blocks. */
bool sch_files_format(enum sch_format format, struct sch_files_format *facts);

/* A channel of a format: bits `first` to `first + bits - 1` of a block, counted from the lowest of its first byte.
 * `type` is x void, u unsigned, s signed, h fixed, f float; `source` is the colour that it is (0 to 3: red, green,
 * blue, alpha; depth and stencil as 0 and 1), or the first of several; -1: none. */
struct sch_files_channel {
    char type;
    bool normalised, integer;
    uint32_t bits, first;
    int source;
};
enum { SCH_FILES_CHANNELS = 4 };
struct sch_files_channels {
    uint32_t count;
    struct sch_files_channel channel[SCH_FILES_CHANNELS];
    char swizzle[SCH_FILES_CHANNELS + 1]; /* where red, green, blue, alpha come from: x y z w 0 1 _ */
    bool plain;                           /* each channel has its bits to itself, and one meaning */
    bool srgb, depth;                     /* depth: depth and stencil */
};
/* False: as sch_files_format. Blocks of several texels are one void channel. */
bool sch_files_channels(enum sch_format format, struct sch_files_channels *channels);

/* The number after the last format. */
unsigned sch_files_format_count(void);

/* The name of a format for reports; "(unknown)" if it has none. */
const char *sch_files_format_name(enum sch_format format);

/* ---- shapes (shape.c) ---- */

enum { SCH_FILES_LEVELS = 32 }; /* that a shape has at most */

/* A level of a texture: its texels, and where its bytes are. The shape was checked. */
struct sch_files_level {
    uint32_t width, height, depth; /* texels */
    uint32_t rows, slices;         /* of blocks: rows in a slice, slices in a layer */
    size_t row_bytes, slice_bytes, layer_bytes;
    size_t offset, bytes; /* of all layers, in the texture's texels */
};
struct sch_files_level sch_files_level(const struct sch_file_texture *texture, uint32_t level);

/* Takes one level from a shape that has one too many (with a warning): some writers count up to the next power of two.
 * Returns the number of levels taken. The target, the format and the sizes are known. */
uint32_t sch_files_bound_levels(const struct sch_files_reader *reader, struct sch_file_texture *texture);

/* What is wrong with a shape, as words for a report, or NULL. */
const char *sch_files_wrong_shape(const struct sch_file_texture *texture);

/* The bytes of the shape's texels; false: the shape is not one that textures in files have, or the bytes are more than
 * memory. */
bool sch_files_texture_bytes(const struct sch_file_texture *texture, size_t *bytes);

/* Checks the shape that a reader found against the limits, and reports what is wrong (LIMIT; INVALID: a shape that no
 * texture has). */
enum sch_result sch_files_check(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                                size_t *bytes);

/* The same, and allocates the texels, which are not initialised. */
enum sch_result sch_files_allocate(const struct sch_files_reader *reader, struct sch_file_texture *texture);

#endif
