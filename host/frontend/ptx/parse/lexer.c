#include "frontend/ptx/parse/lexer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_word(char c)
{
    return is_word_start(c) || is_digit(c);
}

enum ws_status ptx_fail(const struct ptx_lexer *lexer, u32 line, const char *format, ...)
{
    char message[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ws_fail(lexer->error, WS_STATUS_bad_input, "%s: %s", ws_place_text(lexer->places, ptx_place(lexer, line)).text, message);
}

enum ws_status ptx_expected(struct ptx_lexer *lexer, const char *what)
{
    const struct ptx_token *token = &lexer->token;
    if (token->kind == PTX_END)
        return ptx_fail(lexer, token->line, "expected %s, found the end of the text", what);
    const int length = token->length < 60 ? (int)token->length : 60;
    return ptx_fail(lexer, token->line, "expected %s, found '%s%.*s'", what, token->kind == PTX_DOTTED ? "." : "", length,
                    token->text);
}

/* ---- Blank space and comments ---- */

static void skip_line(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '\n')
        lexer->at++;
}

static enum ws_status skip_comment(struct ptx_lexer *lexer)
{
    const u32 line = lexer->line;
    for (lexer->at += 2; lexer->end - lexer->at >= 2; lexer->at++) {
        if (lexer->at[0] == '*' && lexer->at[1] == '/') {
            lexer->at += 2;
            return WS_STATUS_ok;
        }
        lexer->line += *lexer->at == '\n';
    }
    return ptx_fail(lexer, line, "a comment has no end");
}

static enum ws_status skip_blanks(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        const char c = *lexer->at, next = lexer->end - lexer->at > 1 ? lexer->at[1] : '\0';
        if (c == '/' && next == '/') {
            skip_line(lexer);
        } else if (c == '/' && next == '*') {
            WS_TRY(skip_comment(lexer));
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            lexer->line += c == '\n';
            lexer->at++;
        } else {
            break;
        }
    }
    return WS_STATUS_ok;
}

/* ---- Tokens ---- */

static void take_while_word(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end && is_word(*lexer->at))
        lexer->at++;
}

/* A number's text, zero-terminated; false if longer than any number. */
static bool copy_number(const struct ptx_token *token, char copy[64])
{
    if (token->length >= 64)
        return false;
    memcpy(copy, token->text, token->length);
    copy[token->length] = '\0';
    return true;
}

static bool read_integer(const char *text, u64 *value, bool *is_unsigned)
{
    const bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
    const char *digits = binary ? text + 2 : text;
    char *end;
    errno = 0;
    *value = strtoull(digits, &end, binary ? 2 : 0);
    *is_unsigned = *value > INT64_MAX || *end == 'U';
    if (*end == 'U')
        end++;
    return errno == 0 && *end == '\0' && end != digits;
}

/* 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX give the bits; anything with a point or an exponent is a double. */
static bool read_number(struct ptx_token *token)
{
    char text[64];
    if (!copy_number(token, text))
        return false;
    char *end;
    errno = 0;
    const char mark = text[0] == '0' ? text[1] : '\0';
    if (mark == 'f' || mark == 'F' || mark == 'd' || mark == 'D') {
        const bool is_single = mark == 'f' || mark == 'F';
        token->kind = is_single ? PTX_FLOAT32 : PTX_FLOAT64;
        token->value = strtoull(text + 2, &end, 16);
        return *end == '\0' && strlen(text + 2) == (is_single ? 8 : 16);
    }
    if (mark != 'x' && mark != 'X' && strpbrk(text, ".eE")) {
        const double number = strtod(text, &end);
        token->kind = PTX_FLOAT64;
        memcpy(&token->value, &number, sizeof number);
        return *end == '\0';
    }
    token->kind = PTX_INTEGER;
    return read_integer(text, &token->value, &token->is_unsigned);
}

/* The rest of a number whose first digit has been taken. */
static void take_number(struct ptx_lexer *lexer)
{
    const char mark = lexer->at < lexer->end ? *lexer->at : '\0';
    const bool hexadecimal = lexer->at[-1] == '0' && mark && strchr("xXfFdD", mark);
    while (lexer->at < lexer->end) {
        const char c = *lexer->at, before = lexer->at[-1];
        const bool sign = (c == '+' || c == '-') && !hexadecimal && (before == 'e' || before == 'E');
        if (!is_word(c) && !sign && !(c == '.' && !hexadecimal))
            break;
        lexer->at++;
    }
}

static enum ws_status take_string(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at++;
    if (lexer->at == lexer->end || *lexer->at != '"')
        return ptx_fail(lexer, lexer->line, "a string has no end");
    lexer->at++;
    return WS_STATUS_ok;
}

static enum ws_status refuse_character(struct ptx_lexer *lexer, unsigned char c)
{
    const u32 line = lexer->token.line;
    if (c == '.')
        return ptx_fail(lexer, line, "found '.' alone, expected a name behind it (.u32), or a digit before it (0.5)");
    if (c > ' ' && c < 0x7F)
        return ptx_fail(lexer, line, "found '%c', expected a name, a number or a mark of PTX", c);
    return ptx_fail(lexer, line, "found the byte 0x%02x, expected a text in ASCII", c);
}

enum ws_status ptx_next(struct ptx_lexer *lexer)
{
    WS_TRY(skip_blanks(lexer));
    struct ptx_token *token = &lexer->token;
    *token = (struct ptx_token){.kind = PTX_END, .text = lexer->at, .line = lexer->line};
    if (lexer->at == lexer->end)
        return WS_STATUS_ok;
    const char c = *lexer->at++;
    if (is_word_start(c)) {
        token->kind = PTX_WORD;
        take_while_word(lexer);
    } else if (c == '.' && lexer->at < lexer->end && is_word(*lexer->at)) {
        token->kind = PTX_DOTTED;
        token->text++;
        take_while_word(lexer);
    } else if (is_digit(c)) {
        take_number(lexer);
    } else if (c == '"') {
        token->kind = PTX_STRING;
        WS_TRY(take_string(lexer));
    } else {
        token->kind = PTX_MARK;
        token->mark = c;
    }
    token->length = (size_t)(lexer->at - token->text);
    if (is_digit(c) && !read_number(token) && !lexer->passes_over)
        return ptx_expected(lexer, "a number");
    if (token->kind == PTX_MARK && !lexer->passes_over && (c == '\0' || !strchr("{}()[]<>,;:=+-~!@|*/%&^?", c)))
        return refuse_character(lexer, (unsigned char)c);
    return WS_STATUS_ok;
}

enum ws_status ptx_lexer_begin(struct ptx_lexer *lexer, const struct ws_places *places, const char *text, size_t length,
                               struct ws_error *error)
{
    *lexer = (struct ptx_lexer){.places = places, .at = text, .end = text + length, .line = 1, .error = error};
    return ptx_next(lexer);
}

/* ---- Expecting ---- */

static bool at_text(const struct ptx_lexer *lexer, enum ptx_token_kind kind, const char *word)
{
    const struct ptx_token *token = &lexer->token;
    return token->kind == kind && token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

bool ptx_at_word(const struct ptx_lexer *lexer, const char *word)
{
    return at_text(lexer, PTX_WORD, word);
}

bool ptx_at_dotted(const struct ptx_lexer *lexer, const char *word)
{
    return at_text(lexer, PTX_DOTTED, word);
}

enum ws_status ptx_take(struct ptx_lexer *lexer, char mark, bool *taken)
{
    *taken = ptx_at_mark(lexer, mark);
    return *taken ? ptx_next(lexer) : WS_STATUS_ok;
}

enum ws_status ptx_expect(struct ptx_lexer *lexer, char mark)
{
    const char what[] = {'\'', mark, '\'', '\0'};
    return ptx_at_mark(lexer, mark) ? ptx_next(lexer) : ptx_expected(lexer, what);
}

enum ws_status ptx_expect_integer(struct ptx_lexer *lexer, u64 *value)
{
    bool minus = false;
    for (bool sign = true; sign;) {
        minus ^= ptx_at_mark(lexer, '-');
        sign = ptx_at_mark(lexer, '-') || ptx_at_mark(lexer, '+');
        if (sign)
            WS_TRY(ptx_next(lexer));
    }
    if (lexer->token.kind != PTX_INTEGER)
        return ptx_expected(lexer, "an integer");
    *value = minus ? 0 - lexer->token.value : lexer->token.value;
    return ptx_next(lexer);
}
