/* Names in scope: registers, variables and parameters, also of labels and functions. Inner scopes hide outer ones. */
#pragma once

#include "base/arena.h"
#include "shared/dialect.h"

#include <stdbool.h>

enum ptx_symbol_kind {
    PTX_REGISTER,  /* number is a slot */
    PTX_REGISTERS, /* name<count>: number is the slot of name0 */
    PTX_VECTOR,    /* number is the slot of its first element */
    PTX_VARIABLE,  /* number of a variable of the module */
    PTX_OBJECT     /* number of an object of the body, a label or a function */
};

struct ptx_symbol {
    const char *name; /* not zero-terminated */
    size_t length;
    enum ptx_symbol_kind kind;
    u32 number, count;
    bool wide; /* of 128 bits: each is a vector of two registers of 64 bits */
    u32 next;  /* previous symbol with the same hash, + 1 */
};

enum { PTX_SYMBOL_BUCKETS = 1 << 14 };

/* Begun as {0}. */
struct ptx_symbols {
    struct ptx_symbol *symbols;
    size_t count, room;
    u32 buckets[PTX_SYMBOL_BUCKETS]; /* the symbol declared last + 1 */
};

/* Declares a symbol. False when out of memory; *duplicate: a symbol of this name exists at or above position scope. */
bool ptx_declare(struct ws_arena *arena, struct ptx_symbols *symbols, size_t scope, const struct ptx_symbol *symbol,
                 bool *duplicate);

/* Looks a name up: *symbol is a register for a name out of name<count>. False if it is not declared. */
bool ptx_lookup(const struct ptx_symbols *symbols, const char *name, size_t length, struct ptx_symbol *symbol);

/* The symbol of this name among those declared since count equalled scope. */
bool ptx_lookup_from(const struct ptx_symbols *symbols, size_t scope, struct ptx_symbol *symbol);

/* Drops the symbols declared since count equalled scope. */
void ptx_leave_scope(struct ptx_symbols *symbols, size_t scope);
