/* A client of the virgl protocol (Mesa's virpipe driver): its resources, and its command stream, which becomes calls of
 * the public interface. Coordinates and state are gallium's, as the stream has them. Holds no sockets and starts no
 * process: src/vtest moves the bytes, and a recorded stream can come from a file. ../ARCHITECTURE.md has its place.
 *
 * Everything here takes what a hostile client may send: each function checks all it is given, and what it refuses is
 * named in the log with command, offset and reason. One thread at a time may use a client. */
#ifndef SCH_VIRGL_VIRGL_H
#define SCH_VIRGL_VIRGL_H

#include <scheelite/draw.h>
#include <scheelite/scheelite.h>

#include "map.h" /* for numbers that clients choose */

#include "losses.h"

struct sch_virgl;

/* Reports about a client, one line each, without a newline. */
struct sch_virgl_log {
    void (*write)(void *user, const char *line); /* NULL: no reports */
    void *user;
};

struct sch_virgl_options {
    struct sch_context *context; /* outlives the client; its limits bound what the client may make */
    enum sch_engine engine;
    uint32_t width;       /* of vectors; 0: the processor's best */
    uint32_t threads;     /* of each draw and grid, and of what moves texels; 0 counts as 1 */
    uint32_t deadline_ms; /* of each of them; 0: none */
    /* Optional: of all of them, and of what is submitted; not 0: no one waits for it any more. */
    const uint32_t *cancel;
    uint64_t work;      /* instructions of each draw and grid (struct sch_dispatch_options); 0: no bound */
    bool keeps_shaders; /* for those who watch draws */
    struct sch_virgl_log log;
    /* Optional: where what the client loses is counted at once; whoever has it sees it even if this process ends. It
     * outlives the client, which adds to it alone. NULL: the client has it itself. */
    struct sch_virgl_losses *losses;
};

/* Errors: MEMORY, LIMIT. */
enum sch_result sch_virgl_create(const struct sch_virgl_options *options, struct sch_virgl **made);
void sch_virgl_destroy(struct sch_virgl *virgl); /* takes NULL */

/* ---- what the server can do ---- */

enum { SCH_VIRGL_CAPABILITIES_1 = 308, SCH_VIRGL_CAPABILITIES_2 = 1376 }; /* bytes of each version */

/* Writes the first `bytes` bytes of the capabilities, at most SCH_VIRGL_CAPABILITIES_2; version 1 is their
 * beginning. */
void sch_virgl_get_capabilities(const struct sch_virgl *virgl, void *to, size_t bytes);

/* ---- resources ---- */

/* Numbers as the protocol has them (gallium's targets, VIRGL_FORMAT, VIRGL_BIND). */
struct sch_virgl_resource_options {
    uint32_t target, format, bind;
    uint32_t width, height, depth, layers; /* of level 0; a cube has 6 layers */
    uint32_t last_level, samples;          /* samples 0: one */
};

/* Makes a resource with the client's handle. Errors: ARGUMENT (a handle of 0 or that there is, a shape or format that
 * does not exist), MEMORY, LIMIT. */
enum sch_result sch_virgl_resource_create(struct sch_virgl *virgl, uint32_t handle,
                                          const struct sch_virgl_resource_options *options);

/* The client's memory of a resource, which transfers read and write: levels one after the other, layers and rows
 * without gaps. It stays the caller's, and must stay until the resource is destroyed, or the client; the client may
 * write to it at any time. ARGUMENT: there is no such resource, or it has some. */
enum sch_result sch_virgl_resource_attach(struct sch_virgl *virgl, uint32_t handle, void *memory, size_t bytes);

/* Gives the handle free. What is bound stays alive until it is unbound, without the client's memory. ARGUMENT: there is
 * no such resource. */
enum sch_result sch_virgl_resource_destroy(struct sch_virgl *virgl, uint32_t handle);

/* As much memory as the layout above takes; 0: no such resource, or a multisampled one, which has none. */
uint64_t sch_virgl_resource_bytes(const struct sch_virgl *virgl, uint32_t handle);

/* ---- transfers and commands ---- */

struct sch_virgl_box {
    uint32_t x, y, z, width, height, depth; /* texels, layers; bytes of a buffer */
};

/* A box of a level, whose first texel is at `offset` in the client's memory. Strides of 0 are those of the level. */
struct sch_virgl_transfer {
    uint32_t resource, level;
    struct sch_virgl_box box;
    uint32_t row_bytes, layer_bytes;
    uint64_t offset;
};

/* From the client's memory to the resource, and back. Errors: ARGUMENT; the others of sch_resource_write. */
enum sch_result sch_virgl_transfer_put(struct sch_virgl *virgl, const struct sch_virgl_transfer *transfer);
enum sch_result sch_virgl_transfer_get(struct sch_virgl *virgl, const struct sch_virgl_transfer *transfer);

/* Executes a command buffer: words that the client cannot change any more. Commands after one that is refused are
 * executed, but for lengths that do not fit: INVALID, and the rest is left out. A refused command changes nothing, but
 * for those that set several slots (buffers, images) or a framebuffer: slots that were right are set, and a framebuffer
 * that does not fit leaves none. Errors: INVALID, MEMORY; CANCELLED: the rest is left out; DEADLINE, BUDGET and the
 * like if a draw, a grid, or what moves texels ended so (the last of them). */
enum sch_result sch_virgl_submit(struct sch_virgl *virgl, const uint32_t *words, size_t count);

/* ---- frames ---- */

enum { SCH_VIRGL_BIND_DISPLAY_TARGET = 1 << 7 }; /* of resources that windows show */

/* What a client shows: a transfer from a resource that windows show. `texels` are those of
 * its level 0, rows without gaps, in the client's memory, which may change while they are read. */
struct sch_virgl_frame {
    uint64_t number; /* counted from 0 */
    uint32_t resource, width, height;
    enum sch_format format;
    const void *texels; /* valid during the call */
    size_t bytes;
};
/* What a client reads back: a box of a texture, of a window's, too. `texels` are those of the box in the client's
 * memory, which may change while they are read; rows and slices are so many bytes apart. */
struct sch_virgl_read {
    uint64_t number; /* counted from 0 */
    uint32_t resource, level;
    uint32_t width, height, depth; /* of the box; layers count as depth */
    enum sch_format format;
    const void *texels; /* valid during the call */
    size_t row_bytes, slice_bytes;
};

struct sch_virgl_frame_callbacks {
    void (*show)(void *user, const struct sch_virgl_frame *frame); /* NULL: frames are not shown */
    void *user;
    void (*read)(void *user, const struct sch_virgl_read *read); /* NULL: reads are not shown */
};

/* Shows all frames and reads from now on, those of recordings, too, as long as the client lives. */
void sch_virgl_set_frame_callbacks(struct sch_virgl *virgl, const struct sch_virgl_frame_callbacks *frame_callbacks);

/* ---- watching ---- */

/* What a draw writes: a level of a resource. */
struct sch_virgl_buffer {
    const struct sch_resource *resource; /* NULL: none */
    uint32_t level, width, height;       /* its sides */
};

/* A draw that is about to be made. */
struct sch_virgl_drawing {
    uint64_t number; /* of draws, counted from 1 as sch_virgl_counts does */
    struct sch_renderer *renderer;
    struct sch_virgl_buffer buffers[SCH_COLOR_BUFFERS + 1]; /* the last one: depth and stencil */
    const struct sch_shader *shaders[SCH_STAGE_COMPUTE];    /* by stage; NULL: none, or `keeps_shaders` is not set */
};
/* Who is asked before each draw: with which debugging session it is made (scheelite/debug.h), NULL: with none; and in
 * what happens at its pixels is counted, NULL: in nothing. Either may be NULL. */
struct sch_virgl_draw_callbacks {
    struct sch_debug *(*draw)(void *user, const struct sch_virgl_drawing *drawing);
    void *user;
    const struct sch_heat *(*count)(void *user, const struct sch_virgl_drawing *drawing);
};
void sch_virgl_set_draw_callbacks(struct sch_virgl *virgl, const struct sch_virgl_draw_callbacks *draw_callbacks);

/* The library's resource of a handle; NULL if there is none. */
struct sch_resource *sch_virgl_resource_get(struct sch_virgl *virgl, uint32_t handle);

/* ---- shaders ---- */

/* A client's shader, when its text is whole. */
struct sch_virgl_text {
    enum sch_stage stage; /* that the client has named */
    /* What was read, printed, so that every reader takes it for what the client means; of a shader that was
     * refused, what the client sent. Valid during the call. */
    const char *text;
    size_t bytes;
    bool refused;
};
struct sch_virgl_collector {
    uint32_t (*take)(void *user, const struct sch_virgl_text *text); /* a number for it; 0: its use is not wanted */
    /* A draw is about to be made with it, or of a compute shader a grid: counted from 1 as sch_virgl_counts does. */
    void (*use)(void *user, uint32_t number, uint64_t by);
    void *user;
};

/* Collects the shaders that come from now on, and what uses them. */
void sch_virgl_collect(struct sch_virgl *virgl, const struct sch_virgl_collector *collector);

/* ---- explanations ---- */

/* Reports each command from now on, before it is executed or refused, and what else a recording has:
 * one line each, with its name and its words by their names. */
void sch_virgl_explain(struct sch_virgl *virgl, const struct sch_virgl_log *log);

/* ---- recorded streams ---- */

/* Receives the bytes of a recording, one piece after the other; false: no more of them are wanted. */
struct sch_virgl_sink {
    bool (*write)(void *user, const void *data, size_t bytes);
    void *user;
};

/* Writes all that the client is given from now on to the sink, with what its memory held when it was read (record.h has
 * the format). To be called before anything else; the sink lives as long as the client. */
void sch_virgl_record(struct sch_virgl *virgl, const struct sch_virgl_sink *sink);

/* The version of the form of recordings that is written and read; it changes with what records hold. The name in front
 * of it, and its place, are those of all versions. */
enum { SCH_VIRGL_RECORDING_VERSION = 1, SCH_VIRGL_RECORDING_HEADER = 16 /* bytes */ };

/* Whether a file is a recording of any version; which one: 0 where it ends before it says so. */
bool sch_virgl_is_recording(const void *data, size_t bytes, uint32_t *version);

/* Does what a recording says, in a client that has done nothing yet. The memory that the recorded client had is made of
 * the context's. Errors: INVALID (the log says at which byte), MEMORY, LIMIT. What the recorded client was refused is
 * refused again. */
enum sch_result sch_virgl_play(struct sch_virgl *virgl, const void *recording, size_t bytes);

/* Ends the recording that is played, after the present record: to be called by what it calls. */
void sch_virgl_stop(struct sch_virgl *virgl);

/* A part of a recording that may be left out: a record, or a command of one that has commands. */
struct sch_virgl_piece {
    const void *data; /* of a command, with its header; else the record's content */
    size_t bytes;
    uint32_t record, kind; /* the record's number in the recording, and its kind */
};
struct sch_virgl_cutter {
    bool (*take)(void *user, const struct sch_virgl_piece *piece); /* false: no more */
    void *user;
};

/* Lists the pieces of a recording, in its order; records of commands without any do not count. False: it is not a
 * recording, it is cut off, or the cutter wants no more. */
bool sch_virgl_cut(const void *recording, size_t bytes, const struct sch_virgl_cutter *cutter);

/* Writes a recording of pieces; those with the number of one record that follow each other are one record. False: the
 * sink wants no more. */
bool sch_virgl_join(const struct sch_virgl_piece *pieces, size_t count, const struct sch_virgl_sink *sink);

/* What a client has done so far. */
struct sch_virgl_counts {
    uint64_t submits, commands, refused; /* commands that were refused */
    uint64_t draws, clears, grids, shaders, transfers, frames, reads;
};
struct sch_virgl_counts sch_virgl_get_counts(const struct sch_virgl *virgl);

/* What it has lost so far: all that was refused, or ended early. */
struct sch_virgl_losses sch_virgl_get_losses(const struct sch_virgl *virgl);

/* The word for one of it, or for as many. */
const char *sch_virgl_loss_name(enum sch_virgl_loss loss, uint64_t count);

#endif
