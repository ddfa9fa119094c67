/* Mutated images of GPU code as a program gives them to the stand-in for NVIDIA's libraries: sizes never exceed the bytes that
 * there are, and linking of PTX ends; the sanitizer build checks the rest. WS_SEED is the first case, WS_CASES their number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "capture/cuda/core/image.h"
#include "capture/cuda/core/link.h"
#include "fuzz/mutate.h"
#include "test.h"

enum { CASES = 3000, MOST_CHANGES = 4, HEADER = 128 };

static u64 number_of(const char *variable, u64 standard)
{
    const char *const text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : standard;
}

static char *read_file(const char *folder, const char *name, size_t *length)
{
    char path[300], *bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(ws_file_read(path, MUTANT_ROOM / 2, &bytes, length, NULL), WS_STATUS_ok);
    return bytes;
}

/* Numbers in the header and anywhere, some of them extreme; sometimes the end is cut off. */
static size_t change(struct random *random, u8 *bytes, size_t length)
{
    static const u64 numbers[] = {0, 1, 0x7FFF, 0xFFFF, 0xFFFFFFFF, UINT64_MAX, (u64)INT64_MAX};
    for (u32 n = random_from(random, 1, MOST_CHANGES); n > 0; n--) {
        const u32 size = random_power(random, 0, 3);
        const size_t part = random_chance(random, 50) && length > HEADER ? HEADER : length;
        const u64 value = random_chance(random, 50)   ? numbers[random_below(random, sizeof numbers / sizeof *numbers)]
                          : random_chance(random, 50) ? length - random_below(random, 64)
                                                      : random_next(random);
        memcpy(bytes + random_next(random) % (part - size + 1), &value, size);
    }
    return random_chance(random, 30) ? random_below(random, (u32)length) : length;
}

TEST(sizes_of_mutated_images_stay_within_them)
{
    static const char *const names[] = {"small.sm_86.cubin", "small.relocatable.cubin", "small.size.fatbin", "small.o"};
    const u64 first = number_of("WS_SEED", 1), cases = number_of("WS_CASES", CASES);
    u32 whole = 0;
    for (u64 n = 0; n < cases; n++) {
        struct random random = {.state = mix(first + n)};
        size_t length;
        char *const file = read_file(FILES_FOLDER, names[n % (sizeof names / sizeof *names)], &length);
        const size_t room = change(&random, (u8 *)file, length);
        u8 *const image = malloc(room + (room == 0)); /* so that sanitizers know its end */
        memcpy(image, file, room);
        const u64 as_elf = gpu_elf_bytes(image, room), as_fatbin = gpu_fatbin_bytes(image, room);
        assert_true(as_elf <= room && as_fatbin <= room);
        whole += as_elf > 0 || as_fatbin > 0;
        free(image);
        free(file);
    }
    assert_true(whole > 0 && whole < cases);
}

TEST(sizes_of_whole_images_are_their_files)
{
    size_t length;
    char *const cubin = read_file(FILES_FOLDER, "small.sm_86.cubin", &length);
    assert_int_equal(gpu_elf_bytes((u8 *)cubin, length), length);
    assert_int_equal(gpu_elf_bytes((u8 *)cubin, length - 1), 0);
    free(cubin);
    char *const fatbin = read_file(FILES_FOLDER, "small.size.fatbin", &length);
    assert_int_equal(gpu_fatbin_bytes((u8 *)fatbin, length), length);
    assert_int_equal(gpu_fatbin_bytes((u8 *)fatbin, length - 1), 0);
    free(fatbin);
    assert_true(gpu_readable(FILES_FOLDER) >= sizeof FILES_FOLDER);
}

TEST(linking_of_mutated_ptx_ends)
{
    static const char *const words[] = {".extern", ".weak", ".visible", ".func", ".file 1", ".section", "{",
                                        "}",       "(",     ";",        "\"",    "/*",      NULL};
    static const char *const numbers[] = {"0", "-1", "4294967295", NULL};
    static const char *const lines[] = {".global .u32 v = 1;", ".file 2 \"b.cu\"", ".extern .func f;", NULL};
    const u64 first = number_of("WS_SEED", 1), cases = number_of("WS_CASES", CASES) / 4;
    static struct mutant mutant = {.words = words, .numbers = numbers, .lines = lines};
    size_t length;
    char *const seed = read_file(FUZZ_FOLDER, "seed.ptx", &length);
    for (u64 n = 0; n < cases; n++) {
        mutant.random.state = mix(first + n);
        mutant.length = length;
        memcpy(mutant.text, seed, length + 1);
        for (u32 edits = random_from(&mutant.random, 1, 5); edits > 0; edits--)
            mutate(&mutant);
        mutant.text[mutant.length] = '\0';
        char *const copy = strdup(mutant.text);
        const char *const texts[] = {copy, seed, copy};
        size_t linked_length;
        char *const linked = gpu_link(texts, 3, &linked_length);
        assert_non_null(linked);
        assert_int_equal(strlen(linked), linked_length);
        free(linked);
        free(copy);
    }
    free(seed);
}

/* Declarations go, names of both stay apart, files are numbered on. */
TEST(two_modules_become_one)
{
    static const char *const texts[] = {
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n.extern .global .u32 n;\n.global .u32 own = 1;\n"
        ".extern .func f\n(\n.param .b32 x\n)\n;\n.weak .func w() { ret; }\n.visible .entry k() { .loc 1 5 0\n st [own], n; }\n",
        "// two\n.version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"b.cu\"\n.visible .global .u32 n = 3;\n.global .u32 own = "
        "2;\n"
        ".weak .func w() { ret; }\n.visible .func f(.param .b32 x) { .loc 1 7 0\n st [own], 1; }\n.section .debug { .b8 1 }\n"};
    static const char expected[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n.file 2 \"b.cu\"\n"
        ".weak .func w() \n;\n.visible .func f(.param .b32 x) \n;\n" /* before the variables, whose initializers may name them */
        ".global .u32 own$m0 = 1;\n.visible .global .u32 n = 3;\n.global .u32 own$m1 = 2;\n.weak .func w() { ret; }\n"
        ".visible .entry k() { .loc 1 5 0\n st [own$m0], n; }\n.visible .func f(.param .b32 x) { .loc 2 7 0\n st [own$m1], 1; }\n";
    size_t length;
    char *const linked = gpu_link(texts, 2, &length);
    assert_string_equal(linked, expected);
    free(linked);
}

TESTS(NULL, NULL)
