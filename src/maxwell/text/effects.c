/* Reads and writes of instructions. */
#include "maxwell/text/effects.h"

#include <stdio.h>
#include <string.h>

#include "maxwell/text/template.h"

enum { REGISTERS = 255, PREDICATES = 7, RA_LOW = 8, RB_LOW = 20, TEST_TRUE = 15 };

struct reader {
    uint64_t word;
    struct sch_maxwell_effects *effects;
    bool begun;        /* an operand other than predicates was there */
    bool long_address; /* .E */
};

static void add_place(struct sch_maxwell_places *places, unsigned place)
{
    places->words[place / 64] |= (uint64_t)1 << place % 64;
}

static void add_registers(struct sch_maxwell_places *places, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count && i < REGISTERS; i++) add_place(places, i);
}

static void add_predicate(struct sch_maxwell_places *places, unsigned number)
{
    if (number < PREDICATES) add_place(places, SCH_MAXWELL_PLACE_P0 + number);
}

static unsigned field(const struct reader *r, unsigned high, unsigned low)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return (unsigned)sch_maxwell_bits_get(&bits, r->word);
}

static struct sch_maxwell_bits bits_of(const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_token argument = sch_maxwell_argument(token, number);
    const char *at = argument.text;
    return sch_maxwell_argument_bits(&at, argument.text + argument.bytes);
}

static unsigned argument(const struct reader *r, const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_bits bits = bits_of(token, number);
    return (unsigned)sch_maxwell_bits_get(&bits, r->word);
}

/* A modifier changes what is read: .E makes addresses pairs, .X and its kin take the carry. */
static void take_modifier(struct reader *r, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const uint64_t value = sch_maxwell_bits_get(&bits, r->word);
    const char *text;
    size_t bytes;
    if (!sch_maxwell_texts_at(&texts, value, &text, &bytes) || !bytes) return;
    if (bytes == 2 && memcmp(text, ".E", 2) == 0) r->long_address = true;
    const bool takes_flags = (text[0] == '.' && bytes > 1 && text[1] == 'X' && (bytes < 4 || text[2] != 'O')) ||
                             (name.bytes == 3 && memcmp(name.text, "CCD", 3) == 0);
    if (takes_flags) add_place(&r->effects->reads, SCH_MAXWELL_PLACE_CC);
}

/* PR and CC of P2R and R2P: the predicates, or the flags. */
static bool take_bank(struct reader *r, const struct sch_maxwell_token *token)
{
    enum { PRESENT = 40 };
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    if (name.bytes != 5 || memcmp(name.text, "PR|CC", 5) != 0) return false;
    const bool writes = !r->begun;
    struct sch_maxwell_places *places = writes ? &r->effects->writes : &r->effects->reads;
    /* A mask in an immediate says which; one in a register may be any. */
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(r->word);
    const unsigned mask = form && form->name[0] == 'I' ? field(r, 26, 20) : 0x7f;
    if (field(r, PRESENT, PRESENT))
        add_place(places, SCH_MAXWELL_PLACE_CC);
    else
        for (unsigned i = 0; i < PREDICATES; i++)
            if (!writes || (mask >> i & 1)) add_predicate(places, i);
    return true;
}

static void take_register(struct reader *r, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const unsigned number = (unsigned)sch_maxwell_bits_get(&d.number, r->word);
    const bool written = d.number.range[0].low == 0 && !r->begun;
    struct sch_maxwell_places *places = written ? &r->effects->writes : &r->effects->reads;
    if (number < REGISTERS) add_registers(places, number, sch_maxwell_decoration_registers(&d, r->word));
    if (d.carry != SCH_MAXWELL_NO_BIT && (r->word >> d.carry & 1)) add_place(&r->effects->writes, SCH_MAXWELL_PLACE_CC);
    r->begun = true;
}

static void take_predicate(struct reader *r, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const unsigned low = bits.range[0].low;
    const bool first = token->kind != SCH_MAXWELL_TOKEN_PREDICATE_LAST && d.minus == SCH_MAXWELL_NO_BIT;
    add_predicate(first || d.written ? &r->effects->writes : &r->effects->reads, field(r, low + 2, low));
}

static void take_address(struct reader *r)
{
    const unsigned number = field(r, RA_LOW + 7, RA_LOW);
    if (number < REGISTERS) add_registers(&r->effects->reads, number, r->long_address ? 2 : 1);
    r->begun = true;
}

static void take_read(struct reader *r, unsigned number, unsigned count)
{
    if (number < REGISTERS) add_registers(&r->effects->reads, number, count);
    r->begun = true;
}

/* The pair of a compare and swap: the old value and the new one, of one register each or two. */
static void take_swap(struct reader *r, const struct sch_maxwell_token *token)
{
    const unsigned each = argument(r, token, 1) ? 2 : 1, mode = argument(r, token, 0);
    take_read(r, field(r, RB_LOW + 7, RB_LOW), mode == 0 ? 2 * each : each);
}

static void take_token(struct reader *r, const struct sch_maxwell_token *token)
{
    enum { IS_REGISTER = 50, NO_LANES = 15 };
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_MODIFIER:
        if (!take_bank(r, token)) take_modifier(r, token);
        break;
    case SCH_MAXWELL_TOKEN_REGISTER:
    case SCH_MAXWELL_TOKEN_REGISTER_LAST:
        take_register(r, token);
        break;
    case SCH_MAXWELL_TOKEN_PREDICATE:
    case SCH_MAXWELL_TOKEN_PREDICATE_FIRST:
    case SCH_MAXWELL_TOKEN_PREDICATE_BEFORE:
    case SCH_MAXWELL_TOKEN_PREDICATE_LAST:
        take_predicate(r, token);
        break;
    case SCH_MAXWELL_TOKEN_TEST:
    case SCH_MAXWELL_TOKEN_TEST_FIRST:
        if (argument(r, token, 0) != TEST_TRUE) add_place(&r->effects->reads, SCH_MAXWELL_PLACE_CC);
        break;
    case SCH_MAXWELL_TOKEN_NOP:
        if (field(r, 12, 8) != TEST_TRUE) add_place(&r->effects->reads, SCH_MAXWELL_PLACE_CC);
        break;
    case SCH_MAXWELL_TOKEN_MEMORY:
    case SCH_MAXWELL_TOKEN_MEMORY_4:
        take_address(r);
        break;
    case SCH_MAXWELL_TOKEN_BANK:
    case SCH_MAXWELL_TOKEN_COMPUTED:
    case SCH_MAXWELL_TOKEN_ATTRIBUTE:
    case SCH_MAXWELL_TOKEN_ATTRIBUTE_PARTS:
        take_read(r, field(r, RA_LOW + 7, RA_LOW), 1);
        break;
    case SCH_MAXWELL_TOKEN_VOTE:
        add_registers(&r->effects->writes, field(r, 7, 0), 1);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO:
        if (field(r, IS_REGISTER, IS_REGISTER)) take_read(r, field(r, RB_LOW + 7, RB_LOW), 1);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO_BYTES:
        if (field(r, 31, 28) != NO_LANES) take_read(r, field(r, RB_LOW + 7, RB_LOW), 1);
        break;
    case SCH_MAXWELL_TOKEN_SWAP:
        take_swap(r, token);
        break;
    case SCH_MAXWELL_TOKEN_EITHER:
    case SCH_MAXWELL_TOKEN_EITHER_LAST:
        if (!argument(r, token, 0)) take_read(r, argument(r, token, 1), 1);
        break;
    default:
        break;
    }
}

static void texture_effects(const struct sch_maxwell_instruction *instruction, struct sch_maxwell_effects *effects)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(instruction, &packing);
    add_registers(&effects->reads, instruction->ra, instruction->ra < REGISTERS ? packing.a_count : 0);
    add_registers(&effects->reads, instruction->rb, instruction->rb < REGISTERS ? packing.b_count : 0);
    for (unsigned i = 0; i < 2; i++)
        if (packing.result[i].first < REGISTERS)
            add_registers(&effects->writes, packing.result[i].first, packing.result[i].count);
    add_predicate(&effects->reads, instruction->guard);
    add_predicate(&effects->writes, instruction->residency);
    effects->variable = true;
}

void sch_maxwell_effects_of(const struct sch_maxwell_item *item, struct sch_maxwell_effects *effects)
{
    *effects = (struct sch_maxwell_effects){.flow = SCH_MAXWELL_FLOW_NEXT};
    if (item->texture) texture_effects(&item->instruction, effects);
    if (!item->general) return;
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(item->word);
    struct reader reader = {.word = item->word, .effects = effects};
    struct sch_maxwell_token token;
    for (const char *at = form->template; sch_maxwell_token_next(&at, &token);) take_token(&reader, &token);
    if (form->guarded) add_predicate(&effects->reads, field(&reader, 18, 16));
    effects->flow = sch_maxwell_code_flow(form->operation);
    effects->variable = !form->fixed;
}

void sch_maxwell_place_name(unsigned place, char text[SCH_MAXWELL_PLACE_TEXT])
{
    if (place == SCH_MAXWELL_PLACE_CC)
        snprintf(text, SCH_MAXWELL_PLACE_TEXT, "CC");
    else if (place >= SCH_MAXWELL_PLACE_P0)
        snprintf(text, SCH_MAXWELL_PLACE_TEXT, "P%u", (place - SCH_MAXWELL_PLACE_P0) & 7);
    else
        snprintf(text, SCH_MAXWELL_PLACE_TEXT, "R%u", place & 255);
}
