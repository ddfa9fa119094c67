#include "frontend/launch/element.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "frontend/narrow.h"

static const struct ws_element elements[] = {
#define ELEMENT(name_, kind_, bits_) {.name = #name_, .kind = WS_ELEMENT_##kind_, .bits = (bits_)},
#include "frontend/launch/element.def"
#undef ELEMENT
};

static const char *const element_names[] = {
#define ELEMENT(name_, kind_, bits_) #name_,
#include "frontend/launch/element.def"
#undef ELEMENT
    NULL};

enum ws_status ws_element_type(const struct ws_yaml *node, const struct ws_element **element, struct ws_error *error)
{
    size_t index = 0;
    WS_TRY(ws_yaml_choice(node, element_names, &index, error));
    *element = &elements[index];
    return WS_STATUS_ok;
}

const struct ws_element *ws_element_named(const char *name)
{
    for (size_t n = 0; element_names[n]; n++)
        if (strcmp(element_names[n], name) == 0)
            return &elements[n];
    return NULL;
}

const char *const *ws_element_names(void)
{
    return element_names;
}

/* Of a real type of 8 or 16 bits. */
static enum ws_narrow format_of(const struct ws_element *element)
{
    if (element->bits == 16)
        return element->name[0] == 'b' ? WS_NARROW_bf16 : WS_NARROW_f16;
    return strcmp(element->name, "e4m3") == 0 ? WS_NARROW_e4m3 : WS_NARROW_e5m2;
}

static u64 bits_of_real(const struct ws_element *element, double value)
{
    u64 bits = 0;
    const float narrow = (float)value;
    if (element->bits <= 16)
        return ws_narrow_bits(format_of(element), value);
    if (element->bits == 32)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

double ws_element_number(const struct ws_element *element, u64 bits)
{
    float narrow;
    double value;
    if (element->bits <= 16)
        return ws_narrow_number(format_of(element), (u32)bits & (element->bits == 16 ? 0xFFFF : 0xFF));
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&value, &bits, sizeof value);
    return element->bits == 32 ? (double)narrow : value;
}

bool ws_element_is_foreign(const struct ws_element *element)
{
    return element->kind == WS_ELEMENT_real && element->bits <= 16 && format_of(element) != WS_NARROW_f16;
}

static u64 most_natural(const struct ws_element *element)
{
    return UINT64_MAX >> (64 - element->bits);
}

static enum ws_status real_value(const struct ws_yaml *node, const struct ws_element *element, u64 *bits, struct ws_error *error)
{
    double value = 0;
    WS_TRY(ws_yaml_real(node, &value, error));
    *bits = bits_of_real(element, value);
    const double rounded = ws_element_number(element, *bits);
    if (isfinite(value) && !isfinite(rounded))
        return ws_yaml_fail(node, error, "found '%s', allowed is a number within the range of %s", node->text, element->name);
    return WS_STATUS_ok;
}

enum ws_status ws_element_value(const struct ws_yaml *node, const struct ws_element *element, u64 *bits, struct ws_error *error)
{
    if (element->kind == WS_ELEMENT_real)
        return real_value(node, element, bits, error);
    if (element->kind == WS_ELEMENT_natural)
        return ws_yaml_unsigned(node, 0, most_natural(element), bits, error);
    const int64_t most = (int64_t)(most_natural(element) >> 1);
    int64_t value = 0;
    WS_TRY(ws_yaml_signed(node, -most - 1, most, &value, error));
    *bits = (u64)value & most_natural(element);
    return WS_STATUS_ok;
}

u64 ws_element_of_index(const struct ws_element *element, u64 n)
{
    return element->kind == WS_ELEMENT_real ? bits_of_real(element, (double)n) : n & most_natural(element);
}

/* The high 64 bits of a product. */
static u64 multiply_high(u64 a, u64 b)
{
    __extension__ typedef unsigned __int128 u128;
    return (u64)((u128)a * b >> 64);
}

u64 ws_element_between(const struct ws_element *element, u64 low, u64 high, u64 random)
{
    if (element->kind == WS_ELEMENT_real) {
        const double from = ws_element_number(element, low), to = ws_element_number(element, high);
        const double x = (double)(random >> 11) * 0x1p-53;
        return bits_of_real(element, from * (1 - x) + to * x);
    }
    const u64 values = ((high - low) & most_natural(element)) + 1; /* 0 stands for 2^64 */
    return (low + (values ? multiply_high(random, values) : random)) & most_natural(element);
}

bool ws_element_above(const struct ws_element *element, u64 low, u64 high)
{
    if (element->kind == WS_ELEMENT_real)
        return ws_element_number(element, low) > ws_element_number(element, high);
    const u64 sign = element->kind == WS_ELEMENT_integer ? 1ull << (element->bits - 1) : 0;
    return (low ^ sign) > (high ^ sign);
}
