#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "frontend/ptx/parse/parser.h"

/* ---- Labels ---- */

enum ws_status ptx_label(struct ptx_parser *parser, const struct ptx_token *token, u32 *label)
{
    struct ptx_symbol symbol = {.name = token->text, .length = token->length, .kind = PTX_OBJECT, .count = token->line};
    const size_t scope = parser->label_scope[parser->depth - 1];
    bool duplicate;
    if (!ptx_lookup_from(&parser->labels, scope, &symbol)) {
        WS_TRY(ptx_add_label(parser->arena, &parser->function->body, &symbol.number, parser->error));
        if (!ptx_declare(parser->arena, &parser->labels, scope, &symbol, &duplicate))
            return ptx_no_memory(parser->error);
    }
    *label = symbol.number;
    return WS_STATUS_ok;
}

/* A label that a scope uses and does not place belongs to the enclosing scope. */
static enum ws_status hand_out(struct ptx_parser *parser, const struct ptx_symbol *label, size_t outer)
{
    struct ptx_symbol known = *label;
    bool duplicate;
    if (!ptx_lookup_from(&parser->labels, outer, &known))
        return ptx_declare(parser->arena, &parser->labels, outer, label, &duplicate) ? WS_STATUS_ok : ptx_no_memory(parser->error);
    struct ptx_same *larger = ws_arena_grow(parser->arena, parser->same, parser->same_count, &parser->same_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    parser->same = larger;
    parser->same[parser->same_count++] = (struct ptx_same){label->number, known.number};
    return WS_STATUS_ok;
}

enum ws_status ptx_leave_labels(struct ptx_parser *parser)
{
    const size_t scope = parser->label_scope[parser->depth - 1], outer = parser->label_scope[parser->depth - 2];
    const size_t count = parser->labels.count - scope;
    struct ptx_symbol *const labels = ws_arena_array(parser->arena, count, sizeof *labels);
    if (!labels)
        return ptx_no_memory(parser->error);
    for (size_t n = 0; n < count; n++)
        labels[n] = parser->labels.symbols[scope + n];
    ptx_leave_scope(&parser->labels, scope);
    for (size_t n = 0; n < count; n++)
        if (parser->function->body.labels[labels[n].number] == PTX_NOWHERE)
            WS_TRY(hand_out(parser, &labels[n], outer));
    return WS_STATUS_ok;
}

void ptx_join_labels(struct ptx_parser *parser)
{
    u32 *const labels = parser->function->body.labels;
    for (size_t n = parser->same_count; n-- > 0;)
        labels[parser->same[n].inner] = labels[parser->same[n].outer];
}

/* ---- Words ---- */

static bool add_word(struct ptx_words *words, const struct ptx_token *token)
{
    if (words->count == sizeof words->word / sizeof *words->word || token->length >= sizeof *words->word)
        return false;
    memcpy(words->word[words->count], token->text, token->length);
    words->word[words->count++][token->length] = '\0';
    return true;
}

/* "ld.global.f32", from the text itself. */
struct spelling {
    const char *text;
    int length;
};

/* The rest of a word behind "::". Cache policies (L1::, L2::) have no effect here; nor have names of the block's own memory
 * (::cta), of a cluster of one block, and of parameters. Other words are kept as a whole: "mbarrier::complete_tx::bytes". */
static enum ws_status take_part(struct ptx_lexer *lexer, struct ptx_token *word, const char **end)
{
    static const struct {
        const char *word, *part;
    } plain[] = {{"shared", "cta"}, {"shared", "cluster"}, {"param", "entry"}, {"param", "func"}};
    const char *at = word->text + word->length;
    if (at[0] != ':' || at + 1 >= lexer->end || at[1] != ':')
        return ptx_expected(lexer, "'::'");
    const char *const part = at + 2;
    while (at + 1 < lexer->end && at[0] == ':' && at[1] == ':')
        for (at += 2; at < lexer->end && (isalnum((unsigned char)*at) || *at == '_'); at++)
            continue;
    bool dropped = word->text[0] == 'L';
    for (size_t n = 0; n < sizeof plain / sizeof *plain; n++)
        dropped |= word->length == strlen(plain[n].word) && memcmp(word->text, plain[n].word, word->length) == 0 &&
                   (size_t)(at - part) == strlen(plain[n].part) && memcmp(part, plain[n].part, (size_t)(at - part)) == 0;
    if (!dropped)
        word->length = (u32)(at - word->text);
    lexer->at = *end = at;
    return ptx_next(lexer);
}

static enum ws_status take_words(struct ptx_parser *parser, const struct ptx_token *first, struct ptx_words *words,
                                 struct spelling *spelling)
{
    struct ptx_lexer *lexer = &parser->lexer;
    bool known = add_word(words, first);
    const char *end = first->text + first->length;
    while (lexer->token.kind == PTX_DOTTED && lexer->token.text == end + 1) {
        struct ptx_token word = lexer->token;
        const bool bank = ptx_at_dotted(lexer, "const");
        end = lexer->token.text + lexer->token.length;
        WS_TRY(ptx_next(lexer));
        const bool diverged = ptx_at_mark(lexer, ':') && lexer->token.text == end && lexer->at < lexer->end;
        if (diverged)
            WS_TRY(take_part(lexer, &word, &end));
        if (!diverged || word.text[0] != 'L')
            known = known && add_word(words, &word);
        if (bank && ptx_at_mark(lexer, '[') && lexer->token.text == end)
            WS_TRY(ptx_parse_bank(lexer, &end));
    }
    const long length = (long)(end - first->text);
    *spelling = (struct spelling){first->text, length < 80 ? (int)length : 80};
    return known ? WS_STATUS_ok : ptx_fail(lexer, first->line, "'%.*s' is not supported", spelling->length, spelling->text);
}

/* ---- Instructions ---- */

static enum ws_status parse_call(struct ptx_parser *parser, struct ptx_words *words, struct ws_op *op)
{
    *op = ptx_op(WS_OP_call, WS_TYPE_none, op->line);
    if (words->count > 2 || (words->count == 2 && strcmp(words->word[1], "uni") != 0))
        return ptx_fail(&parser->lexer, op->line, "call.%s is not supported", words->word[words->count - 1]);
    return ptx_parse_call(parser, op);
}

/* ".L2::cache_hint" has a policy as its last operand, without effect here. */
static bool has_hint(const struct spelling *spelling)
{
    static const char hint[] = "::cache_hint";
    for (int n = 0; n + (int)sizeof hint - 1 <= spelling->length; n++)
        if (memcmp(spelling->text + n, hint, sizeof hint - 1) == 0)
            return true;
    return false;
}

static enum ws_status skip_policy(struct ptx_parser *parser)
{
    u16 policy;
    WS_TRY(ptx_expect(&parser->lexer, ','));
    return ptx_parse_source(parser, WS_TYPE_u64, false, &policy);
}

static enum ws_status parse_form(struct ptx_parser *parser, const struct ptx_words *words, const struct spelling *spelling,
                                 struct ws_op *op)
{
    const struct ptx_form *form;
    struct ws_op found;
    char reason[100];
    if (strncmp(words->word[0], "tcgen05", 7) == 0 || strcmp(words->word[0], "multimem") == 0)
        return ptx_fail(&parser->lexer, op->line, "'%.*s' is not supported: %s", spelling->length, spelling->text,
                        words->word[0][0] == 't' ? "tensor memory of sm_100; compile for sm_90a or older"
                                                 : "memory of several GPUs");
    if (!ptx_match(words, &form, &found, reason, sizeof reason))
        return ptx_fail(&parser->lexer, op->line, "'%.*s' is not supported: %s", spelling->length, spelling->text, reason);
    const u32 line = op->line;
    *op = ptx_op((enum ws_opcode)found.opcode, (enum ws_type)found.type, line);
    op->from = found.from;
    op->rounding = found.rounding;
    op->compare = found.compare;
    op->combine = found.combine;
    op->flags = found.flags;
    op->space = found.space;
    op->count = found.count;
    op->mode = found.mode;
    op->access = found.access;
    WS_TRY(ptx_parse_operands(parser, form->operands, op));
    return strchr(form->operands, 'm') && has_hint(spelling) ? skip_policy(parser) : WS_STATUS_ok;
}

/* cp.async.ca.shared.global, cp.async.cg.shared.global, in any order. *bypasses: it is the second one. */
static bool is_copy(const struct ptx_words *words, bool *bypasses)
{
    static const char *const wanted[] = {"async", "shared", "global", "ca", "cg"};
    u32 found = 0;
    for (u32 n = 1; n < words->count; n++)
        for (u32 k = 0; k < 5; k++)
            found |= strcmp(words->word[n], wanted[k]) == 0 ? 1u << k : 0;
    *bypasses = found == 0x17;
    return strcmp(words->word[0], "cp") == 0 && words->count == 5 && (found == 0xF || found == 0x17);
}

enum ws_status ptx_begin_guarded(struct ptx_parser *parser, u32 line, u16 guard, bool negated, struct ptx_around *around)
{
    struct ws_op branch = ptx_op(WS_OP_branch, WS_TYPE_none, line);
    *around = (struct ptx_around){.branches = guard != WS_SLOT_NONE};
    if (!around->branches)
        return WS_STATUS_ok;
    WS_TRY(ptx_add_label(parser->arena, &parser->function->body, &around->label, parser->error));
    branch.guard = guard;
    branch.flags = negated ? 0 : WS_OP_NOT_GUARD;
    branch.target = around->label;
    return ptx_add_parsed_op(parser, &branch);
}

void ptx_end_guarded(struct ptx_parser *parser, const struct ptx_around *around)
{
    if (around->branches)
        parser->function->body.labels[around->label] = (u32)parser->function->body.op_count;
}

/* One operation, perhaps after others that prepare it. */
static enum ws_status parse_op(struct ptx_parser *parser, struct ptx_words *words, const struct spelling *spelling,
                               struct ws_op *op)
{
    if (strcmp(words->word[0], "call") == 0)
        return parse_call(parser, words, op);
    if (ptx_is_matrix(words))
        return ptx_parse_matrix(parser, words, op);
    if (ptx_is_video(words))
        return ptx_parse_video(parser, words, op);
    return ptx_is_texture(words) ? ptx_parse_texture(parser, words, op) : parse_form(parser, words, spelling, op);
}

/* Instructions that add all their operations themselves, without a guard, up to and including ';'. */
static bool is_several(const struct ptx_words *words)
{
    const bool product = strcmp(words->word[0], "wgmma") == 0 && words->count > 1 && strcmp(words->word[1], "mma_async") == 0;
    return strcmp(words->word[0], "wmma") == 0 || product || ptx_is_bulk(words);
}

static enum ws_status parse_several(struct ptx_parser *parser, const struct ptx_words *words, u32 line, u16 guard, bool negated)
{
    struct ptx_around around;
    WS_TRY(ptx_begin_guarded(parser, line, guard, negated, &around));
    if (strcmp(words->word[0], "wmma") == 0)
        WS_TRY(ptx_parse_fragment(parser, words, line));
    else
        WS_TRY(strcmp(words->word[0], "wgmma") == 0 ? ptx_parse_warpgroup(parser, words, line)
                                                    : ptx_parse_bulk(parser, words, line));
    ptx_end_guarded(parser, &around);
    return WS_STATUS_ok;
}

enum ws_status ptx_parse_instruction(struct ptx_parser *parser, const struct ptx_token *first, u16 guard, bool negated)
{
    struct ptx_words words = {.count = 0};
    struct spelling spelling = {first->text, 0};
    struct ptx_around around;
    struct ws_op op = {.line = ptx_place(&parser->lexer, first->line)};
    bool bypasses;
    WS_TRY(take_words(parser, first, &words, &spelling));
    ptx_split_wide(&words);
    if (parser->module->instruction_seen)
        parser->module->instruction_seen(parser->module->context, spelling.text, (size_t)spelling.length);
    if (strcmp(words.word[0], "brx") == 0 && words.count > 1 && strcmp(words.word[1], "idx") == 0)
        return ptx_parse_indexed_branch(parser, op.line, guard, negated);
    if (is_several(&words))
        return parse_several(parser, &words, op.line, guard, negated);
    if (is_copy(&words, &bypasses))
        return ptx_parse_copy(parser, op.line, guard, negated, bypasses);
    if (ptx_is_mbarrier(&words))
        return ptx_parse_mbarrier(parser, &words, op.line, guard, negated);
    if (ptx_is_composed(&words))
        return ptx_parse_composed(parser, &words, op.line, guard, negated);
    const bool matrix = ptx_is_matrix(&words);
    WS_TRY(ptx_begin_guarded(parser, op.line, matrix ? guard : WS_SLOT_NONE, negated, &around));
    WS_TRY(parse_op(parser, &words, &spelling, &op));
    if (!matrix) {
        op.guard = guard;
        op.flags |= negated ? WS_OP_NOT_GUARD : 0;
    }
    if (op.opcode == WS_OP_branch && guard == WS_SLOT_NONE)
        op.opcode = WS_OP_jump;
    if (!ptx_at_mark(&parser->lexer, ';'))
        return ptx_expected(&parser->lexer, "';'");
    WS_TRY(ptx_next(&parser->lexer));
    WS_TRY(ptx_add_wide_op(parser->arena, &parser->function->body, &op, parser->error));
    ptx_end_guarded(parser, &around);
    return WS_STATUS_ok;
}
