/* Mesa's drivers are one library, which loaders know by several names, or which is called by its version. */
#include "client.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The version that follows Mesa's own word ("Mesa 22.3.6"), as GL_VERSION prints it. */
static void take_version(const char *at, size_t bytes, char version[32])
{
    size_t length = 0;
    while (length < bytes && length < 31 && (isalnum((unsigned char)at[length]) || strchr(".-+~", at[length])) &&
           at[length])
        length++;
    if (length == 0 || !isdigit((unsigned char)at[0])) return;
    memcpy(version, at, length);
    version[length] = 0;
}

/* Whether the file holds the driver; the version, if it is there. Blocks overlap, so that no word is cut. */
static bool look_into(struct sch_cli_client *client)
{
    static const char driver[] = "virpipe", mesa[] = "Mesa ";
    enum { BLOCK = 1 << 16, OVERLAP = 64 };
    char *block = malloc(BLOCK);
    FILE *file = block ? fopen(client->file, "rb") : NULL;
    bool found = false;
    client->version[0] = 0;
    for (size_t kept = 0; file && !(found && client->version[0]);) {
        const size_t bytes = kept + fread(block + kept, 1, BLOCK - kept, file);
        found = found || memmem(block, bytes, driver, sizeof driver - 1);
        const char *at = block, *end = block + bytes;
        while (!client->version[0] && (at = memmem(at, (size_t)(end - at), mesa, sizeof mesa - 1))) {
            at += sizeof mesa - 1;
            take_version(at, (size_t)(end - at), client->version);
        }
        if (bytes < BLOCK) break;
        memmove(block, end - OVERLAP, OVERLAP);
        kept = OVERLAP;
    }
    if (file) fclose(file);
    free(block);
    return found;
}

static bool look_for(struct sch_cli_client *client, const char *pattern)
{
    glob_t names;
    bool found = false;
    if (glob(pattern, 0, NULL, &names) != 0) return false;
    for (size_t n = 0; n < names.gl_pathc && !found; n++) {
        if (strlen(names.gl_pathv[n]) >= sizeof client->file) continue;
        strcpy(client->file, names.gl_pathv[n]);
        found = look_into(client);
    }
    globfree(&names);
    return found;
}

bool sch_cli_client_find(struct sch_cli_client *client)
{
    static const char *const patterns[] = {"/usr/lib/*/libgallium-*.so", "/usr/lib/*/dri/swrast_dri.so",
                                           "/usr/lib/libgallium-*.so",   "/usr/lib/dri/swrast_dri.so",
                                           "/usr/lib64/libgallium-*.so", "/usr/lib64/dri/swrast_dri.so"};
    const char *folders = getenv("LIBGL_DRIVERS_PATH");
    while (folders && *folders) {
        char pattern[SCH_CLI_PATH_BYTES];
        const size_t length = strcspn(folders, ":");
        snprintf(pattern, sizeof pattern, "%.*s/swrast_dri.so", (int)length, folders);
        if (look_for(client, pattern)) return true;
        folders += length + (folders[length] == ':');
    }
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (look_for(client, patterns[i])) return true;
    return false;
}
