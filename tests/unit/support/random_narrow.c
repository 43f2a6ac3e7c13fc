/* See random_narrow.h. */
#include "random_narrow.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../tgsi/tgsi_support.h"

enum {
    KEPT = 4,          /* temporaries that lanes store at the end */
    TEMPS = KEPT + 3,  /* that statements write */
    CONDITION = TEMPS, /* scratch */
    FIRST_COUNTER,
    MOST_LOOPS = 4,
    MOST_DEPTH = 5
};

struct maker {
    char *text;
    size_t at;
    uint64_t seed;
    unsigned loops;
    int left; /* statements */
};

static unsigned below(struct maker *m, unsigned limit) { return (unsigned)((random_number(&m->seed) >> 32) % limit); }
static bool one_in(struct maker *m, unsigned n) { return below(m, n) == 0; }

__attribute__((format(printf, 2, 3))) static void line(struct maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(m->text + m->at, RANDOM_NARROW_TEXT - m->at, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, RANDOM_NARROW_TEXT - m->at - 1);
    m->at += (size_t)length;
}

/* ---- control flow ---- */

struct source {
    char text[40];
};

/* What all lanes agree about, or what they do not, or a register that may be either. */
static struct source value(struct maker *m)
{
    struct source s;
    unsigned kind = below(m, 8), c = below(m, 4);
    const char *swizzle = &"xxxxyyyyzzzzwwww"[4 * c];
    if (kind < 5)
        snprintf(s.text, sizeof s.text, "TEMP[%u].%.4s", below(m, TEMPS), swizzle);
    else if (kind == 5)
        snprintf(s.text, sizeof s.text, "SV[0].xxxx");
    else
        snprintf(s.text, sizeof s.text, "%s.%.4s", kind == 6 ? "CONST[0][0]" : "IMM[0]", swizzle);
    return s;
}

static void add_step(struct maker *m)
{
    static const char *const names[] = {"UADD", "UADD", "UADD", "XOR", "AND", "UMAX", "USLT", "MOV"};
    unsigned n = below(m, sizeof names / sizeof *names);
    line(m, "%s TEMP[%u].%c, %s", names[n], below(m, TEMPS), "xyzw"[below(m, 4)], value(m).text);
    if (n < 7) line(m, ", %s", value(m).text);
    line(m, "\n");
}

struct place {
    unsigned depth, loops;
    bool in_switch; /* BRK leaves the innermost SWITCH */
};

static void add_statements(struct maker *m, struct place place, unsigned most);

/* A number from 0 to 3 in the scratch register. Of a channel is known that all lanes agree about it only if that holds
 * for all that is written there: .y is such a channel, .x is not. */
static char add_condition(struct maker *m)
{
    static const char *const same[] = {"CONST[0][0].xxxx", "IMM[0].yyyy", "CONST[0][1].yyyy"};
    if (one_in(m, 3)) {
        line(m, "AND TEMP[%u].y, %s, IMM[0].zzzz\n", CONDITION, same[below(m, 3)]);
        return 'y';
    }
    line(m, "AND TEMP[%u].x, %s, IMM[0].%s\n", CONDITION, one_in(m, 2) ? "SV[0].xxxx" : value(m).text,
         one_in(m, 2) ? "zzzz" : "yyyy");
    return 'x';
}

static void begin_if(struct maker *m)
{
    char c = add_condition(m);
    line(m, "UIF TEMP[%u].%c%c%c%c\n", CONDITION, c, c, c, c);
}

static void add_if(struct maker *m, struct place place)
{
    begin_if(m);
    add_statements(m, place, 3);
    if (one_in(m, 3)) {
        line(m, "ELSE\n");
        add_statements(m, place, 3);
    }
    line(m, "ENDIF\n");
}

/* Its counter grows before anything else, so that CONT does not make it endless. In most all lanes make as many
 * turns. */
static void add_loop(struct maker *m, struct place place)
{
    unsigned counter = FIRST_COUNTER + m->loops++;
    bool together = !one_in(m, 4);
    place.loops++;
    place.in_switch = false;
    line(m, "MOV TEMP[%u].x, %s\n", counter, together ? "IMM[0].xxxx" : "IMM[0].yyyy");
    if (!together) line(m, "AND TEMP[%u].x, SV[0].xxxx, TEMP[%u].xxxx\n", counter, counter);
    line(m, "BGNLOOP\nUADD TEMP[%u].x, TEMP[%u].xxxx, IMM[0].yyyy\n", counter, counter);
    line(m, "USLT TEMP[%u].y, IMM[0].zzzz, TEMP[%u].xxxx\nUIF TEMP[%u].yyyy\nBRK\nENDIF\n", counter, counter, counter);
    /* A register that only the next turn reads: lanes that wait at CONT keep theirs. */
    unsigned local = KEPT + below(m, TEMPS - KEPT), c = below(m, 4);
    line(m, "UADD TEMP[%u].%c, TEMP[%u].%.4s, %s\n", below(m, KEPT), "xyzw"[below(m, 4)], local,
         &"xxxxyyyyzzzzwwww"[4 * c], value(m).text);
    add_statements(m, place, 2);
    if (!one_in(m, 3)) {
        begin_if(m);
        line(m, "CONT\nENDIF\n");
        line(m, "UADD TEMP[%u].%c, %s, %s\n", local, "xyzw"[c], value(m).text, value(m).text);
    }
    add_statements(m, place, 2);
    line(m, "ENDLOOP\n");
}

static void add_switch(struct maker *m, struct place place)
{
    place.in_switch = true;
    unsigned labels = 1 + below(m, 3), fallback = below(m, 4);
    char c = add_condition(m);
    line(m, "SWITCH TEMP[%u].%c%c%c%c\n", CONDITION, c, c, c, c);
    for (unsigned n = 0; n < labels; n++) {
        if (n == fallback)
            line(m, "DEFAULT\n");
        else
            line(m, "CASE IMM[0].%s\n", (const char *[]){"xxxx", "yyyy", "wwww"}[n]);
        if (!one_in(m, 4)) add_statements(m, place, 2);
        if (place.loops && one_in(m, 3))
            line(m, "CONT\n");
        else if (one_in(m, 2))
            line(m, "BRK\n");
    }
    line(m, "ENDSWITCH\n");
}

static void add_statement(struct maker *m, struct place place)
{
    unsigned what = below(m, 12);
    bool room = place.depth < MOST_DEPTH && m->left > 0;
    if (what == 0 && room && m->loops < MOST_LOOPS)
        add_loop(m, place);
    else if (what < 3 && room)
        add_if(m, place);
    else if (what < 5 && room)
        add_switch(m, place);
    else if (what == 5 && place.loops)
        line(m, "CONT\n");
    else if (what == 6 && (place.loops || place.in_switch))
        line(m, "BRK\n");
    else
        add_step(m);
}

static void add_statements(struct maker *m, struct place place, unsigned most)
{
    place.depth++;
    for (unsigned n = 1 + below(m, most); n > 0; n--) {
        m->left--;
        add_statement(m, place);
    }
}

void random_flow_make(char text[RANDOM_NARROW_TEXT], uint64_t number)
{
    struct maker m = {.text = text, .seed = number * 0x9e3779b97f4a7c15u + 5, .left = 14};
    line(&m,
         "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 32\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
         "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..2]\nDCL CONST[0][0..1]\nDCL TEMP[0..%u]\n"
         "IMM[0] UINT32 {0, 1, 3, 2}\nIMM[1] UINT32 {4, 512, 0, 0}\n",
         FIRST_COUNTER + MOST_LOOPS);
    line(&m, "UADD TEMP[1], SV[0].xxxx, IMM[0]\nMOV TEMP[4], IMM[0].wzyx\nMOV TEMP[5], IMM[0]\n");
    add_loop(&m, (struct place){.depth = 1});
    add_statements(&m, (struct place){.depth = 1}, 3);
    line(&m, "SHL TEMP[%u].x, SV[0].xxxx, IMM[1].xxxx\nUMAD TEMP[%u].x, SV[1].xxxx, IMM[1].yyyy, TEMP[%u].xxxx\n",
         CONDITION, CONDITION, CONDITION);
    for (unsigned pair = 0; pair < 2; pair++)
        line(&m, "UMAD TEMP[%u], TEMP[%u], IMM[1].yyyy, TEMP[%u].wxyz\nSTORE BUFFER[%u], TEMP[%u].xxxx, TEMP[%u]\n",
             2 * pair, 2 * pair, 2 * pair + 1, 2 * pair, CONDITION, 2 * pair);
    line(&m, "END\n");
}

/* ---- floats ---- */

/* Some have modifiers, which are float operations, too. */
static struct source number(struct maker *m, bool modified)
{
    struct source s;
    char plain[24];
    if (one_in(m, 3))
        snprintf(plain, sizeof plain, "IN[%u].%.4s", below(m, 3), &"xxxxyyyyzzzzwwww"[4 * below(m, 4)]);
    else
        snprintf(plain, sizeof plain, "TEMP[%u].%.4s", below(m, TEMPS), &"xxxxyyyyzzzzwwww"[4 * below(m, 4)]);
    unsigned kind = modified ? below(m, 8) : 3;
    snprintf(s.text, sizeof s.text, "%s%s%s",
             kind == 0   ? "-"
             : kind == 1 ? "|"
             : kind == 2 ? "-|"
                         : "",
             plain, kind == 1 || kind == 2 ? "|" : "");
    return s;
}

/* What arithmetic makes is compared, and selected where the comparison holds or where it does not. */
static void add_choice(struct maker *m)
{
    static const char *const compares[] = {"FSEQ", "FSGE", "FSLT", "FSNE"}, *const makes[] = {"MUL", "ADD"};
    unsigned value = below(m, TEMPS), c = below(m, 4);
    const char *swizzle = &"xxxxyyyyzzzzwwww"[4 * c];
    bool first = one_in(m, 2), left = one_in(m, 2);
    line(m, "%s TEMP[%u].%c, %s, %s\n", makes[below(m, 2)], value, "xyzw"[c], number(m, true).text,
         number(m, true).text);
    char made[24];
    snprintf(made, sizeof made, "TEMP[%u].%.4s", value, swizzle);
    struct source other = number(m, false), another = number(m, true);
    line(m, "%s TEMP[%u].x, %s, %s\n", compares[below(m, 4)], CONDITION, left ? made : other.text,
         left ? other.text : made);
    if (one_in(m, 2)) line(m, "NOT TEMP[%u].x, TEMP[%u].xxxx\n", CONDITION, CONDITION);
    line(m, "UCMP TEMP[%u].%c, TEMP[%u].xxxx, %s, %s\n", below(m, TEMPS), "xyzw"[below(m, 4)], CONDITION,
         first ? made : another.text, first ? another.text : made);
}

void random_floats_make(char text[RANDOM_NARROW_TEXT], uint64_t number_of_shader)
{
    static const struct {
        const char *name;
        unsigned sources;
    } steps[] = {{"ADD", 2}, {"MUL", 2}, {"MAD", 3}, {"MIN", 2}, {"MAX", 2},  {"MIN", 2},  {"MAX", 2},
                 {"CMP", 3}, {"LRP", 3}, {"SLT", 2}, {"FRC", 1}, {"FLR", 1},  {"SQRT", 1}, {"RCP", 1},
                 {"SSG", 1}, {"DP2", 2}, {"MOV", 1}, {"SNE", 2}, {"UCMP", 3}, {"ADD", 2}};
    struct maker m = {.text = text, .seed = number_of_shader * 0x9e3779b97f4a7c15u + 9};
    line(&m, "VERT\n");
    if (one_in(&m, 3)) line(&m, "PROPERTY %s 1\n", one_in(&m, 2) ? "D3D_RULES" : "LEGACY_MATH_RULES");
    line(&m, "DCL IN[0..2]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0..%u]\n", TEMPS);
    for (unsigned t = 0; t < TEMPS; t++) line(&m, "MOV TEMP[%u], IN[%u]\n", t, t % 3);
    for (unsigned n = 4 + below(&m, 8); n > 0; n--) {
        unsigned k = below(&m, sizeof steps / sizeof *steps);
        if (one_in(&m, 3)) {
            add_choice(&m);
            continue;
        }
        line(&m, "%s%s TEMP[%u].%c", steps[k].name, one_in(&m, 8) ? "_SAT" : "", below(&m, TEMPS),
             "xyzw"[below(&m, 4)]);
        for (unsigned s = 0; s < steps[k].sources; s++)
            line(&m, ", %s", number(&m, strcmp(steps[k].name, "UCMP") != 0 || s > 0).text);
        line(&m, "\n");
    }
    for (unsigned o = 0; o < 2; o++) line(&m, "MOV OUT[%u], TEMP[%u]\n", o, below(&m, TEMPS));
    line(&m, "END\n");
}
