/* Integer instructions from which ptxas builds others (video instructions, copysign), with known sources: IADD3, IMAD, ISETP, LEA,
 * LOP3, SHF, SEL, PRMT, IMNMX, VABSDIFF, IABS, SGXT, BMSK, I2I.SAT of sm_75. Fields as in Mesa's nak/sm70_encode.rs; semantics as
 * in nak/ir.rs. */
#include "ptx_values/machine.h"

enum { A = 1, B = 2, C = 4 }; /* sources that an instruction reads */

struct source {
    u32 value;
    bool known, negated;
};

struct operation {
    struct machine *machine;
    const u64 *code;
    struct source a, b, c;
    bool known;
};

static u32 bits_of(const struct operation *op, u32 from, u32 bits)
{
    return (u32)machine_field(op->code, from, bits);
}

static struct source source(const struct operation *op, u32 from, u32 sign)
{
    const u32 number = bits_of(op, from, 8);
    const struct registers *const plain = &op->machine->plain;
    return (struct source){plain->value[number], plain->known[number], bits_of(op, sign, 1)};
}

/* The form says which source is an immediate or a uniform register; constants are unknown. */
static void read_sources(struct operation *op, u32 uses)
{
    const u32 form = bits_of(op, 9, 3);
    const struct source immediate = {.value = bits_of(op, 32, 32), .known = true}, high = source(op, 64, 75);
    const u32 number = bits_of(op, 32, 8);
    const struct registers *const registers = &op->machine->uniform;
    const struct source uniform = {registers->value[number], registers->known[number], bits_of(op, 63, 1)};
    op->a = source(op, 24, 72);
    op->b = form == 1 ? source(op, 32, 63) : form == 4 ? immediate : form == 6 ? uniform : high;
    op->c = form == 2 ? immediate : form == 7 ? uniform : high;
    op->known =
        (op->a.known || !(uses & A)) && (op->b.known || !(uses & B)) && (op->c.known || !(uses & C)) && form != 3 && form != 5;
}

/* The predicate in a field, negated by a bit. */
static u32 read_predicate(struct operation *op, u32 from, u32 sign)
{
    const u32 number = bits_of(op, from, 3);
    op->known = op->known && op->machine->predicate.known[number];
    return op->machine->predicate.value[number] ^ bits_of(op, sign, 1);
}

static void write_predicate(const struct operation *op, u32 from, u32 value)
{
    const u32 number = bits_of(op, from, 3);
    if (number != ALWAYS)
        machine_set(&op->machine->predicate, number, value, op->known);
}

static void write(const struct operation *op, u64 value)
{
    machine_set(&op->machine->plain, bits_of(op, 16, 8), (u32)value, op->known);
}

static u64 negatable(struct source source, bool extended)
{
    return source.negated ? (u64)(u32)~source.value + !extended : source.value;
}

static u64 extended(u32 value, bool is_signed)
{
    return is_signed ? (u64)(int64_t)(int32_t)value : value;
}

static void add(struct operation *op)
{
    const bool carries = bits_of(op, 74, 1);
    u64 sum = negatable(op->a, carries) + negatable(op->b, carries) + negatable(op->c, carries);
    if (carries)
        sum += read_predicate(op, 87, 90) + read_predicate(op, 77, 80);
    write(op, sum);
    write_predicate(op, 81, sum >> 32 >= 1);
    write_predicate(op, 84, sum >> 32 >= 2);
}

static void multiply(struct operation *op)
{
    const bool carries = bits_of(op, 74, 1);
    const u64 product = (u64)op->a.value * op->b.value;
    const u64 carry = carries ? read_predicate(op, 87, 90) : 0;
    write(op, (op->b.negated ? 0 - product : product) + negatable(op->c, carries) + carry);
}

static void compare(struct operation *op)
{
    const bool is_signed = bits_of(op, 73, 1), extends = bits_of(op, 72, 1);
    const u32 comparison = bits_of(op, 76, 3), combines = bits_of(op, 74, 2);
    const u64 top = (u64)1 << 63, a = extended(op->a.value, is_signed) ^ (is_signed ? top : 0);
    const u64 b = extended(op->b.value, is_signed) ^ (is_signed ? top : 0);
    u32 result = (comparison & 1 && a < b) || (comparison & 2 && a == b) || (comparison & 4 && a > b);
    if (extends && a == b)
        result = read_predicate(op, 68, 71);
    const u32 other = read_predicate(op, 87, 90);
    for (u32 n = 0; n < 2; n++) {
        const u32 value = n ? !result : result;
        write_predicate(op, n ? 84 : 81, combines == 0 ? value & other : combines == 1 ? value | other : value ^ other);
    }
}

static void add_shifted(struct operation *op)
{
    const bool high = bits_of(op, 80, 1), carries = bits_of(op, 74, 1);
    const u32 shift = bits_of(op, 75, 5), sign = op->a.value >> 31 ? UINT32_MAX : 0;
    const u64 wide = op->a.value | (u64)(bits_of(op, 73, 1) ? sign : op->c.value) << 32;
    const struct source a = {(u32)(high ? wide << shift >> 32 : (u64)op->a.value << shift), true, op->a.negated};
    op->b.negated &= bits_of(op, 9, 3) == 1;
    const u64 sum = negatable(a, carries) + negatable(op->b, carries) + (carries ? read_predicate(op, 87, 90) : 0);
    write(op, sum);
    write_predicate(op, 81, sum >> 32 & 1);
}

static void look_up(struct operation *op)
{
    const u32 a = op->a.value, b = op->b.value, c = op->c.value, table = bits_of(op, 72, 8);
    u32 result = 0;
    for (u32 n = 0; n < 8; n++)
        if (table >> n & 1)
            result |= (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
    const u32 other = read_predicate(op, 87, 90);
    write(op, result);
    write_predicate(op, 81, bits_of(op, 80, 1) ? (result != 0) & other : (result != 0) | other);
}

static void shift(struct operation *op)
{
    const u32 type = bits_of(op, 73, 2), bits = type < 2 ? 64 : 32;
    const bool is_signed = type == 0 || type == 2;
    const u32 amount = bits_of(op, 75, 1) ? op->b.value % bits : op->b.value < bits ? op->b.value : bits;
    const u64 value = op->a.value | (u64)op->c.value << 32, fill = is_signed && value >> 63 ? UINT64_MAX : 0;
    u64 result = amount > 63 ? 0 : value << amount;
    if (bits_of(op, 76, 1))
        result = amount > 63 ? fill : amount ? value >> amount | fill << (64 - amount) : value;
    write(op, bits_of(op, 80, 1) ? result >> 32 : result);
}

static void choose(struct operation *op)
{
    const u32 first = read_predicate(op, 87, 90);
    write(op, first ? op->a.value : op->b.value);
}

static void permute(struct operation *op)
{
    const u64 bytes = op->a.value | (u64)op->c.value << 32;
    u32 result = 0;
    for (u32 n = 0; n < 4; n++) {
        const u32 nibble = op->b.value >> 4 * n & 15, byte = (u32)(bytes >> 8 * (nibble & 7)) & 0xFF;
        result |= (nibble & 8 ? (byte >> 7) * 0xFF : byte) << 8 * n;
    }
    op->known &= bits_of(op, 72, 3) == 0;
    write(op, result);
}

static void choose_lesser(struct operation *op)
{
    const u64 flip = bits_of(op, 73, 1) ? 0x80000000 : 0;
    const bool less = (op->a.value ^ flip) < (op->b.value ^ flip), lesser = read_predicate(op, 87, 90);
    write(op, less == lesser ? op->a.value : op->b.value);
}

static void subtract(struct operation *op)
{
    const bool is_signed = bits_of(op, 73, 1);
    const u64 difference = extended(op->a.value, is_signed) - extended(op->b.value, is_signed);
    write(op, ((int64_t)difference < 0 ? 0 - difference : difference) + op->c.value);
}

static void take_magnitude(struct operation *op)
{
    write(op, op->b.value >> 31 ? 0 - op->b.value : op->b.value);
}

static u64 ones(u32 n)
{
    return ((u64)1 << n) - 1;
}

static u32 limited(const struct operation *op, u32 amount)
{
    return bits_of(op, 75, 1) ? amount & 31 : amount < 32 ? amount : 32;
}

static void extend(struct operation *op)
{
    const u32 n = limited(op, op->b.value);
    const u64 value = op->a.value & ones(n), sign = n && value >> (n - 1) & 1 ? ~ones(n) : 0;
    write(op, value | (bits_of(op, 73, 1) ? sign : 0));
}

static void mask(struct operation *op)
{
    write(op, ones(limited(op, op->b.value)) << limited(op, op->a.value));
}

/* Converts a signed number to U8, S8, U16 or S16. */
static void saturate(struct operation *op)
{
    const u32 type = bits_of(op, 76, 2), bits = type < 2 ? 8 : 16;
    const int32_t value = (int32_t)op->b.value, most = (int32_t)ones(bits - (type & 1)), least = type & 1 ? -most - 1 : 0;
    op->known &= bits_of(op, 72, 4) == 0;
    write(op, (u32)(value < least ? least : value > most ? most : value));
}

static const struct {
    void (*run)(struct operation *op);
    u32 uses;
} rows[64] = {[0x07] = {choose, A | B},          [0x0c] = {compare, A | B},     [0x10] = {add, A | B | C},
              [0x11] = {add_shifted, A | B | C}, [0x12] = {look_up, A | B | C}, [0x13] = {take_magnitude, B},
              [0x14] = {subtract, A | B | C},    [0x16] = {permute, A | B | C}, [0x17] = {choose_lesser, A | B},
              [0x19] = {shift, A | B | C},       [0x1a] = {extend, A | B},      [0x1b] = {mask, A | B},
              [0x24] = {multiply, A | B | C},    [0x38] = {saturate, B}};

bool machine_integer(struct machine *machine, const u64 *code)
{
    struct operation op = {.machine = machine, .code = code};
    const u32 number = bits_of(&op, 0, 9), form = bits_of(&op, 9, 3);
    if (!machine->computes || number >= 64 || !rows[number].run || form == 0)
        return false;
    read_sources(&op, rows[number].uses);
    rows[number].run(&op);
    return true;
}
