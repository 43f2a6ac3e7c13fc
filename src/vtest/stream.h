/* The connection to a client as bytes: reading with a count of what was read, and writing, perhaps with a descriptor.
 * Holds no message. */
#ifndef SCH_VTEST_STREAM_H
#define SCH_VTEST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sch_vtest_stream {
    int connection;       /* a stream socket, which blocks */
    uint64_t offset;      /* bytes that were taken */
    uint32_t begin, end;  /* of those in `bytes` that were not taken yet */
    uint32_t descriptors; /* sent since the client had last taken all that it was sent */
    uint64_t until_ms;    /* on the clock: after it nothing is waited for any more, and that is ETIMEDOUT; 0: never */
    int error;            /* of the system: why reading or writing failed; 0: the client has closed the connection */
    uint8_t bytes[1 << 16];
};

/* Whether taking a byte would not wait. */
bool sch_vtest_is_ready(const struct sch_vtest_stream *stream);

/* Takes the next bytes. False: the connection ended or failed before their last; `*some`: not before their first. */
bool sch_vtest_take(struct sch_vtest_stream *stream, void *to, size_t bytes, bool *some);

/* Takes bytes and forgets them. */
bool sch_vtest_skip(struct sch_vtest_stream *stream, uint64_t bytes);

/* Writes all. False: it failed. */
bool sch_vtest_write(struct sch_vtest_stream *stream, const void *from, size_t bytes);

/* Writes as many zero bytes. */
bool sch_vtest_write_zeros(struct sch_vtest_stream *stream, uint64_t bytes);

/* Writes one zero byte with a descriptor (SCM_RIGHTS); the byte alone if that is 0. The system counts descriptors on
 * their way for all processes of a user together, so a client that takes none may only have a few: then this fails with
 * EMFILE. */
bool sch_vtest_write_descriptor(struct sch_vtest_stream *stream, int descriptor);

#endif
