/* Lists of targets: .branchtargets, .calltargets and .callprototype behind a label, and branches that choose from one. */
#include <string.h>

#include "frontend/ptx/parse/parser.h"

static const struct ptx_targets *find(const struct ptx_parser *parser, const struct ptx_token *name)
{
    for (const struct ptx_targets *list = parser->targets; list; list = list->next)
        if (list->length == name->length && memcmp(list->name, name->text, name->length) == 0)
            return list;
    return NULL;
}

static enum ws_status add_label(struct ptx_parser *parser, struct ptx_targets *list)
{
    u32 label;
    u32 *const larger = ws_arena_grow(parser->arena, list->labels, list->count, &list->room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    list->labels = larger;
    WS_TRY(ptx_label(parser, &parser->lexer.token, &label));
    list->labels[list->count++] = label;
    return WS_STATUS_ok;
}

static enum ws_status take_function(struct ptx_parser *parser)
{
    const struct ptx_token *const name = &parser->lexer.token;
    return ptx_function_address(parser->module, name->text, name->length)
               ? WS_STATUS_ok
               : ptx_fail(&parser->lexer, name->line, "unknown function '%.*s'", (int)name->length, name->text);
}

/* Names between commas: labels of branches, or functions. */
static enum ws_status parse_names(struct ptx_parser *parser, struct ptx_targets *list, bool branches)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    bool more = true;
    while (more) {
        if (lexer->token.kind != PTX_WORD)
            return ptx_expected(lexer, branches ? "a label" : "the name of a function");
        WS_TRY(branches ? add_label(parser, list) : take_function(parser));
        WS_TRY(ptx_next(lexer));
        WS_TRY(ptx_take(lexer, ',', &more));
    }
    return ptx_expect(lexer, ';');
}

bool ptx_at_targets(const struct ptx_parser *parser)
{
    const struct ptx_lexer *const lexer = &parser->lexer;
    return ptx_at_dotted(lexer, "branchtargets") || ptx_at_dotted(lexer, "calltargets") || ptx_at_dotted(lexer, "callprototype");
}

enum ws_status ptx_parse_targets(struct ptx_parser *parser, const struct ptx_token *name)
{
    struct ptx_lexer *const lexer = &parser->lexer;
    struct ptx_targets *const list = ws_arena_alloc(parser->arena, sizeof *list);
    if (!list)
        return ptx_no_memory(parser->error);
    if (find(parser, name))
        return ptx_fail(lexer, name->line, "'%.*s' is declared twice", (int)name->length, name->text);
    *list = (struct ptx_targets){.name = name->text, .length = name->length, .next = parser->targets};
    parser->targets = list;
    const bool branches = ptx_at_dotted(lexer, "branchtargets"), prototype = ptx_at_dotted(lexer, "callprototype");
    WS_TRY(ptx_next(lexer));
    if (!prototype)
        return parse_names(parser, list, branches);
    while (!ptx_at_mark(lexer, ';')) { /* calls declare their own arguments and results */
        if (lexer->token.kind == PTX_END)
            return ptx_expected(lexer, "';'");
        WS_TRY(ptx_next(lexer));
    }
    return ptx_next(lexer);
}

enum ws_status ptx_take_targets(struct ptx_parser *parser, const struct ptx_targets **list)
{
    const struct ptx_token *const name = &parser->lexer.token;
    if (name->kind != PTX_WORD)
        return ptx_expected(&parser->lexer, "the name of a list of targets or of a prototype");
    *list = find(parser, name);
    if (!*list)
        return ptx_fail(&parser->lexer, name->line, "'%.*s' is declared nowhere before as a list of targets or a prototype",
                        (int)name->length, name->text);
    return ptx_next(&parser->lexer);
}

/* ---- brx.idx ---- */

static enum ws_status add_branch(struct ptx_parser *parser, u32 line, u16 guard, bool negated, u32 label)
{
    struct ws_op op = ptx_op(guard == WS_SLOT_NONE ? WS_OP_jump : WS_OP_branch, WS_TYPE_none, line);
    op.guard = guard;
    op.flags = negated ? WS_OP_NOT_GUARD : 0;
    op.target = label;
    return ptx_add_parsed_op(parser, &op);
}

static enum ws_status new_label(struct ptx_parser *parser, u32 *label)
{
    return ptx_add_label(parser->arena, &parser->function->body, label, parser->error);
}

static void place(struct ptx_parser *parser, u32 label)
{
    parser->function->body.labels[label] = (u32)parser->function->body.op_count;
}

/* index < bound */
static enum ws_status add_comparison(struct ptx_parser *parser, u32 line, u16 index, u32 bound, u16 *predicate)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = bound};
    struct ws_op op = ptx_op(WS_OP_setp, WS_TYPE_u32, line);
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 1, predicate, parser->error));
    op.compare = WS_COMPARE_lt;
    op.width = 1;
    op.dst[0] = *predicate;
    op.src[0] = index;
    WS_TRY(ptx_parsed_input(parser, &input, &op.src[1]));
    return ptx_add_parsed_op(parser, &op);
}

/* Binary search over the labels first to last; equal neighbours count once. */
static enum ws_status choose(struct ptx_parser *parser, u32 line, u16 index, const struct ptx_targets *list, u32 first, u32 last)
{
    u32 same = first, lower;
    u16 predicate;
    while (same < last && list->labels[same + 1] == list->labels[first])
        same++;
    if (same == last)
        return add_branch(parser, line, WS_SLOT_NONE, false, list->labels[first]);
    const u32 middle = first + (last - first + 1) / 2;
    WS_TRY(add_comparison(parser, line, index, middle, &predicate));
    WS_TRY(new_label(parser, &lower));
    WS_TRY(add_branch(parser, line, predicate, false, lower));
    WS_TRY(choose(parser, line, index, list, middle, last));
    place(parser, lower);
    return choose(parser, line, index, list, first, middle - 1);
}

enum ws_status ptx_parse_indexed_branch(struct ptx_parser *parser, u32 line, u16 guard, bool negated)
{
    const struct ptx_targets *list;
    u32 around = 0;
    u16 index;
    WS_TRY(ptx_parse_source(parser, WS_TYPE_u32, false, &index));
    WS_TRY(ptx_expect(&parser->lexer, ','));
    WS_TRY(ptx_take_targets(parser, &list));
    if (list->count == 0)
        return ptx_fail(&parser->lexer, parser->lexer.token.line, "'%.*s' has no labels", (int)list->length, list->name);
    if (guard != WS_SLOT_NONE) {
        WS_TRY(new_label(parser, &around));
        WS_TRY(add_branch(parser, line, guard, !negated, around));
    }
    WS_TRY(choose(parser, line, index, list, 0, (u32)list->count - 1));
    if (guard != WS_SLOT_NONE)
        place(parser, around);
    return ptx_expect(&parser->lexer, ';');
}
