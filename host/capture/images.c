/* Images and samplers, in the form of launch files. */
#include <stdio.h>

#include "capture/launch.h"

struct row {
    cl_uint number;
    const char *name;
};

static const struct row orders[] = {
#define IMAGE_ORDER(name_, number_, red, green, blue, alpha) {number_, #name_},
#include "warpsweep/images.def"
#undef IMAGE_ORDER
    {0, NULL}};

static const struct {
    cl_uint number;
    const char *name, *element;
} formats[] = {
#define IMAGE_FORMAT(name_, number_, element_, kind) {number_, #name_, #element_},
#include "warpsweep/images.def"
#undef IMAGE_FORMAT
    {0, NULL, NULL}};

static const struct {
    cl_mem_object_type type;
    const char *name;
    u32 dimensions; /* with layers */
} shapes[] = {{CL_MEM_OBJECT_IMAGE1D, "1d", 1}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1d_array", 2}, {CL_MEM_OBJECT_IMAGE2D, "2d", 2},
              {CL_MEM_OBJECT_IMAGE3D, "3d", 3}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2d_array", 3}, {0, NULL, 0}};

static const char *name_of(const struct row *rows, cl_uint number)
{
    while (rows->name && rows->number != number)
        rows++;
    return rows->name;
}

/* ---- Images ---- */

static size_t asked(cl_mem image, cl_image_info what)
{
    size_t size = 0;
    capture_driver.clGetImageInfo(image, what, sizeof size, &size, NULL);
    return size;
}

/* Texels along each dimension, then layers. */
static void ask_sizes(cl_mem image, u32 shape, struct capture_memory *memory)
{
    static const cl_image_info dimensions[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH};
    const size_t layers = asked(image, CL_IMAGE_ARRAY_SIZE);
    for (u32 n = 0; n < CAPTURE_DIMENSIONS; n++) {
        const bool there = n < shapes[shape].dimensions;
        memory->region[n] = !there ? 1 : n + 1 == shapes[shape].dimensions && layers > 0 ? layers : asked(image, dimensions[n]);
    }
}

bool capture_image(struct capture_launch *launch, cl_mem image, struct capture_memory *memory)
{
    cl_image_format format = {0};
    cl_mem_object_type type = 0;
    cl_mem whole = NULL;
    cl_uint levels = 0;
    u32 shape = 0, row = 0;
    capture_driver.clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL);
    capture_driver.clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    capture_driver.clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL);
    if (whole || levels > 1)
        return capture_refuse(launch, whole ? "an image lies in another object" : "an image has several levels");
    while (shapes[shape].name && shapes[shape].type != type)
        shape++;
    if (!shapes[shape].name || capture_driver.clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL) != CL_SUCCESS)
        return capture_refuse(launch, "the driver does not say what an image is like");
    while (formats[row].name && formats[row].number != format.image_channel_data_type)
        row++;
    const char *const order = name_of(orders, format.image_channel_order);
    if (!order || !formats[row].name)
        return capture_refuse(launch, "an image has order 0x%x and format 0x%x, which traces have not", format.image_channel_order,
                              format.image_channel_data_type);
    ask_sizes(image, shape, memory);
    memory->is_image = true;
    memory->element = formats[row].element;
    memory->format = formats[row].name;
    memory->bytes = memory->region[0] * memory->region[1] * memory->region[2] * asked(image, CL_IMAGE_ELEMENT_SIZE);
    size_t used = (size_t)snprintf(memory->words, sizeof memory->words, "image: %s, order: %s, format: %s, size: [%zu",
                                   shapes[shape].name, order, formats[row].name, memory->region[0]);
    for (u32 n = 1; n < shapes[shape].dimensions; n++)
        used += (size_t)snprintf(memory->words + used, sizeof memory->words - used, ", %zu", memory->region[n]);
    snprintf(memory->words + used, sizeof memory->words - used, "]");
    return true;
}

/* ---- Samplers ---- */

bool capture_sampler(struct capture_launch *launch, cl_sampler sampler)
{
    static const struct row addresses[] = {
        {CL_ADDRESS_NONE, "none"},     {CL_ADDRESS_CLAMP_TO_EDGE, "clamp_to_edge"},     {CL_ADDRESS_CLAMP, "clamp"},
        {CL_ADDRESS_REPEAT, "repeat"}, {CL_ADDRESS_MIRRORED_REPEAT, "mirrored_repeat"}, {0, NULL}};
    cl_bool normalised = CL_FALSE;
    cl_addressing_mode address = 0;
    cl_filter_mode filter = 0;
    capture_driver.clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalised, &normalised, NULL);
    capture_driver.clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof address, &address, NULL);
    capture_driver.clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL);
    const char *const name = name_of(addresses, address);
    if (!name || (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR))
        return capture_refuse(launch, "the driver does not say what a sampler is like");
    ws_text_add(&launch->arguments, "sampler: {coordinates: %s, address: %s, filter: %s}", normalised ? "normalised" : "texels",
                name, filter == CL_FILTER_LINEAR ? "linear" : "nearest");
    return true;
}
