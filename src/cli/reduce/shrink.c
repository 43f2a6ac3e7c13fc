/* See shrink.h. */
#include "shrink.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"

/* ---- pieces ---- */

/* Keeps a text until the pieces go; NULL: memory. */
static char *keep_text(struct sch_cli_pieces *pieces, const char *text, size_t bytes)
{
    char **larger = sch_text_grow(pieces->texts, pieces->text_count, &pieces->text_room, sizeof *larger);
    if (!larger) return NULL;
    pieces->texts = larger;
    char *copy = malloc(bytes + 1);
    if (!copy) return NULL;
    memcpy(copy, text, bytes);
    copy[bytes] = 0;
    return pieces->texts[pieces->text_count++] = copy;
}

bool sch_cli_pieces_add(struct sch_cli_pieces *pieces, enum sch_cli_language language, uint32_t of, const char *text,
                        size_t bytes)
{
    struct sch_cli_piece *larger = sch_text_grow(pieces->list, pieces->count, &pieces->room, sizeof *larger);
    if (!larger) return false;
    pieces->list = larger;
    const char *kept = keep_text(pieces, text, bytes);
    if (!kept) return false;
    pieces->list[pieces->count++] = (struct sch_cli_piece){kept, bytes, language, of};
    return true;
}

void sch_cli_pieces_release(struct sch_cli_pieces *pieces)
{
    for (size_t i = 0; i < pieces->text_count; i++) free(pieces->texts[i]);
    free(pieces->texts);
    free(pieces->list);
    *pieces = (struct sch_cli_pieces){0};
}

/* ---- constructs ---- */

/* The words that make constructs of lines. `divides`: such a line parts the construct in two; `leaves`: it means
 * nothing outside of a construct; `ends`: outside of constructs it ends a program. All with | around each. */
static const struct {
    enum sch_cli_language language;
    const char *opens, *divides, *closes, *leaves, *ends;
} words[] = {
    {SCH_CLI_IN_TGSI, "|IF|UIF|BGNLOOP|SWITCH|BGNSUB|", "|ELSE|CASE|DEFAULT|", "|ENDIF|ENDLOOP|ENDSWITCH|ENDSUB|",
     "|BRK|CONT|BREAKC|", "|END|"},
    {SCH_CLI_IN_D3D, "|if_z|if_nz|loop|switch|", "|else|case|default|", "|endif|endloop|endswitch|",
     "|break|breakc_z|breakc_nz|continue|continuec_z|continuec_nz|", "|ret|"},
};
enum { WORDS = sizeof words / sizeof *words };

enum part { PLAIN, OPENS, DIVIDES, CLOSES, LEAVES, ENDS };

static bool is_listed(const char *list, const char *word, size_t length)
{
    for (const char *at = list; at && *at; at = strchr(at + 1, '|'))
        if (strncmp(at + 1, word, length) == 0 && at[1 + length] == '|') return true;
    return false;
}

/* Braces of scenes are at the end of a line and at the beginning of another one. */
static enum part brace(const struct sch_cli_piece *piece)
{
    int depth = 0;
    for (size_t i = 0; i < piece->bytes; i++) depth += (piece->text[i] == '{') - (piece->text[i] == '}');
    return depth > 0 ? OPENS : depth < 0 ? CLOSES : PLAIN;
}

static enum part part_of(const struct sch_cli_piece *piece)
{
    if (piece->language == SCH_CLI_IN_SCENE) return brace(piece);
    for (size_t i = 0; i < WORDS; i++) {
        if (words[i].language != piece->language) continue;
        const char *word = piece->text + strspn(piece->text, " \t");
        const size_t length = strcspn(word, " \t:");
        if (!length) return PLAIN;
        return is_listed(words[i].opens, word, length)     ? OPENS
               : is_listed(words[i].divides, word, length) ? DIVIDES
               : is_listed(words[i].closes, word, length)  ? CLOSES
               : is_listed(words[i].leaves, word, length)  ? LEAVES
               : is_listed(words[i].ends, word, length)    ? ENDS
                                                           : PLAIN;
    }
    return PLAIN;
}

struct construct {
    size_t first, last; /* pieces */
    size_t outer;       /* SIZE_MAX: none */
    bool section;       /* the last piece is like the others: nothing closes it */
};

struct shrinking {
    const struct sch_cli_form *form;
    const struct sch_cli_shrink_host *host;
    struct sch_cli_shrunk *best;
    struct sch_cli_pieces now; /* what makes the best file */
    struct construct *constructs;
    size_t construct_count;
    enum part *parts; /* of each piece */
    size_t *in;       /* the construct that a piece opens, divides or closes; SIZE_MAX: none */
    uint8_t *gone;    /* the candidate's */
    uint64_t *tried;  /* hashes of files, a table with gaps of zero */
    size_t tried_count, tried_room;
    bool changed, broken; /* broken: memory is out */
};

/* Finds the constructs again after a change. What does not nest is left alone. */
static void find_constructs(struct shrinking *s)
{
    size_t open = SIZE_MAX, section = SIZE_MAX;
    s->construct_count = 0;
    for (size_t i = 0; i < s->now.count; i++) {
        const enum part part = s->parts[i] = part_of(&s->now.list[i]);
        s->in[i] = part == OPENS || part == DIVIDES || part == CLOSES ? open : SIZE_MAX;
        if (part == ENDS && open != SIZE_MAX) s->parts[i] = PLAIN;
        if (s->now.list[i].language == SCH_CLI_IN_SCRIPT && *s->now.list[i].text == '[') {
            section = s->construct_count;
            s->constructs[s->construct_count++] = (struct construct){i, i, SIZE_MAX, true};
        } else if (part == OPENS) {
            s->constructs[s->construct_count] = (struct construct){i, SIZE_MAX, open, false};
            s->in[i] = open = s->construct_count++;
        } else if (part == CLOSES && open != SIZE_MAX) {
            s->constructs[open].last = i;
            open = s->constructs[open].outer;
        }
        if (section != SIZE_MAX) s->constructs[section].last = i;
    }
    for (size_t c = 0; c < s->construct_count; c++)
        if (s->constructs[c].last == SIZE_MAX) s->constructs[c].last = s->constructs[c].first; /* it is never closed */
}

static bool make_room(struct shrinking *s)
{
    const size_t count = s->now.count + 1;
    s->constructs = calloc(count, sizeof *s->constructs);
    s->parts = calloc(count, sizeof *s->parts);
    s->in = calloc(count, sizeof *s->in);
    s->gone = calloc(count, 1);
    return s->constructs && s->parts && s->in && s->gone;
}

static void release_room(struct shrinking *s)
{
    free(s->constructs);
    free(s->parts);
    free(s->in);
    free(s->gone);
    s->constructs = NULL;
    s->parts = NULL;
    s->in = NULL;
    s->gone = NULL;
}

/* ---- candidates ---- */

static bool put_hash(uint64_t *table, size_t room, uint64_t hash)
{
    size_t at = hash % room;
    while (table[at] && table[at] != hash) at = (at + 1) % room;
    if (table[at]) return false;
    table[at] = hash;
    return true;
}

/* True the first time for a file, by its FNV-1a. */
static bool is_new(struct shrinking *s, const char *data, size_t bytes)
{
    uint64_t hash = sch_bytes_hash(SCH_HASH_OF_NOTHING, data, bytes);
    hash += !hash;
    if (2 * s->tried_count >= s->tried_room) {
        const size_t room = 2 * s->tried_room + 1024;
        uint64_t *larger = calloc(room, sizeof *larger);
        if (!larger) return true; /* it is tried again */
        for (size_t i = 0; i < s->tried_room; i++)
            if (s->tried[i]) put_hash(larger, room, s->tried[i]);
        free(s->tried);
        s->tried = larger;
        s->tried_room = room;
    }
    const bool first = put_hash(s->tried, s->tried_room, hash);
    s->tried_count += first;
    return first;
}

static bool is_over(const struct shrinking *s) { return s->broken || s->host->stops(s->host->user); }

/* Whether it holds of the file that the pieces make, which is then the best one. */
static bool try_pieces(struct shrinking *s, const struct sch_cli_pieces *pieces)
{
    char *data;
    size_t bytes;
    if (is_over(s) || !s->form->make(s->form->user, pieces, &data, &bytes)) return false;
    if (!is_new(s, data, bytes) || !s->host->holds(s->host->user, data, bytes)) {
        free(data);
        return false;
    }
    free(s->best->data);
    *s->best = (struct sch_cli_shrunk){data, bytes, pieces->count};
    s->changed = true;
    return true;
}

/* Tries the pieces that are not gone, and forgets which were. */
static bool try_without(struct shrinking *s)
{
    struct sch_cli_pieces kept = {.list = malloc((s->now.count + 1) * sizeof *kept.list)};
    if (!kept.list) s->broken = true;
    for (size_t i = 0; i < s->now.count && kept.list; i++)
        if (!s->gone[i]) kept.list[kept.count++] = s->now.list[i];
    const bool taken = kept.list && kept.count < s->now.count && try_pieces(s, &kept);
    memset(s->gone, 0, s->now.count);
    if (taken) {
        memcpy(s->now.list, kept.list, kept.count * sizeof *kept.list);
        s->now.count = kept.count;
        find_constructs(s);
    }
    free(kept.list);
    return taken;
}

/* What opens, divides and closes a construct goes with all of it only; the end of a program stays. */
static void mark_range(struct shrinking *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct construct *construct = s->in[i] == SIZE_MAX ? NULL : &s->constructs[s->in[i]];
        s->gone[i] = construct ? construct->first >= first && construct->last < end : s->parts[i] != ENDS;
    }
}

/* ---- passes ---- */

static void remove_ranges(struct shrinking *s)
{
    for (size_t size = s->now.count / 2 + 1; size; size /= 2)
        for (size_t end = s->now.count; end && !is_over(s); end = end > size ? end - size : 0) {
            if (end > s->now.count) end = s->now.count;
            mark_range(s, end > size ? end - size : 0, end);
            try_without(s);
        }
}

/* The pieces of the construct that divide it and close it, not those of inner ones; SIZE_MAX after the last. */
static size_t next_edge(const struct shrinking *s, size_t construct, size_t piece)
{
    for (size_t i = piece + 1; i <= s->constructs[construct].last; i++)
        if (s->in[i] == construct) return i;
    return SIZE_MAX;
}

static void mark(struct shrinking *s, size_t first, size_t end) { memset(s->gone + first, 1, end - first); }

/* The construct's edges go, and with `leaving` the instructions that leave it; bodies stay. */
static bool unwrap(struct shrinking *s, size_t c, bool leaving)
{
    for (size_t i = s->constructs[c].first; i <= s->constructs[c].last; i++)
        s->gone[i] = s->in[i] == c || (leaving && s->parts[i] == LEAVES);
    return try_without(s);
}

/* Keeps only the body after one of its edges, without edges. */
static bool keep_body(struct shrinking *s, size_t c, size_t edge, size_t next)
{
    const struct construct *construct = &s->constructs[c];
    mark(s, construct->first, edge + 1);
    mark(s, next, construct->last + 1);
    return try_without(s);
}

/* Whether the construct, or a part of it, could go. */
static bool shrink_construct(struct shrinking *s, size_t c)
{
    const struct construct construct = s->constructs[c];
    mark(s, construct.first, construct.last + 1);
    if (try_without(s)) return true;
    if (construct.section) return false;
    for (size_t edge = construct.first, next; (next = next_edge(s, c, edge)) != SIZE_MAX; edge = next)
        if (keep_body(s, c, edge, next)) return true;
    if (unwrap(s, c, false) || unwrap(s, c, true)) return true;
    for (size_t edge = construct.first, next; (next = next_edge(s, c, edge)) != SIZE_MAX; edge = next) {
        mark(s, edge + (edge == construct.first), next); /* a body, with the word that begins it */
        if (try_without(s)) return true;
    }
    return false;
}

static void remove_constructs(struct shrinking *s)
{
    for (size_t c = s->construct_count; c && !is_over(s);) {
        if (!shrink_construct(s, c - 1)) c--;
        if (c > s->construct_count) c = s->construct_count;
    }
}

/* A name in a line: a word, with the number in brackets after it. */
static size_t name_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    if (!length || at[length] != '[') return length;
    const size_t digits = strspn(at + length + 1, "0123456789");
    return digits && at[length + 1 + digits] == ']' ? length + digits + 2 : length;
}

static bool mentions(const char *line, const char *name, size_t length)
{
    for (const char *at = line; *at;) {
        const size_t own = name_length(at);
        if (own == length && memcmp(at, name, length) == 0) return true;
        at += own ? own : 1;
    }
    return false;
}

/* All pieces that mention the name go: a register with its declaration, an object of a scene with what uses it. */
static bool remove_name(struct shrinking *s, const char *name, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < s->now.count; i++) {
        if (!mentions(s->now.list[i].text, name, length)) continue;
        count++;
        if (s->in[i] == SIZE_MAX)
            s->gone[i] = 1;
        else if (s->parts[i] == OPENS)
            mark(s, i, s->constructs[s->in[i]].last + 1);
    }
    if (count > 1) return try_without(s);
    memset(s->gone, 0, s->now.count); /* a piece by itself was tried */
    return false;
}

static bool remove_names_of(struct shrinking *s, size_t piece)
{
    const char *line = s->now.list[piece].text;
    for (const char *at = line; *at;) {
        const size_t length = name_length(at);
        if (length && !isdigit((unsigned char)*at) && remove_name(s, at, length)) return true;
        at += length ? length : 1;
    }
    return false;
}

/* Begins with the last piece: names in it are perhaps not used after it. */
static void remove_names(struct shrinking *s)
{
    for (size_t i = s->now.count; i && !is_over(s);) {
        if (s->now.list[i - 1].language > SCH_CLI_IN_SCRIPT || !remove_names_of(s, i - 1)) i--;
        if (i > s->now.count) i = s->now.count;
    }
}

struct rewriting {
    struct shrinking *s;
    size_t piece;
};

/* Tries a line in the place of another one. */
static bool take_line(void *user, const char *line)
{
    const struct rewriting *rewriting = user;
    struct shrinking *s = rewriting->s;
    struct sch_cli_piece *piece = &s->now.list[rewriting->piece];
    const struct sch_cli_piece before = *piece;
    *piece = (struct sch_cli_piece){line, strlen(line), before.language, before.of};
    const bool taken = try_pieces(s, &s->now);
    const char *kept = taken ? keep_text(&s->now, line, strlen(line)) : NULL;
    if (kept)
        piece->text = kept;
    else
        *piece = before;
    if (taken && !kept) s->broken = true;
    return kept != NULL;
}

static void simplify(struct shrinking *s)
{
    for (size_t i = s->now.count; i && !is_over(s); i--) {
        struct rewriting rewriting = {s, i - 1};
        while (!is_over(s) && sch_cli_simplify(&s->now, i - 1, take_line, &rewriting)) {
        }
    }
}

/* ---- the whole ---- */

/* One of everything, on the pieces that the best file falls into. */
static bool shrink_once(struct shrinking *s)
{
    s->now = (struct sch_cli_pieces){0};
    if (!s->form->split(s->form->user, s->best->data, s->best->bytes, &s->now) || !make_room(s)) s->broken = true;
    if (!s->broken) {
        s->best->pieces = s->now.count;
        find_constructs(s);
    }
    do {
        s->changed = false;
        remove_ranges(s);
        remove_constructs(s);
        remove_names(s);
    } while (s->changed && !is_over(s));
    simplify(s);
    release_room(s);
    sch_cli_pieces_release(&s->now);
    return s->changed && !is_over(s);
}

bool sch_cli_shrink(const struct sch_cli_form *form, const struct sch_cli_shrink_host *host,
                    struct sch_cli_shrunk *shrunk)
{
    struct shrinking s = {.form = form, .host = host, .best = shrunk};
    is_new(&s, shrunk->data, shrunk->bytes);
    while (shrink_once(&s)) {
    }
    free(s.tried);
    return !s.broken;
}
