/* A program may contain unused kernels, functions and variables with unsupported contents. Their errors are stored, and reported on
 * use. */
#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* ---- Skipping a definition ---- */

/* Words that start a definition, and thus end one without an end mark. */
static bool at_definition(const struct ptx_lexer *lexer)
{
    static const char *const words[] = {"entry", "func", "visible", "extern", "weak",    "common", "global", "shared",
                                        "const", "tex",  "version", "target", "section", "file",   "alias"};
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        if (ptx_at_dotted(lexer, words[n]))
            return true;
    return false;
}

bool ptx_at_definition(const struct ptx_parser *parser)
{
    return at_definition(&parser->lexer);
}

/* Whether the current token opens or closes a bracket. */
static void count_depth(const struct ptx_lexer *lexer, u32 *depth)
{
    if (ptx_at_mark(lexer, '{') || ptx_at_mark(lexer, '('))
        ++*depth;
    else if ((ptx_at_mark(lexer, '}') || ptx_at_mark(lexer, ')')) && *depth > 0)
        --*depth;
}

/* Skips past ';' or '}', or to the next definition. */
static enum ws_status skip_definition(struct ptx_lexer *lexer)
{
    u32 depth = 0;
    bool ends = false;
    lexer->passes_over = true;
    do
        WS_TRY(ptx_next(lexer));
    while (lexer->token.kind == PTX_DOTTED);
    while (!ends && lexer->token.kind != PTX_END && (depth > 0 || !at_definition(lexer))) {
        count_depth(lexer, &depth);
        ends = depth == 0 && (ptx_at_mark(lexer, ';') || ptx_at_mark(lexer, '}'));
        WS_TRY(ptx_next(lexer));
    }
    lexer->passes_over = false;
    return WS_STATUS_ok;
}

/* ---- Storing the error ---- */

/* The first word of the definition outside of parentheses, or NULL: the name that it defines. */
static enum ws_status find_name(struct ptx_parser *parser, char **name)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    u32 depth = 0;
    *name = NULL;
    while (lexer->token.kind != PTX_END && !ptx_at_mark(lexer, '{') && !ptx_at_mark(lexer, ';')) {
        count_depth(lexer, &depth);
        if (depth == 0 && lexer->token.kind == PTX_WORD) {
            *name = ptx_token_text(parser);
            return *name ? WS_STATUS_ok : ptx_no_memory(parser->error);
        }
        WS_TRY(ptx_next(lexer));
    }
    return WS_STATUS_ok;
}

static enum ws_status fail_function(struct ptx_parser *parser, const char *name, u32 line, bool entry, const char *failure)
{
    struct ptx_function *function = ptx_find_function(parser->module, name, strlen(name));
    if (!function) {
        function = ws_arena_alloc(parser->arena, sizeof *function);
        if (!function)
            return ptx_no_memory(parser->error);
        function->name = name;
        function->line = line;
        function->entry = entry;
        WS_TRY(ptx_add_function(parser, function));
    }
    function->failure = failure;
    return WS_STATUS_ok;
}

static enum ws_status fail_variable(struct ptx_parser *parser, const char *name, u32 line, u8 space, const char *failure)
{
    struct ptx_symbol symbol;
    if (!ptx_lookup(&parser->symbols, name, strlen(name), &symbol)) {
        const struct ptx_variable variable = {.name = name, .line = line, .space = space, .external = true, .failure = failure};
        return ptx_add_variable(parser, &variable);
    }
    if (symbol.kind == PTX_VARIABLE)
        parser->module->variables[symbol.number].failure = failure;
    return WS_STATUS_ok;
}

/* From the start of the definition: the owner of the error. */
static enum ws_status keep_failure(struct ptx_parser *parser, const char *failure)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    const u32 line = ptx_place(lexer, lexer->token.line);
    char *name;
    u8 space = 0;
    bool external, is_variable = false;
    WS_TRY(ptx_parse_linkage(parser, &external));
    const bool entry = ptx_at_dotted(lexer, "entry"), function = entry || ptx_at_dotted(lexer, "func");
    is_variable = ptx_space_directive(lexer, &space);
    WS_TRY(find_name(parser, &name));
    if (name && function)
        return fail_function(parser, name, line, entry, failure);
    return name && is_variable ? fail_variable(parser, name, line, space, failure) : WS_STATUS_ok;
}

enum ws_status ptx_parse_or_keep_failure(struct ptx_parser *parser, enum ws_status (*parse)(struct ptx_parser *parser))
{
    const struct ptx_lexer start = parser->lexer;
    const u32 depth = parser->depth;
    struct ws_error error = {.status = WS_STATUS_ok};
    struct ws_error *const outer = parser->error;
    parser->error = parser->lexer.error = &error;
    const enum ws_status status = parse(parser);
    parser->error = parser->lexer.error = outer;
    if (status == WS_STATUS_ok)
        return status;
    const char *const failure = ws_arena_text(parser->arena, error.message, strlen(error.message));
    if (status != WS_STATUS_bad_input || !failure)
        return ws_fail(outer, status != WS_STATUS_bad_input ? status : WS_STATUS_no_memory, "%s", error.message);
    while (parser->depth > depth)
        ptx_leave(parser);
    parser->function = NULL;
    if (!parser->module->failure)
        parser->module->failure = failure;
    parser->lexer = start;
    WS_TRY(keep_failure(parser, failure));
    parser->lexer = start;
    return skip_definition(&parser->lexer);
}

enum ws_status ptx_check_usable(struct ptx_parser *parser, const struct ptx_symbol *symbol)
{
    const char *const failure = symbol->kind == PTX_VARIABLE ? parser->module->variables[symbol->number].failure : NULL;
    if (!failure)
        return WS_STATUS_ok;
    return ptx_fail(&parser->lexer, parser->lexer.token.line, "'%.*s' cannot be used: %s", (int)symbol->length, symbol->name,
                    failure);
}
