/* The loader of relocatable objects: "System V Application Binary Interface", edition 4.1, chapter 4 (object files).
 * Every offset and count is checked against the bytes that there are before it is used. Holds no meaning of a
 * relocation (native/relocation.c). */
#include "native/object.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native/relocation.h"
#include "protocol/compiler.h"

/* Functions: as many as there is stack for. */
enum {
    SECTIONS = 128,
    MAPPED_BYTES = 1 << 28,
    LARGEST_ALIGNMENT = 4096,
    FUNCTIONS = SCH_NATIVE_STACK / SCH_NATIVE_STACK_EACH
};

/* Where a section is in the mapping; of no bytes: it is not part of it. */
struct mapped {
    bool executable;
    size_t offset, bytes;
    const uint8_t *from; /* NULL: it is all zero */
};

struct table {
    const uint8_t *bytes;
    uint64_t size;
};

struct object {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
    struct mapped mapped[SECTIONS];
    size_t code_bytes; /* executable pages come first */
    size_t total_bytes;
    struct table section_names, symbols, symbol_names;
    uint8_t *memory;
};

static bool is_inside(uint64_t offset, uint64_t bytes, uint64_t size)
{
    return bytes <= size && offset <= size - bytes;
}

/* Bytes of the object from `offset`, when all `bytes` of them are there. */
static const uint8_t *part(const struct object *object, uint64_t offset, uint64_t bytes)
{
    return is_inside(offset, bytes, object->size) ? object->bytes + offset : NULL;
}

/* Its number is below their count: read_header checked that all of them are there. */
static Elf64_Shdr section(const struct object *object, size_t number)
{
    Elf64_Shdr what;
    memcpy(&what, object->bytes + object->header.e_shoff + number * sizeof what, sizeof what);
    return what;
}

/* What a section holds whose number the object says; no bytes (NULL): they are not there. */
static struct table table_of(const struct object *object, size_t number)
{
    if (number >= object->header.e_shnum) return (struct table){0};
    const Elf64_Shdr what = section(object, number);
    return (struct table){part(object, what.sh_offset, what.sh_size), what.sh_size};
}

/* Whether these bytes are in a table of names from `offset` on. */
static bool has_name(const struct table *names, uint64_t offset, const char *name, size_t bytes)
{
    return is_inside(offset, bytes, names->size) && memcmp(names->bytes + offset, name, bytes) == 0;
}

/* "ELF Header". */
static enum sch_result read_header(struct object *object)
{
    Elf64_Ehdr *header = &object->header;
    const uint8_t *at = part(object, 0, sizeof *header);
    if (!at) return SCH_ERROR_INVALID;
    memcpy(header, at, sizeof *header);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return SCH_ERROR_INVALID;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) return SCH_ERROR_INVALID;
    if (header->e_type != ET_REL || header->e_shentsize != sizeof(Elf64_Shdr)) return SCH_ERROR_INVALID;
    if (header->e_machine != SCH_NATIVE_MACHINE) return SCH_ERROR_UNSUPPORTED;
    if (header->e_shnum > SECTIONS) return SCH_ERROR_LIMIT;
    if (!part(object, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr))) return SCH_ERROR_INVALID;
    object->section_names = table_of(object, header->e_shstrndx);
    return object->section_names.bytes ? SCH_OK : SCH_ERROR_INVALID;
}

/* What data is writable only until it is relocated is in sections whose names begin so. */
static bool is_relocated_data(const struct object *object, const Elf64_Shdr *what)
{
    static const char wanted[] = {'.', 'd', 'a', 't', 'a', '.', 'r', 'e', 'l', '.', 'r', 'o'};
    return has_name(&object->section_names, what->sh_name, wanted, sizeof wanted);
}

/* Gives a section its part of the mapping after `*end`. */
static enum sch_result place_section(struct object *object, size_t number, const Elf64_Shdr *what, size_t *end)
{
    uint64_t alignment = what->sh_addralign ? what->sh_addralign : 1;
    if ((alignment & (alignment - 1)) || alignment > LARGEST_ALIGNMENT) return SCH_ERROR_INVALID;
    if (what->sh_size > MAPPED_BYTES) return SCH_ERROR_LIMIT;
    const uint8_t *from = what->sh_type == SHT_NOBITS ? NULL : part(object, what->sh_offset, what->sh_size);
    if (what->sh_type != SHT_NOBITS && !from) return SCH_ERROR_INVALID;
    size_t offset = (*end + (size_t)alignment - 1) & ~((size_t)alignment - 1);
    object->mapped[number] = (struct mapped){
        .executable = what->sh_flags & SHF_EXECINSTR, .offset = offset, .bytes = (size_t)what->sh_size, .from = from};
    *end = offset + (size_t)what->sh_size;
    return *end > MAPPED_BYTES ? SCH_ERROR_LIMIT : SCH_OK;
}

/* Executable sections, or the others. Tables for unwinding are left out: nothing unwinds through this code. */
static enum sch_result place_sections(struct object *object, bool executable, size_t *end)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        const Elf64_Shdr what = section(object, n);
        const bool is_code = what.sh_flags & SHF_EXECINSTR;
        if (is_code != executable || !(what.sh_flags & SHF_ALLOC)) continue;
        if (!what.sh_size || what.sh_type == SHT_X86_64_UNWIND) continue;
        if (what.sh_type != SHT_PROGBITS && what.sh_type != SHT_NOBITS) return SCH_ERROR_UNSUPPORTED;
        if (what.sh_flags & (SHF_TLS | SHF_COMPRESSED)) return SCH_ERROR_UNSUPPORTED;
        if ((what.sh_flags & SHF_WRITE) && !is_relocated_data(object, &what)) return SCH_ERROR_UNSUPPORTED;
        enum sch_result status = place_section(object, n, &what, end);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

static enum sch_result lay_out(struct object *object)
{
    size_t end = 0;
    enum sch_result status = place_sections(object, true, &end);
    if (status != SCH_OK) return status;
    object->code_bytes = end = whole_pages(end);
    status = place_sections(object, false, &end);
    object->total_bytes = whole_pages(end);
    return status;
}

/* "Symbol Table": there is at most one. */
static enum sch_result find_symbols(struct object *object)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        const Elf64_Shdr what = section(object, n);
        if (what.sh_type != SHT_SYMTAB) continue;
        object->symbols = table_of(object, n);
        object->symbol_names = table_of(object, what.sh_link);
        if (what.sh_entsize != sizeof(Elf64_Sym)) return SCH_ERROR_INVALID;
        return object->symbols.bytes && object->symbol_names.bytes ? SCH_OK : SCH_ERROR_INVALID;
    }
    return SCH_ERROR_INVALID;
}

static uint64_t symbol_count(const struct object *object) { return object->symbols.size / sizeof(Elf64_Sym); }

/* A symbol and the section that it is in; NULL: there is no such symbol, or it is not in the mapping. */
static const struct mapped *mapped_of(const struct object *object, uint64_t number, Elf64_Sym *what)
{
    if (number >= symbol_count(object)) return NULL;
    memcpy(what, object->symbols.bytes + number * sizeof *what, sizeof *what);
    if (what->st_shndx >= object->header.e_shnum || !object->mapped[what->st_shndx].bytes) return NULL;
    return &object->mapped[what->st_shndx];
}

/* ---- relocation ---- */

/* The address that a symbol stands for; 0: it is not in the mapping. The end of a section is. */
static uint64_t address_of(const struct object *object, uint64_t number)
{
    Elf64_Sym what;
    const struct mapped *mapped = mapped_of(object, number, &what);
    if (!mapped || what.st_value > mapped->bytes) return 0;
    return (uint64_t)(uintptr_t)object->memory + mapped->offset + what.st_value;
}

static enum sch_result relocate(const struct object *object, const struct mapped *mapped, const Elf64_Rela *entry)
{
    const uint64_t symbol = address_of(object, ELF64_R_SYM(entry->r_info));
    if (!symbol) return SCH_ERROR_UNSUPPORTED;
    if (entry->r_offset > mapped->bytes) return SCH_ERROR_INVALID;
    uint8_t *bytes = object->memory + mapped->offset + entry->r_offset;
    const struct sch_native_place place = {
        .bytes = bytes, .left = mapped->bytes - entry->r_offset, .address = (uintptr_t)bytes};
    return sch_native_relocate(object->header.e_machine, (uint32_t)ELF64_R_TYPE(entry->r_info), symbol,
                               (uint64_t)entry->r_addend, &place);
}

static enum sch_result relocate_section(const struct object *object, const Elf64_Shdr *list)
{
    if (list->sh_info >= object->header.e_shnum || list->sh_entsize != sizeof(Elf64_Rela)) return SCH_ERROR_INVALID;
    const struct mapped *mapped = &object->mapped[list->sh_info];
    const uint8_t *entries = part(object, list->sh_offset, list->sh_size);
    if (!entries) return SCH_ERROR_INVALID;
    for (uint64_t n = 0; mapped->bytes && n < list->sh_size / sizeof(Elf64_Rela); n++) {
        Elf64_Rela entry;
        memcpy(&entry, entries + n * sizeof entry, sizeof entry);
        if (!ELF64_R_TYPE(entry.r_info)) continue; /* none */
        enum sch_result status = relocate(object, mapped, &entry);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

static enum sch_result relocate_all(const struct object *object)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        const Elf64_Shdr list = section(object, n);
        if (list.sh_type == SHT_REL) return SCH_ERROR_UNSUPPORTED;
        if (list.sh_type != SHT_RELA) continue;
        enum sch_result status = relocate_section(object, &list);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

/* ---- the stack ---- */

/* A function as the section of sizes names it. */
struct frame {
    const struct mapped *mapped;
    uint64_t offset;
};

/* The one section of sizes and its relocations; false: there is none of these, or more than one. */
static bool find_sizes(const struct object *object, Elf64_Shdr *sizes, Elf64_Shdr *relocations)
{
    static const char wanted[] = ".stack_sizes";
    size_t number = 0, found = 0, lists = 0;
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        const Elf64_Shdr what = section(object, n);
        if (what.sh_type != SHT_PROGBITS || !has_name(&object->section_names, what.sh_name, wanted, sizeof wanted))
            continue;
        *sizes = what;
        number = n;
        found++;
    }
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        const Elf64_Shdr what = section(object, n);
        if (what.sh_type != SHT_RELA || what.sh_info != number) continue;
        *relocations = what;
        lists++;
    }
    return found == 1 && lists == 1;
}

/* ULEB128 (DWARF 5, 7.6) of at most 35 bits; `*at` is after it then. False: it does not end there. */
static bool read_number(const uint8_t *bytes, uint64_t size, uint64_t *at, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; *at < size && shift <= 28; shift += 7) {
        const uint8_t byte = bytes[(*at)++];
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

/* Where the symbol of an entry is in the code. */
static bool read_frame(const struct object *object, const Elf64_Rela *entry, struct frame *frame)
{
    Elf64_Sym what;
    if (ELF64_R_TYPE(entry->r_info) != sch_native_address_type(object->header.e_machine)) return false;
    const struct mapped *mapped = mapped_of(object, ELF64_R_SYM(entry->r_info), &what);
    if (!mapped || !mapped->executable) return false;
    *frame = (struct frame){mapped, what.st_value + (uint64_t)entry->r_addend};
    return frame->offset < mapped->bytes;
}

/* All functions of the code are among those whose frames are known. */
static bool knows_all(const struct object *object, const struct frame *frames, size_t count)
{
    for (uint64_t n = 0; n < symbol_count(object); n++) {
        Elf64_Sym what;
        const struct mapped *mapped = mapped_of(object, n, &what);
        if (!mapped || !mapped->executable || ELF64_ST_TYPE(what.st_info) != STT_FUNC) continue;
        size_t i = 0;
        while (i < count && !(frames[i].mapped == mapped && frames[i].offset == what.st_value)) i++;
        if (i == count) return false;
    }
    return true;
}

/* Adds up the frames of all functions: entries of an address, which a relocation has, and a size. */
static enum sch_result read_frames(const struct object *object, size_t *total)
{
    struct frame frames[FUNCTIONS];
    Elf64_Shdr what = {0}, list = {0};
    size_t count = 0;
    if (!find_sizes(object, &what, &list)) return SCH_ERROR_INVALID;
    const uint8_t *sizes = part(object, what.sh_offset, what.sh_size);
    const uint8_t *entries = part(object, list.sh_offset, list.sh_size);
    if (!sizes || !entries || list.sh_entsize != sizeof(Elf64_Rela)) return SCH_ERROR_INVALID;
    for (uint64_t at = 0; at < what.sh_size; count++) {
        Elf64_Rela entry;
        uint64_t bytes;
        if (count == FUNCTIONS) return SCH_ERROR_LIMIT;
        if (count >= list.sh_size / sizeof entry) return SCH_ERROR_INVALID;
        memcpy(&entry, entries + count * sizeof entry, sizeof entry);
        if (entry.r_offset != at || !read_frame(object, &entry, &frames[count])) return SCH_ERROR_INVALID;
        at += sizeof(uint64_t);
        if (!read_number(sizes, what.sh_size, &at, &bytes)) return SCH_ERROR_INVALID;
        *total += (size_t)bytes + SCH_NATIVE_STACK_EACH;
    }
    return count && knows_all(object, frames, count) ? SCH_OK : SCH_ERROR_INVALID;
}

/* Nothing is mapped whose frames are not known, or do not fit (protocol/compiler.h). */
static enum sch_result check_stack(const struct object *object, size_t *total)
{
    enum sch_result status = read_frames(object, total);
    if (status != SCH_OK) return status;
    return *total <= SCH_NATIVE_STACK ? SCH_OK : SCH_ERROR_LIMIT;
}

/* ---- mapping ---- */

static enum sch_result find_function(const struct object *object, const char *name, struct sch_native_code *code)
{
    for (uint64_t n = 0; n < symbol_count(object); n++) {
        Elf64_Sym what;
        const struct mapped *mapped = mapped_of(object, n, &what);
        if (!mapped || !mapped->executable || ELF64_ST_TYPE(what.st_info) != STT_FUNC) continue;
        if (!has_name(&object->symbol_names, what.st_name, name, strlen(name) + 1)) continue;
        if (!is_inside(what.st_value, what.st_size, mapped->bytes)) return SCH_ERROR_INVALID;
        code->function = object->memory + mapped->offset + what.st_value; /* read_frames checked it */
        code->function_bytes = (size_t)what.st_size;
        return SCH_OK;
    }
    return SCH_ERROR_INVALID;
}

static void copy_sections(const struct object *object)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        const struct mapped *mapped = &object->mapped[n];
        if (mapped->from) memcpy(object->memory + mapped->offset, mapped->from, mapped->bytes);
    }
}

/* The processor's cache of instructions may have what was in the memory before: ARM's does. */
static enum sch_result protect(const struct object *object)
{
    const size_t code = object->code_bytes, data = object->total_bytes - code;
    __builtin___clear_cache((char *)object->memory, (char *)object->memory + code);
    const bool done = mprotect(object->memory, code, PROT_READ | PROT_EXEC) == 0 &&
                      (!data || mprotect(object->memory + code, data, PROT_READ) == 0);
    return done ? SCH_OK : SCH_ERROR_MEMORY;
}

/* Pages that are to become executable come from the system, not from the caller's allocator; they are counted with what
 * that gave. */
static bool take_memory(size_t bytes, struct sch_native_code *code)
{
    if (code->account && !sch_account_take(code->account, bytes)) return false;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        if (code->account) sch_account_give_back(code->account, bytes);
        return false;
    }
    code->memory = memory;
    code->bytes = bytes;
    return true;
}

static enum sch_result map(struct object *object, const char *function, struct sch_native_code *code)
{
    size_t stack = 0;
    enum sch_result status = lay_out(object);
    if (status == SCH_OK) status = find_symbols(object);
    if (status == SCH_OK) status = check_stack(object, &stack);
    if (status != SCH_OK) return status;
    if (!take_memory(object->total_bytes, code)) return SCH_ERROR_MEMORY;
    object->memory = code->memory;
    code->stack_bytes = stack;
    copy_sections(object);
    status = relocate_all(object);
    if (status == SCH_OK) status = find_function(object, function, code);
    if (status == SCH_OK) status = protect(object);
    if (status != SCH_OK) sch_native_unload(code);
    return status;
}

enum sch_result sch_native_load(const void *bytes, size_t size, const char *function, struct sch_account *account,
                                struct sch_native_code *code)
{
    *code = (struct sch_native_code){.account = account};
    struct object object = {.bytes = bytes, .size = size};
    const enum sch_result status = read_header(&object);
    return status == SCH_OK ? map(&object, function, code) : status;
}

void sch_native_unload(struct sch_native_code *code)
{
    if (code->memory) {
        munmap(code->memory, code->bytes);
        if (code->account) sch_account_give_back(code->account, code->bytes);
    }
    *code = (struct sch_native_code){0};
}
