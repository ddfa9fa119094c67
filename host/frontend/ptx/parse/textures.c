/* tex, tld4, suld, sust, txq and suq, whose words and operands depend on each other. */
#include <string.h>

#include "frontend/ptx/image.h"
#include "frontend/ptx/parse/parser.h"

enum { SAMPLER = 1, COORDINATES = 2, LEVEL = 5, VALUES = 5 }; /* sources */

/* An instruction, word by word. */
struct reading {
    struct ptx_parser *parser;
    const struct ptx_words *words;
    u32 at;
    struct ws_op *op;
};

/* ---- Words ---- */

static enum ws_status refuse(const struct reading *reading)
{
    const struct ptx_words *const words = reading->words;
    if (reading->at < words->count)
        return ptx_fail(&reading->parser->lexer, reading->op->line, "'%s' is not supported with .%s", words->word[0],
                        words->word[reading->at]);
    return ptx_fail(&reading->parser->lexer, reading->op->line, "'%s' lacks words", words->word[0]);
}

/* Takes the next word if it is in a NULL-terminated list, with its index. */
static bool take(struct reading *reading, const char *const *list, u8 *number)
{
    for (u8 n = 0; list[n] && reading->at < reading->words->count; n++)
        if (strcmp(list[n], reading->words->word[reading->at]) == 0) {
            reading->at++;
            *number = n;
            return true;
        }
    return false;
}

static bool take_shape(struct reading *reading)
{
    static const char *const names[] = {"1d", "2d", "3d", "a1d", "a2d", NULL};
    static const u8 shapes[] = {WS_IMAGE_1d, WS_IMAGE_2d, WS_IMAGE_3d, WS_IMAGE_1d_array, WS_IMAGE_2d_array};
    u8 n = 0;
    const bool taken = take(reading, names, &n);
    reading->op->shape = shapes[n];
    return taken;
}

/* The next word as a type of the set (bits 1 << PTX_*). */
static bool take_type(struct reading *reading, u32 set, u8 *type)
{
    enum ptx_type found;
    if (reading->at == reading->words->count || !ptx_type_by_name(reading->words->word[reading->at], &found) || !(set >> found & 1))
        return false;
    reading->at++;
    *type = (u8)ptx_type_means(found);
    return true;
}

static bool take_count(struct reading *reading, bool four)
{
    static const char *const vectors[] = {"v2", "v4", NULL};
    u8 n = 0;
    const bool taken = take(reading, vectors, &n);
    reading->op->count = (u8)(taken ? 2 * n + 2 : 1);
    return !four || reading->op->count == 4;
}

/* Cache operators have no effect. */
static void take_cache(struct reading *reading)
{
    static const char *const caches[] = {"ca", "cg", "cs", "cv", "wb", "wt", NULL};
    u8 any;
    take(reading, caches, &any);
}

static bool take_outside(struct reading *reading)
{
    static const char *const outside[] = {
        [WS_OUTSIDE_trap] = "trap", [WS_OUTSIDE_clamp] = "clamp", [WS_OUTSIDE_zero] = "zero", NULL};
    return take(reading, outside, &reading->op->mode);
}

/* ---- Operands ---- */

static enum ws_status source(struct reading *reading, enum ws_type type, u32 n)
{
    return ptx_parse_source(reading->parser, type, false, &reading->op->src[n]);
}

/* Coordinates in the text: an array's layer comes first; unused places up to four are ignored. */
static enum ws_status parse_coordinates(struct reading *reading, enum ws_type type)
{
    const struct ws_shape_row *const row = &ws_image_shapes[reading->op->shape];
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    const u32 count = row->dimensions + row->layers;
    bool braces, comma = true;
    u16 filling;
    WS_TRY(ptx_take(lexer, '{', &braces));
    if (row->layers)
        WS_TRY(source(reading, WS_TYPE_u32, COORDINATES + row->dimensions));
    for (u32 n = 0; n < row->dimensions; n++) {
        if (n + row->layers > 0)
            WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(source(reading, type, COORDINATES + n));
    }
    for (u32 n = count; braces && n < 4 && comma; n++) {
        WS_TRY(ptx_take(lexer, ',', &comma));
        if (comma)
            WS_TRY(ptx_parse_source(reading->parser, type, false, &filling));
    }
    return braces ? ptx_expect(lexer, '}') : WS_STATUS_ok;
}

/* A variable's name (.texref) is its address; a parameter's name stands for its value. */
static enum ws_status parse_handle(struct reading *reading)
{
    struct ptx_parser *const parser = reading->parser;
    struct ptx_symbol symbol;
    const struct ptx_token *const token = &parser->lexer.token;
    const bool named = token->kind == PTX_WORD && ptx_lookup(&parser->symbols, token->text, token->length, &symbol);
    if (!named || symbol.kind != PTX_OBJECT)
        return source(reading, WS_TYPE_u64, 0);
    struct ws_op load = ptx_op(WS_OP_ld, WS_TYPE_u64, reading->op->line);
    load.space = WS_SPACE_parameter;
    load.width = 8;
    WS_TRY(source(reading, WS_TYPE_u64, 0));
    load.src[0] = reading->op->src[0];
    WS_TRY(ptx_add_register(parser->arena, &parser->function->body, 8, &load.dst[0], parser->error));
    reading->op->src[0] = load.dst[0];
    return ptx_add_parsed_op(parser, &load);
}

/* Whether a sampler precedes the coordinates, which are in braces if there are several. */
static enum ws_status at_sampler(const struct reading *reading, bool *found)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    const struct ptx_lexer start = *lexer;
    *found = !ptx_at_mark(lexer, '{');
    while (*found && !ptx_at_mark(lexer, ',') && !ptx_at_mark(lexer, ']') && lexer->token.kind != PTX_END)
        WS_TRY(ptx_next(lexer));
    *found &= ptx_at_mark(lexer, ',');
    *lexer = start;
    return WS_STATUS_ok;
}

/* [handle], [handle, coordinates] or [handle, sampler, coordinates] */
static enum ws_status parse_place(struct reading *reading, enum ws_type coordinates)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    bool sampler;
    WS_TRY(ptx_expect(lexer, '['));
    WS_TRY(parse_handle(reading));
    if (coordinates != WS_TYPE_none) {
        WS_TRY(ptx_expect(lexer, ','));
        WS_TRY(at_sampler(reading, &sampler));
        if (sampler) {
            WS_TRY(source(reading, WS_TYPE_u64, SAMPLER));
            WS_TRY(ptx_expect(lexer, ','));
        }
        WS_TRY(parse_coordinates(reading, coordinates));
    }
    return ptx_expect(lexer, ']');
}

/* A single result may be in braces. */
static enum ws_status parse_results(struct reading *reading)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    bool braces = false;
    if (reading->op->count == 1)
        WS_TRY(ptx_take(lexer, '{', &braces));
    WS_TRY(ptx_parse_operands(reading->parser, "l", reading->op));
    if (braces)
        WS_TRY(ptx_expect(lexer, '}'));
    return ptx_expect(lexer, ',');
}

/* Derivatives along each dimension, to select a level; images have only one. */
static enum ws_status parse_gradient(struct reading *reading)
{
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    bool braces, more = true;
    u16 any;
    WS_TRY(ptx_expect(lexer, ','));
    WS_TRY(ptx_take(lexer, '{', &braces));
    while (more) {
        WS_TRY(ptx_parse_source(reading->parser, WS_TYPE_f32, false, &any));
        more = false;
        if (braces)
            WS_TRY(ptx_take(lexer, ',', &more));
    }
    return braces ? ptx_expect(lexer, '}') : WS_STATUS_ok;
}

/* ---- Instructions ---- */

static enum ws_status parse_texture(struct reading *reading)
{
    enum { LEVELLED, BASE, GRADIENT };
    static const char *const variants[] = {[LEVELLED] = "level", [BASE] = "base", [GRADIENT] = "grad", NULL};
    static const char *const channels[] = {"r", "g", "b", "a", NULL};
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    struct ws_op *const op = reading->op;
    const bool gathers = reading->words->word[0][1] == 'l';
    u8 variant = BASE;
    op->opcode = gathers ? WS_OP_tex_gather : WS_OP_tex;
    op->space = WS_SPACE_texture;
    if (gathers ? !take(reading, channels, &op->mode) : !take(reading, variants, &variant) && variant != BASE)
        return refuse(reading);
    if (!take_shape(reading) || !take_count(reading, true) ||
        !take_type(reading, 1u << PTX_u32 | 1u << PTX_s32 | 1u << PTX_f32, &op->type) ||
        !take_type(reading, gathers ? 1u << PTX_f32 : 1u << PTX_s32 | 1u << PTX_f32, &op->from) ||
        reading->at < reading->words->count || (gathers && op->shape != WS_IMAGE_2d && op->shape != WS_IMAGE_2d_array))
        return refuse(reading);
    WS_TRY(parse_results(reading));
    WS_TRY(parse_place(reading, (enum ws_type)op->from));
    if (variant == BASE)
        return WS_STATUS_ok;
    if (variant == GRADIENT) {
        WS_TRY(parse_gradient(reading));
        return parse_gradient(reading);
    }
    WS_TRY(ptx_expect(lexer, ','));
    return source(reading, (enum ws_type)op->from, LEVEL);
}

static enum ws_status parse_load(struct reading *reading)
{
    static const char *const bytes[] = {"b", NULL};
    struct ws_op *const op = reading->op;
    u8 any;
    op->opcode = WS_OP_suld;
    op->space = WS_SPACE_global;
    if (!take(reading, bytes, &any) || !take_shape(reading))
        return refuse(reading);
    take_cache(reading);
    if (!take_count(reading, false) ||
        !take_type(reading, 1u << PTX_b8 | 1u << PTX_b16 | 1u << PTX_b32 | 1u << PTX_b64, &op->type) || !take_outside(reading) ||
        op->count * ws_type_bytes((enum ws_type)op->type) > 16)
        return refuse(reading);
    WS_TRY(parse_results(reading));
    return parse_place(reading, WS_TYPE_s32);
}

/* The values to store, in braces if there are several. */
static enum ws_status parse_values(struct reading *reading)
{
    struct ws_op values = ptx_op(WS_OP_st, (enum ws_type)reading->op->type, reading->op->line);
    struct ptx_lexer *const lexer = &reading->parser->lexer;
    const u32 count = reading->op->count;
    bool braces = false;
    values.count = (u8)count;
    WS_TRY(ptx_expect(lexer, ','));
    if (count == 1)
        WS_TRY(ptx_take(lexer, '{', &braces));
    WS_TRY(ptx_parse_operands(reading->parser, "s", &values));
    memcpy(reading->op->src + VALUES, values.src, count * sizeof *values.src);
    return braces ? ptx_expect(lexer, '}') : WS_STATUS_ok;
}

static enum ws_status parse_store(struct reading *reading)
{
    static const char *const ways[] = {"b", "p", NULL};
    struct ws_op *const op = reading->op;
    u8 pixel = 0;
    op->space = WS_SPACE_global;
    if (!take(reading, ways, &pixel) || !take_shape(reading))
        return refuse(reading);
    take_cache(reading);
    const u32 types = pixel ? 1u << PTX_b32 : 1u << PTX_b8 | 1u << PTX_b16 | 1u << PTX_b32 | 1u << PTX_b64;
    op->opcode = pixel ? WS_OP_sust_pixel : WS_OP_sust;
    if (!take_count(reading, false) || !take_type(reading, types, &op->type) || !take_outside(reading) ||
        op->count * ws_type_bytes((enum ws_type)op->type) > 16)
        return refuse(reading);
    WS_TRY(parse_place(reading, WS_TYPE_s32));
    return parse_values(reading);
}

static enum ws_status parse_query(struct reading *reading)
{
    static const char *const properties[] = {[WS_PROPERTY_width] = "width",
                                             [WS_PROPERTY_height] = "height",
                                             [WS_PROPERTY_depth] = "depth",
                                             [WS_PROPERTY_array_size] = "array_size",
                                             [WS_PROPERTY_channel_order] = "channel_order",
                                             [WS_PROPERTY_channel_data_type] = "channel_data_type",
                                             [WS_PROPERTY_normalized_coords] = "normalized_coords",
                                             [WS_PROPERTY_filter_mode] = "filter_mode",
                                             [WS_PROPERTY_addr_mode_0] = "addr_mode_0",
                                             [WS_PROPERTY_addr_mode_1] = "addr_mode_1",
                                             [WS_PROPERTY_addr_mode_2] = "addr_mode_2",
                                             NULL};
    struct ws_op *const op = reading->op;
    op->opcode = WS_OP_txq;
    if (!take(reading, properties, &op->mode) || !take_type(reading, 1u << PTX_b32, &op->type) ||
        reading->at < reading->words->count)
        return refuse(reading);
    WS_TRY(parse_results(reading));
    return parse_place(reading, WS_TYPE_none);
}

static const struct {
    const char *word;
    enum ws_status (*parse)(struct reading *reading);
} rows[] = {{"tex", parse_texture}, {"tld4", parse_texture}, {"suld", parse_load},
            {"sust", parse_store},  {"txq", parse_query},    {"suq", parse_query}};
enum { ROWS = sizeof rows / sizeof *rows };

bool ptx_is_texture(const struct ptx_words *words)
{
    for (u32 n = 0; n < ROWS; n++)
        if (strcmp(rows[n].word, words->word[0]) == 0)
            return true;
    return false;
}

enum ws_status ptx_parse_texture(struct ptx_parser *parser, const struct ptx_words *words, struct ws_op *op)
{
    struct reading reading = {.parser = parser, .words = words, .at = 1, .op = op};
    u32 n = 0;
    while (strcmp(rows[n].word, words->word[0]) != 0)
        n++;
    *op = ptx_op(WS_OP_tex, WS_TYPE_none, op->line);
    return rows[n].parse(&reading);
}
