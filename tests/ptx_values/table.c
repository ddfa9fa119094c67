/* The table: a line "= f32 f32 f32 | add.rn.f32 d, a, b;" for a form, its result first, and below it a line for each case, its
 * operands and its result in hexadecimal. A form of one case has the values in its own line: "= i32:3 i32:1 i32:2 | add.u32 d, a,
 * b;". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_values/values.h"

static void *grown(void *array, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 64;
    void *const larger = realloc(array, *room * bytes);
    if (!larger)
        abort();
    return larger;
}

struct form *values_add_form(struct values *values, const struct form *form)
{
    values->forms = grown(values->forms, values->form_count, &values->form_room, sizeof *values->forms);
    values->forms[values->form_count] = *form;
    return &values->forms[values->form_count++];
}

struct value_case *values_add_case(struct values *values)
{
    values->cases = grown(values->cases, values->case_count, &values->case_room, sizeof *values->cases);
    values->cases[values->case_count] = (struct value_case){.known = false};
    return &values->cases[values->case_count++];
}

void values_free(struct values *values)
{
    free(values->forms);
    free(values->cases);
    *values = (struct values){.forms = NULL};
}

static bool is_kept(const struct value_case *one)
{
    return one->known && !one->differs;
}

/* A type, with its value if the form has only one case. */
static void write_type(FILE *file, const struct value_type *type, bool alone, u64 value)
{
    fprintf(file, alone ? " %c%u:%" PRIx64 : " %c%u", type->kind, type->bits, value);
}

static void write_form(const struct form *form, bool alone, const struct value_case *one, FILE *file)
{
    fprintf(file, "=");
    write_type(file, &form->result, alone, one->result);
    for (u32 s = 0; s < form->sources; s++)
        write_type(file, &form->source[s], alone, one->source[s]);
    fprintf(file, " | %s\n", form->text);
}

void values_write(const struct values *values, FILE *file)
{
    for (size_t f = 0; f < values->form_count; f++) {
        const struct form *const form = &values->forms[f];
        const struct value_case *const cases = &values->cases[form->first];
        u32 kept = 0, written = 0;
        for (u32 n = 0; n < form->count; n++)
            kept += is_kept(&cases[n]);
        for (u32 n = 0; n < form->count; n++) {
            if (!is_kept(&cases[n]))
                continue;
            if (written++ == 0)
                write_form(form, kept == 1, &cases[n], file);
            for (u32 s = 0; s < form->sources && kept > 1; s++)
                fprintf(file, "%" PRIx64 " ", cases[n].source[s]);
            if (kept > 1)
                fprintf(file, "%" PRIx64 "\n", cases[n].result);
        }
    }
}

/* *one: the case in the form's own line; known if there is one. */
static bool read_form(char *line, struct form *form, struct value_case *one)
{
    char *const bar = strstr(line, " | ");
    struct value_type type;
    u32 count = 0, values = 0;
    int used;
    *form = (struct form){.sources = 0};
    *one = (struct value_case){.known = false};
    for (char *at = line + 1; bar && at < bar && sscanf(at, " %c%hhu%n", &type.kind, &type.bits, &used) == 2;) {
        if (count == VALUES_SOURCES + 1)
            return false;
        *(count ? &form->source[count - 1] : &form->result) = type;
        at += used;
        if (*at == ':') {
            *(count ? &one->source[count - 1] : &one->result) = strtoull(at + 1, &at, 16);
            values++;
        }
        count++;
    }
    if (count)
        form->sources = count - 1;
    one->known = count > 0 && values == count;
    if (values > 0 && !one->known)
        return false;
    snprintf(form->text, sizeof form->text, "%s", bar ? bar + 3 : "");
    form->text[strcspn(form->text, "\n")] = 0;
    return count > 1 && *form->text;
}

static void add_known(struct values *values, struct form *form, const struct value_case *one)
{
    *values_add_case(values) = *one;
    form->count++;
}

static bool read_case(struct values *values, char *line)
{
    struct form *const form = values->form_count ? &values->forms[values->form_count - 1] : NULL;
    if (!form)
        return false;
    struct value_case one = {.known = true};
    for (u32 n = 0; n <= form->sources; n++) {
        char *end;
        *(n < form->sources ? &one.source[n] : &one.result) = strtoull(line, &end, 16);
        if (end == line)
            return false;
        line = end;
    }
    add_known(values, form, &one);
    return *line == '\n';
}

bool values_read(struct values *values, const char *path)
{
    char line[VALUES_TEXT + 100];
    FILE *const file = fopen(path, "r");
    u32 number = 0;
    bool good = file != NULL;
    while (good && fgets(line, sizeof line, file)) {
        struct form form;
        struct value_case one;
        number++;
        if (*line == '=') {
            good = read_form(line, &form, &one);
            form.first = values->case_count;
            struct form *const added = good ? values_add_form(values, &form) : NULL;
            if (added && one.known)
                add_known(values, added, &one);
        } else if (*line != '#') {
            good = read_case(values, line);
        }
    }
    if (!good)
        fprintf(stderr, "%s:%u: found neither a form (= types | PTX) nor a case of it\n", path, number);
    if (file)
        fclose(file);
    return good;
}
