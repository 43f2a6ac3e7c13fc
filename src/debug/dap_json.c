/* Reading arguments and writing bodies of messages: see dap.h. */
#include "dap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sch_dap_wrong(struct sch_dap *dap, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(dap->problem, sizeof dap->problem, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- reading ---- */

static struct json_object *get(struct json_object *from, const char *name, enum json_type type)
{
    struct json_object *found = NULL;
    if (!from || !json_object_object_get_ex(from, name, &found)) return NULL;
    return json_object_is_type(found, type) ? found : NULL;
}

const char *sch_dap_get_text(struct json_object *from, const char *name)
{
    struct json_object *found = get(from, name, json_type_string);
    return found ? json_object_get_string(found) : NULL;
}

bool sch_dap_get_bool(struct json_object *from, const char *name)
{
    return json_object_get_boolean(get(from, name, json_type_boolean));
}

struct json_object *sch_dap_get_object(struct json_object *from, const char *name)
{
    return get(from, name, json_type_object);
}

struct json_object *sch_dap_get_list(struct json_object *from, const char *name, size_t *count)
{
    struct json_object *found = get(from, name, json_type_array);
    *count = found ? json_object_array_length(found) : 0;
    return found;
}

bool sch_dap_get_number(struct sch_dap *dap, struct json_object *from, const char *name, int64_t low, int64_t high,
                        int64_t fallback, int64_t *number)
{
    struct json_object *found = NULL;
    *number = fallback;
    if (!from || !json_object_object_get_ex(from, name, &found)) return true;
    if (!json_object_is_type(found, json_type_int)) return sch_dap_wrong(dap, "%s is not a whole number", name);
    *number = json_object_get_int64(found);
    if (*number >= low && *number <= high) return true;
    return sch_dap_wrong(dap, "%s is a number of %" PRId64 " to %" PRId64, name, low, high);
}

/* ---- writing ---- */

void sch_dap_put_bytes(struct json_object *to, const char *name, const char *text, size_t length)
{
    json_object_object_add(to, name, sch_debugger_text(text, length));
}

void sch_dap_put_text(struct json_object *to, const char *name, const char *text)
{
    sch_dap_put_bytes(to, name, text, strlen(text));
}

void sch_dap_put_number(struct json_object *to, const char *name, int64_t number)
{
    json_object_object_add(to, name, json_object_new_int64(number));
}

void sch_dap_put_bool(struct json_object *to, const char *name, bool value)
{
    json_object_object_add(to, name, json_object_new_boolean(value));
}

struct json_object *sch_dap_put_list(struct json_object *to, const char *name)
{
    struct json_object *made = json_object_new_array();
    json_object_object_add(to, name, made);
    return made;
}

struct json_object *sch_dap_put_object(struct json_object *to, const char *name)
{
    struct json_object *made = json_object_new_object();
    if (name)
        json_object_object_add(to, name, made);
    else
        json_object_array_add(to, made);
    return made;
}

void sch_dap_send_event(struct sch_dap *dap, const char *name, struct json_object *body)
{
    struct json_object *message = json_object_new_object();
    sch_dap_put_text(message, "type", "event");
    sch_dap_put_text(message, "event", name);
    if (body) json_object_object_add(message, "body", body);
    sch_debugger_wire_write(&dap->wire, message);
}
