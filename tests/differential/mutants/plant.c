#include "differential/mutants/plant.h"

#include <ctype.h>
#include <string.h>

static const char opening[] = "\nstatic inline ";

/* A function's definition in a file: "static inline TYPE NAME(PARAMETERS)\n{\n...\n}\n". */
struct function {
    const char *begin, *type, *name, *parameters, *body, *end; /* parameters after "(", body from "{", end after "}" */
};

bool plant_occurs(const char *source, const char *text)
{
    const char *const place = strstr(source, text);
    return place && !strstr(place + 1, text);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The definition that begins at or after a place; false when there is none. A declaration is passed over. */
static bool next_function(const char *from, struct function *function)
{
    for (const char *begin = strstr(from, opening); begin; begin = strstr(begin + 1, opening)) {
        const char *const body = strstr(begin, "\n{\n"), *const declared = strstr(begin, ";\n");
        const char *const end = body ? strstr(body, "\n}\n") : NULL, *const parameters = strchr(begin, '(');
        if (!end || (declared && declared < body))
            continue;
        const char *name = parameters;
        while (is_word(name[-1]))
            name--;
        *function = (struct function){begin + 1, begin + strlen(opening), name, parameters + 1, body + 1, end + 3};
        return true;
    }
    return false;
}

/* The function in which a text lies as a whole. */
static bool function_of(const char *source, const char *text, struct function *function)
{
    const char *const place = strstr(source, text);
    for (const char *from = source; next_function(from, function) && function->begin <= place; from = function->end)
        if (place >= function->body && place + strlen(text) <= function->end)
            return true;
    return false;
}

bool plant_within_function(const char *source, const char *text)
{
    struct function function;
    return function_of(source, text, &function);
}

static void add(struct ws_text *out, const char *from, const char *to)
{
    ws_text_bytes(out, from, (size_t)(to - from));
}

static void add_planted(struct ws_text *out, const char *from, const char *to, const struct plant *plant)
{
    const char *const place = strstr(from, plant->text);
    add(out, from, place);
    ws_text_add(out, "%s", plant->replacement);
    add(out, place + strlen(plant->text), to);
}

void plant_alone(const char *source, const struct plant *plant, struct ws_text *out)
{
    add_planted(out, source, source + strlen(source), plant);
}

static void add_clone_name(struct ws_text *out, const struct function *function, u32 number)
{
    add(out, function->name, function->parameters - 1);
    ws_text_add(out, "_planted_%u", number);
}

/* A copy of the function under a name of its own, with the plant or, without one, as it is. It is not `inline`: one copy of what it
 * calls is enough. */
static void add_clone(struct ws_text *out, const struct function *function, const struct plant *plant)
{
    ws_text_add(out, "static ");
    add(out, function->type, function->name);
    add_clone_name(out, function, plant ? plant->number : 0);
    add(out, function->parameters - 1, function->body);
    if (plant)
        add_planted(out, function->body, function->end, plant);
    else
        add(out, function->body, function->end);
}

/* The names of the parameters, as a call gives them on. */
static void add_arguments(struct ws_text *out, const struct function *function)
{
    const char *separator = "";
    for (const char *end = function->parameters; end < function->body; end++) {
        if (*end != ',' && *end != ')')
            continue;
        const char *name = end;
        while (is_word(name[-1]))
            name--;
        if (end - name == 4 && strncmp(name, "void", 4) == 0)
            return;
        ws_text_add(out, "%s%.*s", separator, (int)(end - name), name);
        separator = ", ";
    }
}

static void add_call(struct ws_text *out, const struct function *function, u32 number)
{
    ws_text_add(out, "return ");
    add_clone_name(out, function, number);
    ws_text_add(out, "(");
    add_arguments(out, function);
    ws_text_add(out, ");\n");
}

static bool is_in(const struct plant *plant, const char *source, const struct function *function)
{
    struct function other;
    return function_of(source, plant->text, &other) && other.begin == function->begin;
}

/* The function's copies, and in its place the choice among them. */
static void add_choice(struct ws_text *out, const char *source, const struct function *function, const struct plant *plants,
                       u32 count)
{
    ws_text_add(out, "unsigned planted;\n");
    add_clone(out, function, NULL);
    for (u32 i = 0; i < count; i++)
        if (is_in(&plants[i], source, function))
            add_clone(out, function, &plants[i]);
    add(out, function->begin, function->body);
    ws_text_add(out, "{\n    switch (planted) {\n");
    for (u32 i = 0; i < count; i++) {
        if (!is_in(&plants[i], source, function))
            continue;
        ws_text_add(out, "    case %u: ", plants[i].number);
        add_call(out, function, plants[i].number);
    }
    ws_text_add(out, "    default: ");
    add_call(out, function, 0);
    ws_text_add(out, "    }\n}\n");
}

static bool holds_any(const struct function *function, const char *source, const struct plant *plants, u32 count)
{
    for (u32 i = 0; i < count; i++)
        if (is_in(&plants[i], source, function))
            return true;
    return false;
}

void plant_clones(const char *source, const struct plant *plants, u32 count, struct ws_text *out)
{
    struct function function;
    const char *done = source;
    for (const char *from = source; next_function(from, &function); from = function.end) {
        if (!holds_any(&function, source, plants, count))
            continue;
        add(out, done, function.begin);
        add_choice(out, source, &function, plants, count);
        done = function.end;
    }
    ws_text_add(out, "%s", done);
}
