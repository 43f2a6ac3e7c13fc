/* What scheelite-mpi needs no MPI for: lists of command lines, the journal, keys of inputs, child processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi/child.h"
#include "mpi/inputs.h"
#include "mpi/journal.h"
#include "mpi/list.h"
#include "mpi/report.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char folder[64];

static const char *path(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *to = paths[next++ % 4];
    snprintf(to, sizeof paths[0], "%s/%s", folder, name);
    return to;
}

static void write_file(const char *to, const char *text)
{
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What `stderr` was told meanwhile. */
static int kept_stderr;
static void begin_hearing(void)
{
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    const int file = open(path("heard"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept_stderr >= 0 && file >= 0);
    dup2(file, STDERR_FILENO);
    close(file);
}
static const char *end_hearing(void)
{
    static char text[4096];
    fflush(stderr);
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    FILE *file = fopen(path("heard"), "rb");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* ---- lists ---- */

static void lists_have_words(void **state)
{
    (void)state;
    static const char text[] = "# nothing\n"
                               "\n"
                               "check a.tgsi\r\n"
                               "  run 'a b' \"c \\\" \\\\ \\n\" d\\ e''f  # more\n"
                               "x a#b \"\"\n"
                               "last";
    struct sch_mpi_items items = {0};
    assert_int_equal(sch_mpi_list_read("l", text, sizeof text - 1, &items), SCH_MPI_YES);
    static const struct {
        unsigned line;
        const char *words[8];
    } expected[] = {
        {3, {"check", "a.tgsi"}}, {4, {"run", "a b", "c \" \\ \\n", "d ef"}}, {5, {"x", "a#b", ""}}, {6, {"last"}}};
    assert_int_equal(items.count, COUNT(expected));
    for (size_t i = 0; i < items.count; i++) {
        size_t count = 0;
        for (; expected[i].words[count]; count++)
            assert_string_equal(items.list[i].words[count], expected[i].words[count]);
        assert_int_equal(items.list[i].count, count);
        assert_null(items.list[i].words[count]);
        assert_int_equal(items.list[i].line, expected[i].line);
        assert_string_equal(items.list[i].source, "l");
    }
    sch_mpi_items_release(&items);
}

/* The line of an item read again is the item. */
static void lines_are_read_back(void **state)
{
    (void)state;
    static const char *const words[] = {"run",         "a b", "",          "q\"uote'",
                                        "back\\slash", "#c",  "tab\there", "plain-1.0,x=y"};
    struct sch_mpi_items items = {0}, again = {0};
    assert_true(sch_mpi_items_add(&items, "s", 0, words, COUNT(words)));
    char *line = sch_mpi_item_line(&items.list[0]);
    assert_int_equal(sch_mpi_list_read("l", line, strlen(line), &again), SCH_MPI_YES);
    assert_int_equal(again.count, 1);
    assert_int_equal(again.list[0].count, COUNT(words));
    for (size_t i = 0; i < COUNT(words); i++) assert_string_equal(again.list[0].words[i], words[i]);
    free(line);
    sch_mpi_items_release(&items);
    sch_mpi_items_release(&again);
}

static void broken_lists_name_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        const char *said;
    } cases[] = {{"a\nb 'c\nd'\n", 9, "l:2:3: the quote is not closed"},
                 {"a \"b\\\"", 6, "l:1:3: the quote is not closed"},
                 {"\n\nab \\\n", 7, "l:3:4: there is nothing after the backslash"},
                 {"a\nb\0c\n", 6, "l:2:2: a zero byte"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_mpi_items items = {0};
        begin_hearing();
        const enum sch_mpi_exit exit_code = sch_mpi_list_read("l", cases[i].text, cases[i].bytes, &items);
        assert_non_null(strstr(end_hearing(), cases[i].said));
        assert_int_equal(exit_code, SCH_MPI_USAGE);
        sch_mpi_items_release(&items);
    }
    /* Too many words, and a line that is too long. */
    char *text = malloc(1 << 21);
    struct sch_mpi_items items = {0};
    for (size_t i = 0; i < 4097; i++) memcpy(text + 2 * i, "a ", 2);
    begin_hearing();
    assert_int_equal(sch_mpi_list_read("l", text, (size_t)2 * 4096, &items), SCH_MPI_YES);
    assert_int_equal(sch_mpi_list_read("l", text, (size_t)2 * 4097, &items), SCH_MPI_USAGE);
    memset(text, 'a', 1 << 21);
    assert_int_equal(sch_mpi_list_read("l", text, 1 << 20, &items), SCH_MPI_YES);
    assert_int_equal(sch_mpi_list_read("l", text, (1 << 20) + 1, &items), SCH_MPI_USAGE);
    end_hearing();
    assert_int_equal(items.count, 2);
    sch_mpi_items_release(&items);
    free(text);
}

static void folders_are_lists(void **state)
{
    (void)state;
    static const char *const names[] = {"tree",           "tree/b",     "tree/a.tgsi",  "tree/b/2.dxbc",
                                        "tree/b/10.tgsi", "tree/c.txt", "tree/.d.tgsi", "tree/E.TGSI"};
    static const char *const before[] = {"check"}, *const after[] = {"--json"};
    const struct sch_mpi_frame frame = {before, after, 1, 1, sch_mpi_is_shader};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (i < 2)
            mkdir(path(names[i]), 0700);
        else
            write_file(path(names[i]), "");
    }
    (void)!symlink(".", path("tree/loop"));
    struct sch_mpi_items items = {0};
    static const char *const expected[] = {"tree/E.TGSI", "tree/a.tgsi", "tree/b/10.tgsi", "tree/b/2.dxbc"};
    assert_int_equal(sch_mpi_folder_read(path("tree"), &frame, &items), SCH_MPI_YES);
    assert_int_equal(items.count, COUNT(expected));
    for (size_t i = 0; i < items.count; i++) {
        assert_int_equal(items.list[i].count, 3);
        assert_string_equal(items.list[i].words[0], "check");
        assert_string_equal(items.list[i].words[1], path(expected[i]));
        assert_string_equal(items.list[i].words[2], "--json");
    }
    /* A file is taken whatever its name ends in; what is not there is an error. */
    assert_int_equal(sch_mpi_folder_read(path("tree/c.txt"), &frame, &items), SCH_MPI_YES);
    assert_int_equal(items.count, COUNT(expected) + 1);
    begin_hearing();
    assert_int_equal(sch_mpi_folder_read(path("nothing"), &frame, &items), SCH_MPI_IO);
    assert_non_null(strstr(end_hearing(), "nothing: No such file"));
    sch_mpi_items_release(&items);
}

/* ---- the journal ---- */

static void append(struct sch_mpi_journal *journal, uint8_t key, const char *out, const char *err)
{
    struct sch_mpi_record record = {.exit_code = key,
                                    .late = key == 2,
                                    .err_cut = true,
                                    .ms = 5,
                                    .cpu_ms = UINT64_MAX,
                                    .peak_kb = 7,
                                    .rank = 3,
                                    .facts = {key, 11, UINT64_MAX},
                                    .out_bytes = strlen(out),
                                    .err_bytes = strlen(err)};
    memset(record.key, key, sizeof record.key);
    assert_int_equal(sch_mpi_journal_append(journal, &record, out, err), SCH_MPI_YES);
}

static struct sch_mpi_record *find(struct sch_mpi_journal *journal, uint8_t byte)
{
    uint8_t key[SCH_MPI_KEY_BYTES];
    memset(key, byte, sizeof key);
    return sch_mpi_journal_find(journal, key);
}

static off_t size_of(const char *name)
{
    struct stat is;
    assert_int_equal(stat(name, &is), 0);
    return is.st_size;
}

/* Two records, and a third of which only `left` bytes are missing. Returns how many the file has without the third. */
static off_t make_journal(const char *name, off_t left)
{
    struct sch_mpi_journal journal;
    unlink(name);
    assert_int_equal(sch_mpi_journal_open(name, folder, false, &journal), SCH_MPI_YES);
    append(&journal, 1, "one\n", "uno");
    append(&journal, 2, "two", "");
    const off_t whole = size_of(name);
    append(&journal, 3, "three", "tre");
    sch_mpi_journal_close(&journal);
    const off_t all = size_of(name);
    assert_int_equal(truncate(name, left < all ? all - left : 0), 0);
    return whole;
}

static void journals_are_read_back(void **state)
{
    (void)state;
    char name[128], text[8] = "";
    struct sch_mpi_journal journal;
    snprintf(name, sizeof name, "%s", path("journal"));
    make_journal(name, 0);
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_YES);
    assert_int_equal(journal.count, 3);
    const struct sch_mpi_record *record = find(&journal, 2);
    assert_non_null(record);
    assert_int_equal(record->exit_code, 2);
    assert_true(record->late && record->err_cut && !record->out_cut);
    assert_int_equal(record->cpu_ms, UINT64_MAX);
    assert_int_equal(record->rank, 3);
    assert_int_equal(record->facts[1], 11);
    assert_int_equal(record->facts[2], UINT64_MAX);
    assert_int_equal(record->out_bytes, 3);
    assert_true(sch_mpi_journal_read(&journal, record, 0, text, 3));
    assert_string_equal(text, "two");
    assert_null(find(&journal, 2)); /* it is taken */
    assert_null(find(&journal, 4));
    /* More is appended behind; of equal keys each is found once. */
    append(&journal, 1, "again", "");
    sch_mpi_journal_close(&journal);
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_YES);
    record = find(&journal, 1);
    assert_true(record && sch_mpi_journal_read(&journal, record, 4, text, 3));
    assert_string_equal(text, "uno");
    record = find(&journal, 1);
    assert_true(record && record->out_bytes == 5);
    assert_null(find(&journal, 1));
    sch_mpi_journal_close(&journal);
}

/* A farm may be killed at any byte. */
static void torn_journals_lose_the_last_record(void **state)
{
    (void)state;
    char name[128];
    snprintf(name, sizeof name, "%s", path("torn"));
    const off_t whole = make_journal(name, 0), all = size_of(name);
    for (off_t left = 1; left <= all; left++) {
        struct sch_mpi_journal journal;
        make_journal(name, left);
        begin_hearing();
        assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_YES);
        const char *said = end_hearing();
        if (all - left > whole) {
            assert_int_equal(journal.count, 2);
            assert_non_null(strstr(said, "dropped"));
        }
        const size_t count = journal.count;
        append(&journal, 9, "nine", "");
        sch_mpi_journal_close(&journal);
        assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_YES);
        assert_int_equal(journal.count, count + 1);
        assert_non_null(find(&journal, 9));
        sch_mpi_journal_close(&journal);
    }
}

/* Bytes that are there, but are not those that were written. */
static void damaged_records_are_not_taken(void **state)
{
    (void)state;
    char name[128];
    struct sch_mpi_journal journal;
    snprintf(name, sizeof name, "%s", path("damaged"));
    make_journal(name, 0);
    const int file = open(name, O_WRONLY);
    assert_int_equal(pwrite(file, "T", 1, size_of(name) - 8), 1);
    close(file);
    begin_hearing();
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_YES);
    end_hearing();
    assert_int_equal(journal.count, 2);
    sch_mpi_journal_close(&journal);
}

static void journals_are_not_mistaken(void **state)
{
    (void)state;
    char name[128];
    struct sch_mpi_journal journal, other;
    snprintf(name, sizeof name, "%s", path("mistaken"));
    write_file(name, "somebody's text, longer than the line that a journal begins with\n");
    begin_hearing();
    assert_int_equal(sch_mpi_journal_open(name, folder, false, &journal), SCH_MPI_USAGE); /* it is there */
    sch_mpi_journal_close(&journal);
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_USAGE);
    sch_mpi_journal_close(&journal);
    write_file(name, "short");
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_USAGE);
    sch_mpi_journal_close(&journal);
    assert_int_equal(sch_mpi_journal_open(path("no/journal"), folder, false, &journal), SCH_MPI_IO);
    sch_mpi_journal_close(&journal);
    assert_int_equal(sch_mpi_journal_open("/dev/null", folder, true, &journal), SCH_MPI_IO);
    sch_mpi_journal_close(&journal);
    assert_int_equal(size_of(name), 5); /* nothing was written */
    /* Of other versions, which are named. */
    static const char *const versions[] = {"0", "2", "10", "1x"};
    for (size_t i = 0; i < COUNT(versions); i++) {
        char text[64], words[64];
        snprintf(text, sizeof text, "scheelite-mpi journal %s\nitem", versions[i]);
        snprintf(words, sizeof words, "is a journal of version %s, and version 1 is read here", versions[i]);
        write_file(name, text);
        begin_hearing();
        assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_USAGE);
        assert_non_null(strstr(end_hearing(), words));
        sch_mpi_journal_close(&journal);
        assert_int_equal(size_of(name), strlen(text)); /* nothing was written */
    }
    /* What is no version is not printed. */
    write_file(name, "scheelite-mpi journal \33[2J\n");
    begin_hearing();
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_USAGE);
    const char *said = end_hearing();
    assert_non_null(strstr(said, "is not a journal"));
    assert_null(strchr(said, '\33'));
    sch_mpi_journal_close(&journal);
    begin_hearing();
    /* One farm at a time. */
    unlink(name);
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &journal), SCH_MPI_YES);
    assert_int_equal(sch_mpi_journal_open(name, folder, true, &other), SCH_MPI_USAGE);
    assert_non_null(strstr(end_hearing(), "another farm"));
    sch_mpi_journal_close(&journal);
    sch_mpi_journal_close(&other);
}

/* ---- keys ---- */

static void key_of(const char *words, uint8_t key[SCH_MPI_KEY_BYTES])
{
    struct sch_mpi_items items = {0};
    struct sch_mpi_sums *sums = sch_mpi_sums_create();
    assert_int_equal(sch_mpi_list_read("l", words, strlen(words), &items), SCH_MPI_YES);
    assert_true(sch_mpi_key_of(sums, "/bin/sh", items.list[0].words, items.list[0].count, key));
    sch_mpi_items_release(&items);
    sch_mpi_sums_release(sums);
}

static void keys_know_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *words, *file;
        bool input;
    } cases[] = {{"check %s", "k.tgsi", true},
                 {"run x --tex 0=%s,filter=linear", "k1.png", true},
                 {"run x --tex 0=%s+%s", "k2", true},
                 {"run x --tex=0=%s", "k=3", true},
                 {"run x --global %s", "k,4", true},
                 {"run x -o %s", "k5.png", false},
                 {"run x --buffer-out 0=%s", "k6", false},
                 {"run x --buffer-out=0=%s", "k7", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char words[512], name[128];
        uint8_t none[SCH_MPI_KEY_BYTES], one[SCH_MPI_KEY_BYTES], same[SCH_MPI_KEY_BYTES], other[SCH_MPI_KEY_BYTES];
        snprintf(name, sizeof name, "%s", path(cases[i].file));
        /* The name as often as the words have it. */
        const char *at = strstr(cases[i].words, "%s"), *second = strstr(at + 2, "%s");
        snprintf(words, sizeof words, "%.*s%s%s", (int)(at - cases[i].words), cases[i].words, name, at + 2);
        if (second) snprintf(words, sizeof words, "run x --tex 0=%s+%s", name, name);
        key_of(words, none);
        write_file(name, "first");
        key_of(words, one);
        key_of(words, same);
        write_file(name, "second");
        key_of(words, other);
        assert_memory_equal(one, same, sizeof one);
        assert_int_equal(memcmp(one, other, sizeof one) != 0, cases[i].input);
        assert_int_equal(memcmp(one, none, sizeof one) != 0, cases[i].input);
    }
    uint8_t a[SCH_MPI_KEY_BYTES], b[SCH_MPI_KEY_BYTES];
    key_of("run ab c", a);
    key_of("run a bc", b);
    assert_memory_not_equal(a, b, sizeof a);
}

/* ---- children ---- */

static bool run_shell(const char *script, uint64_t timeout_ms, uint64_t limit, struct sch_mpi_done *done)
{
    char *words[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    const struct sch_mpi_command command = {.words = words, .timeout_ms = timeout_ms, .output_limit = limit};
    return sch_mpi_child_run(&command, done);
}

static void assert_text(const struct sch_mpi_bytes *bytes, const char *text)
{
    assert_int_equal(bytes->size, strlen(text));
    if (bytes->size) assert_memory_equal(bytes->data, text, bytes->size);
}

static void children_have_ends(void **state)
{
    (void)state;
    static const struct {
        const char *script, *out, *err;
        int exit_code, signal, counts_as;
    } cases[] = {
        {"echo a; echo b >&2; exit 3", "a\n", "b\n", 3, 0, 3},
        {"cat; echo end", "end\n", "", 0, 0, 0}, /* no input */
        {"kill -SEGV $$", "", "", 0, SIGSEGV, SCH_MPI_INTERNAL},
        {"exec >&- 2>&-; sleep 0.1; exit 4", "", "", 4, 0, 4},
        {"sleep 100 & echo started", "started\n", "", 0, 0, 0},               /* not waited for */
        {"sh -c 'while echo x; do :; done' >&2 & exit 5", "", NULL, 5, 0, 5}, /* nor what goes on writing */
        {"setsid sh -c 'n=0; while echo x && test $n -lt 100000; do n=$((n + 1)); done' & exit 7", NULL, "", 7, 0, 7}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_mpi_done done;
        assert_true(run_shell(cases[i].script, 20000, 1000, &done));
        if (cases[i].out) assert_text(&done.out, cases[i].out);
        if (cases[i].err) assert_text(&done.err, cases[i].err);
        assert_int_equal(done.exit_code, cases[i].exit_code);
        assert_int_equal(done.signal, cases[i].signal);
        assert_int_equal(sch_mpi_done_exit(&done), cases[i].counts_as);
        assert_false(done.late || (cases[i].out && done.out_cut) || (cases[i].err && done.err_cut));
        assert_true(done.peak_kb > 0);
        assert_true(done.ms < 10000);
        sch_mpi_done_release(&done);
    }
}

static void children_have_limits(void **state)
{
    (void)state;
    struct sch_mpi_done done;
    /* Time; with a grandchild that holds the output open. */
    assert_true(run_shell("echo before; sleep 100; echo behind", 200, 1000, &done));
    assert_true(done.late);
    assert_text(&done.out, "before\n");
    assert_int_equal(sch_mpi_done_exit(&done), SCH_MPI_LIMIT);
    assert_in_range(done.ms, 200, 20000);
    sch_mpi_done_release(&done);
    /* Output; what is dropped is read, so that the child comes to its end. */
    assert_true(run_shell("head -c 1000000 /dev/zero; echo 1234567890 >&2; exit 6", 0, 5, &done));
    assert_int_equal(done.out.size, 5);
    assert_text(&done.err, "12345");
    assert_true(done.out_cut && done.err_cut);
    assert_int_equal(done.exit_code, 6);
    sch_mpi_done_release(&done);
    assert_true(run_shell("printf 12345", 0, 5, &done));
    assert_text(&done.out, "12345");
    assert_false(done.out_cut);
    sch_mpi_done_release(&done);
}

static void missing_programs_are_said(void **state)
{
    (void)state;
    char *words[] = {(char *)(uintptr_t)path("no-program"), NULL};
    const struct sch_mpi_command command = {.words = words, .output_limit = 1000};
    struct sch_mpi_done done;
    assert_false(sch_mpi_child_run(&command, &done));
    sch_mpi_put(&done.err, "", 1);
    assert_non_null(strstr(done.err.data, "no-program: No such file"));
    assert_int_equal(done.exit_code, SCH_MPI_IO);
    sch_mpi_done_release(&done);
}

/* What reports tell is no XML by itself: controls, the two codes that XML 1.0 has no "Char" for, no UTF-8. */
static void reports_are_xml(void **state)
{
    (void)state;
    char name[] = "a\001<&>\xef\xbf\xbe\xef\xbf\xbf\xc3\xa9\xff";
    const struct sch_mpi_result result = {.name = name, .done = true};
    const struct sch_mpi_summary summary = {.verb = "list", .results = &result, .count = 1};
    assert_int_equal(sch_mpi_write_junit(path("report.xml"), &summary), SCH_MPI_YES);
    char text[4096] = "";
    FILE *file = fopen(path("report.xml"), "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "a\xef\xbf\xbd&lt;&amp;&gt;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd"));
}

/* What items print may have any bytes. */
static void reports_are_json(void **state)
{
    (void)state;
    static const char out[] = "a\0\"\n", err[] = "\xc3\xa9\xff";
    char name[] = "run \\ x";
    struct sch_mpi_journal journal;
    struct sch_mpi_result results[] = {{.name = name, .source = "list", .line = 3, .done = true}, {.name = name}};
    const struct sch_mpi_summary summary = {
        .verb = "run", .results = results, .count = 2, .outputs = true, .journal = &journal, .exit_code = SCH_MPI_NO};
    results[0].record = (struct sch_mpi_record){.exit_code = 1, .rank = 2, .ms = 7, .out_bytes = 4, .err_bytes = 3};
    assert_int_equal(sch_mpi_journal_open(NULL, folder, false, &journal), SCH_MPI_YES);
    assert_int_equal(sch_mpi_journal_append(&journal, &results[0].record, out, err), SCH_MPI_YES);
    assert_int_equal(sch_mpi_write_json(path("report.json"), &summary), SCH_MPI_YES);
    sch_mpi_journal_close(&journal);
    char text[4096] = "";
    FILE *file = fopen(path("report.json"), "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(
        text, "{\n  \"schema\": \"scheelite-mpi\",\n  \"version\": 1,\n  \"verb\": \"run\",\n  \"exit\": 1,\n"
              "  \"passed\": 0,\n  \"failed\": 1,\n  \"not_run\": 1,\n  \"items\": [\n"
              "    {\"number\": 1, \"name\": \"run \\\\ x\", \"source\": \"list:3\", \"done\": true, \"exit\": 1, "
              "\"signal\": 0, \"timeout\": false, \"resumed\": false, \"rank\": 2, \"milliseconds\": 7, "
              "\"cpu_milliseconds\": 0, \"peak_kilobytes\": 0, \"stdout_cut\": false, "
              "\"stdout\": \"a\\u0000\\\"\\n\", \"stderr_cut\": false, \"stderr\": \"\xc3\xa9\\ufffd\"},\n"
              "    {\"number\": 2, \"name\": \"run \\\\ x\", \"done\": false}\n  ]\n}\n");
}

static void codes_have_an_order(void **state)
{
    (void)state;
    static const enum sch_mpi_exit order[] = {SCH_MPI_YES, SCH_MPI_NO,    SCH_MPI_UNSUPPORTED, SCH_MPI_LIMIT,
                                              SCH_MPI_IO,  SCH_MPI_USAGE, SCH_MPI_INTERNAL};
    for (size_t a = 0; a < COUNT(order); a++)
        for (size_t b = 0; b < COUNT(order); b++)
            assert_int_equal(sch_mpi_worse(order[a], order[b]), order[a > b ? a : b]);
    assert_int_equal(sch_mpi_worse(SCH_MPI_YES, 77), SCH_MPI_NO); /* of another program */
    assert_int_equal(sch_mpi_worse(SCH_MPI_LIMIT, 77), SCH_MPI_LIMIT);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test-mpi-XXXXXX", P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_have_words),
        cmocka_unit_test(lines_are_read_back),
        cmocka_unit_test(broken_lists_name_their_place),
        cmocka_unit_test(folders_are_lists),
        cmocka_unit_test(journals_are_read_back),
        cmocka_unit_test(torn_journals_lose_the_last_record),
        cmocka_unit_test(damaged_records_are_not_taken),
        cmocka_unit_test(journals_are_not_mistaken),
        cmocka_unit_test(keys_know_inputs),
        cmocka_unit_test(children_have_ends),
        cmocka_unit_test(children_have_limits),
        cmocka_unit_test(missing_programs_are_said),
        cmocka_unit_test(reports_are_xml),
        cmocka_unit_test(reports_are_json),
        cmocka_unit_test(codes_have_an_order),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
