/* Fuzz target: requests to the process of the compiler, as far as the process reads them before it compiles: the
 * message, and the shader in it with all checks. The first byte says whether the bytes are a shader alone. What is
 * checked: what is read writes the same bytes again, and a shader that passes is prepared or refused with an error. */
#include <string.h>

#include "base/account.h"
#include "fuzz.h"
#include "ir/check.h"
#include "ir/prepared.h"
#include "protocol/message.h"

static struct sch_wire reading(const void *bytes, size_t size)
{
    return (struct sch_wire){.bytes = {.data = (uint8_t *)(uintptr_t)bytes, .size = size}, .reading = true};
}

static bool same(const struct sch_wire *written, const void *bytes, size_t size)
{
    return written->failed || (written->bytes.size == size && memcmp(written->bytes.data, bytes, size) == 0);
}

/* The process bounds its memory by the system (src/jit/confine.c), since a message says itself how many registers a
 * shader may have; here an account does. */
enum { MEMORY = 256 << 20 };

static const char *check_rules(const struct sch_ir_shader *shader)
{
    struct sch_diagnostics list;
    struct sch_prepared program;
    struct sch_account account;
    sch_account_init(&account, &sch_allocator_libc, MEMORY);
    const struct sch_allocator allocator = sch_account_allocator(&account);
    sch_diagnostics_init(&list, &sch_allocator_libc, 1);
    enum sch_result status = sch_ir_check(shader, &list);
    if (status == SCH_OK) {
        status = sch_prepare(shader, &allocator, &list, &program);
        sch_prepared_release(&program); /* whatever the status */
    }
    const bool said = status == SCH_OK || status == SCH_ERROR_MEMORY || list.errors;
    sch_diagnostics_release(&list);
    return said ? NULL : "a shader is refused without an error";
}

static const char *check_shader(const void *bytes, size_t size)
{
    struct sch_wire in = reading(bytes, size), out = {.bytes = {.allocator = &sch_allocator_libc}};
    struct sch_ir_shader *shader = sch_message_read_shader(&in, &sch_allocator_libc);
    if (!shader) return NULL;
    sch_message_shader(&out, shader);
    const char *finding = same(&out, bytes, in.at) ? NULL : "a shader is written otherwise than it was read";
    sch_wire_release(&out);
    if (!finding) finding = check_rules(shader);
    sch_ir_destroy(shader);
    return finding;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct sch_request request = {0};
    if (bytes < 1) return NULL;
    if (data[0]) return check_shader(data + 1, bytes - 1);
    struct sch_wire in = reading(data + 1, bytes - 1), out = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_request(&in, &request);
    if (in.failed || in.at != in.bytes.size) return NULL;
    sch_message_request(&out, &request);
    const char *finding =
        out.failed || out.bytes.size == bytes - 1 ? NULL : "a request has another size when it is written";
    struct sch_request other = {0};
    struct sch_wire again = reading(out.bytes.data, out.bytes.size),
                    last = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_request(&again, &other);
    sch_message_request(&last, &other); /* the last byte of a level is 0, whatever was read */
    if (!out.failed && (again.failed || !same(&last, out.bytes.data, out.bytes.size)))
        finding = "a request is written otherwise than it was read";
    sch_wire_release(&last);
    sch_wire_release(&out);
    return finding ? finding : check_shader(request.shader.bytes, request.shader.size);
}

SCH_FUZZ_TARGET
