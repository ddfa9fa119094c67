#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* A .param of the calling function, a register or a constant. Constants have 64 bits and are truncated to the type. */
static enum ws_status parse_actual(struct ptx_parser *parser, struct ptx_actual *actual)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_symbol symbol;
    *actual = (struct ptx_actual){.slot = WS_SLOT_NONE};
    if (lexer->token.kind != PTX_WORD)
        return ptx_parse_source(parser, lexer->token.kind == PTX_FLOAT32 ? WS_TYPE_f32 : WS_TYPE_u64, false, &actual->slot);
    if (!ptx_lookup(&parser->symbols, lexer->token.text, lexer->token.length, &symbol))
        return ptx_fail(lexer, lexer->token.line, "unknown symbol '%.*s'", (int)lexer->token.length, lexer->token.text);
    if (symbol.kind == PTX_VARIABLE)
        return ptx_expected(lexer, "a parameter or a register");
    actual->is_object = symbol.kind == PTX_OBJECT;
    actual->object = symbol.number;
    actual->slot = (u16)symbol.number;
    return ptx_next(lexer);
}

static enum ws_status parse_actuals(struct ptx_parser *parser, struct ptx_actual **actuals, size_t *count, size_t *room)
{
    struct ptx_lexer *lexer = &parser->lexer;
    bool more = true;
    WS_TRY(ptx_expect(lexer, '('));
    while (more && !ptx_at_mark(lexer, ')')) {
        struct ptx_actual *larger = ws_arena_grow(parser->arena, *actuals, *count, room, sizeof *larger);
        if (!larger)
            return ptx_no_memory(parser->error);
        *actuals = larger;
        WS_TRY(parse_actual(parser, &(*actuals)[(*count)++]));
        WS_TRY(ptx_take(lexer, ',', &more));
    }
    return ptx_expect(lexer, ')');
}

/* clang puts debug labels after the instruction that they belong to: "call.uni (r), $L_1: f, (p);". Nothing branches to them. */
static enum ws_status skip_labels(struct ptx_lexer *lexer)
{
    for (struct ptx_lexer ahead = *lexer; lexer->token.kind == PTX_WORD; *lexer = ahead) {
        WS_TRY(ptx_next(&ahead));
        if (!ptx_at_mark(&ahead, ':'))
            break;
        WS_TRY(ptx_next(&ahead));
    }
    return WS_STATUS_ok;
}

/* A register in place of a name calls through a pointer; then callee is NULL. */
static enum ws_status parse_callee(struct ptx_parser *parser, struct ptx_call *call)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_symbol symbol;
    if (lexer->token.kind != PTX_WORD)
        return ptx_expected(lexer, "the name of a function");
    if (ptx_lookup(&parser->symbols, lexer->token.text, lexer->token.length, &symbol))
        return ptx_parse_register(parser, 8, false, &call->pointer);
    call->callee = ptx_token_text(parser);
    if (!call->callee)
        return ptx_no_memory(parser->error);
    if (strcmp(call->callee, "malloc") == 0 || strcmp(call->callee, "free") == 0)
        WS_TRY(ptx_add_heap(parser));
    return ptx_next(lexer);
}

enum ws_status ptx_parse_call(struct ptx_parser *parser, struct ws_op *op)
{
    struct ptx_function *function = parser->function;
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_call call = {.line = op->line, .pointer = WS_SLOT_NONE};
    const struct ptx_targets *targets;
    bool comma;
    if (ptx_at_mark(lexer, '(')) {
        WS_TRY(parse_actuals(parser, &call.results, &call.result_count, &call.result_room));
        WS_TRY(ptx_expect(lexer, ','));
    }
    WS_TRY(skip_labels(lexer));
    WS_TRY(parse_callee(parser, &call));
    WS_TRY(ptx_take(lexer, ',', &comma));
    if (comma)
        WS_TRY(ptx_at_mark(lexer, '(') || call.callee
                   ? parse_actuals(parser, &call.arguments, &call.argument_count, &call.argument_room)
                   : ptx_take_targets(parser, &targets));
    WS_TRY(ptx_take(lexer, ',', &comma));
    if (comma)
        WS_TRY(ptx_take_targets(parser, &targets));
    struct ptx_call *larger =
        ws_arena_grow(parser->arena, function->calls, function->call_count, &function->call_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    function->calls = larger;
    function->calls[function->call_count] = call;
    op->target = (u32)function->call_count++;
    return WS_STATUS_ok;
}
