/* Files of textures and pictures. This is a library of its own, libscheelite-files, which needs libpng, but not
 * libscheelite. It opens no files: the caller passes and receives their bytes. Some kinds of file are read and written
 * by other libraries, which a build may lack; sch_file_kind_get_info() says which.
 *
 * Example:
 *
 *     uint8_t texels[2][4] = {{255, 0, 0, 255}, {0, 0, 255, 255}};
 *     struct sch_picture red_blue = {.size = sizeof red_blue, .width = 2, .height = 1, .texels = texels[0],
 *                                    .bytes = sizeof texels};
 *     struct sch_file_texture texture = {.size = sizeof texture};
 *     struct sch_file_bytes file;
 *     if (sch_png_write(NULL, &red_blue, &file, NULL) != SCH_OK) return 1;
 *     if (sch_file_texture_read(NULL, file.data, file.bytes, &texture, NULL) != SCH_OK) return 1;
 *     printf("%u x %u texels\n", texture.width, texture.height); // prints 2 x 1 texels
 *     sch_file_texture_release(&texture);
 *     sch_file_bytes_release(&file);
 *
 * All functions are thread-safe; the structs that one call writes are one thread's. */
#ifndef SCHEELITE_FILES_H
#define SCHEELITE_FILES_H

#include "base.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory and limits. */
struct sch_file_options {
    size_t size;
    const struct sch_allocator *memory; /* optional: malloc and free; copied into what is returned */
    uint32_t max_width, max_height;     /* pixels; default 16384 */
    size_t max_bytes;                   /* of the decoded picture; default 1 GiB */
};

/* What was wrong with a file, or with a call. `code` is a stable number, as of diagnostics; 0: nothing to report. If a
 * call returns ARGUMENT it is 6300, and `argument` is what the call cannot take: "file", "texture.bytes",
 * "options.limits.memory". A wrong `size` of this struct is not reported. */
struct sch_file_error {
    size_t size;
    unsigned code;
    char message[160]; /* one line, no final full stop */
    char argument[48]; /* the parameter, with . before members; "": the call is not wrong */
};

/* A picture of four 8-bit channels: red, green, blue, alpha (not premultiplied). A row has 4 * width bytes, rows follow
 * each other without gaps, and row 0 is the top. The texels belong to the picture; free them with
 * sch_picture_release. */
struct sch_picture {
    size_t size;
    uint32_t width, height;
    uint8_t *texels;
    size_t bytes;                /* of `texels` */
    struct sch_allocator memory; /* where `texels` came from */
};

/* The bytes of a file that was made. Free them with sch_file_bytes_release. Closed: no other member will come. */
struct sch_file_bytes {
    uint8_t *data;
    size_t bytes;
    struct sch_allocator memory;
};

/* Whether the bytes begin like a PNG file. */
SCH_API bool sch_png_is(const void *data, size_t bytes);

/* Reads a PNG of any kind: grey, palette or true colour, with alpha, a transparent colour or neither, 1 to 16 bits,
 * interlaced or not. Grey is copied to red, green and blue. Alpha is 255 if the file has none. Codes of fewer than 8
 * bits are scaled to 255, and codes of 16 bits to the nearest of 8 bits. Gamma and colour profiles have no effect.
 * Sizes are checked before memory is allocated.
 *
 * `options` and `error` are optional. Errors: ARGUMENT, MEMORY, INVALID (not a PNG, or a damaged one), LIMIT. The
 * picture is empty then. */
SCH_API enum sch_result sch_png_read(const struct sch_file_options *options, const void *data, size_t bytes,
                                     struct sch_picture *picture, struct sch_file_error *error);

/* Writes an 8-bit RGBA PNG without times and comments, or RGB if all alphas are 255: the same picture gives the same
 * bytes, with the same version of libdeflate (of zlib in a build without it). `picture->memory` is not used. `options`
 * and `error` are optional. Errors: MEMORY, ARGUMENT (also for a picture without pixels, with more than 536870911 in a
 * row, or with fewer bytes of texels than its size needs). */
SCH_API enum sch_result sch_png_write(const struct sch_file_options *options, const struct sch_picture *picture,
                                      struct sch_file_bytes *file, struct sch_file_error *error);

/* ---- textures ---- */

/* Kinds of files. Numbers are stable. */
enum sch_file_kind {
    SCH_FILE_KIND_UNKNOWN = 0,
    SCH_FILE_KIND_PNG = 1,
    SCH_FILE_KIND_JPEG = 2,
    SCH_FILE_KIND_PNM = 3, /* PBM, PGM, PPM, PAM */
    SCH_FILE_KIND_PFM = 4,
    SCH_FILE_KIND_HDR = 5, /* Radiance */
    SCH_FILE_KIND_EXR = 6, /* OpenEXR */
    SCH_FILE_KIND_DDS = 7,
    SCH_FILE_KIND_KTX = 8,
    SCH_FILE_KIND_KTX2 = 9
};

/* What is known of a kind of file. */
struct sch_file_kind_info {
    size_t size;
    const char *name;       /* "PNG" */
    const char *extensions; /* the usual endings of file names, separated by spaces, without dots: "jpg jpeg" */
    const char *needs;      /* the library that this build lacks; NULL: it can read the kind */
    bool writes;            /* the kind can be written by this build */
    bool textures;          /* it holds levels, layers and faces; else one picture */
};

/* ARGUMENT: no such kind, or a wrong `size`. */
SCH_API enum sch_result sch_file_kind_get_info(enum sch_file_kind kind, struct sch_file_kind_info *info);

/* The kind that the first bytes of a file say, or UNKNOWN. */
SCH_API enum sch_file_kind sch_file_kind_of(const void *data, size_t bytes);

/* The kind that the ending of a file's name says ("a.JPG": JPEG), or UNKNOWN. */
SCH_API enum sch_file_kind sch_file_kind_by_name(const char *path);

/* The name of a kind of picture that is known but not read (BMP, TGA, TIFF, GIF, WebP), if the bytes are a file of one;
 * else NULL. */
SCH_API const char *sch_file_unread_kind_of(const void *data, size_t bytes);

/* The curve that colours are on. Formats that end in SRGB are on the sRGB curve whatever this says. */
enum sch_file_transfer {
    SCH_FILE_TRANSFER_UNKNOWN = 0, /* the file does not say */
    SCH_FILE_TRANSFER_LINEAR = 1,
    SCH_FILE_TRANSFER_SRGB = 2,
    SCH_FILE_TRANSFER_GAMMA = 3 /* a power: `gamma` is the exponent that encodes, such as 0.45455 */
};

/* A texture: the shape of a resource with the bytes of all its texels. Levels follow each other from the largest on; in
 * each, layers (a cube's faces: +X -X +Y -Y +Z -Z); in each, slices of depth; in each, rows of blocks from the top on,
 * without gaps: the order of sch_resource_write_all(). Sizes halve from level to level, down to 1.
 *
 * The texels belong to the texture; free them with sch_file_texture_release. */
struct sch_file_texture {
    size_t size;
    enum sch_target target;        /* 1D, 2D, 3D, CUBE, 1D_ARRAY, 2D_ARRAY, CUBE_ARRAY */
    enum sch_format format;        /* any but those of several planes */
    uint32_t width, height, depth; /* texels of level 0 */
    uint32_t layers;               /* of arrays; cubes have six each; otherwise 1 */
    uint32_t levels;
    uint8_t *texels;
    size_t bytes;                /* of `texels` */
    struct sch_allocator memory; /* where `texels` came from */
    enum sch_file_transfer transfer;
    float gamma;
    bool premultiplied; /* colours are multiplied with alpha */
};

/* How a file is read. The larger of the limits on width and height also bounds depth, and `max_bytes` bounds all texels
 * of the texture. */
struct sch_file_read_options {
    size_t size;
    const struct sch_file_options *limits; /* optional */
    enum sch_file_kind kind;               /* UNKNOWN: what the bytes say */
    bool as_colors; /* a PNG of up to 8 bits becomes R8G8B8A8_UNORM, whatever channels it has, as sch_png_read() */
    /* Optional: called for each thing in which the file breaks the rules of its kind and is read all the same, because
     * its bytes say what is meant. `code` is the stable number of a warning, `message` one line without a final full
     * stop, valid during the call. It may be called before the file is refused for something else. */
    void (*warn)(void *warn_user, unsigned code, const char *message);
    void *warn_user;
    bool lenient; /* DDS and KTX: what is there of a file that was cut off; missing texels of the rest are 0 */
};

/* Reads a file of any kind that this build reads, with all of its levels, layers and faces. The format is the one that
 * loses nothing: a PNG of 16 bits becomes R16G16B16A16_UNORM, a PFM R32G32B32_FLOAT, blocks stay blocks.
 *
 * `options` and `error` are optional. Errors: ARGUMENT; MEMORY; INVALID (damaged, or no kind of file that is known);
 * UNSUPPORTED (what this build or version does not read; the report names it); LIMIT. The texture is empty then. */
SCH_API enum sch_result sch_file_texture_read(const struct sch_file_read_options *options, const void *data,
                                              size_t bytes, struct sch_file_texture *texture,
                                              struct sch_file_error *error);

/* How a file is written. Zero is the default of each. */
enum sch_file_supercompression {
    SCH_FILE_SUPERCOMPRESSION_NONE = 0,
    SCH_FILE_SUPERCOMPRESSION_ZSTD = 1,
    SCH_FILE_SUPERCOMPRESSION_ZLIB = 2
};
struct sch_file_write_options {
    size_t size;
    const struct sch_file_options *limits; /* optional; of these only `memory` counts */
    bool has_compression;                  /* PNG: `compression` counts, else the default: fast, and hardly larger */
    uint32_t compression;                  /* PNG: 0 (none) to 12 (smallest) */
    enum sch_file_supercompression supercompression; /* KTX2 */
    uint32_t threads;                                /* PNG: 0: one; the bytes do not depend on it */
};

/* Writes a file of `kind`. Texels lose nothing: a format or a shape that the kind has no words for is UNSUPPORTED, and
 * the report names the formats that it has. Only HDR rounds, to mantissas of 8 bits with a common exponent. `transfer`,
 * `gamma` and `premultiplied` are written where the kind has words for them (docs/files.md). The same texture gives the
 * same bytes, with the same versions of the libraries that write it. `texture->memory` is not used. `options` and
 * `error` are optional. Errors: ARGUMENT (also fewer bytes of texels than the shape needs), MEMORY, UNSUPPORTED. */
SCH_API enum sch_result sch_file_texture_write(const struct sch_file_write_options *options, enum sch_file_kind kind,
                                               const struct sch_file_texture *texture, struct sch_file_bytes *file,
                                               struct sch_file_error *error);

/* ---- a PNG in pieces ---- */

/* Rows of a PNG of R8G8B8A8_UNORM texels that is made in pieces, by several threads, processes or machines, none of
 * which needs memory for the whole picture. The file is sch_png_head_write(), sch_png_piece_write() of all pieces from
 * the top on, and sch_png_tail_write(): the same bytes as those that sch_file_texture_write() makes of the whole
 * picture with the same options. */
struct sch_png_piece {
    size_t size;
    uint32_t width, height; /* of the picture */
    uint32_t first, rows;   /* both multiples of sch_png_piece_rows(), except for the rows of the last piece */
    const uint8_t *texels;  /* the row above the piece, if `first` is not 0, and the rows of the piece, without gaps */
    size_t bytes;           /* of `texels` */
    bool alpha;             /* write four channels; otherwise three if all alphas of the piece are 255 */
};

/* Facts of a piece that was written, for sch_png_tail_write(). */
struct sch_png_piece_info {
    size_t size;
    bool alpha;     /* it has four channels: then all pieces must be written so */
    uint32_t adler; /* Adler-32 of its data before compression */
    uint64_t bytes; /* of that data */
};

/* Rows that pieces are multiples of, for a picture of this size; 0: a wrong size or wrong options. `options` is
 * optional, as below; `threads` and `compression` of it count. */
SCH_API uint32_t sch_png_piece_rows(const struct sch_file_write_options *options, uint32_t width, uint32_t height);

/* Writes a piece. `options` and `error` are optional. Errors: ARGUMENT (wrong rows, too few bytes), MEMORY. */
SCH_API enum sch_result sch_png_piece_write(const struct sch_file_write_options *options,
                                            const struct sch_png_piece *piece, struct sch_png_piece_info *info,
                                            struct sch_file_bytes *file, struct sch_file_error *error);

/* Write what comes before the pieces and after them. `alpha`: whether they have four channels. `info`: those of all
 * pieces in their order, info_stride bytes apart; `memory` is optional. Errors: ARGUMENT, MEMORY. */
SCH_API enum sch_result sch_png_head_write(const struct sch_allocator *memory, uint32_t width, uint32_t height,
                                           bool alpha, struct sch_file_bytes *file);
SCH_API enum sch_result sch_png_tail_write(const struct sch_allocator *memory, const struct sch_png_piece_info *info,
                                           size_t info_stride, uint32_t count, struct sch_file_bytes *file);

/* The SHA-256 of a picture's texels, as they are in memory: equal pictures of one size have equal ones. Errors:
 * ARGUMENT (no picture, or fewer bytes of texels than its size needs). */
enum { SCH_PICTURE_SHA256_BYTES = 32 };
SCH_API enum sch_result sch_picture_sha256(const struct sch_picture *picture, uint8_t digest[SCH_PICTURE_SHA256_BYTES]);

/* Free the memory and empty the struct. Take NULL and empty structs. */
SCH_API void sch_picture_release(struct sch_picture *picture);
SCH_API void sch_file_texture_release(struct sch_file_texture *texture);
SCH_API void sch_file_bytes_release(struct sch_file_bytes *file);

#ifdef __cplusplus
}
#endif
#endif
