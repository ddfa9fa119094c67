#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* ---- Lists of parameters ---- */

enum { MOST_PARAMETERS = 1024 };

static enum ws_status add_formal(struct ptx_parser *parser, struct ptx_formal **formals, size_t *count, size_t *room)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_formal formal, *larger = ws_arena_grow(parser->arena, *formals, *count, room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    if (*count == MOST_PARAMETERS)
        return ptx_fail(lexer, lexer->token.line, "more than %d parameters", (int)MOST_PARAMETERS);
    *formals = larger;
    if (ptx_at_dotted(lexer, "hidden"))
        WS_TRY(ptx_next(lexer));
    if (ptx_at_dotted(lexer, "param")) {
        WS_TRY(ptx_next(lexer));
        WS_TRY(ptx_parse_object(parser, &formal));
    } else if (ptx_at_dotted(lexer, "reg") && !parser->function->entry) {
        WS_TRY(ptx_next(lexer));
        WS_TRY(ptx_parse_register_formal(parser, &formal));
    } else {
        return ptx_expected(lexer, ".param");
    }
    (*formals)[(*count)++] = formal;
    return WS_STATUS_ok;
}

static enum ws_status parse_formals(struct ptx_parser *parser, struct ptx_formal **formals, size_t *count, size_t *room)
{
    struct ptx_lexer *lexer = &parser->lexer;
    bool open, more = true;
    *count = 0;
    WS_TRY(ptx_take(lexer, '(', &open));
    if (!open)
        return WS_STATUS_ok;
    while (more && !ptx_at_mark(lexer, ')')) {
        WS_TRY(add_formal(parser, formals, count, room));
        WS_TRY(ptx_take(lexer, ',', &more));
    }
    return ptx_expect(lexer, ')');
}

/* ---- Statements ---- */

static enum ws_status place_label(struct ptx_parser *parser, const struct ptx_token *token)
{
    u32 label;
    WS_TRY(ptx_label(parser, token, &label));
    u32 *place = &parser->function->body.labels[label];
    if (*place != PTX_NOWHERE)
        return ptx_fail(&parser->lexer, token->line, "label '%.*s' stands twice", (int)token->length, token->text);
    *place = (u32)parser->function->body.op_count;
    return WS_STATUS_ok;
}

static enum ws_status parse_guard(struct ptx_parser *parser, u16 *guard, bool *negated)
{
    WS_TRY(ptx_next(&parser->lexer));
    WS_TRY(ptx_take(&parser->lexer, '!', negated));
    return ptx_parse_register(parser, 1, false, guard);
}

static enum ws_status parse_directive(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_formal object;
    u8 space;
    if (ptx_at_dotted(lexer, "loc") || ptx_at_dotted(lexer, "file"))
        return ptx_parse_line_directive(parser);
    if (ptx_at_dotted(lexer, "reg")) {
        WS_TRY(ptx_next(lexer));
        return ptx_parse_registers(parser);
    }
    if (ptx_at_dotted(lexer, "param")) {
        WS_TRY(ptx_next(lexer));
        WS_TRY(ptx_parse_object(parser, &object));
        return ptx_expect(lexer, ';');
    }
    if (ptx_at_dotted(lexer, "pragma")) {
        WS_TRY(ptx_next(lexer));
        if (lexer->token.kind != PTX_STRING)
            return ptx_expected(lexer, "a string");
        WS_TRY(ptx_next(lexer));
        return ptx_expect(lexer, ';');
    }
    if (ptx_space_directive(lexer, &space)) {
        WS_TRY(ptx_next(lexer));
        return ptx_parse_variables(parser, space, false);
    }
    return ptx_expected(lexer, "a declaration or an instruction");
}

static enum ws_status parse_labelled(struct ptx_parser *parser)
{
    const struct ptx_token word = parser->lexer.token;
    WS_TRY(ptx_next(&parser->lexer));
    bool label;
    WS_TRY(ptx_take(&parser->lexer, ':', &label));
    if (label)
        return ptx_at_targets(parser) ? ptx_parse_targets(parser, &word) : place_label(parser, &word);
    return ptx_parse_instruction(parser, &word, WS_SLOT_NONE, false);
}

static enum ws_status parse_statement(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    if (lexer->token.kind == PTX_DOTTED)
        return parse_directive(parser);
    if (lexer->token.kind == PTX_WORD)
        return parse_labelled(parser);
    if (ptx_at_mark(lexer, ';'))
        return ptx_next(lexer);
    if (!ptx_at_mark(lexer, '@'))
        return ptx_expected(lexer, "an instruction");
    u16 guard;
    bool negated;
    WS_TRY(parse_guard(parser, &guard, &negated));
    const struct ptx_token word = lexer->token;
    if (word.kind != PTX_WORD)
        return ptx_expected(lexer, "an instruction");
    WS_TRY(ptx_next(lexer));
    return ptx_parse_instruction(parser, &word, guard, negated);
}

static enum ws_status check_labels(struct ptx_parser *parser)
{
    for (size_t n = 0; n < parser->labels.count; n++) {
        const struct ptx_symbol *label = &parser->labels.symbols[n];
        if (parser->function->body.labels[label->number] == PTX_NOWHERE)
            return ptx_fail(&parser->lexer, label->count, "label '%.*s' stands nowhere", (int)label->length, label->name);
    }
    return WS_STATUS_ok;
}

/* From the opening brace to the closing one. */
static enum ws_status parse_body(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    const u32 outer = parser->depth;
    WS_TRY(ptx_expect(lexer, '{'));
    for (;;) {
        if (ptx_at_mark(lexer, '{')) {
            WS_TRY(ptx_enter(parser));
            WS_TRY(ptx_next(lexer));
        } else if (ptx_at_mark(lexer, '}') && parser->depth == outer) {
            break;
        } else if (ptx_at_mark(lexer, '}')) {
            WS_TRY(ptx_leave_labels(parser));
            ptx_leave(parser);
            WS_TRY(ptx_next(lexer));
        } else if (lexer->token.kind == PTX_END) {
            return ptx_expected(lexer, "'}'");
        } else {
            WS_TRY(parse_statement(parser));
        }
    }
    WS_TRY(check_labels(parser));
    ptx_join_labels(parser);
    parser->function->defined = true;
    return ptx_next(lexer);
}

/* ---- Functions ---- */

/* One to three sizes between commas; missing ones are 1. */
static enum ws_status parse_sizes(struct ptx_parser *parser, u32 sizes[3])
{
    bool more = true;
    for (u32 n = 0; n < 3; n++) {
        u64 value = 1;
        if (more) {
            WS_TRY(ptx_expect_integer(&parser->lexer, &value));
            WS_TRY(ptx_take(&parser->lexer, ',', &more));
        }
        sizes[n] = value < UINT32_MAX ? (u32)value : UINT32_MAX;
    }
    return WS_STATUS_ok;
}

/* Their product. */
static enum ws_status parse_product(struct ptx_parser *parser, u32 *most)
{
    u32 sizes[3];
    WS_TRY(parse_sizes(parser, sizes));
    u64 threads = sizes[0];
    for (u32 n = 1; n < 3; n++)
        threads = threads * sizes[n] < UINT32_MAX ? threads * sizes[n] : UINT32_MAX;
    *most = (u32)threads;
    return WS_STATUS_ok;
}

/* Blocks of a cluster. */
static enum ws_status parse_cluster(struct ptx_parser *parser)
{
    const u32 line = parser->lexer.token.line;
    u32 *const sizes = parser->function->cluster;
    WS_TRY(parse_sizes(parser, sizes));
    u64 blocks = 1;
    for (u32 n = 0; n < 3; n++)
        blocks *= sizes[n] <= WS_MOST_CLUSTER ? sizes[n] : 0;
    if (blocks < 1 || blocks > WS_MOST_CLUSTER)
        return ptx_fail(&parser->lexer, line, "clusters of %u x %u x %u blocks: expected 1 to %d in all", sizes[0], sizes[1],
                        sizes[2], (int)WS_MOST_CLUSTER);
    return WS_STATUS_ok;
}

/* Keeps .reqntid, .maxntid and .reqnctapercluster. Other directives are hints without effect here. */
static enum ws_status parse_attributes(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    while (lexer->token.kind == PTX_DOTTED && !ptx_at_definition(parser)) {
        const bool required = ptx_at_dotted(lexer, "reqntid"), most = ptx_at_dotted(lexer, "maxntid");
        const bool cluster = ptx_at_dotted(lexer, "reqnctapercluster");
        WS_TRY(ptx_next(lexer));
        if (required)
            WS_TRY(parse_sizes(parser, parser->function->block));
        if (most)
            WS_TRY(parse_product(parser, &parser->function->most_threads));
        if (cluster)
            WS_TRY(parse_cluster(parser));
        while (lexer->token.kind == PTX_INTEGER || lexer->token.kind == PTX_STRING || ptx_at_mark(lexer, ','))
            WS_TRY(ptx_next(lexer));
    }
    return WS_STATUS_ok;
}

enum ws_status ptx_add_function(struct ptx_parser *parser, struct ptx_function *function)
{
    struct ptx_module *module = parser->module;
    struct ptx_function **larger =
        ws_arena_grow(parser->arena, module->functions, module->function_count, &module->function_room, sizeof(void *));
    if (!larger)
        return ptx_no_memory(parser->error);
    const struct ptx_symbol symbol = {
        .name = function->name, .length = strlen(function->name), .kind = PTX_OBJECT, .number = (u32)module->function_count};
    bool duplicate;
    if (!ptx_declare(parser->arena, &module->names, 0, &symbol, &duplicate))
        return ptx_no_memory(parser->error);
    module->functions = larger;
    module->functions[module->function_count++] = function;
    return WS_STATUS_ok;
}

static enum ws_status find_or_add(struct ptx_parser *parser, bool entry)
{
    struct ptx_module *module = parser->module;
    const struct ptx_token *token = &parser->lexer.token;
    if (token->kind != PTX_WORD)
        return ptx_expected(&parser->lexer, "the name of a function");
    struct ptx_function *known = ptx_find_function(module, token->text, token->length);
    if (known && (known->defined || known->failure || known->entry != entry))
        return ptx_fail(&parser->lexer, token->line, "'%s' is defined twice", known->name);
    struct ptx_function *function = parser->function;
    function->name = ptx_token_text(parser);
    function->line = ptx_place(&parser->lexer, token->line);
    if (!function->name)
        return ptx_no_memory(parser->error);
    if (known) {
        function->taken = known->taken;
        *known = *function;
        parser->function = known;
        return ptx_next(&parser->lexer);
    }
    WS_TRY(ptx_add_function(parser, function));
    return ptx_next(&parser->lexer);
}

static enum ws_status name_body(struct ptx_parser *parser, struct ptx_body *body)
{
    const struct ws_place_text at = ws_place_text(&parser->module->places, ptx_place(&parser->lexer, parser->lexer.token.line));
    body->where = ws_arena_text(parser->arena, at.text, strlen(at.text));
    return body->where ? WS_STATUS_ok : ptx_no_memory(parser->error);
}

static enum ws_status parse_header(struct ptx_parser *parser, bool entry)
{
    parser->function = ws_arena_alloc(parser->arena, sizeof *parser->function);
    if (!parser->function)
        return ptx_no_memory(parser->error);
    struct ptx_function *function = parser->function;
    function->entry = entry;
    WS_TRY(name_body(parser, &function->body));
    if (!entry)
        WS_TRY(parse_formals(parser, &function->results, &function->result_count, &function->result_room));
    WS_TRY(find_or_add(parser, entry));
    function = parser->function;
    WS_TRY(parse_formals(parser, &function->parameters, &function->parameter_count, &function->parameter_room));
    return parse_attributes(parser);
}

/* A program may contain unused functions and kernels with unsupported contents: errors in them are reported when they are called or
 * launched. */
static enum ws_status parse_callable(struct ptx_parser *parser)
{
    const struct ptx_lexer start = parser->lexer;
    const u32 depth = parser->depth;
    struct ws_error error = {.status = WS_STATUS_ok};
    struct ws_error *outer = parser->error;
    parser->error = parser->lexer.error = &error;
    const enum ws_status status = parse_body(parser);
    parser->error = parser->lexer.error = outer;
    if (status == WS_STATUS_ok)
        return WS_STATUS_ok;
    if (status != WS_STATUS_bad_input)
        return ws_fail(outer, status, "%s", error.message);
    parser->function->failure = ws_arena_text(parser->arena, error.message, strlen(error.message));
    if (!parser->function->failure)
        return ptx_no_memory(outer);
    while (parser->depth > depth)
        ptx_leave(parser);
    parser->lexer = start;
    if (ptx_skip_braces(parser) != WS_STATUS_ok)
        return ws_fail(outer, status, "%s", parser->function->failure);
    return WS_STATUS_ok;
}

enum ws_status ptx_parse_function(struct ptx_parser *parser, bool entry)
{
    WS_TRY(ptx_add_location(parser, parser->lexer.token.line, 0));
    parser->lexer.place = 0;
    parser->has_carry = false;
    parser->same_count = 0;
    parser->targets = NULL;
    ptx_leave_scope(&parser->labels, 0);
    WS_TRY(ptx_enter(parser));
    WS_TRY(parse_header(parser, entry));
    bool declaration;
    WS_TRY(ptx_take(&parser->lexer, ';', &declaration));
    if (!declaration && !ptx_at_definition(parser)) /* PTX 2 declares without ';' */
        WS_TRY(parse_callable(parser));
    ptx_leave(parser);
    parser->function = NULL;
    return WS_STATUS_ok;
}
