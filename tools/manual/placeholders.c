#include <ctype.h>
#include <string.h>

#include "manual/manual.h"

static const struct {
    const char *text, *tokens;
} placeholders[] = {
#define PLACEHOLDER(text, tokens) {text, tokens},
#include "manual/placeholders.def"
#undef PLACEHOLDER
};

static void add_token(struct ws_text *tokens, const char *token, size_t length)
{
    if (length > 0)
        ws_text_add(tokens, "%s%.*s", tokens->length > 0 ? " " : "", (int)length, token);
}

/* One of the words between bars. */
static enum ws_status add_word(const char *word, size_t length, struct ws_text *tokens, struct ws_error *error)
{
    const char *const dot = memchr(word, '.', length);
    for (size_t n = 0; n < sizeof placeholders / sizeof *placeholders; n++) {
        if (strlen(placeholders[n].text) != length || strncmp(placeholders[n].text, word, length) != 0)
            continue;
        add_token(tokens, placeholders[n].tokens, strlen(placeholders[n].tokens));
        return WS_STATUS_ok;
    }
    if (length > 0 && islower((unsigned char)word[0])) {
        add_token(tokens, word, length);
    } else if (dot && dot > word) {
        add_token(tokens, "*", 1);
        ws_text_bytes(tokens, dot, length - (size_t)(dot - word));
    } else {
        return ws_fail(error, WS_STATUS_bad_input, "the placeholder '%.*s' has no row in placeholders.def", (int)length, word);
    }
    return WS_STATUS_ok;
}

static enum ws_status add_words(const char *placeholder, struct ws_text *tokens, struct ws_error *error)
{
    for (const char *word = placeholder;;) {
        const size_t length = strcspn(word, "|");
        WS_TRY(add_word(word, length, tokens, error));
        if (!word[length])
            return WS_STATUS_ok;
        word += length + 1;
    }
}

enum ws_status placeholder_tokens(const char *placeholder, struct ws_text *out, struct ws_error *error)
{
    struct ws_text tokens = {0};
    const enum ws_status status = add_words(placeholder, &tokens, error);
    if (tokens.data)
        ws_text_bytes(out, tokens.data, tokens.length);
    out->failed = out->failed || tokens.failed;
    ws_text_free(&tokens);
    return status;
}
