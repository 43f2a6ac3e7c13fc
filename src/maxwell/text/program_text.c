/* Text of a whole program to a program in memory: directives, bundles, control words. Statements are cut out and read
 * in statement.c; the syntax is in docs/maxwell.md. */
#include <string.h>

#include "base/utf8.h"
#include "isa/errors.h"
#include "maxwell/text/general.h"
#include "maxwell/text/labels.h"
#include "maxwell/text/listing.h"
#include "maxwell/text/statement.h"

enum { ERRORS = 100 }; /* then reading stops */

struct reader {
    struct sch_maxwell_lexer lexer;
    struct sch_maxwell_statement statement;
    const struct sch_maxwell_read *how;
    struct sch_maxwell_code *code;
    enum sch_result status; /* not OK: reading stops */
    unsigned errors;
    bool section_open, arch_said;
    bool control_said;                /* of this bundle */
    bool listed_control, listed_word; /* a comment of a listing says them: of the next bundle, of this instruction */
    uint64_t next_control, word;
    bool elsewhere; /* in a section of a listing that is not code */
    uint64_t control, bits;
    bool bits_said;
    struct sch_maxwell_labels labels; /* of this section */
    bool group_open;                  /* a brace was opened, and the next instruction closes it */
    struct sch_position group_position;
};

static void fail_at(struct reader *reader, struct sch_position position, unsigned number, const char *message)
{
    sch_diagnostics_add(reader->how->diagnostics, SCH_SEVERITY_ERROR, number, position, "%s", message);
    reader->errors++;
}

static void fail(struct reader *reader, unsigned number, const char *message)
{
    fail_at(reader, reader->statement.position, number, message);
}

static void stop(struct reader *reader, enum sch_result status, unsigned number, const char *message)
{
    if (reader->status != SCH_OK) return;
    fail(reader, number, message);
    reader->status = status;
}

static struct sch_maxwell_section *section_of(struct reader *reader)
{
    return &reader->code->sections[reader->code->section_count - 1];
}

/* ---- bundles ---- */

/* A section for what comes without one. */
static bool open_section(struct reader *reader, const char *name, size_t bytes, bool named)
{
    if (!sch_maxwell_code_section(reader->code, name, bytes, named)) {
        reader->status = SCH_ERROR_MEMORY;
        return false;
    }
    reader->section_open = true;
    return true;
}

static uint32_t address_of(size_t number)
{
    return (uint32_t)(number / SCH_MAXWELL_SLOTS * SCH_MAXWELL_BUNDLE_BYTES + (number % SCH_MAXWELL_SLOTS + 1) * 8);
}

/* The next item of the section, in its bundle; NULL: reading stops. */
static struct sch_maxwell_item *append(struct reader *reader)
{
    if (!reader->section_open && !open_section(reader, "", 0, false)) return NULL;
    struct sch_maxwell_section *section = section_of(reader);
    if (!sch_maxwell_code_room(reader->code, reader->how->limits, section->count, 1)) {
        stop(reader, SCH_ERROR_LIMIT, SCH_D_MAXWELL_LIMIT,
             "there are more instructions in this section than the limit");
        return NULL;
    }
    if (!SCH_ARENA_GROW(&reader->code->arena, section->items, section->capacity, section->count)) {
        reader->status = SCH_ERROR_MEMORY;
        return NULL;
    }
    size_t at = section->count++;
    if (at % SCH_MAXWELL_SLOTS == 0 && reader->listed_control && !reader->control_said) {
        reader->control = reader->next_control;
        reader->control_said = true;
    }
    reader->listed_control = false;
    struct sch_maxwell_item *item = &section->items[at];
    *item = (struct sch_maxwell_item){.address = address_of(at),
                                      .position = reader->statement.position,
                                      .spare = at % SCH_MAXWELL_SLOTS == 0 && reader->control_said &&
                                               (reader->control & SCH_MAXWELL_CONTROL_SPARE)};
    reader->code->instructions++;
    return item;
}

/* The slot that .control gives the item that was appended last. */
static uint32_t control_slot(struct reader *reader)
{
    return sch_maxwell_slot(reader->control, (unsigned)((section_of(reader)->count - 1) % SCH_MAXWELL_SLOTS));
}

/* A bundle that is full takes its control word with it. */
static void end_item(struct reader *reader, struct sch_maxwell_item *item)
{
    sch_maxwell_item_decode(reader->code, section_of(reader), item);
    if (section_of(reader)->count % SCH_MAXWELL_SLOTS == 0) reader->control_said = false;
}

/* Fills the section's last bundle. */
static void close_section(struct reader *reader)
{
    if (reader->group_open)
        fail_at(reader, reader->group_position, SCH_D_MAXWELL_GROUP, "nothing closes this group of two instructions");
    reader->group_open = false;
    if (reader->bits_said) fail(reader, SCH_D_MAXWELL_BITS, "no instruction follows .bits");
    reader->bits_said = false;
    while (reader->section_open && reader->status == SCH_OK &&
           (section_of(reader)->count % SCH_MAXWELL_SLOTS || reader->control_said)) {
        struct sch_maxwell_item *item = append(reader);
        if (!item) return;
        item->word = SCH_MAXWELL_NOP;
        item->slot = reader->control_said ? control_slot(reader) : SCH_MAXWELL_SLOT_NEUTRAL;
        end_item(reader, item);
    }
    if (reader->status == SCH_OK) /* without a section there are no instructions, and nothing names a label */
        reader->errors += sch_maxwell_labels_resolve(&reader->labels, reader->section_open ? section_of(reader) : NULL,
                                                     reader->how->diagnostics);
}

/* A label comes before the next instruction. Before the first of a bundle it is the control word's address, as
 * compilers write it; control continues with the instruction. */
static void put_label(struct reader *reader, const char *name, size_t bytes, struct sch_position position)
{
    const size_t count = reader->section_open ? section_of(reader)->count : 0;
    const uint32_t address = address_of(count) - (count % SCH_MAXWELL_SLOTS == 0 ? 8 : 0);
    const enum sch_result status = sch_maxwell_labels_add(&reader->labels, name, bytes, address);
    if (status == SCH_ERROR_INVALID)
        fail_at(reader, position, SCH_D_MAXWELL_LABEL_TWICE, "the section has a label of this name already");
    else if (status != SCH_OK)
        reader->status = status;
}

/* ---- instructions ---- */

/* The marks of a text that the instruction would have under this control slot. */
static uint32_t marks_of(const struct sch_maxwell_line *line, uint32_t slot)
{
    struct sch_maxwell_code_text text;
    sch_maxwell_code_text(line->word, slot, 0, &text);
    return text.marks;
}

/* The slot that the fields, the braces and .control say; they must not contradict each other. `line`: the instruction,
 * NULL for .word. */
static uint32_t choose_slot(struct reader *reader, const struct sch_maxwell_fields *fields,
                            const struct sch_maxwell_line *line)
{
    const struct sch_maxwell_statement *statement = &reader->statement;
    const char *conflict = NULL;
    const int phase = line && line->texture ? line->instruction.phase : -1;
    const bool general = line && !line->texture;
    uint32_t slot = sch_maxwell_slot_of(&fields->schedule);
    if (general) slot |= line->marks;
    if (phase >= 0) {
        unsigned reuse = fields->schedule.reuse & 3u;
        if (reuse && reuse != (unsigned)phase) conflict = "{?reuse_M} and the phase of the instruction differ";
        slot = sch_maxwell_slot_with_phase(&fields->schedule, (unsigned)phase);
    }
    if (statement->opens && !fields->given) slot = sch_maxwell_slot_opening(slot);
    if (reader->control_said) {
        uint32_t given = control_slot(reader);
        if (fields->given && given != slot) conflict = "the control fields are not those of .control";
        if (phase >= 0 && sch_maxwell_slot_phase(given) != (unsigned)phase)
            conflict = "the phase is not that of .control";
        if (general && marks_of(line, given) != line->marks) conflict = "the marks of reuse are not those of .control";
        slot = given;
    }
    if (statement->opens && !sch_maxwell_slot_opens(slot))
        conflict = "{ opens a group of two, but the control slot does not";
    if (conflict) fail(reader, SCH_D_MAXWELL_CONTROL_CONFLICT, conflict);
    return slot;
}

static void check_braces(struct reader *reader)
{
    const struct sch_maxwell_statement *statement = &reader->statement;
    if (statement->closes && !reader->group_open) fail(reader, SCH_D_MAXWELL_GROUP, "} closes no group");
    if (reader->group_open && !statement->closes)
        fail(reader, SCH_D_MAXWELL_GROUP, "expected } after the second of a group");
    if (reader->group_open && statement->opens) fail(reader, SCH_D_MAXWELL_GROUP, "a group begins inside of a group");
    reader->group_open = statement->opens;
    reader->group_position = statement->position;
}

static void put_item(struct reader *reader, uint64_t word, const struct sch_maxwell_fields *fields,
                     const struct sch_maxwell_line *line)
{
    check_braces(reader);
    struct sch_maxwell_item *item = append(reader);
    if (!item) return;
    item->word = word;
    item->slot = choose_slot(reader, fields, line);
    end_item(reader, item);
}

/* The bits of .bits change nothing in the text of another instruction. */
static void change_bits(struct reader *reader, uint64_t *word)
{
    struct sch_maxwell_code_text before, after;
    const uint64_t changed = *word ^ reader->bits;
    if (!sch_maxwell_code_text(*word, SCH_MAXWELL_SLOT_NEUTRAL, 0, &before) ||
        !sch_maxwell_code_text(changed, SCH_MAXWELL_SLOT_NEUTRAL, 0, &after) || strcmp(before.text, after.text) != 0)
        fail(reader, SCH_D_MAXWELL_BITS, "the bits of .bits change what the instruction is");
    *word = changed;
}

/* The bits of .bits in the word: only those that the operation does not look at. */
static void add_bits(struct reader *reader, const struct sch_maxwell_line *line, uint64_t *word)
{
    if (!reader->bits_said) return;
    reader->bits_said = false;
    if (!line->texture) {
        change_bits(reader, word);
        return;
    }
    enum sch_maxwell_arch arch = (enum sch_maxwell_arch)reader->code->arch;
    struct sch_maxwell_instruction decoded;
    uint64_t again = 0, whole = *word | reader->bits;
    bool good = !(*word & reader->bits) && sch_maxwell_decode(whole, arch, &decoded) &&
                sch_maxwell_encode(&decoded, arch, &again) && again == *word;
    if (!good) fail(reader, SCH_D_MAXWELL_BITS, "the instruction does not leave the bits of .bits free");
    *word = whole;
}

/* Holds the place of an instruction that was refused, so that what follows keeps its slot. */
static void put_nothing(struct reader *reader)
{
    reader->errors++;
    reader->bits_said = false;
    reader->group_open = reader->statement.opens;
    reader->group_position = reader->statement.position;
    struct sch_maxwell_item *item = append(reader);
    if (item) end_item(reader, item);
}

/* Whether two words are the same instruction, at the same address: only bits that the text does not show differ. */
static bool same_text(const struct reader *reader, uint64_t a, uint64_t b, uint32_t address)
{
    const enum sch_maxwell_arch arch = (enum sch_maxwell_arch)reader->code->arch;
    struct sch_maxwell_instruction first, second;
    if (sch_maxwell_decode(a, arch, &first))
        return sch_maxwell_decode(b, arch, &second) && sch_maxwell_equal(&first, &second);
    struct sch_maxwell_code_text text, other;
    return sch_maxwell_code_text(a, SCH_MAXWELL_SLOT_NEUTRAL, address, &text) &&
           sch_maxwell_code_text(b, SCH_MAXWELL_SLOT_NEUTRAL, address, &other) && strcmp(text.text, other.text) == 0;
}

/* An instruction of a listing whose operands only its word says. */
static void read_listed(struct reader *reader)
{
    struct sch_maxwell_fields fields = {.schedule = sch_maxwell_schedule_of(SCH_MAXWELL_SLOT_NEUTRAL)};
    put_item(reader, reader->word, &fields, NULL);
}

static void read_instruction(struct reader *reader)
{
    if (reader->listed_word && sch_maxwell_has_symbols(&reader->statement)) {
        read_listed(reader);
        return;
    }
    struct sch_maxwell_line line;
    struct sch_maxwell_fields fields;
    const uint32_t address = address_of(reader->section_open ? section_of(reader)->count : 0);
    sch_maxwell_listed_notes(&reader->statement);
    if (!sch_maxwell_statement_instruction(&reader->statement, address, true, reader->how->diagnostics, &line,
                                           &fields)) {
        put_nothing(reader);
        return;
    }
    uint64_t word = line.word;
    if (line.texture && !sch_maxwell_encode_or_report(&line.instruction, (enum sch_maxwell_arch)reader->code->arch,
                                                      reader->statement.position, reader->how->diagnostics, &word)) {
        put_nothing(reader);
        return;
    }
    add_bits(reader, &line, &word);
    if (reader->listed_word && !line.label.name && !same_text(reader, word, reader->word, address))
        fail(reader, SCH_D_MAXWELL_LISTED_WORD, "the word in the comment after this instruction is another one");
    put_item(reader, reader->listed_word ? reader->word : word, &fields, &line);
    if (line.label.name && !reader->listed_word && reader->status == SCH_OK &&
        !sch_maxwell_labels_use(&reader->labels, &line.label, section_of(reader)->count - 1,
                                reader->statement.position))
        reader->status = SCH_ERROR_MEMORY;
}

/* ---- directives ---- */

static void read_word(struct reader *reader, size_t at)
{
    uint64_t word;
    struct sch_maxwell_fields fields;
    if (reader->bits_said) fail(reader, SCH_D_MAXWELL_BITS, ".bits does not go with .word");
    reader->bits_said = false;
    if (sch_maxwell_statement_number(&reader->statement, at, reader->how->diagnostics, &word, &fields))
        put_item(reader, word, &fields, NULL);
    else
        put_nothing(reader);
}

static void read_control(struct reader *reader, size_t at)
{
    uint64_t control;
    if (!sch_maxwell_statement_number(&reader->statement, at, reader->how->diagnostics, &control, NULL))
        reader->errors++;
    else if (reader->control_said || (reader->section_open && section_of(reader)->count % SCH_MAXWELL_SLOTS != 0))
        fail(reader, SCH_D_MAXWELL_CONTROL_PLACE, ".control must come before the first of three instructions");
    else {
        reader->control = control;
        reader->control_said = true;
    }
}

static void read_bits(struct reader *reader, size_t at)
{
    uint64_t bits;
    if (!sch_maxwell_statement_number(&reader->statement, at, reader->how->diagnostics, &bits, NULL))
        reader->errors++;
    else {
        reader->bits = bits;
        reader->bits_said = true;
    }
}

static void read_arch(struct reader *reader, size_t at)
{
    const struct sch_maxwell_statement *statement = &reader->statement;
    while (at < statement->bytes && (statement->text[at] == ' ' || statement->text[at] == '\t')) at++;
    enum sch_maxwell_arch arch;
    if (!sch_maxwell_arch_find(statement->text + at, statement->bytes - at, &arch))
        fail(reader, SCH_D_MAXWELL_ARCH, "the architectures are sm_50, sm_52, sm_53, sm_60 and sm_61");
    else if (reader->arch_said || reader->section_open)
        fail(reader, SCH_D_MAXWELL_ARCH, ".arch must come once, before the first section and instruction");
    else if (reader->how->arch == SCH_MAXWELL_ARCH_DEFAULT)
        reader->code->arch = (uint8_t)arch;
    reader->arch_said = true;
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '$';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/* The name of a section, with or without quotes, in place; where it ends, or NULL: it is not a name. */
static const char *read_name(struct sch_maxwell_statement *statement, size_t at, const char **name)
{
    char *text = statement->text, *to;
    while (at < statement->bytes && (text[at] == ' ' || text[at] == '\t')) at++;
    bool quoted = text[at] == '"';
    if (quoted) at++;
    *name = to = text + at;
    while (at < statement->bytes && (quoted ? text[at] != '"' : is_name_character(text[at]))) {
        char c = text[at++];
        if (quoted && c == '\\') {
            if (statement->bytes - at < 3 || text[at] != 'x') return NULL;
            int high = hex_digit(text[at + 1]), low = hex_digit(text[at + 2]);
            if (high < 0 || low < 0 || (high | low) == 0) return NULL;
            c = (char)(high << 4 | low);
            at += 3;
        } else if ((unsigned char)c < ' ' || c == 0x7f)
            return NULL;
        *to++ = c;
    }
    if (quoted && text[at++] != '"') return NULL;                 /* a zero byte follows the statement */
    return at == statement->bytes || text[at] == ',' ? to : NULL; /* nvdisasm says flags after it */
}

/* Listings of nvdisasm say sections of data, too. */
static bool is_elsewhere(struct reader *reader, size_t at)
{
    const char *text = reader->statement.text + at;
    while (*text == ' ' || *text == '\t') text++;
    reader->elsewhere = !reader->arch_said && strncmp(text, ".nv.", 4) == 0;
    return reader->elsewhere;
}

static void read_section(struct reader *reader, size_t at)
{
    if (is_elsewhere(reader, at)) return;
    static const char text[] = ".text";
    enum { TEXT = sizeof text - 1 };
    const char *name, *end = read_name(&reader->statement, at, &name);
    const size_t bytes = end ? (size_t)(end - name) : 0;
    if (bytes < TEXT || memcmp(name, text, TEXT) != 0 || (bytes > TEXT && name[TEXT] != '.')) {
        fail(reader, SCH_D_MAXWELL_SECTION, "expected .text or .text.NAME");
        return;
    }
    close_section(reader);
    if (reader->code->section_count >= reader->how->limits->declarations)
        stop(reader, SCH_ERROR_LIMIT, SCH_D_MAXWELL_LIMIT, "there are more sections than the limit");
    size_t skip = bytes > TEXT ? TEXT + 1 : TEXT;
    if (reader->status == SCH_OK) open_section(reader, name + skip, bytes - skip, true);
}

static void read_directive(struct reader *reader)
{
    static const struct {
        const char *word;
        void (*read)(struct reader *reader, size_t at);
    } directives[] = {{".word", read_word},
                      {".control", read_control},
                      {".bits", read_bits},
                      {".arch", read_arch},
                      {".section", read_section}};
    const struct sch_maxwell_statement *statement = &reader->statement;
    size_t length = strcspn(statement->text, " \t\"");
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (strlen(directives[i].word) != length || memcmp(statement->text, directives[i].word, length) != 0) continue;
        if (i != 0 && (statement->opens || statement->closes))
            fail(reader, SCH_D_MAXWELL_GROUP, "a directive is not issued");
        else
            directives[i].read(reader, length);
        return;
    }
    fail(reader, SCH_D_MAXWELL_STATEMENT, "there is no such directive: .arch, .section, .control, .bits, .word");
}

/* ---- listings ---- */

/* The control word in the comments that were skipped from the one of this number on: that of the next bundle. */
static void take_control(struct reader *reader, unsigned from)
{
    const struct sch_maxwell_lexer *lexer = &reader->lexer;
    if (reader->arch_said || from >= lexer->comment_count) return;
    reader->listed_control = true;
    reader->next_control = lexer->comments[lexer->comment_count - 1].word;
}

/* What a listing has beside instructions; false: the statement is something else. */
static bool read_listing(struct reader *reader)
{
    const struct sch_maxwell_statement *statement = &reader->statement;
    const char *name = NULL;
    enum sch_maxwell_arch arch;
    switch (sch_maxwell_listed(statement, &name)) {
    case SCH_MAXWELL_LISTED_LABEL:
        if (!reader->elsewhere) put_label(reader, statement->text, statement->bytes - 1, statement->position);
        return true;
    case SCH_MAXWELL_LISTED_NOTHING:
        return reader->elsewhere && strncmp(statement->text, ".section", 8) != 0;
    case SCH_MAXWELL_LISTED_FLAGS:
        if (!reader->section_open && reader->how->arch == SCH_MAXWELL_ARCH_DEFAULT &&
            sch_maxwell_listed_arch(statement, &arch))
            reader->code->arch = (uint8_t)arch;
        return true;
    case SCH_MAXWELL_LISTED_FUNCTION:
        close_section(reader);
        if (reader->code->section_count >= reader->how->limits->declarations)
            stop(reader, SCH_ERROR_LIMIT, SCH_D_MAXWELL_LIMIT, "there are more sections than the limit");
        if (reader->status == SCH_OK && strlen(name) <= SCH_MAXWELL_NAME)
            open_section(reader, name, strlen(name), true);
        return true;
    default:
        return true;
    }
}

/* ---- the program ---- */

/* Takes a label before an instruction on the same line; false: there was no label. */
static bool take_label(struct reader *reader)
{
    struct sch_maxwell_statement *statement = &reader->statement;
    size_t bytes = sch_maxwell_label_before(statement->text, statement->bytes);
    if (!bytes || bytes == statement->bytes || reader->elsewhere) return false;
    put_label(reader, statement->text, bytes - 1, statement->position);
    while (statement->text[bytes] == ' ' || statement->text[bytes] == '\t') bytes++;
    statement->bytes -= bytes;
    memmove(statement->text, statement->text + bytes, statement->bytes + 1);
    statement->position.column += (uint32_t)bytes;
    statement->position.offset += bytes;
    return true;
}

static void read_statement(struct reader *reader)
{
    do {
        if (read_listing(reader)) return;
    } while (take_label(reader));
    if (reader->statement.text[0] == '.')
        read_directive(reader);
    else
        read_instruction(reader);
}

/* A statement with the word in the comment after it, on its line or past the brace that ends it. Texts that begin with
 * .arch are not listings: there, comments are comments. */
static void read_with_comments(struct reader *reader, uint32_t line)
{
    const struct sch_maxwell_lexer *lexer = &reader->lexer;
    const char *name = NULL;
    const bool instruction =
        reader->statement.text[0] != '.' && sch_maxwell_listed(&reader->statement, &name) == SCH_MAXWELL_LISTED_NOTHING;
    reader->listed_word = instruction && !reader->arch_said && lexer->comment_count &&
                          (lexer->comments[0].line == line || reader->statement.closes);
    reader->word = lexer->comments[0].word;
    const unsigned used = reader->listed_word;
    read_statement(reader);
    take_control(reader, used);
}

static void read_statements(struct reader *reader)
{
    bool ends = sch_maxwell_lexer_skip(&reader->lexer);
    take_control(reader, 0);
    while (reader->status == SCH_OK) {
        if (!ends) {
            reader->errors++;
            return;
        }
        if (reader->lexer.at >= reader->lexer.bytes) return;
        const bool taken = sch_maxwell_lexer_take(&reader->lexer, &reader->statement);
        const uint32_t line = reader->lexer.line;
        ends = sch_maxwell_lexer_skip(&reader->lexer);
        const struct sch_position position = sch_maxwell_lexer_position(&reader->lexer);
        size_t label = 0;
        if (taken && reader->statement.closes && !reader->arch_said && !reader->lexer.comment_count)
            label = sch_maxwell_listed_label(&reader->lexer);
        if (label) ends = sch_maxwell_lexer_skip(&reader->lexer);
        if (!taken)
            reader->errors++;
        else
            read_with_comments(reader, line);
        if (label && reader->status == SCH_OK && !reader->elsewhere)
            put_label(reader, reader->lexer.text + position.offset, label, position);
        if (reader->errors >= ERRORS)
            stop(reader, SCH_ERROR_INVALID, SCH_D_MAXWELL_ERRORS, "too many errors; reading stops here");
    }
}

enum sch_result sch_maxwell_read_text(const struct sch_maxwell_read *how, const char *text, size_t bytes,
                                      struct sch_maxwell_code **result)
{
    *result = NULL;
    struct reader reader = {.lexer = {.text = text,
                                      .bytes = bytes,
                                      .at = sch_utf8_mark(text, bytes),
                                      .line = 1,
                                      .diagnostics = how->diagnostics},
                            .how = how};
    reader.code = sch_maxwell_code_new(how);
    if (!reader.code) return SCH_ERROR_MEMORY;
    reader.labels.arena = &reader.code->arena;
    reader.statement.position = sch_maxwell_lexer_position(&reader.lexer);
    read_statements(&reader);
    if (reader.status == SCH_OK) close_section(&reader);
    /* .arch alone is the text of a cubin without code. */
    if (reader.status == SCH_OK && reader.errors == 0 && reader.code->section_count == 0 && !reader.arch_said)
        fail_at(&reader, sch_maxwell_lexer_position(&reader.lexer), SCH_D_MAXWELL_STATEMENT,
                "the program has no instruction");
    enum sch_result status = reader.status;
    if (status == SCH_OK && reader.errors) status = SCH_ERROR_INVALID;
    if (status != SCH_OK) {
        sch_maxwell_code_destroy(reader.code);
        return status;
    }
    *result = reader.code;
    return SCH_OK;
}
