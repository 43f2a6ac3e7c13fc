/* A program in memory to text: in nvdisasm's layout (addresses and words in comments) with control words as directives,
 * or in the style of the instruction pages, with control fields after each instruction. Either reads as the same
 * words. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "maxwell/text/code.h"
#include "maxwell/text/general.h"

void sch_maxwell_lay_out(const char *printed, uint32_t slot, bool closes, char text[SCH_MAXWELL_LAID_OUT])
{
    int bytes = (int)strlen(printed);
    if (bytes && printed[bytes - 1] == ';') bytes--;
    const bool blank = bytes && printed[bytes - 1] == ' '; /* after -0.0 and the like */
    const char *end = closes ? " }" : sch_maxwell_slot_is_plain(slot) || blank ? ";" : " ;";
    const char *begin = sch_maxwell_slot_opens(slot) && !closes ? "{ " : "";
    snprintf(text, SCH_MAXWELL_LAID_OUT, "%s%.*s%s", begin, bytes, printed, end);
}

struct printer {
    const struct sch_maxwell_code *code;
    enum sch_maxwell_text_style style;
    struct sch_arena arena; /* of a section */
    size_t notes[2];        /* the next line and the next relocation of the program */
    uint32_t *labels;       /* of each instruction of the section: its label's number, from 1; NULL: there are none */
    struct sch_bytes out;
};

static bool is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$";
    return strspn(name, plain) == strlen(name);
}

static void put_section(struct printer *printer, const struct sch_maxwell_section *section)
{
    if (!section->named_section) return;
    bool plain = is_plain(section->name);
    sch_bytes_format(&printer->out, ".section %s.text%s", plain ? "" : "\"", section->name[0] ? "." : "");
    for (const char *at = section->name; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c < ' ' || c >= 0x7f || c == '"' || c == '\\')
            sch_bytes_format(&printer->out, "\\x%02x", c);
        else
            sch_bytes_format(&printer->out, "%c", c);
    }
    sch_bytes_format(&printer->out, plain ? "\n" : "\"\n");
}

/* What the text of an item is made of. Words that no text says stay words. */
static void item_text(const struct printer *printer, const struct sch_maxwell_item *item,
                      struct sch_maxwell_code_text *text)
{
    enum { PHASE = 3 << SCH_MAXWELL_SLOT_PHASE };
    if (item->general && sch_maxwell_code_text(item->word, item->slot, item->address, text)) return;
    *text = (struct sch_maxwell_code_text){.unsaid = 0};
    if (!item->texture) {
        snprintf(text->text, sizeof text->text, ".word 0x%016llx", (unsigned long long)item->word);
        return;
    }
    uint64_t word = item->word;
    sch_maxwell_encode(&item->instruction, (enum sch_maxwell_arch)printer->code->arch, &word);
    text->unsaid = word ^ item->word;
    text->marks = PHASE; /* a suffix says it */
    sch_maxwell_print(&item->instruction, printer->style, NULL, text->text);
    const size_t bytes = strlen(text->text);
    if (bytes && text->text[bytes - 1] == ';') text->text[bytes - 1] = 0;
}

/* ---- labels ---- */

enum { NOWHERE = UINT32_MAX };

/* The instruction that a target is the label of: as compilers write it, the first of a bundle has its control word's
 * address. */
static uint32_t labelled(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item)
{
    int64_t target;
    if (!item->general || item->relocated || !sch_maxwell_code_target(item->word, item->address, &target, NULL))
        return NOWHERE;
    if (target < 0 || target % 8 || target % SCH_MAXWELL_BUNDLE_BYTES == 8) return NOWHERE;
    const int64_t word = target % SCH_MAXWELL_BUNDLE_BYTES / 8;
    const int64_t number = target / SCH_MAXWELL_BUNDLE_BYTES * SCH_MAXWELL_SLOTS + (word ? word - 1 : 0);
    return number < (int64_t)section->count ? (uint32_t)number : NOWHERE;
}

/* Numbers the labels of a section in the order of their places; false: no memory. */
static bool number_labels(struct printer *printer, const struct sch_maxwell_section *section)
{
    sch_arena_reset(&printer->arena, 0);
    printer->labels = SCH_ARENA_ARRAY(&printer->arena, uint32_t, section->count + 1);
    if (!printer->labels) return false;
    for (size_t i = 0; i < section->count; i++) {
        const uint32_t target = labelled(section, &section->items[i]);
        if (target != NOWHERE) printer->labels[target] = 1;
    }
    uint32_t number = 0;
    for (size_t i = 0; i < section->count; i++)
        if (printer->labels[i]) printer->labels[i] = ++number;
    return true;
}

/* The target, which comes last in the text of an instruction, becomes a label. */
static void name_target(const struct printer *printer, const struct sch_maxwell_section *section,
                        const struct sch_maxwell_item *item, char text[SCH_MAXWELL_LINE])
{
    const uint32_t target = printer->labels ? labelled(section, item) : NOWHERE;
    char *at = strrchr(text, ' ');
    if (target == NOWHERE || !at) return;
    at++;
    snprintf(at, (size_t)(text + SCH_MAXWELL_LINE - at), "`(.L_%u)", printer->labels[target]);
}

/* nvdisasm's columns: the operation is in the same one, whatever guard or brace is before it. */
static void put_nvdisasm(struct printer *printer, const struct sch_maxwell_item *item, const char *text, bool opens,
                         bool closes)
{
    int guard = text[0] == '@' ? (int)strcspn(text, " ") + 1 : 0;
    sch_bytes_format(&printer->out, "        /*%04x*/%*s%s%*s%s", item->address, opens ? 9 : 19 - guard, "",
                     opens ? "{" : "", opens ? 9 - guard : 0, "", text);
    const size_t bytes = strlen(text);
    const char *blank = sch_maxwell_slot_is_plain(item->slot) || text[bytes - 1] == ' ' ? "" : " ";
    if (closes)
        sch_bytes_format(&printer->out, "         }");
    else
        sch_bytes_format(&printer->out, "%s;", blank);
    const char *before = closes ? "\n        " : "        ";
    if (item->texture || item->general)
        sch_bytes_format(&printer->out, "%s/* 0x%016llx */", before, (unsigned long long)item->word);
    else
        sch_bytes_format(&printer->out, "%s/* %s */", before, sch_maxwell_code_reason(item->word));
    sch_bytes_format(&printer->out, "\n");
}

static void put_isa(struct printer *printer, const struct sch_maxwell_item *item,
                    const struct sch_maxwell_code_text *text)
{
    char fields[SCH_MAXWELL_SCHEDULE_TEXT];
    struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(item->slot & ~text->marks);
    sch_maxwell_schedule_print(&schedule, fields);
    sch_bytes_format(&printer->out, "        %s%s ;\n", text->text, fields);
}

/* A name in a comment to the end of the line. */
static void put_comment_text(struct printer *printer, const char *text)
{
    for (; *text; text++) sch_bytes_char(&printer->out, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

/* What a cubin says of an instruction: the lines that it begins, and what relocations change in it. */
static void put_notes(struct printer *printer, const struct sch_maxwell_section *section,
                      const struct sch_maxwell_item *item)
{
    const struct sch_maxwell_code *code = printer->code;
    const uint32_t number = (uint32_t)(section - code->sections);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned kind = i ? SCH_MAXWELL_NOTE_RELOCATION : SCH_MAXWELL_NOTE_LINE;
        for (size_t *at = &printer->notes[i]; *at < code->note_count; ++*at) {
            const struct sch_maxwell_note *note = &code->notes[*at];
            if (note->section > number ||
                (note->section == number &&
                 (note->kind > kind || (note->kind == kind && note->offset >= item->address + 8))))
                break;
            if (note->section != number || note->kind != kind) continue;
            sch_bytes_format(&printer->out, i ? "        // relocation: " : "        //## File \"");
            put_comment_text(printer, note->name);
            sch_bytes_format(&printer->out, i ? ", " : "\", line ");
            put_comment_text(printer, note->text);
            sch_bytes_char(&printer->out, '\n');
        }
    }
}

static void put_label(struct printer *printer, size_t number)
{
    if (printer->labels && printer->labels[number])
        sch_bytes_format(&printer->out, ".L_%u:\n", printer->labels[number]);
}

/* `last`: no bundle of the section follows, and so nothing that could close a group. */
static void put_bundle(struct printer *printer, const struct sch_maxwell_section *section, size_t first,
                       bool *group_open)
{
    const struct sch_maxwell_item *bundle = &section->items[first];
    const bool last = first + SCH_MAXWELL_SLOTS == section->count;
    uint64_t control = bundle->spare ? SCH_MAXWELL_CONTROL_SPARE : 0;
    for (unsigned slot = 0; slot < SCH_MAXWELL_SLOTS; slot++)
        control = sch_maxwell_control(control, slot, bundle[slot].slot);
    put_label(printer, first);
    if (printer->style == SCH_MAXWELL_TEXT_NVDISASM || bundle->spare)
        sch_bytes_format(&printer->out, "        .control 0x%016llx\n", (unsigned long long)control);
    for (unsigned slot = 0; slot < SCH_MAXWELL_SLOTS; slot++) {
        const struct sch_maxwell_item *item = &bundle[slot];
        struct sch_maxwell_code_text text;
        item_text(printer, item, &text);
        name_target(printer, section, item, text.text);
        if (slot) put_label(printer, first + slot);
        put_notes(printer, section, item);
        if (text.unsaid) sch_bytes_format(&printer->out, "        .bits 0x%016llx\n", (unsigned long long)text.unsaid);
        bool closes = *group_open, follows = !last || slot + 1 < SCH_MAXWELL_SLOTS;
        bool opens = !closes && follows && sch_maxwell_slot_opens(item->slot);
        if (printer->style == SCH_MAXWELL_TEXT_NVDISASM)
            put_nvdisasm(printer, item, text.text, opens, closes);
        else
            put_isa(printer, item, &text);
        *group_open = opens;
    }
}

static void put_items(struct printer *printer, const struct sch_maxwell_section *section)
{
    bool group_open = false;
    for (size_t i = 0; i < section->count && printer->out.status == SCH_OK; i += SCH_MAXWELL_SLOTS)
        put_bundle(printer, section, i, &group_open);
}

enum sch_result sch_maxwell_code_print(const struct sch_maxwell_code *code, enum sch_maxwell_text_style style,
                                       bool labels, const struct sch_allocator *allocator, char **text, size_t *bytes)
{
    struct printer printer = {.code = code, .style = style, .out = {.allocator = allocator}};
    sch_arena_init(&printer.arena, allocator, 0);
    sch_bytes_format(&printer.out, ".arch %s\n", sch_maxwell_arch_name((enum sch_maxwell_arch)code->arch));
    for (size_t i = 0; i < code->section_count && printer.out.status == SCH_OK; i++) {
        put_section(&printer, &code->sections[i]);
        if (labels && !number_labels(&printer, &code->sections[i])) printer.out.status = SCH_ERROR_MEMORY;
        put_items(&printer, &code->sections[i]);
    }
    sch_arena_release(&printer.arena);
    return sch_bytes_take_text(&printer.out, text, bytes);
}
