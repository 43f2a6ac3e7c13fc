/* The lines of [input layout]: buffer, format, name of the semantic, its index. */
#include "text.h"

void sch_script_layout_line(struct sch_script_text *text, struct sch_script_layout *layout)
{
    if (layout->count == SCH_VERTEX_ELEMENTS) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "a layout has up to %d elements", SCH_VERTEX_ELEMENTS);
        return;
    }
    struct sch_script_element *element = &layout->elements[layout->count];
    if (!sch_script_uint(text, SCH_VERTEX_BUFFERS - 1, &element->buffer)) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "vertex buffers are 0 to %d", SCH_VERTEX_BUFFERS - 1);
        return;
    }
    const int format = sch_script_format(text);
    if (format <= 0) {
        sch_script_refuse(text, "SCRIPT_RESOURCE", "no format that scripts have");
        return;
    }
    element->format = (enum sch_format)format;
    sch_cursor_blanks(&text->cursor);
    const char *begin = text->cursor.at;
    while (text->cursor.at < text->cursor.end && sch_text_in_word(*text->cursor.at)) text->cursor.at++;
    element->name = (struct sch_script_string){begin, (size_t)(text->cursor.at - begin)};
    if (!element->name.bytes) {
        sch_script_refuse(text, "SCRIPT_LINE", "the name of a semantic follows the format");
        return;
    }
    sch_script_uint(text, UINT32_MAX, &element->index);
    layout->count++;
}
