/* Direct3D shaders of the public interface: what they declare, and what only they have. Lowering is lower.c. */
#include "api/api.h"

#include <string.h>

#include "d3d/check/check.h"
#include "d3d/lower/lower.h"
#include "ir/check.h"
#include "isa/errors.h"

enum sch_result sch_api_check_d3d(const struct sch_shader *shader, struct sch_diagnostics *list)
{
    if (sch_d3d_has_program(shader->d3d)) return sch_d3d_check(shader->d3d->program, shader->d3d->signatures, list);
    sch_diagnostics_add(list, SCH_SEVERITY_WARNING, SCH_D_DXBC_ONLY_CHUNKS, (struct sch_position){0},
                        "the container has no program, %zu nested ones", shader->d3d->nested_count);
    return SCH_OK;
}

enum sch_result sch_api_encode_d3d(const struct sch_shader *shader, struct sch_diagnostics *list, uint32_t **words,
                                   size_t *count)
{
    if (sch_d3d_has_program(shader->d3d))
        return sch_d3d_encode(shader->d3d->program, &shader->context->allocator, list, words, count);
    sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_DXBC_NO_PROGRAM, (struct sch_position){0},
                        "the container has neither SHDR nor SHEX");
    return SCH_ERROR_INVALID;
}

/* Hull shaders are tessellation control shaders, domain shaders evaluate. */
static enum sch_stage stage_of(uint8_t stage)
{
    static const uint8_t stages[SCH_D3D_STAGE_COUNT] = {
        [SCH_D3D_PIXEL] = SCH_STAGE_FRAGMENT,    [SCH_D3D_VERTEX] = SCH_STAGE_VERTEX,
        [SCH_D3D_GEOMETRY] = SCH_STAGE_GEOMETRY, [SCH_D3D_HULL] = SCH_STAGE_TESS_CTRL,
        [SCH_D3D_DOMAIN] = SCH_STAGE_TESS_EVAL,  [SCH_D3D_COMPUTE] = SCH_STAGE_COMPUTE};
    return (enum sch_stage)stages[stage];
}

/* Which count a declaration raises: by the register that it declares. */
static uint32_t *count_of(struct sch_shader_info *info, uint8_t type)
{
    switch (type) {
    case SCH_D3D_REGISTER_SAMPLER:
        return &info->samplers;
    case SCH_D3D_REGISTER_RESOURCE:
        return &info->sampler_views;
    case SCH_D3D_REGISTER_VIEW:
        return &info->images;
    case SCH_D3D_REGISTER_CONSTANT_BUFFER:
        return &info->constant_buffers;
    default:
        return NULL;
    }
}

static void raise_to(uint32_t *count, uint64_t value)
{
    if (value > *count) *count = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static void count_instruction(const struct sch_d3d_instruction *instruction, struct sch_shader_info *info)
{
    const struct sch_d3d_op_info *row = sch_d3d_op_info(instruction->opcode);
    if (row->flags & SCH_D3D_F_CUSTOM) {
        info->immediates += instruction->literal_count / 4;
        return;
    }
    if (!(row->flags & SCH_D3D_F_DECLARATION)) {
        info->instructions++;
        return;
    }
    info->declarations++;
    if (instruction->opcode == SCH_D3D_OP_DCL_TEMPS) raise_to(&info->temporaries, instruction->literals[0]);
    if (instruction->opcode == SCH_D3D_OP_DCL_THREAD_GROUP)
        memcpy(info->block, instruction->literals, sizeof info->block);
    if (!instruction->operand_count || !instruction->operands[0].index_count) return;
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    uint32_t *count = count_of(info, operand->type);
    if (count) raise_to(count, operand->index[0].value + 1);
}

/* Text may have no signatures; then the declarations say which v# and o# there are: a bit for each, v[vertices][#]
 * too. Direct3D has no numbers from 64 on. What fork and join phases of a hull shader put out are the
 * patch's constants, no outputs. */
static uint64_t declared(const struct sch_d3d_program *program, enum sch_file file)
{
    uint64_t registers = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct sch_d3d_instruction *instruction = &program->instructions[i];
        unsigned opcode = instruction->opcode;
        bool patch = opcode == SCH_D3D_OP_HS_FORK_PHASE || opcode == SCH_D3D_OP_HS_JOIN_PHASE;
        if (patch && file == SCH_FILE_OUTPUT) break;
        if (!(sch_d3d_op_info(opcode)->flags & SCH_D3D_F_DECLARATION) || !instruction->operand_count) continue;
        const struct sch_d3d_operand *operand = &instruction->operands[0];
        bool input = operand->type == SCH_D3D_REGISTER_INPUT || operand->type == SCH_D3D_REGISTER_INPUT_CONTROL_POINT;
        bool matches = file == SCH_FILE_INPUT ? input : operand->type == SCH_D3D_REGISTER_OUTPUT;
        if (!matches || !operand->index_count) continue;
        uint64_t number = operand->index[operand->index_count - 1].value;
        if (number < 64) registers |= UINT64_C(1) << number;
    }
    return registers;
}

/* The highest register and one: of the signature, or where there is none of those that are declared. */
static uint32_t registers_of(const struct sch_d3d_signature *signature, uint64_t registers)
{
    uint32_t count = 0;
    for (; !signature->count && registers; registers >>= 1) count++;
    for (size_t i = 0; i < signature->count; i++)
        if (signature->elements[i].reg != UINT32_MAX) raise_to(&count, (uint64_t)signature->elements[i].reg + 1);
    return count;
}

/* FNV-1a over the program's words, as of TGSI's tokens: spare words count, chunks beside the program do not. */
static enum sch_result hash_program(const struct sch_shader *shader, uint64_t *hash)
{
    uint32_t *words;
    size_t count;
    enum sch_result status = sch_d3d_encode(shader->d3d->program, &shader->context->allocator, NULL, &words, &count);
    *hash = SCH_API_HASH_OF_NOTHING;
    for (size_t i = 0; i < count; i++) *hash = sch_api_hash(*hash, words[i], sizeof *words);
    sch_api_free(shader->context, words);
    return status;
}

enum sch_result sch_api_d3d_info(const struct sch_shader *shader, struct sch_shader_info *info)
{
    const struct sch_d3d_program *program = shader->d3d->program;
    info->stage = stage_of(program->stage);
    for (size_t i = 0; i < program->count; i++) count_instruction(&program->instructions[i], info);
    info->inputs = registers_of(&shader->d3d->signatures[SCH_SIGNATURE_INPUT], declared(program, SCH_FILE_INPUT));
    info->outputs = registers_of(&shader->d3d->signatures[SCH_SIGNATURE_OUTPUT], declared(program, SCH_FILE_OUTPUT));
    return program->major ? hash_program(shader, &info->hash) : SCH_OK;
}

/* The number of the bit that `position` others are below. */
static bool nth_bit(uint64_t bits, uint32_t position, uint32_t *number)
{
    while (bits && position--) bits &= bits - 1;
    if (!bits) return false;
    *number = (uint32_t)__builtin_ctzll(bits);
    return true;
}

bool sch_api_d3d_register(const struct sch_shader *shader, enum sch_file file, uint32_t position,
                          struct sch_register_info *info)
{
    if (file != SCH_FILE_INPUT && file != SCH_FILE_OUTPUT) return false;
    const struct sch_d3d_shader *d3d = shader->d3d;
    const struct sch_d3d_signature *signature =
        &d3d->signatures[file == SCH_FILE_INPUT ? SCH_SIGNATURE_INPUT : SCH_SIGNATURE_OUTPUT];
    uint8_t stage = d3d->program->stage;
    bool arrays = stage == SCH_D3D_GEOMETRY || stage == SCH_D3D_HULL || stage == SCH_D3D_DOMAIN;
    info->semantic = SCH_SEMANTIC_NONE;
    info->per_vertex = file == SCH_FILE_INPUT && arrays;
    if (!signature->count) {
        info->semantic_name = "";
        return nth_bit(declared(d3d->program, file), position, &info->index);
    }
    if (position >= signature->count) return false;
    const struct sch_d3d_signature_element *element = &signature->elements[position];
    info->index = element->reg;
    info->semantic_index = element->index;
    info->semantic_name = element->name;
    info->system_value = (enum sch_system_value)sch_d3d_system_value(
        element, stage, file == SCH_FILE_INPUT ? SCH_SIGNATURE_INPUT : SCH_SIGNATURE_OUTPUT);
    return true;
}

bool sch_shader_signature(const struct sch_shader *shader, enum sch_signature_kind kind, uint32_t position,
                          struct sch_signature_info *info)
{
    if (!shader || !shader->d3d || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if ((unsigned)kind >= SCH_D3D_SIGNATURE_COUNT) return false;
    const struct sch_d3d_signature *signature = &shader->d3d->signatures[kind];
    if (position >= signature->count) return false;
    const struct sch_d3d_signature_element *element = &signature->elements[position];
    uint8_t stage = shader->d3d->program->stage;
    enum sch_signature_kind place = (enum sch_signature_kind)kind;
    uint32_t value = sch_d3d_system_value(element, stage, place);
    const struct sch_d3d_word *word = value ? sch_d3d_word_by_number(SCH_D3D_WORDS_SIGNATURE, value) : NULL;
    const struct sch_d3d_word *type = sch_d3d_word_by_number(SCH_D3D_WORDS_COMPONENT, element->component_type);
    struct sch_signature_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.name = element->name;
    made.system_value = word ? word->word : "";
    made.value = (enum sch_system_value)value;
    made.type = type ? type->word : "unknown";
    made.index = element->index;
    made.register_number = element->reg;
    made.stream = element->stream;
    made.min_precision = element->min_precision;
    made.mask = element->mask;
    made.used = sch_d3d_is_written(stage, place) ? (uint8_t)(0xf & ~element->used) : element->used;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_shader_binding(const struct sch_shader *shader, uint32_t position, struct sch_binding_info *info)
{
    if (!shader || !shader->d3d || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (position >= shader->d3d->resources.binding_count) return false;
    const struct sch_d3d_binding *binding = &shader->d3d->resources.bindings[position];
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_BINDING, binding->kind);
    struct sch_binding_info made = {.size = sizeof made,
                                    .name = binding->name,
                                    .kind = binding->kind,
                                    .return_type = binding->return_type,
                                    .dimension = binding->dimension,
                                    .samples = binding->samples,
                                    .slot = binding->slot,
                                    .count = binding->count,
                                    .flags = binding->flags,
                                    .space = binding->space,
                                    .kind_word = word ? word->word : "unknown"};
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_shader_chunk(const struct sch_shader *shader, uint32_t position, struct sch_chunk_info *info)
{
    if (!shader || !shader->d3d || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (position >= shader->d3d->container->chunk_count) return false;
    const struct sch_d3d_chunk *chunk = &shader->d3d->container->chunks[position];
    struct sch_chunk_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.data = chunk->data;
    made.bytes = chunk->bytes;
    sch_d3d_tag_text(chunk->tag, made.tag);
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_shader_nested(const struct sch_shader *shader, uint32_t position, struct sch_nested_info *info)
{
    if (!shader || !shader->d3d || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (position >= shader->d3d->nested_count) return false;
    const struct sch_d3d_nested *nested = &shader->d3d->nested[position];
    uint32_t version = nested->version;
    const struct sch_d3d_word *stage = version ? sch_d3d_word_by_number(SCH_D3D_WORDS_STAGE, version >> 16) : NULL;
    struct sch_nested_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.stage = stage ? stage->word : "";
    made.major = version >> 4 & 15;
    made.minor = version & 15;
    made.data = nested->data;
    made.bytes = nested->bytes;
    made.offset = nested->chunk->offset ? nested->chunk->offset + nested->at : 0;
    sch_d3d_tag_text(nested->chunk->tag, made.tag);
    sch_sized_write(info, &made, sizeof made);
    return true;
}

const char *sch_d3d_statistic(unsigned index)
{
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_STATISTIC, index);
    return word ? word->word : NULL;
}

enum sch_result sch_shader_get_d3d_info(const struct sch_shader *shader, struct sch_d3d_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, NULL);
    if (!sch_api_given(&call, shader, "shader") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    if (!shader->d3d) return sch_api_wrong(&call, "shader", "the shader is not a Direct3D shader");
    const struct sch_d3d_program *program = shader->d3d->program;
    const struct sch_d3d_word *stage =
        program->major ? sch_d3d_word_by_number(SCH_D3D_WORDS_STAGE, program->stage) : NULL;
    struct sch_d3d_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.stage = stage ? stage->word : "";
    made.major = program->major;
    made.minor = program->minor;
    made.checksum_right = shader->d3d->container->checksum_right;
    made.features = shader->d3d->features;
    memcpy(made.checksum, shader->d3d->container->checksum, sizeof made.checksum);
    sch_sized_write(info, &made, sizeof made);
    return SCH_OK;
}

const char *sch_d3d_feature(unsigned bit)
{
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_FEATURE, bit);
    return word ? word->word : NULL;
}

static const struct {
    unsigned flag;
    const char *word;
} flag_words[] = {{SCH_D3D_F_DECLARATION, "declaration"},
                  {SCH_D3D_F_RESOURCE, "resource"},
                  {SCH_D3D_F_DERIVATIVE, "derivative"},
                  {SCH_D3D_F_DOUBLE, "doubles"},
                  {SCH_D3D_F_EXTENDED, "extensions-11.1"},
                  {SCH_D3D_F_TILED, "tiled-resources"},
                  {SCH_D3D_F_DEBUG, "debug"},
                  {SCH_D3D_F_ALL_11_1, "all-stages-in-11.1"},
                  {SCH_D3D_F_ALL_5, "all-stages-in-5.0"}};

bool sch_table_d3d(size_t index, struct sch_d3d_opcode_info *info)
{
    if (!info || !sch_sized_fits(info->size, sizeof *info)) return false;
    const struct sch_d3d_op_info *row = NULL;
    for (unsigned opcode = 0; opcode < SCH_D3D_OP_LIMIT; opcode++) {
        row = sch_d3d_op_info(opcode);
        if (row && !index--) break;
        row = NULL;
    }
    if (!row) return false;
    struct sch_d3d_opcode_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.name = row->word;
    made.other = row->other;
    made.operands = row->operands;
    made.text = row->text;
    made.title = row->title;
    made.stages = row->stages;
    made.runs_as = "";
    made.runs_with = "";
    made.number = row->opcode;
    made.model = row->model;
    for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++)
        if (row->flags & flag_words[i].flag) sch_api_append(made.flags, sizeof made.flags, " ", flag_words[i].word);
    unsigned ops[2], count = sch_d3d_lowers_to(row->opcode, ops);
    for (unsigned i = 0; i < count; i++) *(i ? &made.runs_with : &made.runs_as) = sch_op_info(ops[i])->name;
    sch_sized_write(info, &made, sizeof made);
    return true;
}
