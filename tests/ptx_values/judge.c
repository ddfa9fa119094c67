/* Whether a result that differs from ptxas's is allowed by PTX (allowed.def). */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "frontend/exec/arithmetic/half.h"
#include "ptx_values/values.h"

/* Number n of a value as a double. */
static double number(struct value_type type, u64 value, u32 n)
{
    if (type.kind == 'f')
        return type.bits == 32 ? (double)ws_f32(value) : ws_f64(value);
    return ws_half_value(value, n, type.kind == 'h' ? WS_TYPE_f16 : WS_TYPE_bf16);
}

/* Whether both are NaN wherever they differ. */
static bool both_nan(const struct form *form, u64 ours, u64 theirs)
{
    const struct value_type type = form->result;
    const u32 bits = type.kind == 'f' ? type.bits : 16;
    if (type.kind != 'f' && type.kind != 'h' && type.kind != 'g')
        return false;
    for (u32 n = 0; n < type.bits / bits; n++) {
        const u64 difference = (ours ^ theirs) >> n * bits & UINT64_MAX >> (64 - bits);
        if (difference && !(isnan(number(type, ours, n)) && isnan(number(type, theirs, n))))
            return false;
    }
    return true;
}

static u64 ulps(u64 ours, u64 theirs)
{
    return ours > theirs ? ours - theirs : theirs - ours;
}

static double apart(const struct form *form, u64 ours, u64 theirs)
{
    return fabs(number(form->result, ours, 0) - number(form->result, theirs, 0));
}

static bool product_is_zero(const struct form *form, u64 a, u64 b)
{
    const u32 count = form->result.bits / 16;
    bool zero = false;
    for (u32 n = 0; n < count; n++)
        zero |= number(form->source[0], a, n) * number(form->source[1], b, n) == 0;
    return zero;
}

enum verdict values_judge(const struct form *form, const struct value_case *one, u64 result)
{
    const u64 a = one->source[0], b = one->source[1], c = one->source[2], e = one->source[3];
    const u64 ours = result, theirs = one->result;
    if (ours == theirs)
        return VALUE_EQUAL;
#define ALLOWED(pattern, condition, reason)                                                                                        \
    if (fnmatch(pattern, form->text, 0) == 0 && (condition))                                                                       \
        return VALUE_ALLOWED;
#include "ptx_values/allowed.def"
#undef ALLOWED
    return VALUE_DIFFERENT;
}
