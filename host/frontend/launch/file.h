/* A launch file while it is read: the buffers that its launches share, and its steps. A step is a launch or an action of the host
 * between launches. Everything except the buffers' bytes lives in one arena. */
#pragma once

#include "base/arena.h"
#include "frontend/launch/element.h"
#include "warpsweep/frontend.h"

typedef int64_t i64;

#define LAUNCH_NO_BUFFER 0xFFFFFFFFu

/* A pointer to the buffer that a name denotes, or the null pointer. */
struct launch_pointer {
    u64 at; /* its position in what holds it */
    u32 buffer;
    u64 offset; /* bytes */
};

/* A number that changes with each round of a loop: start value, and the term or factor of each round. */
struct launch_series {
    const struct ws_yaml *node; /* NULL: it is none */
    i64 start, plus, times;
    i64 least, most; /* that it may be */
    u32 loop;        /* the step */
};

/* Source of a launch's argument, in addition to struct ws_argument. */
struct launch_argument {
    u32 buffer; /* LAUNCH_NO_BUFFER: not a buffer, or the null pointer */
    u64 offset;
    const struct launch_pointer *pointers; /* of a struct */
    struct launch_series series;
};

enum launch_step_kind { STEP_launch, STEP_loop, STEP_end, STEP_write, STEP_swap };

/* When a loop ends early: an element of a buffer compared with a number. */
struct launch_until {
    u32 buffer; /* LAUNCH_NO_BUFFER: never */
    u64 index, bits;
    enum { UNTIL_equals, UNTIL_below, UNTIL_above } how;
};

struct launch_step {
    enum launch_step_kind kind;
    const struct ws_yaml *node;
    struct ws_ndrange launch;       /* STEP_launch, with its arguments */
    struct launch_series global[3]; /* its sizes */
    struct launch_argument *made_of;
    u64 rounds, round; /* STEP_loop: at most; begun */
    bool bounded;      /* the file gives the number of rounds */
    struct launch_until until;
    u32 begin;      /* STEP_end: the loop's step */
    u32 buffers[2]; /* STEP_write: the first; STEP_swap: both */
    void *content;  /* STEP_write: contents of the whole buffer; freed with the file */
};

struct ws_launch_file {
    struct ws_arena arena;
    struct ws_yaml *root;
    u64 seed;
    bool sequence;
    const char **options; /* of the compiler, NULL-terminated */
    struct ws_buffer *buffers;
    size_t buffer_count, buffer_room;
    u32 named;  /* number of named `buffers`; those of single arguments follow */
    u32 *bound; /* the buffer that each name currently denotes */
    struct ws_buffer *initial;
    size_t initial_count, initial_room;
    struct ws_variables variables;
    struct launch_step *steps;
    size_t step_count, step_room;
    u32 position; /* of the next step */
    u32 launched;
};

/* Reads the name of a buffer of the file, or null where that is allowed (LAUNCH_NO_BUFFER). In buffers.c. */
enum ws_status launch_buffer_name(const struct ws_launch_file *file, const struct ws_yaml *node, bool null, u32 *buffer,
                                  struct ws_error *error);

/* The number of the buffer that a name currently denotes. In file.c. */
u32 launch_bound(const struct ws_launch_file *file, u32 buffer);

/* Reads `offset` beside a buffer's name, in elements, and converts it to bytes; 0 if missing. */
enum ws_status launch_buffer_offset(const struct ws_launch_file *file, const struct ws_yaml *mapping, u32 buffer, u64 *offset,
                                    struct ws_error *error);

/* Adds a buffer whose elements have the type that node names, with the contents that mapping gives. */
enum ws_status launch_buffer_add(struct ws_launch_file *file, const struct ws_yaml *mapping, const struct ws_yaml *type, u64 seed,
                                 const char *name, u32 *buffer, struct ws_error *error);

/* Reads `image` of mapping: a shape, which adds an image with the keys own, or the name of one of `buffers`, with the keys named.
 */
enum ws_status launch_image_read(struct ws_launch_file *file, const struct ws_yaml *mapping, const char *const *own,
                                 const char *const *named, u64 seed, const char *name, u32 *buffer, struct ws_error *error);

/* Reads `buffers` and `variables`. */
enum ws_status launch_buffers_read(struct ws_launch_file *file, struct ws_error *error);

/* Reads a launch into a step; loop is the step of the innermost loop around it, or LAUNCH_NO_BUFFER. In arguments.c and range.c. */
enum ws_status launch_read(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_step *step, u32 loop,
                           struct ws_error *error);
enum ws_status launch_arguments_read(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_step *step, u32 loop,
                                     struct ws_error *error);

/* Reads {start, plus} or {start, times}, of numbers from least to most; the launch must be in a loop. In series.c. */
enum ws_status launch_series_read(const struct ws_yaml *node, u32 loop, i64 least, i64 most, struct launch_series *series,
                                  struct ws_error *error);

/* The number of this round. */
enum ws_status launch_series_value(const struct ws_launch_file *file, const struct launch_series *series, i64 *value,
                                   struct ws_error *error);

/* Fills in the sizes that change before a launch. In range.c. */
enum ws_status launch_range_settle(const struct ws_launch_file *file, struct launch_step *step, struct ws_error *error);

/* Fills in an argument's bytes before its launch: addresses of the buffers that names currently denote, numbers of this round. */
enum ws_status launch_argument_settle(const struct ws_launch_file *file, struct ws_argument *argument,
                                      const struct launch_argument *made_of, struct ws_error *error);

/* Reads the list of steps. In steps.c. */
enum ws_status launch_steps_read(struct ws_launch_file *file, const struct ws_yaml *list, u32 loop, struct ws_error *error);

/* Splits `options` into words, with folders of -I relative to the file. In options.c. */
enum ws_status launch_options_read(struct ws_launch_file *file, struct ws_error *error);
