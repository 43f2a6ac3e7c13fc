/* Words and numbers of headers that are text. Holds no kind of file. */
#include "files/text.h"

/* Those of the C language in its first locale. */
bool sch_files_is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip(struct sch_files_text *text)
{
    while (text->at < text->end) {
        if (text->comments && *text->at == '#')
            sch_files_text_line(text);
        else if (sch_files_is_space(*text->at))
            text->at++;
        else
            return;
    }
}

bool sch_files_text_word(struct sch_files_text *text, char *word, size_t room)
{
    size_t length = 0;
    skip(text);
    for (; text->at < text->end && !sch_files_is_space(*text->at); text->at++) {
        if (length + 1 == room) return false;
        word[length++] = (char)*text->at;
    }
    word[length] = 0;
    return length;
}

bool sch_files_text_digit(struct sch_files_text *text, uint32_t *digit)
{
    skip(text);
    if (text->at == text->end || *text->at < '0' || *text->at > '9') return false;
    *digit = *text->at++ - (uint32_t)'0';
    return true;
}

bool sch_files_text_number(struct sch_files_text *text, uint32_t *number)
{
    uint64_t value = 0;
    skip(text);
    const uint8_t *first = text->at;
    for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
        value = value * 10 + (*text->at - (uint32_t)'0');
        if (value > UINT32_MAX) return false;
    }
    *number = (uint32_t)value;
    return text->at > first &&
           (text->at == text->end || sch_files_is_space(*text->at) || (text->comments && *text->at == '#'));
}

bool sch_files_text_space(struct sch_files_text *text)
{
    if (text->at == text->end || !sch_files_is_space(*text->at)) return false;
    text->at++;
    return true;
}

void sch_files_text_line(struct sch_files_text *text)
{
    while (text->at < text->end && *text->at != '\n') text->at++;
    if (text->at < text->end) text->at++;
}
