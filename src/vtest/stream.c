/* See stream.h. Descriptors that a client sends are not part of the protocol: reading without room for them has the
 * system close them. */
#include "stream.h"

#include <errno.h>
#include <limits.h>
#include <linux/sockios.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "clock.h"

enum { MOST_DESCRIPTORS = 16 };

/* Waits until something can be read, or the stream's time is over: false. */
static bool wait_for_more(struct sch_vtest_stream *stream)
{
    struct pollfd polled = {.fd = stream->connection, .events = POLLIN};
    while (stream->until_ms) {
        const uint64_t now = sch_vtest_now_ms();
        const uint64_t left = stream->until_ms > now ? stream->until_ms - now : 0;
        const int ready = poll(&polled, 1, left < INT_MAX ? (int)left : INT_MAX);
        if (ready > 0 || (ready < 0 && errno != EINTR)) break; /* recv() says what is wrong */
        if (ready < 0 || left) continue;
        stream->error = ETIMEDOUT;
        return false;
    }
    return true;
}

bool sch_vtest_is_ready(const struct sch_vtest_stream *stream)
{
    struct pollfd polled = {.fd = stream->connection, .events = POLLIN};
    return stream->begin < stream->end || poll(&polled, 1, 0) != 0;
}

/* Up to `bytes` bytes of the socket; 0: it ended or failed. */
static size_t receive(struct sch_vtest_stream *stream, void *to, size_t bytes)
{
    ssize_t some;
    if (!wait_for_more(stream)) return 0;
    do some = recv(stream->connection, to, bytes, 0);
    while (some < 0 && errno == EINTR);
    /* A client that leaves without having read all is as gone as others. */
    if (some <= 0) stream->error = some < 0 && errno != ECONNRESET ? errno : 0;
    return some > 0 ? (size_t)some : 0;
}

static bool fill(struct sch_vtest_stream *stream)
{
    stream->begin = 0;
    stream->end = (uint32_t)receive(stream, stream->bytes, sizeof stream->bytes);
    return stream->end > 0;
}

/* What is there of the next bytes, at most so many. */
static size_t take_there(struct sch_vtest_stream *stream, void *to, uint64_t bytes)
{
    const uint32_t there = stream->end - stream->begin;
    const size_t some = bytes < there ? (size_t)bytes : there;
    if (to) memcpy(to, stream->bytes + stream->begin, some);
    stream->begin += (uint32_t)some;
    stream->offset += some;
    return some;
}

bool sch_vtest_take(struct sch_vtest_stream *stream, void *to, size_t bytes, bool *some)
{
    size_t done = take_there(stream, to, bytes);
    *some = done > 0;
    while (done < bytes) {
        const size_t left = bytes - done;
        if (left < sizeof stream->bytes) {
            if (!fill(stream)) return false;
            done += take_there(stream, (uint8_t *)to + done, left);
        } else { /* much goes where it belongs at once */
            const size_t got = receive(stream, (uint8_t *)to + done, left);
            if (!got) return false;
            done += got;
            stream->offset += got;
        }
        *some = true;
    }
    return true;
}

bool sch_vtest_skip(struct sch_vtest_stream *stream, uint64_t bytes)
{
    for (bytes -= take_there(stream, NULL, bytes); bytes > 0; bytes -= take_there(stream, NULL, bytes))
        if (!fill(stream)) return false;
    return true;
}

static bool send_message(struct sch_vtest_stream *stream, const struct msghdr *message, size_t *sent)
{
    ssize_t some;
    do some = sendmsg(stream->connection, message, MSG_NOSIGNAL);
    while (some < 0 && errno == EINTR);
    if (some < 0) stream->error = errno;
    if (some > 0) *sent = (size_t)some;
    return some > 0;
}

bool sch_vtest_write(struct sch_vtest_stream *stream, const void *from, size_t bytes)
{
    for (size_t done = 0, sent = 0; done < bytes; done += sent) {
        struct iovec part = {(uint8_t *)(uintptr_t)from + done, bytes - done};
        if (!send_message(stream, &(struct msghdr){.msg_iov = &part, .msg_iovlen = 1}, &sent)) return false;
    }
    return true;
}

bool sch_vtest_write_zeros(struct sch_vtest_stream *stream, uint64_t bytes)
{
    static const uint8_t zeros[4096];
    for (; bytes > sizeof zeros; bytes -= sizeof zeros)
        if (!sch_vtest_write(stream, zeros, sizeof zeros)) return false;
    return sch_vtest_write(stream, zeros, (size_t)bytes);
}

/* Whether the client has taken what it was sent, or was sent little. */
static bool may_send(struct sch_vtest_stream *stream)
{
    int waiting = 0;
    if (ioctl(stream->connection, SIOCOUTQ, &waiting) == 0 && waiting == 0) stream->descriptors = 0;
    return stream->descriptors++ < MOST_DESCRIPTORS;
}

bool sch_vtest_write_descriptor(struct sch_vtest_stream *stream, int descriptor)
{
    char zero = 0;
    if (descriptor <= 0) return sch_vtest_write(stream, &zero, 1);
    struct iovec part = {&zero, 1};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof descriptor)];
    } control = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    size_t sent;
    *head =
        (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof descriptor)};
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    stream->error = EMFILE;
    return may_send(stream) && send_message(stream, &message, &sent);
}
