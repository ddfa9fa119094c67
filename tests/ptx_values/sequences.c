/* Forms of several instructions (the carry flag), and video instructions, which have no rows in opcodes.def. */
#include <string.h>

#include "ptx_values/values.h"

static const struct value_type word = {'i', 32};

static void add(struct values *values, struct value_type type, u32 sources, const char *text)
{
    struct form form = {.result = type, .sources = sources};
    for (u32 n = 0; n < sources; n++)
        form.source[n] = type;
    snprintf(form.text, sizeof form.text, "%s", text);
    values_add_form(values, &form);
}

/* One instruction sets the flag, a second one reads it; if that sets it, too, a third shows it. */
static void add_carries(struct values *values)
{
    static const char *const first[] = {"add.cc.%s t, a, b;", "sub.cc.%s t, a, b;", "mad.lo.cc.%s t, a, b, c;",
                                        "mad.hi.cc.%s t, a, b, c;"};
    static const char *const second[] = {"addc%s.%s %c, c, e;", "subc%s.%s %c, c, e;", "madc.lo%s.%s %c, a, c, e;",
                                         "madc.hi%s.%s %c, a, c, e;"};
    static const char *const third[] = {"", "addc.%s d, 0, 0;", "subc.%s d, 0, 0;"};
    static const char *const types[] = {"u32", "s32", "u64", "s64"};
    for (u32 n = 0; n < 4 * 4 * 3 * 4; n++) {
        char text[3][100], whole[302];
        const u32 last = n / 16 % 3;
        const char *const type = types[n / 48];
        const bool wide = n / 48 > 1;
        snprintf(text[0], sizeof text[0], first[n % 4], type);
        snprintf(text[1], sizeof text[1], second[n / 4 % 4], last ? ".cc" : "", type, last ? 'u' : 'd');
        snprintf(text[2], sizeof text[2], third[last], type);
        snprintf(whole, sizeof whole, "%s %s %s", text[0], text[1], text[2]);
        for (char *at = whole; wide && *at; at++)
            if ((*at == 't' || *at == 'u') && at[-1] == ' ')
                *at = (char)(*at - 'a' + 'A');
        add(values, (struct value_type){'i', wide ? 64 : 32}, 4, whole);
    }
}

static void add_video(struct values *values)
{
    static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg"};
    static const char *const one[] = {"", ".sat", ".add", ".min", ".max", ".sat.add"}, *const several[] = {"", ".sat", ".add"};
    static const char *const part[] = {"", ".b0", ".b3", ".h1"};
    static const char *const signs[] = {"u32", "s32"};
    for (u32 n = 0; n < 6 * 8 * (6 + 3 + 3); n++) {
        char text[200];
        const u32 function = n % 6, types = n / 6 % 8, way = n / 48;
        const char *const words = way < 6 ? one[way] : several[way % 3];
        if (way < 6 && function == 5)
            continue;
        snprintf(text, sizeof text, "%s%s.%s.%s.%s%s d, a%s, b%s%s;", names[function],
                 way < 6   ? ""
                 : way < 9 ? "2"
                           : "4",
                 signs[types & 1], signs[types >> 1 & 1], signs[types >> 2], words, way < 6 ? part[n / 48 % 4] : "",
                 way < 6 ? part[n / 6 % 4] : "", way == 0 || way == 1 ? "" : ", c");
        add(values, word, 3, text);
    }
    for (u32 n = 0; n < 2 * 4 * 2 * 2; n++) {
        char text[200];
        const char *const type = signs[n / 2 % 2];
        snprintf(text, sizeof text, "%s.%s.%s.u32.%s%s d, a, b%s;", n & 1 ? "vshr" : "vshl", type, signs[n / 4 % 2],
                 n / 8 % 2 ? "wrap" : "clamp", n / 16 ? ".add" : "", n / 16 ? ", c" : "");
        add(values, word, 3, text);
    }
}

/* A shift by the bits of a number (allowed.def describes ptxas). */
static void add_shift(struct values *values)
{
    const struct form form = {
        .result = {'i', 64}, .source = {{'i', 32}, {'i', 64}}, .sources = 2, .text = "cvt.rn.f32.u32 t, a; shr.u64 d, b, t;"};
    values_add_form(values, &form);
}

void values_make_sequences(struct values *values)
{
    add_shift(values);
    add_carries(values);
    add_video(values);
}
