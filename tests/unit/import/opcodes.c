/* The table of SASS opcodes: its order, validity of each row in a trace, and the class and kind of the same PTX operation. */
#include <stdbool.h>
#include <string.h>

#include "frontend/ptx/forms.h"
#include "test.h"

static const struct row {
    const char *name, *modifier;
    u8 class_, kind, space;
} rows[] =
    {
#define SASS(name, class__, kind_, space_) {#name, "", WS_CLASS_##class__, WS_KIND_##kind_, WS_SPACE_##space_},
#include "import/opcodes.def"
},
  modified[] =
      {
#define SASS(name, class__, kind_, space_)
#define MODIFIED(name, modifier, class__, kind_, space_) {#name, #modifier, WS_CLASS_##class__, WS_KIND_##kind_, WS_SPACE_##space_},
#include "import/opcodes.def"
},
  refused[] = {
#define SASS(name, class__, kind_, space_)
#define REFUSED(name) {#name, "", 0, 0, 0},
#include "import/opcodes.def"
};

enum {
    ROWS = sizeof rows / sizeof *rows,
    MODIFIED_ROWS = sizeof modified / sizeof *modified,
    REFUSED_ROWS = sizeof refused / sizeof *refused
};

static const struct row *find(const struct row *from, size_t count, const char *name, const char *modifier)
{
    for (const struct row *row = from; row < from + count; row++)
        if (strcmp(row->name, name) == 0 && strcmp(row->modifier, modifier) == 0)
            return row;
    return NULL;
}

static void ascends(const struct row *from, size_t count)
{
    for (size_t n = 1; n < count; n++) {
        const int names = strcmp(from[n - 1].name, from[n].name);
        if (names > 0 || (names == 0 && strcmp(from[n - 1].modifier, from[n].modifier) >= 0))
            fail_msg("%s %s stands before %s %s", from[n - 1].name, from[n - 1].modifier, from[n].name, from[n].modifier);
    }
}

TEST(rows_ascend)
{
    ascends(rows, ROWS);
    ascends(modified, MODIFIED_ROWS);
    ascends(refused, REFUSED_ROWS);
}

TEST(every_name_has_one_meaning)
{
    for (size_t n = 0; n < MODIFIED_ROWS; n++)
        if (!find(rows, ROWS, modified[n].name, ""))
            fail_msg("%s.%s modifies no opcode", modified[n].name, modified[n].modifier);
    for (size_t n = 0; n < REFUSED_ROWS; n++)
        if (find(rows, ROWS, refused[n].name, ""))
            fail_msg("%s is refused and has a class", refused[n].name);
}

/* These suffixes, and no others, mark matrix products. */
static bool is_product(const char *name)
{
    const size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, "MMA") == 0;
}

static void check_row(const struct row *row)
{
    const bool arithmetic = row->class_ <= WS_CLASS_sfu;
    const bool memory = row->class_ == WS_CLASS_load || row->class_ == WS_CLASS_store || row->class_ == WS_CLASS_atomic;
    if ((row->class_ == WS_CLASS_tensor) != is_product(row->name))
        fail_msg("%s: products of matrices are of class tensor", row->name);
    if (!arithmetic && row->kind != WS_KIND_other)
        fail_msg("%s: only arithmetic has a kind", row->name);
    if (!memory && row->space != WS_SPACE_none)
        fail_msg("%s: only an access has a space", row->name);
    if (row->class_ != WS_CLASS_load && (row->space == WS_SPACE_constant || row->space == WS_SPACE_texture))
        fail_msg("%s writes to memory that is only read", row->name);
}

TEST(a_trace_allows_every_row)
{
    for (size_t n = 0; n < ROWS; n++)
        check_row(&rows[n]);
    for (size_t n = 0; n < MODIFIED_ROWS; n++)
        check_row(&modified[n]);
}

/* One operation in PTX and SASS. */
static const struct pair {
    const char *name, *modifier;
    enum ws_opcode ptx;
    enum ws_type type;
} pairs[] = {
    {"ATOM", "", WS_OP_atom_add, WS_TYPE_u32},
    {"BAR", "", WS_OP_bar, WS_TYPE_none},
    {"BAR", "ARV", WS_OP_bar_arrive, WS_TYPE_none},
    {"BFE", "", WS_OP_bfe, WS_TYPE_u32},
    {"BRA", "", WS_OP_branch, WS_TYPE_none},
    {"BREV", "", WS_OP_brev, WS_TYPE_u32},
    {"CALL", "", WS_OP_call, WS_TYPE_none},
    {"CS2R", "", WS_OP_clock, WS_TYPE_none},
    {"DADD", "", WS_OP_add, WS_TYPE_f64},
    {"DFMA", "", WS_OP_fma, WS_TYPE_f64},
    {"DMNMX", "", WS_OP_min, WS_TYPE_f64},
    {"DMUL", "", WS_OP_mul, WS_TYPE_f64},
    {"DSETP", "", WS_OP_setp, WS_TYPE_f64},
    {"EXIT", "", WS_OP_exit, WS_TYPE_none},
    {"F2I", "", WS_OP_cvt, WS_TYPE_f32},
    {"FADD", "", WS_OP_add, WS_TYPE_f32},
    {"FCMP", "", WS_OP_slct, WS_TYPE_f32},
    {"FFMA", "", WS_OP_fma, WS_TYPE_f32},
    {"FLO", "", WS_OP_bfind, WS_TYPE_u32},
    {"FMNMX", "", WS_OP_max, WS_TYPE_f32},
    {"FMUL", "", WS_OP_mul, WS_TYPE_f32},
    {"FSEL", "", WS_OP_selp, WS_TYPE_f32},
    {"FSETP", "", WS_OP_setp, WS_TYPE_f32},
    {"HADD2", "", WS_OP_add, WS_TYPE_f16x2},
    {"HFMA2", "", WS_OP_fma, WS_TYPE_f16x2},
    {"HMNMX2", "", WS_OP_min, WS_TYPE_f16x2},
    {"HMUL2", "", WS_OP_mul, WS_TYPE_f16x2},
    {"HSETP2", "", WS_OP_setp, WS_TYPE_f16},
    {"I2F", "", WS_OP_cvt, WS_TYPE_f32},
    {"IABS", "", WS_OP_abs, WS_TYPE_s32},
    {"IADD3", "", WS_OP_add, WS_TYPE_s32},
    {"IDP", "", WS_OP_dp4a, WS_TYPE_s32},
    {"IMAD", "", WS_OP_mad_lo, WS_TYPE_s32},
    {"IMAD", "IADD", WS_OP_add, WS_TYPE_s32},
    {"IMAD", "MOV", WS_OP_mov, WS_TYPE_u32},
    {"IMAD", "SHL", WS_OP_shl, WS_TYPE_u32},
    {"IMNMX", "", WS_OP_min, WS_TYPE_s32},
    {"IMUL", "", WS_OP_mul_lo, WS_TYPE_s32},
    {"ISETP", "", WS_OP_setp, WS_TYPE_s32},
    {"LD", "", WS_OP_ld, WS_TYPE_u32},
    {"LOP3", "", WS_OP_lop3, WS_TYPE_u32},
    {"MATCH", "", WS_OP_match_any, WS_TYPE_u32},
    {"MEMBAR", "", WS_OP_fence, WS_TYPE_none},
    {"MOV", "", WS_OP_mov, WS_TYPE_u32},
    {"MUFU", "", WS_OP_rsqrt, WS_TYPE_f32},
    {"POPC", "", WS_OP_popc, WS_TYPE_u32},
    {"PRMT", "", WS_OP_prmt, WS_TYPE_u32},
    {"QSPC", "", WS_OP_isspacep, WS_TYPE_none},
    {"REDUX", "", WS_OP_redux_add, WS_TYPE_s32},
    {"RET", "", WS_OP_ret, WS_TYPE_none},
    {"SEL", "", WS_OP_selp, WS_TYPE_u32},
    {"SHF", "", WS_OP_shf_l_wrap, WS_TYPE_u32},
    {"SHFL", "", WS_OP_shfl_idx, WS_TYPE_u32},
    {"ST", "", WS_OP_st, WS_TYPE_u32},
    {"VABSDIFF", "", WS_OP_sad, WS_TYPE_u32},
    {"VOTE", "", WS_OP_vote_all, WS_TYPE_pred},
    {"WARPSYNC", "", WS_OP_bar_warp, WS_TYPE_none},
};

TEST(classes_are_those_of_ptx)
{
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        const struct pair *const pair = &pairs[n];
        const struct row *const row =
            *pair->modifier ? find(modified, MODIFIED_ROWS, pair->name, pair->modifier) : find(rows, ROWS, pair->name, "");
        const struct ws_op op = {.opcode = (u8)pair->ptx, .type = (u8)pair->type};
        if (!row)
            fail_msg("%s %s has no row", pair->name, pair->modifier);
        if (row->class_ != ws_op_class(&op) || row->kind != ws_op_kind(&op))
            fail_msg("%s %s is not of the class and kind of %s", pair->name, pair->modifier, ws_opcode_name(pair->ptx));
    }
}
