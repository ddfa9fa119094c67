/* Where a thread has which numbers of a wmma matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/dialect.h"
#include "test.h"
#include "warpsweep/frontend.h"

enum { LANES = 32, LANE = 5, DISTANCE = 64, MOST = 64 * DISTANCE, WORDS = 16 };

/* Rows and columns of the numbers of lane 5 in the order of its registers, as the code of ptxas 13.0 for sm_80 loads them, for
 * either layout in memory. */
static const struct fragment {
    const char *matrix, *shape, *type;
    u32 registers;
    const char *places;
} fragments[] = {
    {"a", "m16n16k16", "f16", 8, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11 1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"},
    {"b", "m16n16k16", "f16", 8, "2,1 3,1 10,1 11,1 2,9 3,9 10,9 11,9 2,1 3,1 10,1 11,1 2,9 3,9 10,9 11,9"},
    {"c", "m16n16k16", "f32", 8, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"},
    {"c", "m16n16k16", "f16", 4, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"},
    {"a", "m16n16k16", "s8", 2, "1,4 1,5 1,6 1,7 9,4 9,5 9,6 9,7"},
    {"b", "m16n16k16", "s8", 2, "4,1 5,1 6,1 7,1 4,9 5,9 6,9 7,9"},
    {"a", "m16n16k16", "bf16", 4, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"},
    {"b", "m16n16k16", "bf16", 4, "2,1 3,1 10,1 11,1 2,9 3,9 10,9 11,9"},
    {"c", "m16n16k16", "s32", 8, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"},
    {"a", "m32n8k16", "f16", 8, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11 17,2 17,3 25,2 25,3 17,10 17,11 25,10 25,11"},
    {"b", "m32n8k16", "f16", 8, "2,1 3,1 10,1 11,1 2,1 3,1 10,1 11,1 2,1 3,1 10,1 11,1 2,1 3,1 10,1 11,1"},
    {"c", "m32n8k16", "f32", 8, "1,2 1,3 9,2 9,3 17,2 17,3 25,2 25,3"},
    {"c", "m32n8k16", "f16", 4, "1,2 1,3 9,2 9,3 17,2 17,3 25,2 25,3"},
    {"a", "m32n8k16", "s8", 4, "1,4 1,5 1,6 1,7 9,4 9,5 9,6 9,7 17,4 17,5 17,6 17,7 25,4 25,5 25,6 25,7"},
    {"b", "m32n8k16", "s8", 1, "4,1 5,1 6,1 7,1"},
    {"a", "m32n8k16", "bf16", 8, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11 17,2 17,3 25,2 25,3 17,10 17,11 25,10 25,11"},
    {"b", "m32n8k16", "bf16", 2, "2,1 3,1 10,1 11,1"},
    {"c", "m32n8k16", "s32", 8, "1,2 1,3 9,2 9,3 17,2 17,3 25,2 25,3"},
    {"a", "m8n32k16", "f16", 8, "1,2 1,3 1,10 1,11 1,2 1,3 1,10 1,11 1,2 1,3 1,10 1,11 1,2 1,3 1,10 1,11"},
    {"b", "m8n32k16", "f16", 8, "2,1 3,1 2,9 3,9 10,1 11,1 10,9 11,9 2,17 3,17 2,25 3,25 10,17 11,17 10,25 11,25"},
    {"c", "m8n32k16", "f32", 8, "2,1 3,1 2,9 3,9 2,17 3,17 2,25 3,25"},
    {"c", "m8n32k16", "f16", 4, "2,1 3,1 2,9 3,9 2,17 3,17 2,25 3,25"},
    {"a", "m8n32k16", "s8", 1, "1,4 1,5 1,6 1,7"},
    {"b", "m8n32k16", "s8", 4, "4,1 5,1 6,1 7,1 4,9 5,9 6,9 7,9 4,17 5,17 6,17 7,17 4,25 5,25 6,25 7,25"},
    {"a", "m8n32k16", "bf16", 2, "1,2 1,3 1,10 1,11"},
    {"b", "m8n32k16", "bf16", 8, "2,1 3,1 2,9 3,9 10,1 11,1 10,9 11,9 2,17 3,17 2,25 3,25 10,17 11,17 10,25 11,25"},
    {"c", "m8n32k16", "s32", 8, "2,1 3,1 2,9 3,9 2,17 3,17 2,25 3,25"},
    {"a", "m16n16k8", "tf32", 4, "1,1 9,1 1,5 9,5"},
    {"b", "m16n16k8", "tf32", 4, "1,1 5,1 1,9 5,9"},
    {"c", "m16n16k8", "f32", 8, "1,2 1,3 9,2 9,3 1,10 1,11 9,10 9,11"},
    {"a", "m8n8k4", "f64", 1, "1,1"},
    {"b", "m8n8k4", "f64", 1, "1,1"},
    {"c", "m8n8k4", "f64", 2, "1,2 1,3"},
    {"a", "m8n8k32", "s4", 1, "1,8 1,9 1,10 1,11 1,12 1,13 1,14 1,15"},
    {"b", "m8n8k32", "s4", 1, "8,1 9,1 10,1 11,1 12,1 13,1 14,1 15,1"},
    {"c", "m8n8k32", "s32", 2, "1,2 1,3"},
};

static u64 from[MOST];
static u32 to[LANES * WORDS];

static u32 bits_of(const char *type)
{
    static const struct {
        const char *type;
        u32 bits;
    } types[] = {{"f64", 64}, {"f32", 32}, {"s32", 32}, {"tf32", 32}, {"f16", 16}, {"bf16", 16}, {"s8", 8}, {"s4", 4}};
    u32 n = 0;
    while (strcmp(types[n].type, type) != 0)
        n++;
    return types[n].bits;
}

/* Number i of the memory is i, as far as it fits. */
static void number_memory(u32 bits)
{
    for (u32 i = 0; i < MOST; i++)
        for (u32 k = 0; k < bits / 8; k++)
            ((u8 *)from)[i * bits / 8 + k] = (u8)(k < 4 ? i >> 8 * k : 0);
    for (u32 i = 0; bits == 4 && i < MOST; i += 2)
        ((u8 *)from)[i / 2] = (u8)((i & 15) | (i + 1) % 16 << 4);
}

/* A kernel that loads the matrix and stores the registers of each thread. */
static void write_kernel(const struct fragment *fragment, bool column, char *text, size_t room)
{
    const bool wide = bits_of(fragment->type) == 64;
    char registers[90] = "", stores[700] = "";
    for (u32 i = 0; i < fragment->registers; i++) {
        sprintf(registers + strlen(registers), "%s%%v%u", i ? ", " : "", i);
        sprintf(stores + strlen(stores), "st.global.%s [%%p1+%u], %%v%u;\n", wide ? "b64" : "b32", i * (wide ? 8 : 4), i);
    }
    snprintf(text, room,
             ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
             ".reg .b64 %%p<3>;\n.reg .%s %%v<8>;\n.reg .b32 %%t;\nld.param.u64 %%p0, [a];\nld.param.u64 %%p1, [b];\n"
             "wmma.load.%s.sync.aligned.%s.%s.global.%s {%s}, [%%p0], %d;\nmov.u32 %%t, %%tid.x;\n"
             "mad.wide.u32 %%p1, %%t, %d, %%p1;\n%sret;\n}\n",
             wide ? "b64" : "b32", fragment->matrix, column ? "col" : "row", fragment->shape, fragment->type, registers,
             (int)DISTANCE, (int)sizeof *to * WORDS, stores);
}

static void run(const char *text)
{
    struct ws_program *program = NULL;
    struct ws_frontend_options options;
    struct ws_error error;
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof from, .data = from},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof to, .data = to}};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {LANES, 1, 1}, .local = {LANES, 1, 1}, .argument_count = 2, .arguments = arguments};
    ws_frontend_defaults(&options);
    if (ws_program_load("k.ptx", text, strlen(text), &options, &program, &error) != WS_STATUS_ok ||
        ws_execute(program, &options, &launch, NULL, NULL, &error) != WS_STATUS_ok)
        fail_msg("%s: %s", text, error.message);
    ws_program_free(program);
}

/* Number i of those that the lane stored. */
static u32 stored(u32 bits, u32 i)
{
    u32 value = 0;
    if (bits == 4)
        return ((const u8 *)(to + LANE * WORDS))[i / 2] >> 4 * (i % 2) & 15;
    memcpy(&value, (const u8 *)(to + LANE * WORDS) + i * bits / 8, bits < 32 ? bits / 8 : sizeof value);
    return value;
}

static void check(const struct fragment *fragment, bool column)
{
    static char text[1500];
    const u32 bits = bits_of(fragment->type);
    number_memory(bits);
    write_kernel(fragment, column, text, sizeof text);
    run(text);
    const char *place = fragment->places;
    for (u32 i = 0; *place; i++) {
        char *end;
        const u32 row = (u32)strtoul(place, &end, 10), col = (u32)strtoul(end + 1, &end, 10);
        const u32 number = (column ? col * DISTANCE + row : row * DISTANCE + col) & (bits >= 32 ? UINT32_MAX : (1u << bits) - 1);
        if (stored(bits, i) != number)
            fail_msg("%snumber %u of lane %d is %u, not %u", text, i, (int)LANE, stored(bits, i), number);
        place = *end ? end + 1 : end;
    }
}

/* Numbers of 4 bits: A is row-major, B column-major. */
TEST(test_fragments)
{
    for (size_t n = 0; n < sizeof fragments / sizeof *fragments; n++)
        for (u32 column = 0; column < 2; column++)
            if (bits_of(fragments[n].type) != 4 || column == (fragments[n].matrix[0] == 'b'))
                check(&fragments[n], column);
}
