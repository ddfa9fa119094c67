#include "import/code.h"

#include <string.h>

/* A row of the table; modifier is NULL for all modifiers. */
struct row {
    const char *name, *modifier;
    u8 class_, kind, space;
};

static const struct row rows[] = {
#define SASS(name, class_, kind, space)               {#name, NULL, WS_CLASS_##class_, WS_KIND_##kind, WS_SPACE_##space},
#define MODIFIED(name, modifier, class_, kind, space) {#name, #modifier, WS_CLASS_##class_, WS_KIND_##kind, WS_SPACE_##space},
#include "import/opcodes.def"
#undef SASS
#undef MODIFIED
#undef REFUSED
};

static const char *const refused[] = {
#define SASS(name, class_, kind, space)
#define REFUSED(name) #name,
#include "import/opcodes.def"
#undef SASS
#undef MODIFIED
#undef REFUSED
};

/* Transfers with an immediate target, if they have no register. */
static const char *const direct[] = {"BRA", "JMP", "CAL", "JCAL", "CALL"};

static bool is(const char *opcode, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(opcode, name, length) == 0 && (!opcode[length] || opcode[length] == '.');
}

static bool is_direct(const struct sass_op *op)
{
    bool found = false;
    for (size_t n = 0; n < sizeof direct / sizeof *direct; n++)
        found |= is(op->opcode, direct[n]);
    return found && op->reads == 0;
}

static void take_row(struct sass_op *op, const struct row *row)
{
    op->class_ = row->class_;
    op->kind = row->kind;
    op->space = row->space;
    op->known = true;
}

void sass_opcode_classify(struct sass_op *op)
{
    op->class_ = WS_CLASS_int;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (is(op->opcode, rows[n].name) && (!rows[n].modifier || sass_has_part(op->opcode, rows[n].modifier)))
            take_row(op, &rows[n]); /* rows with a modifier follow those without */
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++)
        op->refused |= is(op->opcode, refused[n]);
    op->bytes = sass_width_bytes(op->opcode);
    op->transfers = op->class_ == WS_CLASS_branch || op->class_ == WS_CLASS_jump;
    op->direct = op->transfers && is_direct(op);
}
