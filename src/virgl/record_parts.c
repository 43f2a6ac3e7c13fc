/* Taking recordings apart and putting them together, without playing them: see record.h for what they are. */
#include <string.h>

#include "record.h"

enum { START_WORDS = 2 };

static uint32_t word_at(const uint8_t *data)
{
    uint32_t word;
    memcpy(&word, data, sizeof word);
    return word;
}

bool sch_virgl_is_recording(const void *data, size_t bytes, uint32_t *version)
{
    struct sch_virgl_record_header header = {.version = 0};
    const bool is_whole = bytes >= sizeof header;
    _Static_assert(sizeof header == SCH_VIRGL_RECORDING_HEADER, "the header's size is known");
    if (bytes) memcpy(&header, data, is_whole ? sizeof header : bytes);
    *version = is_whole ? header.version : 0;
    return memcmp(header.name, "SCHVIRGL", sizeof header.name) == 0;
}

/* The commands of a submit, each with its header; the rest, whose length does not fit, as one. */
static bool list_commands(const uint8_t *data, size_t bytes, uint32_t record, const struct sch_virgl_cutter *cutter)
{
    for (size_t at = 0, length; at < bytes; at += length) {
        length = bytes - at;
        if (length >= sizeof(uint32_t)) {
            const size_t own = (1 + (size_t)(word_at(data + at) >> 16)) * sizeof(uint32_t);
            if (own < length) length = own;
        }
        const struct sch_virgl_piece piece = {data + at, length, record, SCH_VIRGL_RECORD_SUBMIT};
        if (!cutter->take(cutter->user, &piece)) return false;
    }
    return true;
}

bool sch_virgl_cut(const void *recording, size_t bytes, const struct sch_virgl_cutter *cutter)
{
    const uint8_t *data = recording;
    uint32_t version, record = 0;
    if (bytes < SCH_VIRGL_RECORDING_HEADER || !sch_virgl_is_recording(data, bytes, &version) ||
        version != SCH_VIRGL_RECORDING_VERSION)
        return false;
    for (size_t at = SCH_VIRGL_RECORDING_HEADER; at < bytes;) {
        const size_t left = bytes - at, start = START_WORDS * sizeof(uint32_t);
        if (left < start) return false;
        const uint32_t kind = word_at(data + at), length = word_at(data + at + sizeof(uint32_t));
        if (length > left - start) return false;
        const struct sch_virgl_piece piece = {data + at + start, length, record++, kind};
        const bool taken = kind == SCH_VIRGL_RECORD_SUBMIT ? list_commands(piece.data, length, piece.record, cutter)
                                                           : cutter->take(cutter->user, &piece);
        if (!taken) return false;
        const size_t whole = start + length + -length % 4;
        at += whole < left ? whole : left;
    }
    return true;
}

static bool put(const struct sch_virgl_sink *sink, const void *data, size_t bytes)
{
    return !bytes || sink->write(sink->user, data, bytes);
}

bool sch_virgl_join(const struct sch_virgl_piece *pieces, size_t count, const struct sch_virgl_sink *sink)
{
    static const uint8_t filling[4];
    const struct sch_virgl_record_header header = {"SCHVIRGL", SCH_VIRGL_RECORDING_VERSION, 0};
    if (!put(sink, &header, sizeof header)) return false;
    for (size_t i = 0, end; i < count; i = end) {
        uint32_t start[START_WORDS] = {pieces[i].kind, 0};
        for (end = i; end < count && pieces[end].record == pieces[i].record; end++)
            start[1] += (uint32_t)pieces[end].bytes;
        if (!put(sink, start, sizeof start)) return false;
        for (size_t n = i; n < end; n++)
            if (!put(sink, pieces[n].data, pieces[n].bytes)) return false;
        if (!put(sink, filling, -start[1] % 4)) return false;
    }
    return true;
}
