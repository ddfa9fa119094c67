/* printf: formats of C and, with vectors, of OpenCL C. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

enum { MOST_TEXT = 4096, MOST_DIRECTIVE = 64 };

/* Text built from a format and arguments, both in kernel memory. */
struct printing {
    const struct ws_memory *memory;
    u32 space;     /* of the arguments */
    u64 arguments; /* the next one */
    bool packed;   /* one after another, none is aligned */
    u64 fault;     /* an address in no range, or 0 */
    char text[MOST_TEXT];
    size_t length;
};

static void add(struct printing *printing, const char *text, size_t length)
{
    if (length >= MOST_TEXT - printing->length)
        length = MOST_TEXT - 1 - printing->length;
    memcpy(printing->text + printing->length, text, length);
    printing->length += length;
    printing->text[printing->length] = '\0';
}

/* The space and address behind a generic address. Windows have ranges only if a trace has generic accesses. */
static u32 resolve(u64 *address)
{
    static const struct {
        u64 window;
        u32 space;
    } windows[] = {
        {WS_SHARED_WINDOW, WS_SPACE_shared}, {WS_LOCAL_WINDOW, WS_SPACE_local}, {WS_PARAMETER_WINDOW, WS_SPACE_parameter}};
    for (u32 n = 0; n < sizeof windows / sizeof *windows; n++)
        if (*address - windows[n].window < WS_WINDOW_BYTES) {
            *address -= windows[n].window;
            return windows[n].space;
        }
    return WS_SPACE_global;
}

static bool read_bytes(struct printing *printing, u32 space, u64 address, void *to, u64 bytes)
{
    const u64 asked = address;
    if (space == WS_SPACE_generic)
        space = resolve(&address);
    const struct ws_range *const range = ws_memory_find(printing->memory, space, false, address, bytes);
    if (!range) {
        printing->fault = asked ? asked : 1;
        return false;
    }
    memcpy(to, range->host + (address - range->base), (size_t)bytes);
    return true;
}

/* The next argument, of 4 or 8 bytes or an element of a vector, aligned to align. */
static u64 next_argument(struct printing *printing, u32 bytes, u32 align)
{
    u64 value = 0;
    if (!printing->packed)
        printing->arguments = (printing->arguments + align - 1) / align * align;
    read_bytes(printing, printing->space, printing->arguments, &value, bytes);
    printing->arguments += bytes;
    return value;
}

/* A conversion as the format has it: "%-8.3" "v4" "hl" 'f'. */
struct directive {
    char flags[MOST_DIRECTIVE]; /* with the percent sign, width and precision */
    u32 elements;               /* of a vector; 1 without one */
    u32 bytes;                  /* of an element that is an integer, by hh h hl l ll */
    char conversion;
};

static void add_string(struct printing *printing, const char *flags, u64 address)
{
    char string[MOST_TEXT] = "", piece[MOST_TEXT] = "", format[MOST_DIRECTIVE + 2];
    for (size_t n = 0; n + 1 < sizeof string; n++)
        if (!read_bytes(printing, WS_SPACE_generic, address + n, &string[n], 1) || string[n] == '\0')
            break;
    string[sizeof string - 1] = '\0';
    snprintf(format, sizeof format, "%ss", flags);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(piece, sizeof piece, format, string);
    add(printing, piece, strlen(piece));
}

/* One value by its directive, whose letters have been checked. */
static void add_value(struct printing *printing, const struct directive *directive, u64 bits)
{
    char piece[MOST_TEXT] = "", format[MOST_DIRECTIVE + 8];
    const u32 unused = 64 - 8 * directive->bytes;
    switch (directive->conversion) {
    case 'd':
    case 'i':
        snprintf(format, sizeof format, "%slld", directive->flags);
        snprintf(piece, sizeof piece, format, (long long)((int64_t)(bits << unused) >> unused));
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        snprintf(format, sizeof format, "%sll%c", directive->flags, directive->conversion);
        snprintf(piece, sizeof piece, format, (unsigned long long)(bits << unused >> unused));
        break;
    case 'c':
        snprintf(format, sizeof format, "%sc", directive->flags);
        snprintf(piece, sizeof piece, format, (int)(bits & 0xFF));
        break;
    case 'p':
        snprintf(piece, sizeof piece, "0x%" PRIx64, bits);
        break;
    default:
        snprintf(format, sizeof format, "%s%c", directive->flags, directive->conversion);
        snprintf(piece, sizeof piece, format,
                 directive->elements > 1 && directive->bytes == 4 ? (double)ws_f32(bits) : ws_f64(bits));
    }
    add(printing, piece, strlen(piece));
}
#pragma GCC diagnostic pop

static bool is_real(char conversion)
{
    return conversion && strchr("fFeEgGaA", conversion);
}

/* Scalars are promoted as in C: integers to 4 bytes, floating point to 8. */
static void add_conversion(struct printing *printing, const struct directive *directive)
{
    const bool wide = is_real(directive->conversion) || strchr("sp", directive->conversion);
    const u32 bytes = directive->elements > 1 ? directive->bytes : wide || directive->bytes == 8 ? 8 : 4;
    const u32 places = directive->elements == 3 ? 4 : directive->elements;
    for (u32 n = 0; n < directive->elements && !printing->fault; n++) {
        const u64 bits = next_argument(printing, bytes, n == 0 ? ws_min(bytes * places, 16) : bytes);
        if (n > 0)
            add(printing, ",", 1);
        if (printing->fault)
            return;
        if (directive->conversion == 's')
            add_string(printing, directive->flags, bits);
        else
            add_value(printing, directive, bits);
    }
    printing->arguments += (places - directive->elements) * bytes;
}

/* The format's next character. */
static char next_character(struct printing *printing, u64 *format)
{
    char c = '\0';
    read_bytes(printing, WS_SPACE_generic, (*format)++, &c, 1);
    return c;
}

/* Width and precision, where * takes an argument. */
static char take_flags(struct printing *printing, u64 *format, struct directive *directive)
{
    size_t length = 1;
    char c = next_character(printing, format);
    strcpy(directive->flags, "%");
    for (; c && strchr("-+ #0123456789.*", c); c = next_character(printing, format)) {
        char number[16] = {c, '\0'};
        if (c == '*')
            snprintf(number, sizeof number, "%d", (int)(s32)next_argument(printing, 4, 4));
        if (length + strlen(number) >= MOST_DIRECTIVE)
            continue;
        strcpy(directive->flags + length, number);
        length += strlen(number);
    }
    return c;
}

static char take_vector(struct printing *printing, u64 *format, struct directive *directive, char c)
{
    directive->elements = 1;
    if (c != 'v')
        return c;
    u32 count = 0;
    for (c = next_character(printing, format); c >= '0' && c <= '9' && count < 100; c = next_character(printing, format))
        count = count * 10 + (u32)(c - '0');
    directive->elements = count == 2 || count == 3 || count == 4 || count == 8 || count == 16 ? count : 1;
    return c;
}

static char take_length(struct printing *printing, u64 *format, struct directive *directive, char c)
{
    u32 h = 0, l = 0;
    for (; c && strchr("hljzt", c); c = next_character(printing, format)) {
        h += c == 'h';
        l += c != 'h';
    }
    directive->bytes = h && l ? 4 : l ? 8 : h == 2 ? 1 : h == 1 ? 2 : 4;
    return c;
}

static u32 print(struct printing *printing, u64 format)
{
    u32 count = 0;
    for (char c = next_character(printing, &format); c && !printing->fault; c = next_character(printing, &format)) {
        struct directive directive;
        if (c != '%') {
            add(printing, &c, 1);
            continue;
        }
        c = take_flags(printing, &format, &directive);
        c = take_vector(printing, &format, &directive, c);
        directive.conversion = take_length(printing, &format, &directive, c);
        if (directive.conversion == '%' || !directive.conversion || !strchr("diuxXocpsfFeEgGaA", directive.conversion)) {
            add(printing, &directive.conversion, directive.conversion != '\0');
            if (!directive.conversion)
                break;
            continue;
        }
        add_conversion(printing, &directive);
        count++;
    }
    return count;
}

/* The arguments of __assertfail but the first, as lay_out of passes/print.c places them. */
struct assertion {
    u64 file;
    u32 line, pad;
    u64 function;
};

static struct ws_basic_block *fail_assertion(struct ws_step *step, const u64 *slot, struct ws_thread *thread)
{
    struct printing printing = {.memory = thread->memory};
    struct assertion assertion = {.line = 0};
    char line[24];
    read_bytes(&printing, step->op->space, slot[step->b], &assertion, sizeof assertion);
    snprintf(line, sizeof line, ":%u: ", assertion.line);
    add(&printing, ": ", 2);
    add_string(&printing, "%", assertion.file);
    add(&printing, line, strlen(line));
    add_string(&printing, "%", assertion.function);
    add(&printing, ": Assertion `", strlen(": Assertion `"));
    add_string(&printing, "%", slot[step->a]);
    add(&printing, "` failed", strlen("` failed"));
    snprintf(thread->assertion, sizeof thread->assertion, "%.*s", (int)sizeof thread->assertion - 1, printing.text);
    return ws_stop(step, thread, WS_STOP_assertion);
}

/* Formats the text even if it is not printed: bad argument addresses are faults. */
struct ws_basic_block *ws_print(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    struct printing printing = {.memory = thread->memory,
                                .space = step->op->space,
                                .arguments = slot[step->b],
                                .packed = step->op->mode == WS_PRINT_PACKED};
    if (step->op->mode == WS_PRINT_ASSERTION)
        return fail_assertion(step, slot, thread);
    const u32 count = print(&printing, slot[step->a]);
    if (printing.fault) {
        thread->address = printing.fault;
        return ws_stop(step, thread, WS_STOP_print);
    }
    if (thread->print)
        thread->print(thread->context, printing.text);
    slot[step->dst] = count;
    return ws_next(step, slot, thread);
}
