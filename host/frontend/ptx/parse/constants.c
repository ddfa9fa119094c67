/* Constant expressions of integers (PTX ISA, "Constant Expressions"): 64 bits, signed unless a literal is not. */
#include "frontend/ptx/parse/parser.h"

/* A value; comparisons, division and shifts to the right depend on its sign. */
struct number {
    u64 bits;
    bool is_unsigned;
};

enum { LOWEST = 1, HIGHEST = 10, DEEPEST = 64 };

static enum ws_status ternary(struct ptx_lexer *lexer, u32 depth, struct number *value);

static struct number truth(bool value)
{
    return (struct number){.bits = value};
}

/* ---- Operators of two operands ---- */

enum operation {
    NONE,
    OR_ELSE,
    AND_THEN,
    OR,
    XOR,
    AND,
    EQUAL,
    UNEQUAL,
    LESS,
    NOT_ABOVE,
    ABOVE,
    NOT_LESS,
    LEFT,
    RIGHT,
    ADD,
    SUBTRACT,
    TIMES,
    DIVIDE,
    REST
};

static const struct {
    const char *text;
    u32 precedence;
    enum operation operation;
} operators[] = {{"||", 1, OR_ELSE},  {"&&", 2, AND_THEN}, {"|", 3, OR},    {"^", 4, XOR},    {"&", 5, AND},
                 {"==", 6, EQUAL},    {"!=", 6, UNEQUAL},  {"<<", 8, LEFT}, {">>", 8, RIGHT}, {"<=", 7, NOT_ABOVE},
                 {">=", 7, NOT_LESS}, {"<", 7, LESS},      {">", 7, ABOVE}, {"+", 9, ADD},    {"-", 9, SUBTRACT},
                 {"*", 10, TIMES},    {"/", 10, DIVIDE},   {"%", 10, REST}};

/* The operator at the current token. Its characters are adjacent; longer operators come first. */
static size_t find_operator(const struct ptx_lexer *lexer)
{
    const struct ptx_token *const token = &lexer->token;
    size_t n = 0;
    const bool is_percent = token->kind == PTX_WORD && token->length == 1 && token->text[0] == '%';
    if (token->kind != PTX_MARK && !is_percent)
        return sizeof operators / sizeof *operators;
    for (; n < sizeof operators / sizeof *operators; n++) {
        const char *const text = operators[n].text;
        if (text[0] == token->text[0] && (!text[1] || (lexer->at < lexer->end && lexer->at[0] == text[1])))
            break;
    }
    return n;
}

static struct number apply(enum operation operation, struct number a, struct number b)
{
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    const bool below = is_unsigned ? a.bits < b.bits : x < y;
    const bool wraps = !is_unsigned && b.bits == UINT64_MAX; /* the quotient of the lowest number does not fit */
    switch (operation) {
    case OR_ELSE:
        return truth(a.bits || b.bits);
    case AND_THEN:
        return truth(a.bits && b.bits);
    case EQUAL:
        return truth(a.bits == b.bits);
    case UNEQUAL:
        return truth(a.bits != b.bits);
    case LESS:
        return truth(below);
    case NOT_ABOVE:
        return truth(below || a.bits == b.bits);
    case ABOVE:
        return truth(!below && a.bits != b.bits);
    case NOT_LESS:
        return truth(!below);
    case OR:
        return (struct number){a.bits | b.bits, is_unsigned};
    case XOR:
        return (struct number){a.bits ^ b.bits, is_unsigned};
    case AND:
        return (struct number){a.bits & b.bits, is_unsigned};
    case LEFT:
        return (struct number){b.bits < 64 ? a.bits << b.bits : 0, a.is_unsigned};
    case RIGHT:
        if (a.is_unsigned)
            return (struct number){b.bits < 64 ? a.bits >> b.bits : 0, true};
        return (struct number){(u64)(x >> (b.bits < 64 ? b.bits : 63)), false};
    case ADD:
        return (struct number){a.bits + b.bits, is_unsigned};
    case SUBTRACT:
        return (struct number){a.bits - b.bits, is_unsigned};
    case TIMES:
        return (struct number){a.bits * b.bits, is_unsigned};
    case DIVIDE:
        return (struct number){wraps ? 0 - a.bits : is_unsigned ? a.bits / b.bits : (u64)(x / y), is_unsigned};
    default:
        return (struct number){wraps ? 0 : is_unsigned ? a.bits % b.bits : (u64)(x % y), is_unsigned};
    }
}

/* ---- Operands ---- */

/* (.s64) and (.u64) */
static enum ws_status cast(struct ptx_lexer *lexer, bool *is_unsigned)
{
    *is_unsigned = ptx_at_dotted(lexer, "u64");
    if (!*is_unsigned && !ptx_at_dotted(lexer, "s64"))
        return ptx_expected(lexer, ".s64 or .u64");
    WS_TRY(ptx_next(lexer));
    return ptx_expect(lexer, ')');
}

static enum ws_status unary(struct ptx_lexer *lexer, u32 depth, struct number *value)
{
    if (depth == DEEPEST)
        return ptx_fail(lexer, lexer->token.line, "a constant expression nests deeper than %d", (int)DEEPEST);
    if (lexer->token.kind == PTX_INTEGER) {
        *value = (struct number){.bits = lexer->token.value, .is_unsigned = lexer->token.is_unsigned};
        return ptx_next(lexer);
    }
    const char mark = lexer->token.kind == PTX_MARK ? lexer->token.mark : '\0';
    if (mark == '(') {
        WS_TRY(ptx_next(lexer));
        if (lexer->token.kind == PTX_DOTTED) {
            bool is_unsigned = false;
            WS_TRY(cast(lexer, &is_unsigned));
            WS_TRY(unary(lexer, depth + 1, value));
            value->is_unsigned = is_unsigned;
            return WS_STATUS_ok;
        }
        WS_TRY(ternary(lexer, depth + 1, value));
        return ptx_expect(lexer, ')');
    }
    if (mark != '+' && mark != '-' && mark != '~' && mark != '!')
        return ptx_expected(lexer, "an integer");
    WS_TRY(ptx_next(lexer));
    WS_TRY(unary(lexer, depth + 1, value));
    if (mark == '!')
        *value = truth(!value->bits);
    else
        value->bits = mark == '-' ? 0 - value->bits : mark == '~' ? ~value->bits : value->bits;
    return WS_STATUS_ok;
}

static enum ws_status binary(struct ptx_lexer *lexer, u32 precedence, u32 depth, struct number *value)
{
    WS_TRY(precedence < HIGHEST ? binary(lexer, precedence + 1, depth, value) : unary(lexer, depth, value));
    for (;;) {
        const size_t n = find_operator(lexer);
        if (n == sizeof operators / sizeof *operators || operators[n].precedence != precedence)
            return WS_STATUS_ok;
        struct number other;
        const u32 line = lexer->token.line;
        WS_TRY(ptx_next(lexer));
        if (operators[n].text[1])
            WS_TRY(ptx_next(lexer));
        WS_TRY(precedence < HIGHEST ? binary(lexer, precedence + 1, depth, &other) : unary(lexer, depth, &other));
        if (other.bits == 0 && (operators[n].operation == DIVIDE || operators[n].operation == REST))
            return ptx_fail(lexer, line, "a constant is divided by zero");
        *value = apply(operators[n].operation, *value, other);
    }
}

static enum ws_status ternary(struct ptx_lexer *lexer, u32 depth, struct number *value)
{
    bool asks;
    WS_TRY(binary(lexer, LOWEST, depth, value));
    WS_TRY(ptx_take(lexer, '?', &asks));
    if (!asks)
        return WS_STATUS_ok;
    struct number yes, no;
    WS_TRY(depth < DEEPEST ? ternary(lexer, depth + 1, &yes) : ptx_expected(lexer, "a simpler expression"));
    WS_TRY(ptx_expect(lexer, ':'));
    WS_TRY(ternary(lexer, depth + 1, &no));
    *value = value->bits ? yes : no;
    return WS_STATUS_ok;
}

enum ws_status ptx_parse_constant(struct ptx_lexer *lexer, u64 *value)
{
    struct number number;
    WS_TRY(ternary(lexer, 0, &number));
    *value = number.bits;
    return WS_STATUS_ok;
}
