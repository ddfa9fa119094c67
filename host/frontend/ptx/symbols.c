#include "frontend/ptx/symbols.h"

#include <string.h>

static u32 bucket_of(const char *name, size_t length)
{
    u32 hash = 2166136261u; /* FNV-1a */
    for (size_t n = 0; n < length; n++)
        hash = (hash ^ (unsigned char)name[n]) * 16777619u;
    return hash % PTX_SYMBOL_BUCKETS;
}

/* The innermost symbol of a name: a single one, or a range name<count> that contains number. */
static const struct ptx_symbol *find(const struct ptx_symbols *symbols, const char *name, size_t length, bool is_range, u64 number)
{
    for (u32 n = symbols->buckets[bucket_of(name, length)]; n; n = symbols->symbols[n - 1].next) {
        const struct ptx_symbol *symbol = &symbols->symbols[n - 1];
        if ((symbol->kind == PTX_REGISTERS) == is_range && (!is_range || number < symbol->count) && symbol->length == length &&
            memcmp(symbol->name, name, length) == 0)
            return symbol;
    }
    return NULL;
}

bool ptx_declare(struct ws_arena *arena, struct ptx_symbols *symbols, size_t scope, const struct ptx_symbol *symbol,
                 bool *duplicate)
{
    const struct ptx_symbol *known = find(symbols, symbol->name, symbol->length, symbol->kind == PTX_REGISTERS, 0);
    *duplicate = known && (size_t)(known - symbols->symbols) >= scope;
    if (*duplicate)
        return true;
    struct ptx_symbol *larger = ws_arena_grow(arena, symbols->symbols, symbols->count, &symbols->room, sizeof *larger);
    if (!larger)
        return false;
    u32 *bucket = &symbols->buckets[bucket_of(symbol->name, symbol->length)];
    symbols->symbols = larger;
    symbols->symbols[symbols->count] = *symbol;
    symbols->symbols[symbols->count].next = *bucket;
    *bucket = (u32)++symbols->count;
    return true;
}

/* name<count> declares name0 and so on, without leading zeros. */
static const struct ptx_symbol *find_in_range(const struct ptx_symbols *symbols, const char *name, size_t length, u64 *number)
{
    size_t digits = 0;
    u64 unit = 1;
    *number = 0;
    while (digits < length && digits < 9 && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9') {
        *number += unit * (u64)(name[length - 1 - digits] - '0');
        unit *= 10;
        digits++;
        if (name[length - digits] == '0' && digits > 1)
            continue;
        const struct ptx_symbol *const range = find(symbols, name, length - digits, true, *number);
        if (range)
            return range;
    }
    return NULL;
}

/* If both a single name and a range match, the inner scope wins. */
bool ptx_lookup(const struct ptx_symbols *symbols, const char *name, size_t length, struct ptx_symbol *symbol)
{
    u64 number;
    const struct ptx_symbol *const known = find(symbols, name, length, false, 0);
    const struct ptx_symbol *const range = find_in_range(symbols, name, length, &number);
    if (range && (!known || range > known)) {
        *symbol = *range;
        symbol->kind = range->wide ? PTX_VECTOR : PTX_REGISTER;
        symbol->number += (u32)number * (range->wide ? 2 : 1);
        symbol->count = range->wide ? 2 : range->count;
        return true;
    }
    if (known)
        *symbol = *known;
    return known != NULL;
}

bool ptx_lookup_from(const struct ptx_symbols *symbols, size_t scope, struct ptx_symbol *symbol)
{
    const struct ptx_symbol *const known = find(symbols, symbol->name, symbol->length, false, 0);
    if (!known || (size_t)(known - symbols->symbols) < scope)
        return false;
    *symbol = *known;
    return true;
}

void ptx_leave_scope(struct ptx_symbols *symbols, size_t scope)
{
    while (symbols->count > scope) {
        const struct ptx_symbol *symbol = &symbols->symbols[--symbols->count];
        symbols->buckets[bucket_of(symbol->name, symbol->length)] = symbol->next;
    }
}
