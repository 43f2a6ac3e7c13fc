/* Control words: slots, their fields, and the fields' text. The layout is in control.h. */
#include "maxwell/text/control.h"

#include <stdio.h>
#include <string.h>

#include "base/digit.h"
#include "isa/errors.h"

enum { SLOT_MASK = (1 << SCH_MAXWELL_SLOT_BITS) - 1, PHASE_MASK = 3, BARRIER_NONE = 7 };

uint32_t sch_maxwell_slot(uint64_t control, unsigned slot)
{
    return (uint32_t)(control >> slot * SCH_MAXWELL_SLOT_BITS) & SLOT_MASK;
}

uint64_t sch_maxwell_control(uint64_t control, unsigned slot, uint32_t bits)
{
    unsigned shift = slot * SCH_MAXWELL_SLOT_BITS;
    return (control & ~((uint64_t)SLOT_MASK << shift)) | (uint64_t)(bits & SLOT_MASK) << shift;
}

struct sch_maxwell_schedule sch_maxwell_schedule_of(uint32_t slot)
{
    return (struct sch_maxwell_schedule){.stall = slot & 15,
                                         .yield = !(slot >> 4 & 1),
                                         .write_barrier = slot >> 5 & 7,
                                         .read_barrier = slot >> 8 & 7,
                                         .wait_mask = slot >> 11 & 63,
                                         .reuse = slot >> SCH_MAXWELL_SLOT_PHASE & 15};
}

uint32_t sch_maxwell_slot_of(const struct sch_maxwell_schedule *schedule)
{
    return (schedule->stall & 15u) | (schedule->yield ? 0 : 1u << 4) | (schedule->write_barrier & 7u) << 5 |
           (schedule->read_barrier & 7u) << 8 | (schedule->wait_mask & 63u) << 11 |
           (schedule->reuse & 15u) << SCH_MAXWELL_SLOT_PHASE;
}

unsigned sch_maxwell_slot_phase(uint32_t slot) { return slot >> SCH_MAXWELL_SLOT_PHASE & PHASE_MASK; }

uint32_t sch_maxwell_slot_with_phase(const struct sch_maxwell_schedule *schedule, unsigned phase)
{
    uint32_t slot = sch_maxwell_slot_of(schedule) & ~((uint32_t)PHASE_MASK << SCH_MAXWELL_SLOT_PHASE);
    return slot | (phase & PHASE_MASK) << SCH_MAXWELL_SLOT_PHASE;
}

bool sch_maxwell_slot_opens(uint32_t slot) { return (slot & 31) == 16; }

uint32_t sch_maxwell_slot_opening(uint32_t slot) { return (slot & ~31u) | 16; }

bool sch_maxwell_slot_is_plain(uint32_t slot) { return (slot & 0x1ffff) == SCH_MAXWELL_SLOT_NEUTRAL; }

void sch_maxwell_schedule_print(const struct sch_maxwell_schedule *schedule, char text[SCH_MAXWELL_SCHEDULE_TEXT])
{
    char req[16] = "", rd[16] = "", wr[16] = "", stall[16] = "", reuse[20] = "";
    bool plain = schedule->stall == 0 && schedule->yield;
    if (schedule->wait_mask) snprintf(req, sizeof req, " {&req_0x%02x}", schedule->wait_mask & 63u);
    if (schedule->read_barrier != BARRIER_NONE) snprintf(rd, sizeof rd, " {&rd%u}", schedule->read_barrier & 7u);
    if (schedule->write_barrier != BARRIER_NONE) snprintf(wr, sizeof wr, " {&wr%u}", schedule->write_barrier & 7u);
    if (!plain) snprintf(stall, sizeof stall, " {?stall%u}", schedule->stall & 15u);
    if (schedule->reuse) snprintf(reuse, sizeof reuse, " {?reuse_0x%x}", schedule->reuse & 15u);
    snprintf(text, SCH_MAXWELL_SCHEDULE_TEXT, "%s%s%s%s%s%s", req, rd, wr, stall,
             schedule->yield && !plain ? " {?yield}" : "", reuse);
}

/* ---- text to fields ---- */

enum field { REQ, RD, WR, STALL, YIELD, REUSE, FIELDS };

static const struct {
    const char *word;
    enum field field;
    unsigned greatest; /* of the number after it; 0: none follows */
} words[] = {
    {"&req_", REQ, 63},   {"&rd", RD, 7},       {"&wr", WR, 7},         {"?stall", STALL, 15},
    {"?yield", YIELD, 0}, {"?sched", YIELD, 0}, {"?reuse_", REUSE, 15},
};

struct reader {
    const char *text;
    size_t bytes, at;
    struct sch_position position;
    struct sch_diagnostics *diagnostics;
    unsigned seen; /* a bit for each field */
};

static enum sch_result fail(const struct reader *reader, size_t at, const char *message)
{
    struct sch_position position = reader->position;
    position.column += (uint32_t)at;
    position.offset += at;
    sch_diagnostics_add(reader->diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_CONTROL_FIELD, position, "%s", message);
    return SCH_ERROR_INVALID;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->bytes && is_blank(reader->text[reader->at])) reader->at++;
}

/* A number, decimal or 0x and hexadecimal digits; false: there is none, or it is too large. */
static bool read_number(struct reader *reader, unsigned greatest, uint8_t *value)
{
    const char *text = reader->text;
    size_t bytes = reader->bytes;
    bool hexadecimal = bytes - reader->at > 2 && text[reader->at] == '0' && (text[reader->at + 1] | 32) == 'x';
    if (hexadecimal) reader->at += 2;
    const unsigned base = hexadecimal ? 16 : 10;
    unsigned number = 0, digits = 0;
    for (unsigned next; reader->at < bytes && (next = sch_digit(text[reader->at])) < base; reader->at++, digits++) {
        number = number * base + next;
        if (number > greatest) return false;
    }
    *value = (uint8_t)number;
    return digits > 0;
}

static void set_field(struct sch_maxwell_schedule *schedule, enum field field, uint8_t value, unsigned seen)
{
    switch (field) {
    case REQ:
        schedule->wait_mask = value;
        break;
    case RD:
        schedule->read_barrier = value;
        break;
    case WR:
        schedule->write_barrier = value;
        break;
    case STALL:
        schedule->stall = value;
        schedule->yield = seen >> YIELD & 1;
        break;
    case YIELD:
        schedule->yield = true;
        break;
    case REUSE:
        schedule->reuse = value;
        break;
    case FIELDS:
        break;
    }
}

/* One field without its braces. */
static enum sch_result read_field(struct reader *reader, struct sch_maxwell_schedule *schedule)
{
    size_t begin = reader->at, left = reader->bytes - begin;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (left < length || memcmp(reader->text + begin, words[i].word, length) != 0) continue;
        uint8_t value = BARRIER_NONE;
        reader->at += length;
        bool barrier = words[i].field == RD || words[i].field == WR;
        if (barrier && reader->at < reader->bytes && reader->text[reader->at] == 'N')
            reader->at++;
        else if (words[i].greatest && !read_number(reader, words[i].greatest, &value))
            return fail(reader, begin,
                        "the field needs a number within its range: {&req_0..63}, {&rd0..7}, {&wr0..7}, "
                        "{?stall0..15}, {?reuse_0..15}");
        if (reader->seen >> words[i].field & 1) return fail(reader, begin, "the field is given twice");
        reader->seen |= 1u << words[i].field;
        set_field(schedule, words[i].field, value, reader->seen);
        return SCH_OK;
    }
    return fail(reader, begin, "expected {&req_M}, {&rdN}, {&wrN}, {?stallN}, {?yield} or {?reuse_M}");
}

enum sch_result sch_maxwell_schedule_parse(const char *text, size_t bytes, struct sch_position position,
                                           struct sch_diagnostics *diagnostics, struct sch_maxwell_schedule *schedule)
{
    struct reader reader = {.text = text, .bytes = bytes, .position = position, .diagnostics = diagnostics};
    *schedule = sch_maxwell_schedule_of(SCH_MAXWELL_SLOT_NEUTRAL);
    for (skip_blanks(&reader); reader.at < bytes; skip_blanks(&reader)) {
        bool brace = text[reader.at] == '{';
        if (brace) {
            reader.at++;
            skip_blanks(&reader);
        }
        enum sch_result status = read_field(&reader, schedule);
        if (status != SCH_OK) return status;
        if (!brace) {
            if (reader.at < bytes && !is_blank(text[reader.at]) && !strchr("{&?", text[reader.at]))
                return fail(&reader, reader.at, "the field ends before this");
            continue;
        }
        skip_blanks(&reader);
        if (reader.at >= bytes || text[reader.at] != '}') return fail(&reader, reader.at, "expected } after the field");
        reader.at++;
    }
    return SCH_OK;
}

/* ---- fields before an instruction ---- */

enum { MAXAS_BYTES = 10, CUASM_BYTES = 20 };

bool sch_maxwell_has_prefix(const char *text, size_t bytes)
{
    return (bytes && text[0] == '[') || (bytes > 2 && text[2] == ':');
}

/* A digit of `base`, from `first` on, or a dash. The number from 0; `none` for the dash; -1: neither. */
static int digit_or_dash(char c, unsigned first, unsigned end, int none)
{
    const unsigned digit = sch_digit(c);
    if (c == '-') return none;
    return digit >= first && digit < end ? (int)(digit - first) : -1;
}

static bool read_yield(char c, struct sch_maxwell_schedule *schedule)
{
    schedule->yield = c == 'Y';
    return c == 'Y' || c == '-';
}

static bool read_maxas(const char *text, struct sch_maxwell_schedule *schedule)
{
    const bool waits = text[0] != '-' || text[1] != '-';
    const unsigned high = sch_digit(text[0]), low = sch_digit(text[1]);
    const int read = digit_or_dash(text[3], 1, 7, BARRIER_NONE), write = digit_or_dash(text[5], 1, 7, BARRIER_NONE);
    const unsigned stall = sch_digit(text[9]);
    if (text[2] != ':' || text[4] != ':' || text[6] != ':' || text[8] != ':' || read < 0 || write < 0 || stall > 15 ||
        (waits && (high > 3 || low > 15)) || !read_yield(text[7], schedule))
        return false;
    schedule->wait_mask = (uint8_t)(waits ? high << 4 | low : 0);
    schedule->read_barrier = (uint8_t)read;
    schedule->write_barrier = (uint8_t)write;
    schedule->stall = (uint8_t)stall;
    return true;
}

static bool read_cuasm(const char *text, struct sch_maxwell_schedule *schedule)
{
    enum { BARRIERS = 6, AT_B = 2, AT_R = 10, AT_W = 13, AT_YIELD = 15, AT_STALL = 18 };
    static const char form[] = "[B------:R-:W-:-:S--]"; /* a dash: anything */
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] != '-' && text[i] != form[i]) return false;
    schedule->wait_mask = 0;
    for (unsigned i = 0; i < BARRIERS; i++) {
        if (text[AT_B + i] != '-' && text[AT_B + i] != (char)('0' + i)) return false;
        schedule->wait_mask |= (uint8_t)((text[AT_B + i] != '-') << i);
    }
    const int read = digit_or_dash(text[AT_R], 0, BARRIERS, BARRIER_NONE),
              write = digit_or_dash(text[AT_W], 0, BARRIERS, BARRIER_NONE);
    const unsigned tens = sch_digit(text[AT_STALL]), ones = sch_digit(text[AT_STALL + 1]);
    if (read < 0 || write < 0 || tens > 1 || ones > 9 || tens * 10 + ones > 15 || !read_yield(text[AT_YIELD], schedule))
        return false;
    schedule->read_barrier = (uint8_t)read;
    schedule->write_barrier = (uint8_t)write;
    schedule->stall = (uint8_t)(tens * 10 + ones);
    return true;
}

size_t sch_maxwell_prefix_parse(const char *text, size_t bytes, struct sch_maxwell_schedule *schedule)
{
    *schedule = sch_maxwell_schedule_of(SCH_MAXWELL_SLOT_NEUTRAL);
    if (bytes > CUASM_BYTES && text[0] == '[') return read_cuasm(text, schedule) ? CUASM_BYTES + 1 : 0;
    if (bytes >= MAXAS_BYTES) return read_maxas(text, schedule) ? MAXAS_BYTES : 0;
    return 0;
}
