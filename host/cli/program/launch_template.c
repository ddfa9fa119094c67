#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/documents/yaml.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/program/compile.h"
#include "cli/program/program.h"

struct arguments {
    struct cli_program program;
    const char *kernel;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->program;
        return 0;
    case ARGP_KEY_ARG:
        if (cli_is_program(argument) && !arguments->kernel)
            cli_program_add(&arguments->program, argument, state);
        else
            return cli_take_argument(key, argument, state, "kernel", &arguments->kernel);
        return 0;
    case ARGP_KEY_END:
        if (arguments->program.file_count == 0)
            argp_error(state, "a program is needed: FILE.ptx, FILE.cl, FILE.cu or FILE.cubin");
        cli_program_check(&arguments->program, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Arguments ---- */

static void add_vector(const struct ws_argument_info *parameter, struct ws_text *out)
{
    ws_text_add(out, "vector: %s, value: [", parameter->element);
    for (u32 n = 0; n < parameter->components; n++)
        ws_text_add(out, "%sFILL_IN", n ? ", " : "");
    ws_text_add(out, "]}");
}

static void add_buffer(const struct ws_argument_info *parameter, struct ws_text *out)
{
    ws_text_add(out, "buffer: %s, count: FILL_IN, fill: zero}", parameter->element ? parameter->element : "FILL_IN");
}

static void add_image(const struct ws_image_info *image, struct ws_text *out)
{
    ws_text_add(out, "image: %s, size: [", image->shape);
    for (u32 n = 0; n < image->sizes; n++)
        ws_text_add(out, "%sFILL_IN", n ? ", " : "");
    ws_text_add(out, "], order: FILL_IN, format: FILL_IN, fill: zero}");
}

static void add_image_comment(const struct ws_image_info *image, struct ws_text *out)
{
    ws_text_add(out, "sizes, r, rgba or another order, a format of %s",
                !image->channel                      ? "channels (unorm8, f32)"
                : strcmp(image->channel, "f32") == 0 ? "real channels (unorm8, f32)"
                                                     : "integer channels (u8, i32)");
}

static void add_zeros(u32 count, struct ws_text *out)
{
    ws_text_add(out, "{array: u8, value: [0");
    for (u32 n = 1; n < count; n++)
        ws_text_add(out, ", 0");
    ws_text_add(out, "]}");
}

/* By members, as far as the kernel's loads reveal them. */
static void add_struct(const struct ws_program *program, const char *kernel, u32 parameter, struct ws_text *out)
{
    struct ws_member_info member;
    u32 n = 0;
    ws_text_add(out, "struct: [");
    for (; ws_program_member(program, kernel, parameter, n, &member); n++) {
        ws_text_add(out, "%s", n ? ", " : "");
        if (!member.element)
            add_zeros(member.bytes, out);
        else if (member.is_pointer)
            ws_text_add(out, "{buffer: FILL_IN}");
        else
            ws_text_add(out, "{scalar: %s, value: FILL_IN}", member.element);
    }
    ws_text_add(out, n ? "]}" : "FILL_IN]}");
}

/* Placeholders to fill in, between braces. */
static void add_value(const struct ws_argument_info *parameter, struct ws_text *out)
{
    switch (parameter->kind) {
    case WS_TAKES_SCALAR:
        ws_text_add(out, "scalar: %s, value: FILL_IN}", parameter->element);
        break;
    case WS_TAKES_VECTOR:
        add_vector(parameter, out);
        break;
    case WS_TAKES_SHARED:
        ws_text_add(out, "shared: FILL_IN}");
        break;
    case WS_TAKES_IMAGE:
        add_image(&parameter->image, out);
        break;
    case WS_TAKES_SAMPLER:
        ws_text_add(out, "sampler: {coordinates: FILL_IN, address: FILL_IN, filter: FILL_IN}}");
        break;
    default:
        add_buffer(parameter, out);
    }
}

static void add_comment(const struct ws_argument_info *parameter, u32 n, struct ws_text *out)
{
    ws_text_add(out, "  # %" PRIu32 "%s%s: ", n, parameter->type ? ", " : "", parameter->type ? parameter->type : "");
    if (parameter->kind == WS_TAKES_STRUCT)
        ws_text_add(out, "%" PRIu32 " bytes, aligned to %" PRIu32 ", by members", parameter->bytes, parameter->align);
    else if (parameter->kind == WS_TAKES_BUFFER && parameter->components > 1)
        ws_text_add(out, "elements, %" PRIu32 " for each vector", parameter->components == 3 ? 4 : parameter->components);
    else if (parameter->kind == WS_TAKES_BUFFER)
        ws_text_add(out, parameter->element ? "elements" : "a type and elements");
    else if (parameter->kind == WS_TAKES_SHARED)
        ws_text_add(out, "bytes of shared memory for each block");
    else if (parameter->kind == WS_TAKES_WORD)
        ws_text_add(out, "a buffer; if it is an integer: {scalar: u%" PRIu32 ", value: FILL_IN}", 8 * parameter->bytes);
    else if (parameter->kind == WS_TAKES_IMAGE)
        add_image_comment(&parameter->image, out);
    else if (parameter->kind == WS_TAKES_SAMPLER)
        ws_text_add(out, "texels or normalised; none, clamp_to_edge, clamp, repeat, mirrored_repeat; nearest or linear");
    else if (parameter->type)
        ws_text_add(out, parameter->kind == WS_TAKES_VECTOR ? "numbers" : "a number");
    else
        ws_text_add(out, "a number of %" PRIu32 " bytes, of any type", parameter->bytes);
    ws_text_add(out, "\n");
}

static enum ws_status add_argument(const struct ws_program *program, const char *kernel, u32 n, struct ws_text *out,
                                   struct ws_error *error)
{
    struct ws_argument_info parameter;
    WS_TRY(ws_program_argument(program, kernel, n, &parameter, error));
    ws_text_add(out, "  - {");
    if (parameter.name)
        ws_text_add(out, "name: %s, ", parameter.name);
    if (parameter.kind == WS_TAKES_STRUCT)
        add_struct(program, kernel, n, out);
    else
        add_value(&parameter, out);
    add_comment(&parameter, n, out);
    return WS_STATUS_ok;
}

/* ---- Variables ---- */

static void add_image_variable(const struct ws_image_variable *variable, struct ws_text *out)
{
    ws_text_add(out, "  %s: {", variable->name);
    add_image(&variable->image, out);
    ws_text_add(out, "  # ");
    add_image_comment(&variable->image, out);
    ws_text_add(out, "\n");
}

static void add_variables(const struct ws_program *program, const char *kernel, struct ws_text *out)
{
    struct ws_image_variable variable;
    for (u32 n = 0; ws_program_image_variable(program, kernel, n, &variable); n++) {
        if (n == 0)
            ws_text_add(out, "variables:  # textures and surfaces\n");
        add_image_variable(&variable, out);
    }
}

/* ---- The file ---- */

/* What Triton's cache has beside KERNEL.ptx, in KERNEL.json. */
struct metadata {
    bool found;
    u64 warps, shared, cluster[3];
};

static void read_cluster(const struct ws_yaml *root, struct metadata *metadata)
{
    const struct ws_yaml *const sizes = ws_yaml_get(root, "cluster_dims");
    struct ws_error error;
    u32 n = 0;
    for (const struct ws_yaml *item = sizes && sizes->kind == WS_YAML_SEQUENCE ? sizes->first : NULL; item && n < 3;
         item = item->next)
        if (ws_yaml_unsigned(item, 1, 16, &metadata->cluster[n], &error) == WS_STATUS_ok)
            n++;
}

/* Another file of that name is no metadata. */
static struct metadata read_metadata(const char *program)
{
    enum { WARPS = 32 };
    struct metadata metadata = {.cluster = {1, 1, 1}};
    struct ws_text path = {0};
    struct ws_yaml *root = NULL;
    struct ws_error error;
    const size_t stem = ws_stem(program, ".ptx");
    ws_text_add(&path, "%.*s.json", (int)stem, program);
    if (stem && !path.failed && access(path.data, R_OK) == 0 && ws_yaml_load(path.data, &root, &error) == WS_STATUS_ok &&
        root->kind == WS_YAML_MAPPING) {
        const struct ws_yaml *const warps = ws_yaml_get(root, "num_warps"), *const shared = ws_yaml_get(root, "shared");
        metadata.found = warps && shared && ws_yaml_unsigned(warps, 1, WARPS, &metadata.warps, &error) == WS_STATUS_ok &&
                         ws_yaml_unsigned(shared, 0, WS_MOST_SHARED, &metadata.shared, &error) == WS_STATUS_ok;
        read_cluster(root, &metadata);
    }
    ws_yaml_free(root);
    ws_text_free(&path);
    return metadata;
}

/* Sizes of a kernel of Triton, except the grid. */
static void add_metadata(const struct arguments *arguments, const struct metadata *metadata, struct ws_text *out)
{
    const u64 threads = 32 * metadata->warps, *const cluster = metadata->cluster;
    ws_text_add(out,
                "kernel: %s\nglobal: [FILL_IN]  # %" PRIu64 " times the programs of the grid in x, then those in y, z\n"
                "local: [%" PRIu64 ", 1, 1]  # num_warps of the metadata\nshared: %" PRIu64 "  # of the metadata\n",
                arguments->kernel, threads, threads, metadata->shared);
    if (cluster[0] * cluster[1] * cluster[2] > 1)
        ws_text_add(out, "cluster: [%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]  # cluster_dims of the metadata\n", cluster[0],
                    cluster[1], cluster[2]);
}

static void add_sizes(const struct arguments *arguments, const u32 block[3], struct ws_text *out)
{
    ws_text_add(out, "kernel: %s\nglobal: [FILL_IN]  # threads in x, y, z: multiples of local\n", arguments->kernel);
    if (block[0] > 0)
        ws_text_add(out, "local: [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]  # as the kernel requires\n", block[0], block[1],
                    block[2]);
    else
        ws_text_add(out, "local: [FILL_IN]  # threads of a block in x, y, z\n");
    if (!cli_is_opencl(arguments->program.files[0]))
        ws_text_add(out, "shared: 0  # bytes of dynamic shared memory (.extern .shared) for each block\n");
}

static void add_head(const struct arguments *arguments, const struct ws_kernel_info *info, struct ws_text *out)
{
    const struct metadata metadata = read_metadata(arguments->program.files[0]);
    ws_text_add(out, "# A launch for: warpsweep trace build");
    for (size_t n = 0; n < arguments->program.file_count; n++)
        ws_text_add(out, " %s", arguments->program.files[n]);
    ws_text_add(out,
                " --launch THIS_FILE -o OUT.wst\n# Every FILL_IN is to be replaced. Fills of buffers: zero, iota, {constant: V}, "
                "{values: [...]},\n# {random: {low: L, high: H}}, {file: PATH}, which may be a .npy and needs no count.\n");
    if (metadata.found)
        add_metadata(arguments, &metadata, out);
    else
        add_sizes(arguments, info->block, out);
    ws_text_add(out, info->parameters > 0 ? "arguments:\n" : "arguments: []\n");
}

/* A program with one kernel needs no name. */
static enum ws_status find_kernel(struct arguments *arguments, const struct ws_program *program, struct ws_error *error)
{
    const char *const *const kernels = ws_program_kernels(program);
    if (arguments->kernel)
        return WS_STATUS_ok;
    if (kernels[0] && !kernels[1]) {
        arguments->kernel = kernels[0];
        return WS_STATUS_ok;
    }
    struct ws_names names = {.nearest = {.word = ""}};
    for (size_t n = 0; kernels[n]; n++)
        ws_names_offer(&names, kernels[n]);
    const enum ws_status status = ws_fail(error, WS_STATUS_bad_input, "%s: the name of a kernel is needed; there are %s",
                                          arguments->program.files[0], ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

static enum ws_status make(struct arguments *arguments, const struct ws_program *program, struct ws_text *out,
                           struct ws_error *error)
{
    struct ws_kernel_info info;
    WS_TRY(find_kernel(arguments, program, error));
    WS_TRY(ws_program_kernel(program, arguments->kernel, &info, error));
    add_head(arguments, &info, out);
    for (u32 n = 0; n < info.parameters; n++)
        WS_TRY(add_argument(program, arguments->kernel, n, out, error));
    add_variables(program, arguments->kernel, out);
    return WS_STATUS_ok;
}

static const struct argp_child children[] = {{&cli_program_argp, 0, NULL, 0}, {0}};

const struct argp cli_launch_template_argp = {
    .parser = parse,
    .args_doc = "FILE.ptx|FILE.cl|FILE.cu...|FILE.cubin [KERNEL]",
    .doc = "Print a launch file for a kernel: all arguments by type, FILL_IN for each number to supply.",
    .children = children};

int cli_launch_template(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ws_frontend_options frontend = cli_frontend_standard();
    struct ws_program *program = NULL;
    struct ws_text out = {0};
    struct ws_error error;
    argp_parse(&cli_launch_template_argp, argc, argv, 0, NULL, &arguments);
    cli_catch_interrupt();
    arguments.program.kernel = arguments.kernel;
    enum ws_status status = cli_program_load(&arguments.program, NULL, &frontend, &program, &error);
    WS_THEN(status, make(&arguments, program, &out, &error));
    ws_program_free(program);
    cli_program_forget(&arguments.program);
    if (status == WS_STATUS_ok)
        return cli_print(&out);
    ws_text_free(&out);
    return cli_fail(&error);
}
