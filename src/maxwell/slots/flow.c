/* Rows of instructions and the ways between them. */
#include "maxwell/slots/flow.h"

enum {
    MOST_PLACES = 1 << 17, /* of a table; half as many rows, and stacks, are found in a section */
    FOR_EACH = 16,         /* places for an instruction, in a short section */
    DEPTH = 64,            /* entries of a stack */
    EMPTY = 0,             /* the stack without an entry */
    NOWHERE = UINT32_MAX,
    GUARD_ALWAYS = 7,
    TEST_TRUE = 15
};

/* A stack is its last entry and the stack below it. */
struct stack {
    uint32_t below, target; /* an instruction's number, or NOWHERE */
    uint8_t kind;           /* enum sch_maxwell_flow: what goes to the target */
    uint8_t depth;
};

struct finder {
    struct sch_arena *arena;
    struct sch_maxwell_rows *rows;
    struct stack *stacks;
    size_t stack_count, stack_capacity;
    uint32_t *row_table, *stack_table; /* numbers + 1 by a hash; 0: empty */
    size_t places;                     /* of a table, a power of two */
    bool *reached;                     /* of each instruction */
    bool failed;
};

static size_t hash(const struct finder *f, uint32_t a, uint32_t b, uint32_t c)
{
    const uint64_t mixed =
        (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f)) ^ (c * UINT64_C(0x165667b19e3779f9));
    return (size_t)(mixed >> 40) & (f->places - 1);
}

/* ---- instructions ---- */

/* The instruction at an address; the address of a control word is that of the instruction after it. */
static uint32_t instruction_at(const struct sch_maxwell_section *section, int64_t address)
{
    if (address < 0 || address % 8) return NOWHERE;
    const int64_t bundle = address / SCH_MAXWELL_BUNDLE_BYTES, word = address % SCH_MAXWELL_BUNDLE_BYTES / 8;
    const int64_t number = bundle * SCH_MAXWELL_SLOTS + (word ? word - 1 : 0);
    return number < (int64_t)section->count ? (uint32_t)number : NOWHERE;
}

/* Where a word says that control goes, or what it pushes. */
static uint32_t target_of(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item)
{
    int64_t address;
    return sch_maxwell_code_target(item->word, item->address, &address, NULL) && !item->relocated
               ? instruction_at(section, address)
               : NOWHERE;
}

bool sch_maxwell_flow_is_lost(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item,
                              int64_t *target)
{
    bool relative;
    return !item->relocated && sch_maxwell_code_target(item->word, item->address, target, &relative) && relative &&
           instruction_at(section, *target) == NOWHERE;
}

/* Whether all lanes do what the instruction does to control. */
static bool is_always(const struct sch_maxwell_item *item)
{
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(item->word);
    if (form->guarded && (item->word >> 16 & 15) != GUARD_ALWAYS) return false;
    return !form->guarded || (item->word & 31) == TEST_TRUE;
}

static bool is_push(enum sch_maxwell_flow flow)
{
    return flow >= SCH_MAXWELL_FLOW_PUSH_RETURN && flow <= SCH_MAXWELL_FLOW_PUSH_OTHER;
}

static bool ends_row(enum sch_maxwell_flow flow)
{
    return flow != SCH_MAXWELL_FLOW_NEXT && flow != SCH_MAXWELL_FLOW_WAIT && !is_push(flow);
}

bool sch_maxwell_flow_leads(struct sch_arena *arena, const struct sch_maxwell_section *section,
                            const struct sch_maxwell_effects *effects, bool **leads)
{
    *leads = SCH_ARENA_ARRAY(arena, bool, section->count + 1);
    if (!*leads) return false;
    (*leads)[0] = true;
    for (size_t i = 0; i < section->count; i++) {
        if (effects[i].flow == SCH_MAXWELL_FLOW_NEXT || effects[i].flow == SCH_MAXWELL_FLOW_WAIT) continue;
        const uint32_t target = target_of(section, &section->items[i]);
        if (target != NOWHERE) (*leads)[target] = true;
        if (ends_row(effects[i].flow)) (*leads)[i + 1] = true;
    }
    return true;
}

/* ---- stacks ---- */

/* The stack with one more entry; EMPTY where there are too many. */
static uint32_t push(struct finder *f, uint32_t below, enum sch_maxwell_flow kind, uint32_t target)
{
    size_t at = hash(f, below, target, kind);
    for (; f->stack_table[at]; at = (at + 1) & (f->places - 1)) {
        const struct stack *stack = &f->stacks[f->stack_table[at] - 1];
        if (stack->below == below && stack->target == target && stack->kind == kind) return f->stack_table[at] - 1;
    }
    const uint8_t depth = f->stacks[below].depth;
    if (f->stack_count == f->places / 2 || depth == DEPTH) return EMPTY;
    if (!SCH_ARENA_GROW(f->arena, f->stacks, f->stack_capacity, f->stack_count)) {
        f->failed = true;
        return EMPTY;
    }
    f->stacks[f->stack_count++] =
        (struct stack){.below = below, .target = target, .kind = (uint8_t)kind, .depth = (uint8_t)(depth + 1)};
    f->stack_table[at] = (uint32_t)f->stack_count;
    return (uint32_t)f->stack_count - 1;
}

/* ---- rows ---- */

static uint32_t row_at(struct finder *f, uint32_t first, uint32_t stack)
{
    struct sch_maxwell_rows *rows = f->rows;
    if (first >= rows->section->count || f->failed) return SCH_MAXWELL_NO_ROW;
    size_t at = hash(f, first, stack, 0);
    for (; f->row_table[at]; at = (at + 1) & (f->places - 1)) {
        const struct sch_maxwell_row *row = &rows->items[f->row_table[at] - 1];
        if (row->first == first && row->stack == stack) return f->row_table[at] - 1;
    }
    if (rows->count == f->places / 2) return SCH_MAXWELL_NO_ROW;
    if (!SCH_ARENA_GROW(f->arena, rows->items, rows->capacity, rows->count)) {
        f->failed = true;
        return SCH_MAXWELL_NO_ROW;
    }
    rows->items[rows->count++] =
        (struct sch_maxwell_row){.first = first, .stack = stack, .next = {SCH_MAXWELL_NO_ROW, SCH_MAXWELL_NO_ROW}};
    f->row_table[at] = (uint32_t)rows->count;
    return (uint32_t)rows->count - 1;
}

/* What the nearest entry that one of two kinds pushed leads to. */
static uint32_t popped(struct finder *f, uint32_t stack, enum sch_maxwell_flow kind)
{
    while (stack != EMPTY && f->stacks[stack].kind != kind) stack = f->stacks[stack].below;
    return stack == EMPTY ? SCH_MAXWELL_NO_ROW : row_at(f, f->stacks[stack].target, f->stacks[stack].below);
}

/* Where the row's last instruction leads beside the next one. */
static uint32_t away(struct finder *f, uint32_t number, uint32_t stack)
{
    const struct sch_maxwell_item *item = &f->rows->section->items[number];
    const enum sch_maxwell_flow flow = f->rows->effects[number].flow;
    const uint32_t target = target_of(f->rows->section, item);
    switch (flow) {
    case SCH_MAXWELL_FLOW_BRANCH:
        return row_at(f, target, stack);
    case SCH_MAXWELL_FLOW_CALL:
        if (target == NOWHERE) return SCH_MAXWELL_NO_ROW;
        return row_at(f, target, push(f, stack, SCH_MAXWELL_FLOW_RETURN, number + 1));
    case SCH_MAXWELL_FLOW_SYNC:
    case SCH_MAXWELL_FLOW_BREAK:
    case SCH_MAXWELL_FLOW_CONTINUE:
    case SCH_MAXWELL_FLOW_RETURN:
        return popped(f, stack, flow);
    default:
        return SCH_MAXWELL_NO_ROW;
    }
}

/* What takes from the stack what an instruction pushes. */
static enum sch_maxwell_flow taker_of(enum sch_maxwell_flow push)
{
    static const uint8_t takers[] = {[SCH_MAXWELL_FLOW_PUSH_RETURN] = SCH_MAXWELL_FLOW_RETURN,
                                     [SCH_MAXWELL_FLOW_PUSH_SYNC] = SCH_MAXWELL_FLOW_SYNC,
                                     [SCH_MAXWELL_FLOW_PUSH_BREAK] = SCH_MAXWELL_FLOW_BREAK,
                                     [SCH_MAXWELL_FLOW_PUSH_CONTINUE] = SCH_MAXWELL_FLOW_CONTINUE,
                                     [SCH_MAXWELL_FLOW_PUSH_OTHER] = SCH_MAXWELL_FLOW_END};
    return (enum sch_maxwell_flow)takers[push];
}

/* Whether the instruction after a row's last one may follow it. */
static bool goes_on(const struct sch_maxwell_section *section, const struct sch_maxwell_effects *effects,
                    uint32_t number)
{
    const struct sch_maxwell_item *item = &section->items[number];
    if (!ends_row(effects[number].flow)) return true;
    if (effects[number].flow == SCH_MAXWELL_FLOW_CALL) return target_of(section, item) == NOWHERE;
    return !is_always(item);
}

static void walk_row(struct finder *f, size_t index)
{
    const struct sch_maxwell_section *section = f->rows->section;
    const struct sch_maxwell_effects *effects = f->rows->effects;
    uint32_t at = f->rows->items[index].first, stack = f->rows->items[index].stack;
    for (;; at++) {
        f->reached[at] = true;
        if (is_push(effects[at].flow))
            stack = push(f, stack, taker_of(effects[at].flow), target_of(section, &section->items[at]));
        if (ends_row(effects[at].flow) || at + 1 == section->count || f->rows->leads[at + 1]) break;
    }
    const uint32_t next = goes_on(section, effects, at) ? row_at(f, at + 1, stack) : SCH_MAXWELL_NO_ROW;
    const uint32_t elsewhere = ends_row(effects[at].flow) ? away(f, at, stack) : SCH_MAXWELL_NO_ROW;
    struct sch_maxwell_row *row = &f->rows->items[index]; /* the array may have moved */
    row->end = at + 1;
    row->next[0] = next;
    row->next[1] = elsewhere;
}

bool sch_maxwell_flow_find(struct sch_arena *arena, const struct sch_maxwell_section *section,
                           const struct sch_maxwell_effects *effects, struct sch_maxwell_rows *rows)
{
    *rows = (struct sch_maxwell_rows){.section = section, .effects = effects};
    size_t places = MOST_PLACES;
    while (places > FOR_EACH && places / 2 >= (section->count + 1) * FOR_EACH) places /= 2;
    struct finder finder = {.arena = arena,
                            .places = places,
                            .rows = rows,
                            .row_table = SCH_ARENA_ARRAY(arena, uint32_t, places),
                            .stack_table = SCH_ARENA_ARRAY(arena, uint32_t, places),
                            .reached = SCH_ARENA_ARRAY(arena, bool, section->count + 1)};
    if (!finder.row_table || !finder.stack_table || !finder.reached ||
        !sch_maxwell_flow_leads(arena, section, effects, &rows->leads) ||
        !SCH_ARENA_GROW(arena, finder.stacks, finder.stack_capacity, finder.stack_count))
        return false;
    finder.stack_count = 1; /* the empty one */
    size_t walked = 0;
    /* What nothing leads to, as far as the words say, begins with an empty stack. */
    for (uint32_t first = 0; first < section->count && !finder.failed; first++) {
        if (finder.reached[first]) continue;
        if (row_at(&finder, first, EMPTY) == SCH_MAXWELL_NO_ROW) break;
        for (; walked < rows->count && !finder.failed; walked++) walk_row(&finder, walked);
    }
    return !finder.failed;
}
