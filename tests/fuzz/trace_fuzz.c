/* Mutated traces: bytes of the file, and contents of frames behind valid digests. Each result gives an error or can be simulated;
 * the sanitizer build checks the rest. trace_fuzz_one has the form of a libFuzzer target. Usage: test_trace_fuzz [seed [cases]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "unit/trace/container.h"
#include "unit/trace/random.h"

static const char file[] = "trace_fuzz.wst";
static u64 seed = 1, cases = 4000;
static u32 accepted, refused;

static void check_message(enum ws_status status, const struct ws_error *error)
{
    assert_int_equal(status, WS_STATUS_bad_input);
    assert_int_equal(error->status, status);
    assert_int_equal(strncmp(error->message, "trace_fuzz.wst: ", 16), 0);
    assert_true(strlen(error->message) > 20);
}

/* Reads all that the code points to. */
static void walk_code(const struct ws_launch *launch)
{
    u64 sum = 0;
    for (u32 n = 0; launch->code && n < launch->instructions; n++) {
        const struct ws_machine_instruction *const at = &launch->code->instructions[n];
        sum += strlen(at->text) + strlen(at->ptx) + (at->file ? strlen(launch->code->files[at->file - 1]) : 0);
        for (u32 i = 0; i < at->operand_count; i++)
            sum += at->operands[i].number + (u64)at->operands[i].offset;
    }
    assert_true(sum < UINT64_MAX);
}

/* Loads the file and applies every operation to it. */
static void use_file(void)
{
    struct ws_error error = {.message = ""};
    struct ws_trace *trace;
    struct ws_image *image;
    struct ws_trace_info info;
    enum ws_status status = ws_trace_open(file, &trace, &error);
    if (status == WS_STATUS_ok) {
        walk_code(ws_trace_launch(trace));
        status = ws_trace_info(trace, &info, NULL, &error);
        assert_int_equal(ws_image_load(trace, 0, 1, 1u << WS_SPACE_global, &image, NULL), status);
        ws_image_free(image);
        ws_image_load(trace, 0, 1, 0xFFFFFFFFu, &image, NULL);
        ws_image_free(image);
        ws_trace_close(trace);
    }
    if (status == WS_STATUS_ok)
        accepted++;
    else
        refused++;
    if (status != WS_STATUS_ok)
        check_message(status, &error);
}

int trace_fuzz_one(const u8 *data, size_t size);
int trace_fuzz_one(const u8 *data, size_t size)
{
    bytes_write(file, data, size);
    use_file();
    return 0;
}

/* Changes a few bytes, at one place or all over. */
static void mutate(u64 *state, u8 *data, size_t length)
{
    for (u32 n = 1 + random_below(state, 3); length && n; n--) {
        u8 *const byte = &data[random_next(state) % length];
        switch (random_below(state, 4)) {
        case 0:
            *byte ^= (u8)(1u << random_below(state, 8));
            break;
        case 1:
            *byte = (u8)random_next(state);
            break;
        case 2:
            *byte = random_below(state, 2) ? 0xFF : 0;
            break;
        default:
            *byte = (u8)(*byte + 1 - 2 * random_below(state, 2));
        }
    }
}

/* Removes or inserts bytes in a frame's contents. */
static void resize(u64 *state, struct container *container, u32 frame)
{
    const u32 length = container->frame[frame].length, at = random_below(state, length + 1);
    const u32 count = 1 + random_below(state, 12);
    static const u8 none[1];
    const u8 *const from = length > 0 ? container->frame[frame].data : none;
    u8 *const data = calloc((size_t)length + count, 1);
    assert_non_null(data);
    memcpy(data, from, at);
    if (random_below(state, 2)) {
        memcpy(data + at + count, from + at, length - at);
        container_set(container, frame, data, length + count);
    } else {
        const u32 left = at + count < length ? length - at - count : 0;
        memcpy(data + at, from + length - left, left);
        container_set(container, frame, data, at + left);
    }
    free(data);
}

static void mutate_contents(u64 *state, struct container *container)
{
    const u32 any = random_below(state, container->frames + (container->version >= 6 ? 2 : 0));
    const u32 frame = any < container->frames ? any : CONTAINER_CODE;
    const u32 choice = random_below(state, 8);
    if (choice == 0)
        resize(state, container, frame);
    else if (choice == 1)
        container->section[random_below(state, container->sections)].blocks += 1 - 2 * random_below(state, 2);
    else
        mutate(state, container->frame[frame].data, container->frame[frame].length);
}

/* Writes a new random trace. */
static void write_sound(u64 *state)
{
    struct random_launch made;
    random_launch_make(state, &made);
    struct path *const paths = random_paths(state, &made.launch, 60);
    random_record(state, &made.launch, paths, file);
    random_paths_free(paths, &made.launch);
    random_launch_free(&made);
}

static void one_case(u64 *state)
{
    size_t length;
    write_sound(state);
    u8 *const bytes = bytes_read(file, &length);
    for (u32 turn = 0; turn < 8; turn++) {
        struct container container;
        bytes_write(file, bytes, length);
        container_read(file, &container);
        mutate_contents(state, &container);
        container_write(file, &container);
        container_free(&container);
        use_file();
    }
    mutate(state, bytes, length);
    trace_fuzz_one(bytes, random_below(state, 4) ? length : random_next(state) % length);
    free(bytes);
}

TEST(mutated_traces_are_refused_or_sound)
{
    u64 random = seed;
    for (u64 done = 0; done < cases; done += 9)
        one_case(&random);
    unlink(file);
    printf("seed %llu: %u accepted, %u refused\n", (unsigned long long)seed, accepted, refused);
    assert_true(accepted && refused);
}

int main(int count, char **arguments)
{
    seed = count > 1 ? strtoull(arguments[1], NULL, 0) | 1 : seed;
    cases = count > 2 ? strtoull(arguments[2], NULL, 0) : cases;
    return test_run(NULL, NULL);
}
