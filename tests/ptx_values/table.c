/* The table: a line "= f32 f32 f32 | add.rn.f32 d, a, b;" for a form, and below it a line for each case, its operands and its
 * result in hexadecimal. */
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

void values_write(const struct values *values, FILE *file)
{
    for (size_t f = 0; f < values->form_count; f++) {
        const struct form *const form = &values->forms[f];
        bool begun = false;
        for (u32 n = 0; n < form->count; n++) {
            const struct value_case *const one = &values->cases[form->first + n];
            if (!one->known || one->differs)
                continue;
            if (!begun) {
                fprintf(file, "= %c%u", form->result.kind, form->result.bits);
                for (u32 s = 0; s < form->sources; s++)
                    fprintf(file, " %c%u", form->source[s].kind, form->source[s].bits);
                fprintf(file, " | %s\n", form->text);
            }
            begun = true;
            for (u32 s = 0; s < form->sources; s++)
                fprintf(file, "%" PRIx64 " ", one->source[s]);
            fprintf(file, "%" PRIx64 "\n", one->result);
        }
    }
}

static bool read_form(const char *line, struct form *form)
{
    const char *const bar = strstr(line, " | ");
    struct value_type type;
    u32 count = 0;
    int used;
    *form = (struct form){.sources = 0};
    for (const char *at = line + 1; bar && at < bar && sscanf(at, " %c%hhu%n", &type.kind, &type.bits, &used) == 2; at += used) {
        if (count == VALUES_SOURCES + 1)
            return false;
        *(count ? &form->source[count - 1] : &form->result) = type;
        count++;
    }
    if (count)
        form->sources = count - 1;
    snprintf(form->text, sizeof form->text, "%s", bar ? bar + 3 : "");
    form->text[strcspn(form->text, "\n")] = 0;
    return count > 1 && *form->text;
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
    *values_add_case(values) = one;
    form->count++;
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
        number++;
        if (*line == '=') {
            good = read_form(line, &form);
            form.first = values->case_count;
            if (good)
                values_add_form(values, &form);
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
