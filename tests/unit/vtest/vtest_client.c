/* See vtest_client.h. */
#include "vtest_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

void client_send(int socket, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t some = send(socket, (const char *)bytes + done, count - done, MSG_NOSIGNAL);
        if (some <= 0) fail_msg("the server takes no more");
        done += (size_t)some;
    }
}

void client_receive(int socket, void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t some = recv(socket, (char *)bytes + done, count - done, 0);
        if (some <= 0) fail_msg("the server says no more: %zu of %zu bytes", done, count);
        done += (size_t)some;
    }
}

void client_say(int socket, uint32_t number, const uint32_t *words, size_t count)
{
    const uint32_t header[2] = {(uint32_t)count, number};
    client_send(socket, header, sizeof header);
    client_send(socket, words, count * 4);
}

void client_hears(int socket, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        client_receive(socket, &word, sizeof word);
        assert_int_equal(word, words[i]);
    }
}

void client_settle(int socket)
{
    CLIENT_SAY(socket, PING_PROTOCOL_VERSION);
    CLIENT_HEARS(socket, 0, PING_PROTOCOL_VERSION);
}

int client_descriptor(int socket)
{
    char byte = 1;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    int descriptor;
    assert_int_equal(recvmsg(socket, &message, 0), 1);
    assert_int_equal(byte, 0);
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    assert_non_null(head);
    assert_int_equal(head->cmsg_type, SCM_RIGHTS);
    memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
    return descriptor;
}

uint8_t *client_memory(int socket, size_t bytes)
{
    const int descriptor = client_descriptor(socket);
    assert_int_equal(lseek(descriptor, 0, SEEK_END), bytes);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    close(descriptor);
    return memory;
}

uint8_t *client_buffer(int socket, uint32_t handle, uint32_t bytes)
{
    CLIENT_SAY(socket, RESOURCE_CREATE2, handle, 0, 64, 0, bytes, 1, 1, 1, 0, 0, bytes);
    return client_memory(socket, bytes);
}

void client_sees_end(int socket)
{
    char byte;
    assert_true(recv(socket, &byte, 1, 0) <= 0);
}
