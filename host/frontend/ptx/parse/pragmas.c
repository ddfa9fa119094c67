#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/parse/parser.h"

static enum ws_status add_argument(struct ptx_parser *parser, const struct ptx_argument *argument)
{
    struct ptx_module *const module = parser->module;
    struct ptx_argument *const larger =
        ws_arena_grow(parser->arena, module->arguments, module->argument_count, &module->argument_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(parser->error);
    module->arguments = larger;
    module->arguments[module->argument_count++] = *argument;
    return WS_STATUS_ok;
}

/* Cuts the next word off *text; the last word is the whole rest. */
static char *cut(char **text, bool last)
{
    char *const word = *text;
    char *const end = last ? NULL : strchr(word, ' ');
    *text = end ? end + 1 : word + strlen(word);
    if (end)
        *end = 0;
    return word;
}

/* "KERNEL NUMBER NAME TYPE"; a missing name is "-". */
static enum ws_status keep_argument(struct ptx_parser *parser, char *text, u32 line)
{
    char *end;
    char *const kernel = cut(&text, false), *const number = cut(&text, false), *const name = cut(&text, false);
    char *const spelling = cut(&text, true);
    const unsigned long value = strtoul(number, &end, 10);
    if (end == number || *end || value > UINT16_MAX || !*kernel || !*name || !*spelling)
        return ptx_fail(&parser->lexer, line, "expected \"kernel_arg KERNEL NUMBER NAME TYPE\"");
    const struct ptx_argument argument = {
        .kernel = kernel, .name = strcmp(name, "-") != 0 ? name : NULL, .spelling = spelling, .number = (u32)value};
    return add_argument(parser, &argument);
}

enum ws_status ptx_parse_pragma(struct ptx_parser *parser)
{
    static const char about_argument[] = "\"kernel_arg ";
    const size_t length = sizeof about_argument - 1;
    struct ptx_lexer *const lexer = &parser->lexer;
    bool more = true;
    WS_TRY(ptx_next(lexer));
    while (more) {
        const struct ptx_token token = lexer->token;
        if (token.kind != PTX_STRING)
            return ptx_expected(lexer, "a string");
        if (token.length > length && memcmp(token.text, about_argument, length) == 0) {
            char *const text = ws_arena_text(parser->arena, token.text + length, token.length - length - 1);
            WS_TRY(text ? keep_argument(parser, text, token.line) : ptx_no_memory(parser->error));
        }
        WS_TRY(ptx_next(lexer));
        WS_TRY(ptx_take(lexer, ',', &more));
    }
    return ptx_expect(lexer, ';');
}
