/* What the core and the compiler's process say to each other: how the process begins, requests, replies;
 * and a shader as bytes, since the process decodes it by itself: nothing with an address crosses. Both sides are of one
 * build. Holds no connection (native/process.h) and no compiling (jit/process.c). */
#ifndef SCH_PROTOCOL_MESSAGE_H
#define SCH_PROTOCOL_MESSAGE_H

#include "base/sha256.h"
#include "protocol/compiler.h"
#include "protocol/wire.h"

/* Before each message. */
struct sch_message_head {
    uint32_t magic;
    uint32_t zero;
    uint64_t bytes; /* that follow */
};
enum {
    SCH_MESSAGE_MAGIC = 0x4a484353,
    SCH_MESSAGE_SOCKET = 3, /* the process's descriptor */
    SCH_MESSAGE_LEVEL = 16,
    SCH_MESSAGE_BUILD = 128,
    SCH_MESSAGE_WORDS = 512
};
#define SCH_MESSAGE_MOST_REQUESTED ((size_t)1 << 29)
#define SCH_MESSAGE_MOST_REPLIED   ((size_t)1 << 28)

/* The arguments of the process: scheelite-jit COMPILER BYTES CACHE LIMIT [later]. It may have so many bytes
 * of memory, and keeps code in the folder CACHE, an absolute path, or nowhere if that is empty. No request can name
 * another folder, a key or what is kept: a host that reads what strangers send may be taken over by them
 * (vtest/client.c), and other processes run what the cache has. With the last argument the process loads nothing before
 * it has read one byte, whatever that is. Then it begins as any other. */
#define SCH_MESSAGE_LATER "later"

/* The process's first word. */
struct sch_hello {
    uint32_t version;                /* SCH_NATIVE_VERSION: first in all versions, which differ after it */
    char build[SCH_MESSAGE_BUILD];   /* sch_native_build */
    char problem[SCH_MESSAGE_WORDS]; /* why nothing can be compiled; empty: nothing is wrong */
};

enum sch_request_kind {
    SCH_REQUEST_FITS,    /* whether a program is not too large */
    SCH_REQUEST_PROGRAM, /* its code */
    SCH_REQUEST_LOOKUP,  /* a lookup's */
    SCH_REQUEST_SIGN,    /* nothing but the sign that there is code for spans of a shader (native/make.c) */
    SCH_REQUEST_COUNT
};
struct sch_request {
    uint8_t kind;                  /* enum sch_request_kind */
    char level[SCH_MESSAGE_LEVEL]; /* of src/ops */
    uint64_t cpu_ms;               /* of processor time that it may take */
    struct sch_wire_block shader;  /* FITS, PROGRAM, SIGN: sch_message_shader */
    bool full, quads, metered, has_span;
    struct sch_native_span_form span;
    struct sch_native_lookup_form form; /* LOOKUP */
};

struct sch_reply {
    uint32_t status; /* enum sch_result */
    bool out_of_time;
    bool too_large, kept;
    double build_ms, passes_ms, code_ms;
    uint64_t built, optimised, stack_bytes;
    struct sch_wire_block object;
};

/* Each writes or reads all of it, as the wire is. */
void sch_message_hello(struct sch_wire *wire, struct sch_hello *hello);
void sch_message_request(struct sch_wire *wire, struct sch_request *request);
void sch_message_reply(struct sch_wire *wire, struct sch_reply *reply);

/* What decides a shader's code, as bytes, and the shader of such bytes; NULL: they are not one, or memory is out. */
void sch_message_shader(struct sch_wire *wire, const struct sch_ir_shader *shader);
struct sch_ir_shader *sch_message_read_shader(struct sch_wire *wire, const struct sch_allocator *allocator);

#endif
