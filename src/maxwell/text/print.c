/* Instructions to text, by the modifiers, names and operand layouts of src/isa/maxwell.def. */
#include <stdarg.h>
#include <stdio.h>

#include "maxwell/text/control.h"
#include "maxwell/text/tables.h"
#include "maxwell/text/text.h"

struct line {
    char *text; /* SCH_MAXWELL_LINE bytes */
    size_t used;
    bool any; /* the line has an operand already */
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    line->used += (size_t)vsnprintf(line->text + line->used, SCH_MAXWELL_LINE - line->used, format, list);
    va_end(list);
}

static void separate(struct line *line)
{
    add(line, line->any ? ", " : " ");
    line->any = true;
}

static void add_register(struct line *line, unsigned number)
{
    separate(line);
    if (number == SCH_MAXWELL_RZ)
        add(line, "RZ");
    else
        add(line, "R%u", number);
}

static void add_number(struct line *line, unsigned number, bool decimal)
{
    separate(line);
    add(line, decimal ? "%u" : "0x%x", number);
}

static void add_word(struct line *line, const char *word)
{
    separate(line);
    add(line, "%s", word ? word : "?");
}

static void add_mask_letters(struct line *line, const struct sch_maxwell_instruction *instruction)
{
    const struct sch_maxwell_mask_row *mask =
        sch_maxwell_mask(instruction->rd1 != SCH_MAXWELL_RZ, instruction->mask_code);
    add_word(line, mask ? mask->text : NULL);
}

static void add_query(struct line *line, unsigned query)
{
    const char *name = sch_maxwell_name(SCH_MF_QUERY, query);
    if (name)
        add_word(line, name);
    else
        add_number(line, query / 2, true);
}

/* The pages write the index of vec4 operations in decimal, that of TLDS in hexadecimal. */
static void add_operand(struct line *line, char letter, const struct sch_maxwell_instruction *i, bool isa)
{
    switch (letter) {
    case 'e':
        if (i->residency != SCH_MAXWELL_PT) {
            separate(line);
            add(line, "P%u", i->residency);
        }
        break;
    case '1':
        add_register(line, i->rd1);
        break;
    case 'd':
        add_register(line, i->rd);
        break;
    case 'a':
        add_register(line, i->ra);
        break;
    case 'b':
        if (i->rb != SCH_MAXWELL_RZ) add_register(line, i->rb);
        break;
    case 'B':
        add_register(line, i->rb);
        break;
    case 'q':
        add_query(line, i->query);
        break;
    case 'x':
        add_number(line, 0, isa);
        break;
    case 'I':
        add_number(line, i->index, isa);
        break;
    case 'i':
        add_number(line, i->index, false);
        break;
    case 'p':
        add_word(line, sch_maxwell_name(SCH_MF_PARAMETER, i->parameter));
        break;
    case 'm':
        add_number(line, i->write_mask, false);
        break;
    case 'c':
        add_mask_letters(line, i);
        break;
    default:
        break; /* z: not printed */
    }
}

static void add_guard(struct line *line, const struct sch_maxwell_instruction *instruction)
{
    const char *inverted = instruction->guard_not ? "!" : "";
    if (instruction->guard != SCH_MAXWELL_PT)
        add(line, "@%sP%u ", inverted, instruction->guard);
    else if (instruction->guard_not)
        add(line, "@!PT ");
}

void sch_maxwell_print(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_text_style style,
                       const struct sch_maxwell_schedule *schedule, char text[SCH_MAXWELL_LINE])
{
    struct line line = {.text = text};
    text[0] = 0;
    const struct sch_maxwell_form_row *form = sch_maxwell_form_of(instruction->operation, instruction->bindless);
    if (!form) return;
    add_guard(&line, instruction);
    add(&line, "%s", sch_maxwell_operation_names[instruction->operation]);
    for (size_t i = 0; i < sch_maxwell_modifier_count; i++) {
        if (sch_maxwell_modifiers[i].operation != instruction->operation) continue;
        enum sch_maxwell_field field = sch_maxwell_modifiers[i].field;
        const char *name = sch_maxwell_name(field, sch_maxwell_get(instruction, field));
        if (name) add(&line, ".%s", name);
    }
    for (const char *letter = form->operands; *letter; letter++)
        add_operand(&line, *letter, instruction, style == SCH_MAXWELL_TEXT_ISA);
    if (schedule && style == SCH_MAXWELL_TEXT_ISA) {
        char fields[SCH_MAXWELL_SCHEDULE_TEXT];
        sch_maxwell_schedule_print(schedule, fields);
        add(&line, "%s", fields);
    }
    add(&line, ";");
}
