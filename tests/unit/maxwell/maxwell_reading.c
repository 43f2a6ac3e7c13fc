/* maxwell_reading.h: what the tests of Maxwell programs and of cubins share. */
#include "maxwell_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct reading read_within(enum reader reader, const void *data, size_t bytes, const struct sch_limits *limits)
{
    struct reading reading = {.status = SCH_OK};
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 100);
    struct sch_maxwell_read how = {.allocator = &sch_allocator_libc, .limits = limits, .diagnostics = &list};
    reading.status = reader == TEXT  ? sch_maxwell_read_text(&how, data, bytes, &reading.code)
                     : reader == RAW ? sch_maxwell_read_raw(&how, data, bytes, &reading.code)
                                     : sch_maxwell_read_cubin(&how, data, bytes, &reading.code);
    assert_true((reading.status == SCH_OK) == (reading.code != NULL));
    reading.reports = list.count;
    if (list.count) {
        reading.number = list.items[0].code;
        reading.line = list.items[0].position.line;
        reading.column = list.items[0].position.column;
        reading.offset = list.items[0].position.offset;
    }
    sch_diagnostics_release(&list);
    return reading;
}

struct reading read_as(enum reader reader, const void *data, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    return read_within(reader, data, bytes, &limits);
}

uint64_t slots(uint64_t a, uint64_t b, uint64_t c) { return a | b << 21 | c << 42; }
