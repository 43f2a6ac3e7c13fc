/* Reading invocations from lines of tab-separated fields. */
#include "vectors.h"

#include "common/common.h"

#include <stdlib.h>
#include <string.h>

/* Words that one batch may hold, and the invocations at most: groups of 32 stay whole. */
enum { BATCH_WORDS = 1 << 22, BATCH_LARGEST = 8192, GROUP = 32 };
enum { PARTS = SCH_CLI_VERTICES + SCH_CLI_PLANE_WORDS / 4 }; /* of an input: its vertices, its plane */

static size_t input_words(const struct sch_cli_batch *batch)
{
    return (size_t)batch->input_registers * (batch->input_vertices ? batch->input_vertices : 1) * 4;
}

static size_t system_value_words(const struct sch_cli_batch *batch)
{
    return (size_t)batch->system_value_registers * 4;
}

static size_t plane_words(const struct sch_cli_batch *batch)
{
    return batch->input_vertices || batch->lanes ? 0 : (size_t)batch->input_registers * SCH_CLI_PLANE_WORDS;
}

static bool allocate(struct sch_cli_batch *batch)
{
    size_t vertices = batch->input_vertices ? batch->input_vertices : 1;
    bool room =
        sch_cli_registers(batch->capacity * vertices, batch->input_registers, &batch->inputs, &batch->input_bytes) &&
        sch_cli_registers(batch->capacity, batch->system_value_registers, &batch->system_values,
                          &batch->system_value_bytes);
    batch->planes = calloc(batch->capacity * plane_words(batch) + 1, sizeof(uint32_t)); /* no size is zero */
    batch->centroids = calloc((size_t)batch->capacity * 2, sizeof(uint32_t));
    batch->pixels = calloc((size_t)batch->capacity * 4, sizeof(uint32_t));
    batch->given = calloc((size_t)batch->system_value_registers + 1, 1);
    batch->lines = calloc(batch->capacity, sizeof(uint32_t));
    batch->helpers = calloc((size_t)batch->capacity, 1);
    return room && batch->planes && batch->centroids && batch->pixels && batch->given && batch->lines && batch->helpers;
}

uint32_t sch_cli_belonging(const struct sch_shader *shader, enum sch_stage stage)
{
    enum { MOST = 256 }; /* where a primitive has more, each batch begins with invocation 0 */
    uint32_t count = stage == SCH_STAGE_TESS_CTRL  ? sch_shader_property(shader, "TCS_VERTICES_OUT", 32)
                     : stage == SCH_STAGE_GEOMETRY ? sch_shader_property(shader, "GS_INVOCATIONS", 1)
                                                   : 1;
    return count < 1 || count > MOST ? 1 : count;
}

bool sch_cli_any_per_vertex(const struct sch_shader *shader)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(shader, SCH_FILE_INPUT, i, &at); i++)
        if (at.per_vertex) return true;
    return false;
}

bool sch_cli_vectors_init(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch, bool quads)
{
    const struct sch_shader *shader = vectors->shader;
    struct sch_shader_info info = {.size = sizeof info};
    if (sch_shader_get_info(shader, &info) != SCH_OK) return false;
    const bool lanes = sch_shader_language(shader) == SCH_LANGUAGE_MAXWELL;
    const uint32_t unit = quads ? 4 : sch_cli_belonging(shader, info.stage);
    *batch = (struct sch_cli_batch){.capacity = 1,
                                    .unit = unit,
                                    .lanes = lanes,
                                    .input_registers = lanes ? (uint32_t)SCH_MAXWELL_INPUT_REGISTERS : info.inputs,
                                    .input_vertices = sch_cli_any_per_vertex(shader) ? SCH_CLI_VERTICES : 0,
                                    .system_value_registers = info.system_values};
    vectors->row = *batch;
    vectors->repeats = !quads && (info.stage == SCH_STAGE_TESS_CTRL || info.stage == SCH_STAGE_GEOMETRY);
    vectors->given = calloc((size_t)sch_cli_register_count(vectors->registers) + 1, sizeof *vectors->given);
    vectors->given_parts = calloc((size_t)batch->input_registers * PARTS + 1, sizeof *vectors->given_parts);
    if (!vectors->given || !vectors->given_parts) return false;
    size_t words = input_words(batch) + system_value_words(batch) + plane_words(batch) + 1;
    size_t capacity = BATCH_WORDS / words, whole = (size_t)GROUP * unit;
    if (capacity > BATCH_LARGEST) capacity = BATCH_LARGEST;
    batch->capacity = (uint32_t)(capacity < whole ? whole : capacity / whole * whole);
    return allocate(batch) && allocate(&vectors->row);
}

void sch_cli_vectors_release(struct sch_cli_vectors *vectors)
{
    free(vectors->given);
    free(vectors->given_parts);
    sch_cli_batch_release(&vectors->row);
}

void sch_cli_batch_release(struct sch_cli_batch *batch)
{
    free(batch->inputs);
    free(batch->system_values);
    free(batch->planes);
    free(batch->centroids);
    free(batch->pixels);
    free(batch->given);
    free(batch->lines);
    free(batch->helpers);
    sch_cli_constants_release(&batch->constants);
    *batch = (struct sch_cli_batch){0};
}

/* One field of a line. */
struct field {
    const char *begin, *at, *end; /* `at` moves from begin to end */
    unsigned brackets, index[2];
    uint32_t words[4];
    struct sch_cli_spelled spelled[4];
    const char *value[4], *value_end[4];
    unsigned values;
    const char *rule; /* the diagnostic's name in the table */
    char message[320];
};

static bool take_character(struct field *field, char c)
{
    if (field->at >= field->end || *field->at != c) return false;
    field->at++;
    return true;
}

static bool take_index(struct field *field, unsigned *index)
{
    unsigned value = 0, digits = 0;
    for (; field->at < field->end && *field->at >= '0' && *field->at <= '9'; field->at++, digits++) {
        if (digits == 6) return false;
        value = value * 10 + (unsigned)(*field->at - '0');
    }
    *index = value;
    return digits > 0;
}

/* [n] or [m][n], "=". Returns what was expected at `at`, or NULL. */
static const char *parse_index(struct field *field)
{
    while (field->brackets < 2 && take_character(field, '[')) {
        if (!take_index(field, &field->index[field->brackets])) return "expected a register number below 1000000";
        if (!take_character(field, ']')) return "expected ']'";
        field->brackets++;
    }
    if (!field->brackets) return "expected '['";
    return take_character(field, '=') ? NULL : "expected '='";
}

/* The same, and one to four values. */
static const char *parse_rest(struct field *field)
{
    const char *expected = parse_index(field);
    if (expected) return expected;
    for (unsigned i = 0; i < 4; i++) {
        field->value[i] = field->at;
        const char *problem = sch_cli_value_read(&field->at, field->end, SCH_CLI_PLACE_LINE, &field->spelled[i]);
        if (problem) return problem;
        field->value_end[i] = field->at;
        field->words[i] = field->spelled[i].bits;
        field->values++;
        if (field->at == field->end) return NULL;
        if (!take_character(field, ',')) return "expected ',' or a tab";
    }
    field->at--;
    return "a register has four components";
}

/* What the fields of a line name. */
static const char *undeclared(const struct sch_cli_vectors *vectors, enum sch_file file, struct field *field)
{
    char declared[160];
    sch_cli_describe_declared(vectors->registers, file, declared);
    field->rule = "VECTOR_REGISTER";
    snprintf(field->message, sizeof field->message, "the shader declares no such register: it has %s", declared);
    return field->message;
}

static const char *twice(uint32_t *line, const struct sch_cli_vectors *vectors, struct field *field)
{
    if (*line == vectors->line) {
        field->rule = "VECTOR_TWICE";
        return "the line gives this register a value already";
    }
    *line = vectors->line;
    return NULL;
}

/* Says once for each register that a value is perhaps not what was meant. */
static void doubt(struct sch_cli_vectors *vectors, const struct field *field, enum sch_file file, uint32_t buffer,
                  uint32_t index)
{
    const char *word = sch_cli_table_word(SCH_NAMES_FILES, file);
    enum sch_value_type types[4];
    char reg[48], message[256];
    sch_cli_types_of(vectors->registers, file, buffer, index, types);
    for (unsigned c = 0; c < field->values; c++) {
        if (buffer)
            snprintf(reg, sizeof reg, "%s[%u][%u].%c", word, buffer, index, "xyzw"[c]);
        else
            snprintf(reg, sizeof reg, "%s[%u].%c", word, index, "xyzw"[c]);
        const char *warning =
            sch_cli_value_doubt(&field->spelled[c], types[c], field->value[c], field->value_end[c], reg, message);
        if (!warning || !sch_cli_doubt_is_new(vectors->registers, file, buffer, index)) continue;
        sch_cli_warn_at(vectors->input, vectors->line, (size_t)(field->value[c] - vectors->input->data), warning, "%s",
                        message);
    }
}

/* Names a register once in the line; `part`: which of an input's vertices, or after them of its plane's registers. */
static const char *name_register(struct sch_cli_vectors *vectors, struct field *field, enum sch_file file,
                                 uint32_t buffer, uint32_t index, uint32_t part)
{
    if (!sch_cli_is_declared(vectors->registers, file, buffer, index)) return undeclared(vectors, file, field);
    uint32_t *const line = file == SCH_FILE_INPUT
                               ? &vectors->given_parts[(size_t)index * PARTS + part]
                               : &vectors->given[sch_cli_register_number(vectors->registers, file, buffer, index)];
    const char *const problem = twice(line, vectors, field);
    if (!problem && part < SCH_CLI_VERTICES) doubt(vectors, field, file, buffer, index);
    return problem;
}

static const char *put_input(struct sch_cli_vectors *vectors, struct field *field)
{
    struct sch_cli_batch *row = &vectors->row;
    unsigned vertex = field->brackets == 2 ? field->index[0] : 0;
    unsigned index = field->index[field->brackets - 1];
    if (field->brackets == 2 && !row->input_vertices) return "the inputs of this shader have no vertex dimension";
    if (vertex >= SCH_CLI_VERTICES) return "there are 32 vertices at most";
    const char *problem = name_register(vectors, field, SCH_FILE_INPUT, 0, index, vertex);
    if (!problem)
        memcpy(row->inputs + ((size_t)vertex * row->input_registers + index) * 4, field->words, sizeof field->words);
    return problem;
}

static const char no_memory[] = "out of memory";

static const char *put_constant(struct sch_cli_vectors *vectors, struct field *field)
{
    unsigned buffer = field->brackets == 2 ? field->index[0] : 0;
    unsigned index = field->index[field->brackets - 1];
    if (buffer >= SCH_CLI_CONSTANT_BUFFERS) return "constant buffers are 0 to 31";
    if (index >= SCH_CLI_CONSTANT_REGISTERS) return "constant registers are 0 to 65535";
    const uint32_t unit = sch_cli_unit(vectors->setup, SCH_CLI_CONSTANT_SLOTS, buffer);
    const char *problem = name_register(vectors, field, SCH_FILE_CONSTANT, unit, index, 0);
    if (problem) return problem;
    return sch_cli_constants_put(&vectors->row.constants, buffer, index, field->words) ? NULL : no_memory;
}

static const char *put_system_value(struct sch_cli_vectors *vectors, struct field *field)
{
    const unsigned index = field->index[0];
    if (field->brackets == 2) return "SV has one bracket";
    const char *problem = name_register(vectors, field, SCH_FILE_SYSTEM_VALUE, 0, index, 0);
    if (problem) return problem;
    memcpy(vectors->row.system_values + (size_t)index * 4, field->words, sizeof field->words);
    vectors->row.given[index] = 1;
    return NULL;
}

/* PLANE[n][k]: register k of the four that input n's plane has. */
static const char *put_plane(struct sch_cli_vectors *vectors, struct field *field)
{
    struct sch_cli_batch *row = &vectors->row;
    const unsigned index = field->index[0];
    if (row->input_vertices) return "the inputs of this shader have no planes";
    unsigned part = field->brackets == 2 ? field->index[1] : 0;
    if (part >= SCH_CLI_PLANE_WORDS / 4) return "PLANE[n][k]: k is 0 to 3";
    const char *problem = name_register(vectors, field, SCH_FILE_INPUT, 0, index, SCH_CLI_VERTICES + part);
    if (problem) return problem;
    memcpy(row->planes + (size_t)index * SCH_CLI_PLANE_WORDS + 4 * (size_t)part, field->words, sizeof field->words);
    row->has_planes = true;
    return NULL;
}

static const char *put_centroid(struct sch_cli_vectors *vectors, struct field *field)
{
    if (field->brackets == 2 || field->index[0]) return "CENTROID has one bracket, which is [0]";
    const char *problem = twice(&vectors->centroid_line, vectors, field);
    if (!problem) memcpy(vectors->row.centroids, field->words, 2 * sizeof(uint32_t));
    return problem;
}

static const char *put_pixel(struct sch_cli_vectors *vectors, struct field *field)
{
    if (field->brackets == 2 || field->index[0]) return "PIXEL has one bracket, which is [0]";
    const char *problem = twice(&vectors->pixel_line, vectors, field);
    if (!problem) memcpy(vectors->row.pixels, field->words, sizeof field->words);
    return problem;
}

static bool starts(const struct field *field, const char *word)
{
    size_t length = strlen(word);
    return strncmp(field->at, word, length) == 0 && field->at[length] == '['; /* zero ends the text */
}

/* cbB, as Direct3D's listings name a constant buffer: B counts as a bracket. */
static bool reads_as_listed(struct field *field)
{
    if (field->end - field->at < 3 || strncmp(field->at, "cb", 2) != 0) return false;
    const char *begin = field->at;
    field->at += 2;
    if (take_index(field, &field->index[0]) && field->at < field->end && *field->at == '[') {
        field->brackets = 1;
        return true;
    }
    field->at = begin;
    return false;
}

/* ---- lanes of Maxwell code ---- */

static const char of_lane[] = "a field is R[n]= and a value (1.5, 3i, 0x3), P[n]=0 or 1, KILL or OFF";

/* Word `word` of a lane, which was parsed. */
static const char *put_lane(struct sch_cli_vectors *vectors, struct field *field, uint32_t word, uint32_t value)
{
    const char *problem = twice(&vectors->given_parts[word], vectors, field);
    if (!problem) vectors->row.inputs[word] = value;
    return problem;
}

static const char *read_lane_register(struct sch_cli_vectors *vectors, struct field *field)
{
    const char *problem = parse_rest(field);
    if (problem) return problem;
    field->at = field->begin;
    if (field->brackets == 2 || field->values > 1) return of_lane;
    if (field->index[0] >= SCH_MAXWELL_GROUP_REGISTERS) return "registers are R[0] to R[254]";
    return put_lane(vectors, field, field->index[0], field->words[0]);
}

static const char *read_predicate(struct sch_cli_vectors *vectors, struct field *field)
{
    const char *problem = parse_index(field);
    if (problem) return problem;
    if (field->end - field->at > 2 && strncmp(field->at, "0x", 2) == 0) field->at += 2;
    const uint32_t value = (uint32_t)(*field->at - '0');
    if (field->end - field->at != 1 || value > 1) return of_lane;
    field->at = field->begin;
    if (field->brackets == 2) return of_lane;
    if (field->index[0] >= SCH_MAXWELL_GROUP_PREDICATES) return "predicates are P[0] to P[6]";
    return put_lane(vectors, field, SCH_MAXWELL_PREDICATE_WORD + field->index[0], value);
}

static const char *read_lane_field(struct sch_cli_vectors *vectors, struct field *field)
{
    const size_t length = (size_t)(field->end - field->begin);
    const bool killed = length == 4 && memcmp(field->begin, "KILL", 4) == 0;
    if (killed || (length == 3 && memcmp(field->begin, "OFF", 3) == 0)) {
        vectors->row.helpers[0] = killed ? SCH_INVOCATION_HELPER : SCH_INVOCATION_OFF;
        return NULL;
    }
    if (!starts(field, "R") && !starts(field, "P")) return of_lane;
    return *field->at++ == 'R' ? read_lane_register(vectors, field) : read_predicate(vectors, field);
}

/* ---- lines ---- */

typedef const char *put_fn(struct sch_cli_vectors *vectors, struct field *field);

static const char *read_field(struct sch_cli_vectors *vectors, struct field *field)
{
    static const struct {
        const char *word;
        put_fn *put;
    } files[] = {{"IN", put_input},    {"CONST", put_constant},    {"SV", put_system_value},
                 {"PLANE", put_plane}, {"CENTROID", put_centroid}, {"PIXEL", put_pixel}};
    if (vectors->row.lanes) return read_lane_field(vectors, field);
    put_fn *put = reads_as_listed(field) ? put_constant : NULL;
    const bool listed = put;
    for (size_t i = 0; !put && i < sizeof files / sizeof *files; i++) {
        if (!starts(field, files[i].word)) continue;
        field->at += strlen(files[i].word);
        put = files[i].put;
    }
    if (!put)
        return "a field is IN[n]=, IN[v][n]=, CONST[n]=, CONST[b][n]=, SV[n]=, PLANE[n][k]=, CENTROID[0]= or "
               "PIXEL[0]=";
    const char *problem = parse_rest(field);
    if (!problem && listed && field->brackets != 2) problem = "cbB has one bracket: cb0[3]";
    if (problem) return problem;
    field->at = field->begin;
    return put(vectors, field);
}

/* An input without a plane, or with one of zeros, is what IN says. */
static void fill_planes(struct sch_cli_batch *row)
{
    static const uint32_t none[SCH_CLI_PLANE_WORDS];
    for (uint32_t r = 0; plane_words(row) && r < row->input_registers; r++) {
        uint32_t *plane = row->planes + (size_t)r * SCH_CLI_PLANE_WORDS;
        if (memcmp(plane, none, sizeof none) == 0) memcpy(plane, row->inputs + (size_t)r * 4, 4 * sizeof *plane);
    }
}

/* Reads the line from `begin` to `end` into the row. */
static enum sch_cli_exit read_row(struct sch_cli_vectors *vectors, const char *begin, const char *end)
{
    struct sch_cli_batch *row = &vectors->row;
    memset(row->inputs, 0, row->input_bytes);
    memset(row->system_values, 0, row->system_value_bytes);
    memset(row->planes, 0, plane_words(row) * sizeof(uint32_t));
    memset(row->centroids, 0, 2 * sizeof(uint32_t));
    memset(row->pixels, 0, 4 * sizeof(uint32_t));
    memset(row->given, 0, row->system_value_registers);
    row->has_planes = false;
    row->helpers[0] = 0;
    if (!sch_cli_constants_copy(&row->constants, &vectors->setup->constants)) return sch_cli_no_memory();
    row->lines[0] = vectors->line;

    const char *at = begin;
    while (at < end) {
        const char *stop = memchr(at, '\t', (size_t)(end - at));
        struct field field = {.begin = at, .at = at, .end = stop ? stop : end, .rule = "VECTOR_FIELD"};
        const char *problem = read_field(vectors, &field);
        if (problem == no_memory) return sch_cli_no_memory();
        if (problem) {
            struct sch_cli_location location = {vectors->input, vectors->line, (uint32_t)(field.at - begin) + 1};
            sch_cli_report(&location, sch_error_number(field.rule), "%s", problem);
            return SCH_CLI_NO;
        }
        at = stop ? stop + 1 : end;
    }
    fill_planes(row);
    vectors->has_row = true;
    vectors->empty = begin == end;
    return SCH_CLI_YES;
}

/* Reads the next line that is an invocation: lines that begin with # are not. */
static enum sch_cli_exit read_vector_line(struct sch_cli_vectors *vectors)
{
    while (vectors->at < vectors->input->bytes) {
        const char *begin = vectors->input->data + vectors->at, *all_end = vectors->input->data + vectors->input->bytes;
        const char *end = memchr(begin, '\n', (size_t)(all_end - begin));
        vectors->at = end ? (size_t)(end - vectors->input->data) + 1 : vectors->input->bytes;
        vectors->line++;
        if (!end) end = all_end;
        if (end > begin && end[-1] == '\r') end--;
        if (end > begin && *begin == '#') continue;
        return read_row(vectors, begin, end);
    }
    return SCH_CLI_YES;
}

static void append_row(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch)
{
    size_t inputs = input_words(batch), values = system_value_words(batch), planes = plane_words(batch);
    memcpy(batch->planes + batch->count * planes, vectors->row.planes, planes * sizeof(uint32_t));
    memcpy(batch->pixels + (size_t)batch->count * 4, vectors->row.pixels, 4 * sizeof(uint32_t));
    memcpy(batch->centroids + (size_t)batch->count * 2, vectors->row.centroids, 2 * sizeof(uint32_t));
    for (uint32_t r = 0; r < batch->system_value_registers; r++) batch->given[r] |= vectors->row.given[r];
    batch->has_planes |= vectors->row.has_planes;
    memcpy(batch->inputs + batch->count * inputs, vectors->row.inputs, inputs * sizeof(uint32_t));
    memcpy(batch->system_values + batch->count * values, vectors->row.system_values, values * sizeof(uint32_t));
    batch->helpers[batch->count] = vectors->row.helpers[0];
    batch->lines[batch->count++] = vectors->row.lines[0];
    vectors->has_row = false;
}

/* The row is as the last one of the batch. */
static bool repeat_row(struct sch_cli_vectors *vectors, const struct sch_cli_batch *batch)
{
    struct sch_cli_batch *row = &vectors->row;
    const size_t last = batch->count - 1, inputs = input_words(batch), values = system_value_words(batch);
    memcpy(row->inputs, batch->inputs + last * inputs, inputs * sizeof(uint32_t));
    memcpy(row->system_values, batch->system_values + last * values, values * sizeof(uint32_t));
    return sch_cli_constants_copy(&row->constants, &batch->constants);
}

enum sch_cli_exit sch_cli_vectors_next(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch)
{
    batch->count = 0;
    memset(batch->given, 0, batch->system_value_registers);
    batch->has_planes = false;
    while (batch->count < batch->capacity) {
        if (!vectors->has_row) {
            enum sch_cli_exit exit_code = read_vector_line(vectors);
            if (exit_code != SCH_CLI_YES) return exit_code;
            if (!vectors->has_row) return SCH_CLI_YES;
        }
        if (vectors->repeats && vectors->empty && batch->count % batch->unit && !repeat_row(vectors, batch))
            return sch_cli_no_memory();
        if (batch->count == 0) {
            struct sch_cli_constants empty = batch->constants;
            batch->constants = vectors->row.constants;
            vectors->row.constants = empty;
        } else if (!sch_cli_constants_equal(&batch->constants, &vectors->row.constants)) {
            if (batch->count % batch->unit == 0) return SCH_CLI_YES;
            struct sch_cli_location location = {vectors->input, vectors->row.lines[0], 1};
            sch_cli_report(&location, sch_error_number("VECTOR_UNIT"),
                           "the %u invocations of a quad, patch or primitive must have the same constants",
                           batch->unit);
            return SCH_CLI_NO;
        }
        append_row(vectors, batch);
    }
    return SCH_CLI_YES;
}

struct sch_invocations sch_cli_batch_invocations(const struct sch_cli_batch *batch, bool quads, unsigned samples)
{
    const size_t capacity = batch->capacity;
    const uint32_t planes = batch->has_planes ? batch->input_registers : 0;
    return (struct sch_invocations){.size = sizeof(struct sch_invocations),
                                    .count = batch->count,
                                    .quads = quads,
                                    .inputs = batch->inputs,
                                    .input_bytes = batch->input_bytes,
                                    .input_registers = batch->input_registers,
                                    .input_vertices = batch->input_vertices,
                                    .helpers = batch->helpers,
                                    .helper_bytes = capacity,
                                    .system_values = batch->system_values,
                                    .system_value_bytes = batch->system_value_bytes,
                                    .system_value_registers = batch->system_value_registers,
                                    .system_value_given = batch->given,
                                    .system_value_given_bytes = batch->system_value_registers,
                                    .planes = planes ? batch->planes : NULL,
                                    .plane_bytes = capacity * planes * SCH_CLI_PLANE_WORDS * sizeof *batch->planes,
                                    .plane_registers = planes,
                                    .samples = samples,
                                    .centroids = batch->centroids,
                                    .centroid_bytes = capacity * 8,
                                    .pixels = batch->pixels,
                                    .pixel_bytes = capacity * 16};
}
