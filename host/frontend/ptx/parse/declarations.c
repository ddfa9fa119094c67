#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* Most bytes of all variables of a space. */
enum { MOST_BYTES = 1 << 30, MOST_ALIGN = 1 << 12 };

bool ptx_space_directive(const struct ptx_lexer *lexer, u8 *space)
{
    static const struct {
        const char *word;
        u8 space;
    } spaces[] = {{"global", WS_SPACE_global},
                  {"shared", WS_SPACE_shared},
                  {"local", WS_SPACE_local},
                  {"const", WS_SPACE_constant},
                  {"tex", WS_SPACE_texture}};
    for (size_t n = 0; n < sizeof spaces / sizeof *spaces; n++)
        if (ptx_at_dotted(lexer, spaces[n].word)) {
            *space = spaces[n].space;
            return true;
        }
    return false;
}

enum ws_status ptx_parse_bank(struct ptx_lexer *lexer, const char **end)
{
    u64 bank;
    WS_TRY(ptx_expect(lexer, '['));
    WS_TRY(ptx_expect_integer(lexer, &bank));
    *end = lexer->token.text + 1;
    return ptx_expect(lexer, ']');
}

/* .attribute(.managed): placement of memory in a system has no effect here. */
static enum ws_status skip_attribute(struct ptx_lexer *lexer)
{
    u32 depth = 0;
    do {
        WS_TRY(ptx_next(lexer));
        depth += ptx_at_mark(lexer, '(');
        depth -= depth && ptx_at_mark(lexer, ')');
        if (lexer->token.kind == PTX_END)
            return ptx_expected(lexer, "')'");
    } while (depth);
    return ptx_next(lexer);
}

static bool at_type(const struct ptx_lexer *lexer, enum ptx_type *type)
{
    char name[12];
    if (lexer->token.kind != PTX_DOTTED || lexer->token.length >= sizeof name)
        return false;
    memcpy(name, lexer->token.text, lexer->token.length);
    name[lexer->token.length] = '\0';
    return ptx_type_by_name(name, type);
}

/* .align N .v4 .f32 in any order; the type must be there. */
struct declared {
    enum ws_type type;
    u32 align, elements;
    bool pointer;
    bool untyped; /* .b8 to .b64 */
    bool wide;    /* a register of 128 bits */
    u8 pointed;   /* space that a pointer parameter points to */
};

static enum ws_status parse_align(struct ptx_parser *parser, u32 *align)
{
    u64 value;
    const u32 line = parser->lexer.token.line;
    WS_TRY(ptx_expect_integer(&parser->lexer, &value));
    if (value == 0 || value > MOST_ALIGN || (value & (value - 1)))
        return ptx_fail(&parser->lexer, line, ".align %llu: expected a power of two up to %d", (unsigned long long)value,
                        (int)MOST_ALIGN);
    *align = (u32)value;
    return WS_STATUS_ok;
}

/* .ptr {.space} {.align N}: the alignment of the pointee. */
static enum ws_status parse_pointer(struct ptx_parser *parser, struct declared *declared)
{
    u32 align;
    declared->pointer = true;
    WS_TRY(ptx_next(&parser->lexer));
    if (ptx_space_directive(&parser->lexer, &declared->pointed))
        WS_TRY(ptx_next(&parser->lexer));
    if (!ptx_at_dotted(&parser->lexer, "align"))
        return WS_STATUS_ok;
    WS_TRY(ptx_next(&parser->lexer));
    return parse_align(parser, &align);
}

static enum ws_status parse_declared(struct ptx_parser *parser, struct declared *declared)
{
    struct ptx_lexer *lexer = &parser->lexer;
    *declared = (struct declared){.elements = 1, .pointed = WS_SPACE_generic};
    if (ptx_at_mark(lexer, '[')) { /* .const[2] */
        const char *end;
        WS_TRY(ptx_parse_bank(lexer, &end));
    }
    while (lexer->token.kind == PTX_DOTTED) {
        enum ptx_type type;
        if (ptx_at_dotted(lexer, "align")) {
            WS_TRY(ptx_next(lexer));
            WS_TRY(parse_align(parser, &declared->align));
        } else if (ptx_at_dotted(lexer, "attribute")) {
            WS_TRY(skip_attribute(lexer));
        } else if (ptx_at_dotted(lexer, "ptr")) {
            WS_TRY(parse_pointer(parser, declared));
        } else if (ptx_at_dotted(lexer, "v2") || ptx_at_dotted(lexer, "v4")) {
            declared->elements = (u32)(lexer->token.text[1] - '0');
            WS_TRY(ptx_next(lexer));
        } else if (ptx_at_dotted(lexer, "b128") && !declared->type) { /* as two numbers of 64 bits */
            declared->type = WS_TYPE_u64;
            declared->untyped = declared->wide = true;
            WS_TRY(ptx_next(lexer));
        } else if (at_type(lexer, &type) && !declared->type) {
            declared->type = ptx_type_means(type);
            declared->untyped = ptx_type_name(type)[0] == 'b';
            WS_TRY(ptx_next(lexer));
        } else {
            return ptx_expected(lexer, "a type");
        }
    }
    if (!declared->type)
        return ptx_expected(lexer, "a type");
    const u32 natural = declared->elements * (declared->wide ? 2 : 1) * ws_type_bytes(declared->type);
    if (!declared->align)
        declared->align = natural;
    return WS_STATUS_ok;
}

static enum ws_status parse_name(struct ptx_parser *parser, const char **name)
{
    if (parser->lexer.token.kind != PTX_WORD)
        return ptx_expected(&parser->lexer, "a name");
    *name = ptx_token_text(parser);
    return *name ? ptx_next(&parser->lexer) : ptx_no_memory(parser->error);
}

/* [2][3] multiplies; [] leaves *open set. */
static enum ws_status parse_dimensions(struct ptx_parser *parser, u64 *elements, bool *open)
{
    struct ptx_lexer *lexer = &parser->lexer;
    *open = false;
    while (ptx_at_mark(lexer, '[')) {
        u64 size = 1;
        WS_TRY(ptx_next(lexer));
        if (ptx_at_mark(lexer, ']'))
            *open = true;
        else
            WS_TRY(ptx_parse_constant(lexer, &size));
        if (size > MOST_BYTES || *elements * size > MOST_BYTES)
            return ptx_fail(lexer, lexer->token.line, "an array of more than %d bytes", (int)MOST_BYTES);
        *elements *= size;
        WS_TRY(ptx_expect(lexer, ']'));
    }
    return WS_STATUS_ok;
}

/* ---- Registers ---- */

static u8 register_width(enum ws_type type)
{
    const u32 bytes = ws_type_bytes(type);
    return type == WS_TYPE_pred ? 1 : bytes < 2 ? 2 : (u8)bytes;
}

static enum ws_status add_registers(struct ptx_parser *parser, enum ws_type type, u64 count, u32 *first)
{
    *first = (u32)parser->function->body.register_count;
    for (u64 n = 0; n < count; n++) {
        u16 slot;
        if (ptx_add_register(parser->arena, &parser->function->body, register_width(type), &slot, NULL) != WS_STATUS_ok)
            return ptx_fail(&parser->lexer, parser->lexer.token.line, "too many registers");
    }
    return WS_STATUS_ok;
}

static enum ws_status parse_register_type(struct ptx_parser *parser, struct declared *declared)
{
    WS_TRY(parse_declared(parser, declared));
    return declared->pointer ? ptx_expected(&parser->lexer, "the type of a register") : WS_STATUS_ok;
}

/* Declares a name: one register, a vector, or count registers of a range. A register of 128 bits is a vector of two. */
static enum ws_status declare_registers(struct ptx_parser *parser, u32 line, const char *name, const struct declared *declared,
                                        bool range, u64 count)
{
    const u32 parts = declared->wide ? 2 : declared->elements;
    const struct ptx_symbol symbol = {.name = name,
                                      .length = strlen(name),
                                      .kind = range       ? PTX_REGISTERS
                                              : parts > 1 ? PTX_VECTOR
                                                          : PTX_REGISTER,
                                      .number = (u32)parser->function->body.register_count,
                                      .count = range ? (u32)count : parts,
                                      .wide = declared->wide};
    u32 first;
    WS_TRY(add_registers(parser, declared->type, count * parts, &first));
    return ptx_declare_symbol(parser, line, &symbol);
}

enum ws_status ptx_parse_registers(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct declared declared;
    bool more = true;
    WS_TRY(parse_register_type(parser, &declared));
    while (more) {
        const u32 line = lexer->token.line;
        const char *name = NULL;
        u64 count = 1;
        bool range;
        WS_TRY(parse_name(parser, &name));
        WS_TRY(ptx_take(lexer, '<', &range));
        if (range) {
            WS_TRY(ptx_expect_integer(lexer, &count));
            WS_TRY(ptx_expect(lexer, '>'));
        }
        if ((range || declared.wide) && declared.elements > 1)
            return ptx_fail(lexer, line, "vectors have one name each, not '%s<%u>'", name, (u32)count);
        WS_TRY(declare_registers(parser, line, name, &declared, range, count));
        WS_TRY(ptx_take(lexer, ',', &more));
    }
    return ptx_expect(lexer, ';');
}

enum ws_status ptx_parse_register_formal(struct ptx_parser *parser, struct ptx_formal *formal)
{
    struct declared declared;
    u32 first;
    const u32 line = parser->lexer.token.line;
    *formal = (struct ptx_formal){.space = WS_SPACE_generic};
    WS_TRY(parse_register_type(parser, &declared));
    formal->type = declared.type;
    if (declared.elements > 1 || declared.wide)
        return ptx_fail(&parser->lexer, line, "a parameter is no vector register");
    WS_TRY(parse_name(parser, &formal->name));
    WS_TRY(add_registers(parser, formal->type, 1, &first));
    formal->slot = (u16)first;
    return ptx_declare_name(parser, line, formal->name, PTX_REGISTER, first, 1);
}

/* ---- Parameters ---- */

enum ws_status ptx_parse_object(struct ptx_parser *parser, struct ptx_formal *formal)
{
    struct declared declared;
    u64 elements = 1;
    bool open;
    const u32 line = parser->lexer.token.line;
    *formal = (struct ptx_formal){.is_object = true};
    WS_TRY(parse_declared(parser, &declared));
    if (declared.type == WS_TYPE_pred)
        return ptx_expected(&parser->lexer, "a parameter of another type than .pred");
    WS_TRY(parse_name(parser, &formal->name));
    WS_TRY(parse_dimensions(parser, &elements, &open));
    const u64 bytes = elements * declared.elements * (declared.wide ? 2 : 1) * ws_type_bytes(declared.type);
    parser->function->variadic |= open && ptx_is_print(parser->function->name);
    if ((open && !parser->function->variadic) || bytes == 0 || bytes > 4096)
        return ptx_fail(&parser->lexer, line, "parameter '%s' must have 1 to 4096 bytes", formal->name);
    formal->type = declared.type;
    formal->untyped = declared.untyped || bytes != ws_type_bytes(declared.type);
    formal->pointer = declared.pointer;
    formal->space = declared.pointed;
    const struct ptx_object object = {.bytes = (u32)bytes, .align = declared.align, .type = declared.type};
    WS_TRY(ptx_add_object(parser->arena, &parser->function->body, &object, &formal->object, parser->error));
    return ptx_declare_name(parser, line, formal->name, PTX_OBJECT, formal->object, 1);
}

/* ---- Variables ---- */

/* Makes room for a variable at the end of its image. */
static bool extend_image(struct ws_arena *arena, struct ptx_image *image, struct ptx_variable *variable)
{
    const size_t offset = (image->bytes + variable->align - 1) / variable->align * variable->align;
    const size_t bytes = offset + variable->bytes;
    if (bytes > MOST_BYTES)
        return false;
    if (bytes > image->room) {
        const size_t room = bytes * 2;
        u8 *larger = ws_arena_alloc(arena, room);
        if (!larger)
            return false;
        if (image->bytes)
            memcpy(larger, image->initial, image->bytes);
        image->initial = larger;
        image->room = room;
    }
    image->bytes = bytes;
    variable->offset = (u32)offset;
    variable->member = ++image->variable_count;
    return true;
}

static struct ptx_image *image_of(struct ptx_module *module, u8 space)
{
    return space == WS_SPACE_global ? &module->global : space == WS_SPACE_constant ? &module->constant : NULL;
}

static enum ws_status add_variable(struct ptx_parser *parser, const struct ptx_variable *variable)
{
    struct ptx_module *module = parser->module;
    struct ptx_variable *larger =
        ws_arena_grow(parser->arena, module->variables, module->variable_count, &module->variable_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    module->variables = larger;
    module->variables[module->variable_count++] = *variable;
    return WS_STATUS_ok;
}

enum ws_status ptx_add_variable(struct ptx_parser *parser, const struct ptx_variable *variable)
{
    WS_TRY(add_variable(parser, variable));
    return ptx_declare_name(parser, variable->line, variable->name, PTX_VARIABLE, (u32)parser->module->variable_count - 1, 1);
}

/* Adds zeros in global memory that no text declares, once. *number is that of the variable + 1. */
static enum ws_status add_hidden(struct ptx_parser *parser, const char *name, u32 bytes, u32 *number)
{
    struct ptx_module *const module = parser->module;
    struct ptx_variable variable = {.name = name, .space = WS_SPACE_global, .bytes = bytes, .align = 64};
    if (*number)
        return WS_STATUS_ok;
    if (!extend_image(parser->arena, &module->global, &variable))
        return ptx_no_memory(parser->error);
    WS_TRY(add_variable(parser, &variable));
    *number = (u32)module->variable_count;
    return WS_STATUS_ok;
}

enum ws_status ptx_grid_barrier(struct ptx_parser *parser, u32 *number)
{
    enum { BYTES = 64 };
    WS_TRY(add_hidden(parser, "%envreg1", BYTES, &parser->module->grid_barrier));
    *number = parser->module->grid_barrier - 1;
    return WS_STATUS_ok;
}

enum ws_status ptx_add_heap(struct ptx_parser *parser)
{
    return add_hidden(parser, "the heap", WS_HEAP_BYTES, &parser->module->heap);
}

static enum ws_status parse_variable(struct ptx_parser *parser, const struct declared *declared, u8 space, bool external)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_variable variable = {.line = lexer->token.line,
                                    .space = space,
                                    .align = declared->align,
                                    .external = external,
                                    .inner = parser->function != NULL};
    struct ptx_image *image = image_of(parser->module, space);
    u64 elements = declared->elements * (declared->wide ? UINT64_C(2) : 1);
    bool open, initial;
    WS_TRY(parse_name(parser, &variable.name));
    WS_TRY(parse_dimensions(parser, &elements, &open));
    variable.dynamic = external && open && space == WS_SPACE_shared;
    const u64 bytes = open ? 0 : elements * ws_type_bytes(declared->type);
    if (bytes > MOST_BYTES || (open && !external))
        return ptx_fail(lexer, variable.line, "'%s' must have a size of up to %d bytes", variable.name, (int)MOST_BYTES);
    variable.bytes = (u32)bytes;
    if (image && !external && !extend_image(parser->arena, image, &variable))
        return ptx_fail(lexer, variable.line, "no room for '%s': its space has more than %d bytes", variable.name, (int)MOST_BYTES);
    WS_TRY(ptx_add_variable(parser, &variable));
    WS_TRY(ptx_take(lexer, '=', &initial));
    if (!initial)
        return WS_STATUS_ok;
    if (!image || external)
        return ptx_fail(lexer, variable.line, "'%s' cannot have initial values", variable.name);
    return ptx_parse_initialiser(parser, image, variable.offset, declared->type, (u32)elements);
}

enum ws_status ptx_parse_variables(struct ptx_parser *parser, u8 space, bool external)
{
    struct declared declared;
    bool more = true;
    WS_TRY(parse_declared(parser, &declared));
    if (declared.type == WS_TYPE_pred || declared.pointer)
        return ptx_expected(&parser->lexer, "a variable's type");
    if (space == WS_SPACE_texture) { /* before PTX 1.5 .tex .u32 NAME was .global .texref NAME */
        space = WS_SPACE_global;
        declared = (struct declared){.type = WS_TYPE_u64, .align = 8, .elements = 1};
    }
    while (more) {
        WS_TRY(parse_variable(parser, &declared, space, external));
        WS_TRY(ptx_take(&parser->lexer, ',', &more));
    }
    return ptx_expect(&parser->lexer, ';');
}
