#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* ---- What all parts of the parser use ---- */

char *ptx_token_text(struct ptx_parser *parser)
{
    return ws_arena_text(parser->arena, parser->lexer.token.text, parser->lexer.token.length);
}

enum ws_status ptx_enter(struct ptx_parser *parser)
{
    if (parser->depth == PTX_DEEPEST)
        return ptx_fail(&parser->lexer, parser->lexer.token.line, "braces nest deeper than %d", (int)PTX_DEEPEST);
    parser->label_scope[parser->depth] = parser->labels.count;
    parser->scope[parser->depth++] = parser->symbols.count;
    return WS_STATUS_ok;
}

void ptx_leave(struct ptx_parser *parser)
{
    ptx_leave_scope(&parser->symbols, parser->scope[--parser->depth]);
}

enum ws_status ptx_declare_name(struct ptx_parser *parser, u32 line, const char *name, enum ptx_symbol_kind kind, u32 number,
                                u32 count)
{
    const struct ptx_symbol symbol = {.name = name, .length = strlen(name), .kind = kind, .number = number, .count = count};
    return ptx_declare_symbol(parser, line, &symbol);
}

enum ws_status ptx_declare_symbol(struct ptx_parser *parser, u32 line, const struct ptx_symbol *symbol)
{
    bool duplicate;
    if (!ptx_declare(parser->arena, &parser->symbols, parser->scope[parser->depth - 1], symbol, &duplicate))
        return ptx_no_memory(parser->error);
    return duplicate ? ptx_fail(&parser->lexer, line, "'%s' is declared twice", symbol->name) : WS_STATUS_ok;
}

enum ws_status ptx_skip_braces(struct ptx_parser *parser)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    u32 depth = 0;
    lexer->passes_over = true;
    do {
        depth += ptx_at_mark(lexer, '{');
        depth -= ptx_at_mark(lexer, '}');
        if (lexer->token.kind == PTX_END)
            return ptx_expected(lexer, "'}'");
        WS_TRY(ptx_next(lexer));
    } while (depth);
    lexer->passes_over = false;
    return WS_STATUS_ok;
}

enum ws_status ptx_add_location(struct ptx_parser *parser, u32 line, u64 source_line)
{
    struct ptx_module *module = parser->module;
    struct ptx_location *larger =
        ws_arena_grow(parser->arena, module->locations, module->location_count, &module->location_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    module->locations = larger;
    module->locations[module->location_count++] = (struct ptx_location){line, (u32)source_line};
    return WS_STATUS_ok;
}

/* The place of a function is its first line. */
static void enter_place(struct ptx_parser *parser, u32 place)
{
    if (!place || !parser->module->places.compiled)
        return;
    parser->lexer.place = place;
    if (parser->function && !parser->function->line)
        parser->function->line = place;
}

enum ws_status ptx_parse_line_directive(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const u32 line = lexer->token.line;
    const bool location = ptx_at_dotted(lexer, "loc");
    WS_TRY(ptx_next(lexer));
    if (location) {
        u64 file, source_line;
        WS_TRY(ptx_expect_integer(lexer, &file));
        WS_TRY(ptx_expect_integer(lexer, &source_line));
        WS_TRY(ptx_add_location(parser, line, source_line));
        enter_place(parser, ws_place(file, source_line));
    }
    while (lexer->token.kind != PTX_END && lexer->token.line == line)
        WS_TRY(ptx_next(lexer));
    return WS_STATUS_ok;
}

/* ---- The module ---- */

static enum ws_status parse_address_size(struct ptx_parser *parser)
{
    u64 bits;
    const u32 line = parser->lexer.token.line;
    WS_TRY(ptx_next(&parser->lexer));
    WS_TRY(ptx_expect_integer(&parser->lexer, &bits));
    if (bits != 64 && bits != 32)
        return ptx_fail(&parser->lexer, line, "found .address_size %llu, allowed are 32 and 64", (unsigned long long)bits);
    parser->module->narrow = bits == 32;
    parser->module->wide = bits == 64;
    return WS_STATUS_ok;
}

/* .section NAME { ... } holds debugging information. */
static enum ws_status skip_section(struct ptx_parser *parser)
{
    while (!ptx_at_mark(&parser->lexer, '{') && parser->lexer.token.kind != PTX_END)
        WS_TRY(ptx_next(&parser->lexer));
    return ptx_skip_braces(parser);
}

enum ws_status ptx_parse_linkage(struct ptx_parser *parser, bool *external)
{
    static const char *const words[] = {"extern", "visible", "weak", "common"};
    struct ptx_lexer *lexer = &parser->lexer;
    *external = false;
    for (size_t n = 0; n < sizeof words / sizeof *words;) {
        if (ptx_at_dotted(lexer, words[n])) {
            *external |= n == 0;
            WS_TRY(ptx_next(lexer));
            n = 0;
        } else {
            n++;
        }
    }
    return WS_STATUS_ok;
}

/* .alias name, function; the name has been declared. */
static enum ws_status parse_alias(struct ptx_parser *parser)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    const struct ptx_token name = lexer->token;
    struct ptx_function *const function = ptx_find_function(parser->module, name.text, name.length);
    if (name.kind != PTX_WORD || !function || function->defined)
        return ptx_expected(lexer, "the name of a function that is declared and not defined");
    WS_TRY(ptx_next(lexer));
    WS_TRY(ptx_expect(lexer, ','));
    if (lexer->token.kind != PTX_WORD)
        return ptx_expected(lexer, "the name of a function");
    function->alias = ptx_token_text(parser);
    WS_TRY(function->alias ? ptx_next(lexer) : ptx_no_memory(parser->error));
    return ptx_expect(lexer, ';');
}

static enum ws_status parse_definition(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    bool external;
    u8 space;
    if (ptx_at_dotted(lexer, "alias")) {
        WS_TRY(ptx_next(lexer));
        return parse_alias(parser);
    }
    WS_TRY(ptx_parse_linkage(parser, &external));
    const bool entry = ptx_at_dotted(lexer, "entry");
    if (entry || ptx_at_dotted(lexer, "func")) {
        WS_TRY(ptx_next(lexer));
        return ptx_parse_function(parser, entry);
    }
    if (!ptx_space_directive(lexer, &space))
        return ptx_expected(lexer, "a directive of PTX");
    WS_TRY(ptx_next(lexer));
    return ptx_parse_variables(parser, space, external);
}

static enum ws_status parse_top(struct ptx_parser *parser)
{
    static const char *const line_directives[] = {"version", "target", "file", "loc"};
    struct ptx_lexer *lexer = &parser->lexer;
    for (size_t n = 0; n < sizeof line_directives / sizeof *line_directives; n++)
        if (ptx_at_dotted(lexer, line_directives[n]))
            return ptx_parse_line_directive(parser);
    if (ptx_at_dotted(lexer, "pragma"))
        return ptx_parse_pragma(parser);
    if (ptx_at_dotted(lexer, "address_size"))
        return parse_address_size(parser);
    if (ptx_at_dotted(lexer, "section"))
        return skip_section(parser);
    if (ptx_at_mark(lexer, ';'))
        return ptx_next(lexer);
    return ptx_parse_or_keep_failure(parser, parse_definition);
}

enum ws_status ptx_parse(struct ptx_module *module, const char *text, size_t length, struct ws_error *error)
{
    struct ptx_parser *parser = ws_arena_alloc(module->arena, sizeof *parser);
    if (!parser)
        return ptx_no_memory(error);
    parser->module = module;
    parser->arena = module->arena;
    parser->error = error;
    WS_TRY(ptx_enter(parser));
    WS_TRY(ptx_lexer_begin(&parser->lexer, &module->places, text, length, error));
    while (parser->lexer.token.kind != PTX_END)
        WS_TRY(parse_top(parser));
    return WS_STATUS_ok;
}

struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name, size_t length)
{
    struct ptx_symbol symbol;
    return ptx_lookup(&module->names, name, length, &symbol) ? module->functions[symbol.number] : NULL;
}

u64 ptx_function_address(const struct ptx_module *module, const char *name, size_t length)
{
    enum { FIRST = 0x10000, APART = 16 }; /* where nothing else lies */
    struct ptx_symbol symbol;
    if (!ptx_lookup(&module->names, name, length, &symbol))
        return 0;
    module->functions[symbol.number]->taken = true;
    return FIRST + (u64)APART * symbol.number;
}

u32 ptx_source_line(const struct ptx_module *module, u32 line)
{
    size_t low = 0, high = module->location_count; /* the last location at or before line is in [low - 1, high) */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (module->locations[middle].line <= line)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? module->locations[low - 1].source_line : 0;
}
