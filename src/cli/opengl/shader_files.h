/* The shaders of an OpenGL program as files of a folder, for the verbs gl and replay: each text once, with the draws
 * that used it in a comment. Texts are kept in memory that the processes of `gl`'s clients share with the command, in
 * their sandboxes, too; the command writes the files at the end. So nothing is forgotten of a process that is killed,
 * and no client's process writes a file. */
#ifndef SCH_CLI_SHADER_FILES_H
#define SCH_CLI_SHADER_FILES_H

#include "../vtest/vtest.h"
#include "common/cli.h"

struct sch_cli_shader_files {
    const char *folder; /* the value of --shaders; NULL: nothing is collected */
    const struct sch_cli_verb *verb;
    struct sch_cli_collection *shared; /* with the processes of clients */
    uint32_t client;                   /* that this process serves, from 1; 0: there is one recording */
};

/* Makes the folder and what is shared. The folder may be there, and is empty then: shaders of several runs are not
 * mixed. Nothing is done without a folder. */
enum sch_cli_exit sch_cli_shader_files_open(struct sch_cli_shader_files *collected, const struct sch_cli_verb *verb);

/* Whose shaders this process collects. */
void sch_cli_shader_files_begin(void *collected, uint32_t client, struct sch_virgl_collector *collector);

/* When all clients are gone: writes the files. NO: there is no shader; LIMIT: some are left out, which was reported. */
enum sch_cli_exit sch_cli_shader_files_write(const struct sch_cli_shader_files *collected);

void sch_cli_shader_files_release(struct sch_cli_shader_files *collected);

#endif
