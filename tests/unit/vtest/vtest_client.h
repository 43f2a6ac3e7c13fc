/* The client's side of the vtest protocol, for tests: messages are written, answers read and compared. Each fails the
 * test where it cannot. */
#ifndef SCH_TESTS_VTEST_CLIENT_H
#define SCH_TESTS_VTEST_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GET_CAPS = 1,
    RESOURCE_CREATE,
    RESOURCE_UNREF,
    TRANSFER_GET,
    TRANSFER_PUT,
    SUBMIT_CMD,
    RESOURCE_BUSY_WAIT,
    CREATE_RENDERER,
    GET_CAPS2,
    PING_PROTOCOL_VERSION,
    PROTOCOL_VERSION,
    RESOURCE_CREATE2,
    TRANSFER_GET2,
    TRANSFER_PUT2
};

void client_send(int socket, const void *bytes, size_t count);
void client_receive(int socket, void *bytes, size_t count);

/* A message whose length is that of its words. */
#define CLIENT_SAY(socket, number, ...)                                                                                \
    client_say(socket, number, (const uint32_t[]){0, ##__VA_ARGS__} + 1, sizeof((uint32_t[]){0, ##__VA_ARGS__}) / 4 - 1)
void client_say(int socket, uint32_t number, const uint32_t *words, size_t count);

/* The next words are these. */
#define CLIENT_HEARS(socket, ...)                                                                                      \
    client_hears(socket, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)
void client_hears(int socket, const uint32_t *words, size_t count);

/* A ping is answered: all before it were, and no byte of another answer is there. */
void client_settle(int socket);

/* The memory that comes next, of so many bytes: mapped. */
uint8_t *client_memory(int socket, size_t bytes);
/* Its descriptor instead. */
int client_descriptor(int socket);

/* RESOURCE_CREATE2 of a buffer, whose memory it returns. */
uint8_t *client_buffer(int socket, uint32_t handle, uint32_t bytes);

/* Nothing comes any more. */
void client_sees_end(int socket);

#endif
