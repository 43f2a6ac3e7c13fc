/* Tests of src/vtest/session.c over a socket pair, with a virgl that notes its calls: each message, hostile lengths and
 * handles, clients that die. Expected bytes are those of the protocol (Mesa, src/virtio/vtest/vtest_protocol.h). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../src/vtest/session.h"
#include "../../../src/vtest/watch.h"
#include "virgl_fake.h"
#include "vtest_client.h"

enum { SHARED_BYTES = 1 << 22, PAGE = 4096, LOG_BYTES = 1 << 16 };

/* A session in a thread, its client's end, and what came of it. */
struct served {
    int client, server;
    pthread_t thread;
    struct sch_context *context;
    struct sch_context_memory memory;
    struct sch_virgl *virgl;
    enum sch_vtest_end end;
    struct sch_vtest_counts counts;
    struct sch_virgl_losses losses;
    char log[LOG_BYTES];
    uint64_t shared_bytes;
    int zeros;
    uint32_t gone;
};

static void write_line(void *user, const char *line)
{
    struct served *served = user;
    const size_t at = strlen(served->log);
    snprintf(served->log + at, LOG_BYTES - at, "%s\n", line);
}

static void *serve(void *user)
{
    struct served *served = user;
    const struct sch_vtest_session_options options = {.virgl = served->virgl,
                                                      .memory = &served->memory.memory,
                                                      .shared_bytes = served->shared_bytes,
                                                      .zeros = served->zeros,
                                                      .log = {write_line, served},
                                                      .losses = &served->losses,
                                                      .gone = &served->gone};
    served->end = sch_vtest_session(served->server, &options, &served->counts);
    shutdown(served->server, SHUT_RDWR);
    return NULL;
}

static int set_up(void **state)
{
    struct served *served = calloc(1, sizeof *served);
    int ends[2];
    *state = served;
    served->memory.size = sizeof served->memory;
    served->shared_bytes = SHARED_BYTES;
    assert_int_equal(sch_context_create(NULL, &served->context), SCH_OK);
    assert_int_equal(sch_virgl_create(&(struct sch_virgl_options){.context = served->context}, &served->virgl), SCH_OK);
    assert_int_equal(sch_context_get_memory(served->context, &served->memory), SCH_OK);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    served->client = ends[0];
    served->server = ends[1];
    served->zeros = open("/dev/zero", O_RDWR | O_CLOEXEC);
    assert_int_equal(pthread_create(&served->thread, NULL, serve, served), 0);
    return 0;
}

/* The client goes, and the session ends so. */
static void ends(struct served *served, enum sch_vtest_end end)
{
    if (served->client >= 0) close(served->client);
    served->client = -1;
    if (!served->thread) return;
    pthread_join(served->thread, NULL);
    served->thread = 0;
    if (served->end != end) fail_msg("it ended by %d, not %d: %s", served->end, end, served->log);
}

static int tear_down(void **state)
{
    struct served *served = *state;
    if (served->client >= 0) close(served->client);
    if (served->thread) pthread_join(served->thread, NULL);
    struct sch_context_memory after = {.size = sizeof after};
    sch_context_get_memory(served->context, &after);
    const int leaked = after.held != served->memory.held;
    close(served->server);
    close(served->zeros);
    sch_virgl_destroy(served->virgl);
    sch_context_destroy(served->context);
    free(served);
    return leaked;
}

static void logs(const struct served *served, const char *text)
{
    if (!strstr(served->log, text)) fail_msg("no \"%s\" in the log:\n%s", text, served->log);
}

static void told(const struct served *served, const char *text)
{
    if (!strstr(fake_told(served->virgl), text)) fail_msg("no \"%s\" was called:\n%s", text, fake_told(served->virgl));
}

/* What a client gets whose memory is refused: a descriptor without memory of the server's, of which it can map what it
 * wants. */
static void is_no_memory(const struct served *served)
{
    struct stat status;
    const int descriptor = client_descriptor(served->client);
    assert_int_equal(fstat(descriptor, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    uint8_t *own = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    assert_ptr_not_equal(own, MAP_FAILED);
    assert_int_equal(own[0], 0);
    own[0] = 1;
    munmap(own, PAGE);
    close(descriptor);
}

static void sees_no_memory(const struct served *served, uint32_t handle, uint32_t bytes)
{
    CLIENT_SAY(served->client, RESOURCE_CREATE2, handle, 0, 64, 0, bytes, 1, 1, 1, 0, 0, bytes);
    is_no_memory(served);
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

/* ---- beginning ---- */

static void say_name(int client, const char *name)
{
    const uint32_t header[2] = {(uint32_t)strlen(name) + 1, CREATE_RENDERER}; /* the length is in bytes */
    client_send(client, header, sizeof header);
    client_send(client, name, strlen(name) + 1);
}

static void test_beginning(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    say_name(client, "glxgears");
    CLIENT_SAY(client, PING_PROTOCOL_VERSION);
    CLIENT_SAY(client, RESOURCE_BUSY_WAIT, 0, 0);
    CLIENT_HEARS(client, 0, PING_PROTOCOL_VERSION, 1, RESOURCE_BUSY_WAIT, 0);
    CLIENT_SAY(client, PROTOCOL_VERSION, 2);
    CLIENT_HEARS(client, 1, PROTOCOL_VERSION, 2);
    client_settle(client);
    ends(served, SCH_VTEST_CLOSED);
    assert_string_equal(served->log, "the client is glxgears\n");
    assert_int_equal(served->counts.messages, 5);
    assert_int_equal(served->counts.waits, 1);
    assert_int_equal(served->counts.refused, 0);
    assert_int_equal(served->counts.bytes, 8 + 9 + 8 + 16 + 12 + 8);
}

/* Newer clients offer 4, and ask again after the capabilities. */
static void test_versions(void **state)
{
    struct served *served = *state;
    static const uint32_t offered[] = {4, 2, 3, 1, 0, UINT32_MAX}, agreed[] = {2, 2, 2, 0, 0, 2};
    for (unsigned i = 0; i < 6; i++) {
        CLIENT_SAY(served->client, PROTOCOL_VERSION, offered[i]);
        CLIENT_HEARS(served->client, 1, PROTOCOL_VERSION, agreed[i]);
    }
    ends(served, SCH_VTEST_CLOSED);
}

/* A program whose window has a front alone and is never shown gets version 0, by its name, or as the server is told. */
static void test_plain(void **state)
{
    struct served *served = *state;
    static const struct {
        const char *name;
        uint32_t agreed;
    } rows[] = {{"glxinfo", 0}, {"glxinfos", 2}, {"glxinfo", 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        say_name(served->client, rows[i].name);
        CLIENT_SAY(served->client, PROTOCOL_VERSION, 4);
        CLIENT_HEARS(served->client, 1, PROTOCOL_VERSION, rows[i].agreed);
    }
    ends(served, SCH_VTEST_CLOSED);
}

static void test_capabilities(void **state)
{
    struct served *served = *state;
    uint8_t wanted[SCH_VIRGL_CAPABILITIES_2], got[SCH_VIRGL_CAPABILITIES_2];
    sch_virgl_get_capabilities(served->virgl, wanted, sizeof wanted);
    CLIENT_SAY(served->client, GET_CAPS2);
    CLIENT_SAY(served->client, GET_CAPS);
    CLIENT_HEARS(served->client, 1376 + 1, 2);
    client_receive(served->client, got, 1376);
    assert_memory_equal(got, wanted, 1376);
    CLIENT_HEARS(served->client, 308 + 1, 1);
    client_receive(served->client, got, 308);
    assert_memory_equal(got, wanted, 308);
    client_settle(served->client);
    ends(served, SCH_VTEST_CLOSED);
}

static void test_names(void **state)
{
    struct served *served = *state;
    char name[3000];
    memset(name, 'x', sizeof name);
    memcpy(name, "a\n\033b", 4);
    const uint32_t empty[2] = {0, CREATE_RENDERER}, large[2] = {sizeof name, CREATE_RENDERER};
    client_send(served->client, empty, sizeof empty);
    client_send(served->client, large, sizeof large);
    client_send(served->client, name, sizeof name);
    client_settle(served->client);
    ends(served, SCH_VTEST_CLOSED);
    logs(served, "the client is without a name\nthe client is a??bxxx");
    assert_true(strlen(served->log) < 120);
}

/* ---- resources with shared memory ---- */

static void test_shared_memory(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    CLIENT_SAY(client, RESOURCE_CREATE2, 7, 0, 64, 16, 32, 1, 1, 1, 0, 0, 32);
    const int descriptor = client_descriptor(client);
    assert_int_equal(lseek(descriptor, 0, SEEK_END), 32);
    assert_int_equal(ftruncate(descriptor, 0), -1); /* or reading the memory would end the server's process */
    assert_int_equal(ftruncate(descriptor, 1 << 20), -1);
    assert_int_equal(fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE), -1);
    uint8_t *memory = mmap(NULL, 32, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    memcpy(memory, "0123456789abcdef", 16);
    /* The length counts the data, which do not follow. */
    const uint32_t put[] = {10 + 2, TRANSFER_PUT2, 7, 0, 2, 0, 0, 8, 1, 1, 8, 4};
    client_send(client, put, sizeof put);
    CLIENT_SAY(client, TRANSFER_GET2, 7, 0, 2, 0, 0, 8, 1, 1, 8, 20);
    client_settle(client);
    assert_memory_equal(memory + 20, "456789ab", 8);
    CLIENT_SAY(client, RESOURCE_UNREF, 7);
    client_settle(client);
    memory[0] = 1; /* it stays the client's */
    munmap(memory, 32);
    ends(served, SCH_VTEST_CLOSED);
    assert_string_equal(served->log, "");
    assert_string_equal(fake_told(served->virgl), "create 7: 0 64 16, 32x1x1, 1 0 0\nattach 7: 32 bytes\n"
                                                  "put 7: level 0, 2 0 0, 8x1x1, strides 0 0, offset 4\n"
                                                  "get 7: level 0, 2 0 0, 8x1x1, strides 0 0, offset 20\ndestroy 7\n");
}

static uint64_t pages_of(int descriptor)
{
    struct stat status;
    assert_int_equal(fstat(descriptor, &status), 0);
    return (uint64_t)status.st_blocks * 512 / PAGE;
}

/* A client that keeps the descriptor of a resource's memory does not keep its pages. */
static void test_memory_that_is_kept(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    const size_t bytes = SHARED_BYTES / 2;
    int kept[6];
    for (uint32_t i = 0; i < 6; i++) {
        CLIENT_SAY(client, RESOURCE_CREATE2, 7, 0, 64, 16, 32, 1, 1, 1, 0, 0, (uint32_t)bytes);
        kept[i] = client_descriptor(client);
        uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, kept[i], 0);
        memset(memory, 1, bytes);
        assert_int_equal(pages_of(kept[i]), bytes / PAGE);
        CLIENT_SAY(client, RESOURCE_UNREF, 7);
        client_settle(client);
        assert_int_equal(pages_of(kept[i]), 0);
        assert_int_equal(memory[bytes - 1], 0);
        munmap(memory, bytes);
    }
    /* Nor do those that are there at the end. */
    CLIENT_SAY(client, RESOURCE_CREATE2, 8, 0, 64, 16, 32, 1, 1, 1, 0, 0, 64);
    const int last = client_descriptor(client);
    assert_int_equal(pwrite(last, "last", 4, 0), 4);
    assert_int_equal(pages_of(last), 1);
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(pages_of(last), 0);
    close(last);
    for (unsigned i = 0; i < 6; i++) close(kept[i]);
    assert_string_equal(served->log, "");
}

/* Memory is counted in the pages that it takes. */
static void test_memory_of_a_byte(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    munmap(client_buffer(client, 1, SHARED_BYTES - 2 * PAGE), SHARED_BYTES - 2 * PAGE);
    for (uint32_t i = 2; i <= 3; i++) munmap(client_buffer(client, i, 1), 1);
    sees_no_memory(served, 4, 1);
    CLIENT_SAY(client, RESOURCE_UNREF, 2);
    munmap(client_buffer(client, 5, 1), 1);
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(served->counts.refused, 1);
}

static void test_without_memory(void **state)
{
    struct served *served = *state;
    CLIENT_SAY(served->client, RESOURCE_CREATE2, 1, 2, 1, 2, 16, 16, 1, 1, 0, 4, 0);
    client_settle(served->client); /* no byte came for it */
    CLIENT_SAY(served->client, RESOURCE_CREATE2, 2, 2, 1, 2, 16, 16, 1, 1, 0, 4, 64);
    is_no_memory(served);
    CLIENT_SAY(served->client, RESOURCE_UNREF, 1);
    CLIENT_SAY(served->client, RESOURCE_UNREF, 2);
    client_settle(served->client);
    ends(served, SCH_VTEST_CLOSED);
    assert_string_equal(fake_told(served->virgl), "create 1: 2 1 2, 16x16x1, 1 0 4\ncreate 2: 2 1 2, 16x16x1, 1 0 4\n"
                                                  "destroy 1\ndestroy 2\n");
    assert_string_equal(served->log, "");
}

/* Who asks for memory waits for it, whatever becomes of the resource. */
static void test_refused_resources(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    uint8_t *first = client_buffer(client, 3, 16);
    memcpy(first, "first", 5);
    sees_no_memory(served, 3, 16); /* the handle is taken */
    CLIENT_SAY(client, RESOURCE_CREATE2, 4, 2, FAKE_REFUSED_FORMAT, 2, 4, 4, 1, 1, 0, 0, 64);
    is_no_memory(served);
    sees_no_memory(served, 0, 8);
    const uint32_t put[] = {12, TRANSFER_PUT2, 3, 0, 0, 0, 0, 5, 1, 1, 5, 0};
    client_send(client, put, sizeof put);
    CLIENT_SAY(client, TRANSFER_GET2, 3, 0, 0, 0, 0, 5, 1, 1, 5, 8);
    CLIENT_SAY(client, TRANSFER_GET2, 4, 0, 0, 0, 0, 5, 1, 1, 5, 8);
    CLIENT_SAY(client, RESOURCE_UNREF, 4);
    CLIENT_SAY(client, RESOURCE_UNREF, 0);
    client_settle(client);
    assert_memory_equal(first + 8, "first", 5); /* the memory is the first one */
    munmap(first, 16);
    ends(served, SCH_VTEST_CLOSED);
    logs(served, "message 2 (RESOURCE_CREATE2) at byte 52 is refused: wrong argument");
    logs(served, "message 3 (RESOURCE_CREATE2) at byte 104 is refused: wrong argument");
    logs(served, "(TRANSFER_GET2)");
    logs(served, "(RESOURCE_UNREF)");
    assert_int_equal(served->counts.refused, 6);
}

static void test_limit_of_memory(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    munmap(client_buffer(client, 1, SHARED_BYTES - 16), SHARED_BYTES - 16);
    sees_no_memory(served, 2, 17);
    CLIENT_SAY(client, RESOURCE_CREATE2, 3, 0, 64, 0, 16, 1, 1, 1, 0, 0, UINT32_MAX);
    is_no_memory(served);
    CLIENT_SAY(client, RESOURCE_UNREF, 1);
    munmap(client_buffer(client, 4, 17), 17);
    client_settle(client);
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(served->counts.refused, 2);
    logs(served, "resource 2 gets no memory of 17 bytes: the client's resources have as much memory as they may");
    logs(served, "resource 3 gets no memory of 4294967295 bytes");
    told(served, "attach 4: 17 bytes");
    assert_null(strstr(fake_told(served->virgl), "attach 2"));
}

/* Handles that are taken out of the table leave the others there, whatever their places are. */
static void test_many_handles(void **state)
{
    enum { HANDLES = 400, STEP = 64, BYTES = 8 };
    struct served *served = *state;
    const int client = served->client;
    uint8_t *memory[HANDLES];
    for (uint32_t i = 0; i < HANDLES; i++) memory[i] = client_buffer(client, 1 + i * STEP, BYTES);
    for (uint32_t i = 0; i < HANDLES; i += 2) CLIENT_SAY(client, RESOURCE_UNREF, 1 + i * STEP);
    for (uint32_t i = 1; i < HANDLES; i += 2) memcpy(memory[i], &i, sizeof i);
    for (uint32_t i = 0; i < HANDLES; i++) {
        const uint32_t put[] = {11, TRANSFER_PUT2, 1 + i * STEP, 0, 0, 0, 0, 4, 1, 1, 4, 0};
        client_send(client, put, sizeof put);
        CLIENT_SAY(client, TRANSFER_GET2, 1 + i * STEP, 0, 0, 0, 0, 4, 1, 1, 4, 4);
    }
    for (uint32_t i = 0; i < HANDLES; i += 2) {
        munmap(memory[i], BYTES);
        memory[i] = client_buffer(client, 1 + i * STEP, BYTES); /* the handle is free again */
    }
    client_settle(client);
    assert_int_equal(served->counts.refused, 0);
    for (uint32_t i = 0; i < HANDLES; i++) {
        if (i % 2) assert_memory_equal(memory[i] + 4, &i, sizeof i);
        munmap(memory[i], BYTES);
    }
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(served->counts.refused, HANDLES);
}

/* Descriptors on their way are counted for all processes of a user. */
static void test_untaken_descriptors(void **state)
{
    struct served *served = *state;
    for (uint32_t i = 1; i <= 20; i++) CLIENT_SAY(served->client, RESOURCE_CREATE2, i, 0, 64, 0, 8, 1, 1, 1, 0, 0, 8);
    pthread_join(served->thread, NULL);
    served->thread = 0;
    assert_int_equal(served->end, SCH_VTEST_SILENT);
    logs(served,
         "message 17 (RESOURCE_CREATE2) at byte 832 ends the session: the client does not take what it is sent");
}

static void test_descriptors_stay_the_same(void **state)
{
    struct served *served = *state;
    const unsigned before = open_descriptors();
    for (uint32_t i = 0; i < 40; i++) {
        CLIENT_SAY(served->client, RESOURCE_CREATE2, i % 20, 0, 64, 0, 64, 1, 1, 1, 0, 0, 64);
        close(client_descriptor(served->client));
    }
    client_settle(served->client);
    assert_int_equal(open_descriptors(), before);
    /* Descriptors that a client sends are closed. */
    char bytes[8] = {0, 0, 0, 0, PING_PROTOCOL_VERSION};
    for (unsigned i = 0; i < 30; i++) {
        const int sent[2] = {served->client, served->client};
        struct iovec part = {bytes, sizeof bytes};
        union {
            struct cmsghdr align;
            char bytes[CMSG_SPACE(sizeof sent)];
        } control = {.bytes = {0}};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        *CMSG_FIRSTHDR(&message) =
            (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof sent)};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), sent, sizeof sent);
        assert_int_equal(sendmsg(served->client, &message, 0), sizeof bytes);
        CLIENT_HEARS(served->client, 0, PING_PROTOCOL_VERSION);
    }
    client_settle(served->client);
    assert_int_equal(open_descriptors(), before);
    ends(served, SCH_VTEST_CLOSED);
}

/* ---- protocol 0 ---- */

static void test_data_in_line(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    char got[8];
    CLIENT_SAY(client, RESOURCE_CREATE, 5, 0, 64, 16, 32, 1, 1, 1, 0, 0);
    const uint32_t put[] = {11 + 2, TRANSFER_PUT, 5, 0, 40, 50, 3, 0, 0, 7, 1, 1, 7};
    client_send(client, put, sizeof put);
    client_send(client, "seven77", 7); /* seven bytes, though the length counts two words */
    CLIENT_SAY(client, TRANSFER_GET, 5, 0, 0, 0, 3, 0, 0, 7, 1, 1, 7);
    client_receive(client, got, 7);
    assert_memory_equal(got, "seven77", 7);
    client_settle(client);
    CLIENT_SAY(client, RESOURCE_UNREF, 5);
    ends(served, SCH_VTEST_CLOSED);
    assert_string_equal(served->log, "");
    assert_string_equal(fake_told(served->virgl), "create 5: 0 64 16, 32x1x1, 1 0 0\nattach 5: 32 bytes\n"
                                                  "put 5: level 0, 3 0 0, 7x1x1, strides 40 50, offset 0\n"
                                                  "get 5: level 0, 3 0 0, 7x1x1, strides 0 0, offset 0\ndestroy 5\n");
}

static void test_refused_data_in_line(void **state)
{
    struct served *served = *state;
    const int client = served->client;
    char got[64];
    CLIENT_SAY(client, RESOURCE_CREATE, 5, 0, 64, 16, 8, 1, 1, 1, 0, 0);
    CLIENT_SAY(client, RESOURCE_CREATE, 5, 0, 64, 16, 8, 1, 1, 1, 0, 0);
    static const uint32_t handles[] = {5, 6, 0}; /* of 8 bytes; none; none */
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t put[] = {11 + 3, TRANSFER_PUT, handles[i], 0, 0, 0, 0, 0, 0, 9, 1, 1, 9};
        client_send(client, put, sizeof put);
        client_send(client, "nine bytes", 9);
        memset(got, 1, sizeof got);
        CLIENT_SAY(client, TRANSFER_GET, handles[i], 0, 0, 0, 0, 0, 0, 64, 1, 1, 64);
        client_receive(client, got, 64); /* the client waits for them */
        for (unsigned b = 0; b < 64; b++) assert_int_equal(got[b], 0);
    }
    munmap(client_buffer(client, 9, 16), 16);
    CLIENT_SAY(client, TRANSFER_GET, 9, 0, 0, 0, 0, 0, 0, 4, 1, 1, 4); /* its memory is the client's */
    client_receive(client, got, 4);
    client_settle(client);
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(served->counts.refused, 8);
    logs(served, "9 bytes for resource 5, which has 8");
    logs(served, "9 bytes for resource 6, which has 0");
    logs(served, "resource 9 has memory that is shared with the client");
}

/* What the strides leave out is nobody's memory. */
static void test_no_old_bytes(void **state)
{
    struct served *served = *state;
    char got[16];
    CLIENT_SAY(served->client, RESOURCE_CREATE, 5, 0, 64, 16, 16, 1, 1, 1, 0, 0);
    const uint32_t put[] = {11 + 4, TRANSFER_PUT, 5, 0, 0, 0, 0, 0, 0, 16, 1, 1, 16};
    client_send(served->client, put, sizeof put);
    client_send(served->client, "0123456789abcdef", 16);
    CLIENT_SAY(served->client, TRANSFER_GET, 5, 0, 0, 0, 4, 0, 0, 2, 1, 1, 16);
    client_receive(served->client, got, 16);
    assert_memory_equal(got, "45\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    ends(served, SCH_VTEST_CLOSED);
}

/* ---- commands ---- */

static void test_commands(void **state)
{
    struct served *served = *state;
    const size_t most = 65 * 1024;
    uint32_t *words = calloc(most + 1, 4);
    words[0] = 0xabcd;
    CLIENT_SAY(served->client, SUBMIT_CMD);
    client_say(served->client, SUBMIT_CMD, words, 3);
    client_say(served->client, SUBMIT_CMD, words, most);
    client_say(served->client, SUBMIT_CMD, words, most + 1);
    CLIENT_SAY(served->client, SUBMIT_CMD, FAKE_FAIL);
    client_settle(served->client);
    free(words);
    ends(served, SCH_VTEST_CLOSED);
    char calls[100];
    snprintf(calls, sizeof calls, "submit 0: 0\nsubmit 3: abcd\nsubmit 66560: abcd\nsubmit 1: %x\n",
             (unsigned)FAKE_FAIL);
    assert_string_equal(fake_told(served->virgl), calls);
    logs(served, "message 4 (SUBMIT_CMD) at byte 266276 is refused: its length is 66561 words, more than 66560");
    logs(served, "message 5 (SUBMIT_CMD) at byte 532528 is refused: invalid input");
    assert_int_equal(served->counts.submits, 4);
}

/* ---- lengths ---- */

/* A wrong length is passed over, and the next message is understood. */
static void test_wrong_lengths(void **state)
{
    static const uint32_t numbers[] = {1, 2, 3, 4, 7, 9, 10, 11, 12};
    struct served *served = *state;
    const uint32_t zeros[40] = {0};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (uint32_t length = 12; length < 40; length += 9) client_say(served->client, numbers[i], zeros, length);
    CLIENT_SAY(served->client, RESOURCE_BUSY_WAIT, 1);
    CLIENT_SAY(served->client, TRANSFER_PUT, 1);
    client_settle(served->client);
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(served->counts.refused, 9 * 4 + 2);
    assert_string_equal(fake_told(served->virgl), "");
    logs(served, "message 1 (GET_CAPS) at byte 0 is refused: its length is 12 words, not 0");
    logs(served, "(RESOURCE_CREATE2) at byte 3796 is refused: its length is 39 words, not 11");
}

static void test_later_messages(void **state)
{
    struct served *served = *state;
    const uint32_t zeros[10] = {0};
    for (uint32_t number = 15; number <= 24; number++) client_say(served->client, number, zeros, number - 15);
    client_settle(served->client);
    ends(served, SCH_VTEST_CLOSED);
    assert_int_equal(served->counts.refused, 10);
    logs(served, "message 4 (RESOURCE_CREATE_BLOB) at byte 36 is refused: it belongs to a later version");
}

static void test_unknown_messages(void **state)
{
    struct served *served = *state;
    CLIENT_SAY(served->client, PING_PROTOCOL_VERSION);
    CLIENT_SAY(served->client, 4711);
    CLIENT_HEARS(served->client, 0, PING_PROTOCOL_VERSION);
    client_sees_end(served->client);
    ends(served, SCH_VTEST_LOST);
    assert_string_equal(served->log, "message 2 (unknown) at byte 8 ends the session: there is no message 4711\n");
}

static void test_lost_framing(void **state)
{
    struct served *served = *state;
    static const uint32_t words[] = {11 + 3, TRANSFER_PUT, 5, 0, 0, 0, 0, 0, 0, 9, 1, 1, UINT32_MAX};
    client_send(served->client, words, sizeof words);
    client_sees_end(served->client);
    ends(served, SCH_VTEST_LOST);
    logs(served, "4294967295 bytes of data in a message of 14 words");
}

/* Lengths of 16 GiB cost no memory: they are read until the client goes. */
static void test_huge_lengths(void **state)
{
    struct served *served = *state;
    static const uint32_t words[] = {UINT32_MAX, SUBMIT_CMD, 1, 2, 3};
    client_send(served->client, words, sizeof words);
    ends(served, SCH_VTEST_CUT);
    logs(served, "message 1 (SUBMIT_CMD) at byte 0 is refused: its length is 4294967295 words");
    logs(served, "message 1 (SUBMIT_CMD) at byte 0 ends the session: the client is gone before its last byte");
}

static void test_huge_name(void **state)
{
    struct served *served = *state;
    static const uint32_t words[] = {UINT32_MAX, CREATE_RENDERER, 1};
    client_send(served->client, words, sizeof words);
    ends(served, SCH_VTEST_CUT);
}

static void test_huge_answer(void **state)
{
    struct served *served = *state;
    CLIENT_SAY(served->client, TRANSFER_GET, 1, 0, 0, 0, 0, 0, 0, 4, 1, 1, UINT32_MAX);
    ends(served, SCH_VTEST_CUT);
    logs(served, "message 1 (TRANSFER_GET) at byte 0 ends the session: the client is gone before its answer");
}

/* ---- death ---- */

/* A client that dies after each byte of a session: nothing is left of it (tear_down counts the memory). */
static void test_death(void **state)
{
    static const uint32_t stream[] = {9,
                                      CREATE_RENDERER,
                                      0x67786c67,
                                      0x73726165,
                                      0,
                                      0, /* of these two, one byte */
                                      11,
                                      RESOURCE_CREATE2,
                                      1,
                                      0,
                                      64,
                                      0,
                                      64,
                                      1,
                                      1,
                                      1,
                                      0,
                                      0,
                                      64,
                                      12,
                                      TRANSFER_PUT2,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      5,
                                      1,
                                      1,
                                      5,
                                      0,
                                      10,
                                      RESOURCE_CREATE,
                                      2,
                                      0,
                                      64,
                                      0,
                                      64,
                                      1,
                                      1,
                                      1,
                                      0,
                                      0,
                                      2,
                                      SUBMIT_CMD,
                                      1,
                                      2};
    uint8_t bytes[sizeof stream];
    memcpy(bytes, stream, 17);
    const size_t whole = sizeof stream - 7; /* the name has nine bytes, the rest begins with the next word but one */
    memcpy(bytes + 17, (const uint8_t *)stream + 24, sizeof stream - 24);
    const unsigned before = open_descriptors();
    (void)state;
    for (size_t length = 0; length <= whole; length++) {
        void *one;
        set_up(&one);
        struct served *served = one;
        client_send(served->client, bytes, length);
        close(served->client);
        served->client = -1;
        pthread_join(served->thread, NULL);
        served->thread = 0;
        const bool between =
            length == 0 || length == 17 || length == 69 || length == 117 || length == 165 || length == 181;
        assert_true(served->counts.bytes <= length);
        /* Where the descriptor is sent, the client may be gone. */
        if (served->end != (between ? SCH_VTEST_CLOSED : SCH_VTEST_CUT) && (!between || length < 69))
            fail_msg("%zu bytes: %d, %s", length, served->end, served->log);
        assert_int_equal(tear_down(&one), 0);
    }
    assert_int_equal(open_descriptors(), before);
}

/* ---- leaving ---- */

/* When a client is gone, what is done ends, and nothing more is. */
static void test_leaving(void **state)
{
    static const uint32_t two[] = {1, SUBMIT_CMD, 0xabcd, 1, SUBMIT_CMD, 0xabcd};
    struct served *served = *state;
    __atomic_store_n(&served->gone, 1, __ATOMIC_RELAXED);
    client_send(served->client, two, sizeof two);
    ends(served, SCH_VTEST_CUT);
    assert_string_equal(fake_told(served->virgl), "submit 1: abcd\n");
    logs(served,
         "message 1 (SUBMIT_CMD) at byte 0 ends the session: the client is gone, and what it has left takes too "
         "long");
    assert_int_equal(served->losses.counts[SCH_VIRGL_LOST_CLIENT], 1);
}

static bool becomes_gone(const struct sch_vtest_watch *watch, unsigned milliseconds)
{
    for (unsigned i = 0; i < milliseconds && !__atomic_load_n(&watch->gone, __ATOMIC_RELAXED); i++) usleep(1000);
    return __atomic_load_n(&watch->gone, __ATOMIC_RELAXED);
}

/* A client that sends no more may still read; one that has closed the connection is gone a moment later. */
static void test_watch(void **state)
{
    enum { LONG_MS = 10000, SHORT_MS = 20 };
    struct sch_vtest_watch watch;
    int both[2];
    (void)state;
    const unsigned before = open_descriptors();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), 0);
    assert_int_equal(sch_vtest_watch_begin(&watch, both[1], SHORT_MS), 0);
    shutdown(both[0], SHUT_WR);
    assert_false(becomes_gone(&watch, 3 * SHORT_MS));
    close(both[0]);
    assert_true(becomes_gone(&watch, LONG_MS));
    sch_vtest_watch_end(&watch);
    close(both[1]);
    /* The end does not wait: for a client that is there, or in the moment after it has left. */
    for (unsigned leaves = 0; leaves < 2; leaves++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both), 0);
        assert_int_equal(sch_vtest_watch_begin(&watch, both[1], 1000 * LONG_MS), 0);
        if (leaves) close(both[0]);
        if (leaves) assert_false(becomes_gone(&watch, SHORT_MS));
        sch_vtest_watch_end(&watch);
        assert_int_equal(watch.gone, 0);
        if (!leaves) close(both[0]);
        close(both[1]);
    }
    assert_int_equal(open_descriptors(), before);
}

/* ---- a socket that fails ---- */

static void give_up_soon(const struct served *served, int option)
{
    const struct timeval moment = {.tv_usec = 20000};
    assert_int_equal(setsockopt(served->server, SOL_SOCKET, option, &moment, sizeof moment), 0);
}

static void test_no_reading(void **state)
{
    struct served *served = *state;
    give_up_soon(served, SO_RCVTIMEO);
    client_settle(served->client);
    client_sees_end(served->client);
    ends(served, SCH_VTEST_SILENT);
    logs(served, "ends the session: it cannot be read: Resource temporarily unavailable");
    assert_int_equal(served->losses.counts[SCH_VIRGL_LOST_CLIENT], 1);
    assert_non_null(strstr(served->losses.first, "it cannot be read"));
}

static void test_no_answering(void **state)
{
    struct served *served = *state;
    static const uint32_t ping[2] = {0, PING_PROTOCOL_VERSION};
    give_up_soon(served, SO_SNDTIMEO);
    while (send(served->client, ping, sizeof ping, MSG_NOSIGNAL) == sizeof ping) continue; /* and takes no answer */
    pthread_join(served->thread, NULL);
    served->thread = 0;
    assert_int_equal(served->end, SCH_VTEST_SILENT);
    logs(served, "ends the session: it cannot be answered: Resource temporarily unavailable");
    assert_int_equal(served->losses.counts[SCH_VIRGL_LOST_CLIENT], 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_beginning),
                                       TEST(test_versions),
                                       TEST(test_plain),
                                       TEST(test_capabilities),
                                       TEST(test_names),
                                       TEST(test_shared_memory),
                                       TEST(test_memory_that_is_kept),
                                       TEST(test_memory_of_a_byte),
                                       TEST(test_without_memory),
                                       TEST(test_refused_resources),
                                       TEST(test_limit_of_memory),
                                       TEST(test_many_handles),
                                       TEST(test_untaken_descriptors),
                                       TEST(test_descriptors_stay_the_same),
                                       TEST(test_data_in_line),
                                       TEST(test_refused_data_in_line),
                                       TEST(test_no_old_bytes),
                                       TEST(test_commands),
                                       TEST(test_wrong_lengths),
                                       TEST(test_later_messages),
                                       TEST(test_unknown_messages),
                                       TEST(test_lost_framing),
                                       TEST(test_huge_lengths),
                                       TEST(test_huge_name),
                                       TEST(test_huge_answer),
                                       TEST(test_no_reading),
                                       TEST(test_no_answering),
                                       TEST(test_leaving),
                                       cmocka_unit_test(test_watch),
                                       cmocka_unit_test(test_death)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
