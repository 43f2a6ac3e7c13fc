/* JSON strings. Bytes that are no UTF-8 become U+FFFD, so that what is printed is always valid. */
#include "cli.h"

/* Bytes of the UTF-8 sequence at `text`; 0 when there is none (RFC 3629, section 4). */
static unsigned sequence(const unsigned char *text)
{
    unsigned char low = 0x80, high = 0xbf;
    unsigned length;
    if (text[0] >= 0xc2 && text[0] <= 0xdf)
        length = 2;
    else if ((text[0] & 0xf0) == 0xe0) {
        length = 3;
        if (text[0] == 0xe0) low = 0xa0;  /* shorter forms exist */
        if (text[0] == 0xed) high = 0x9f; /* surrogates */
    } else if (text[0] >= 0xf0 && text[0] <= 0xf4) {
        length = 4;
        if (text[0] == 0xf0) low = 0x90;
        if (text[0] == 0xf4) high = 0x8f;
    } else
        return 0;
    if (text[1] < low || text[1] > high) return 0;
    for (unsigned i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return length;
}

void sch_cli_json_string(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', file);
    while (*at) {
        unsigned length = sequence(at);
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at++);
        else if (*at == '\n')
            fputs("\\n", file), at++;
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(file, "\\u%04x", *at++);
        else if (*at < 0x80)
            fputc(*at++, file);
        else if (length)
            fwrite(at, 1, length, file), at += length;
        else
            fputs("\\ufffd", file), at++;
    }
    fputc('"', file);
}
