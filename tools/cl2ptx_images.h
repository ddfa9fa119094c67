/* Images of OpenCL C as instructions of PTX: reads through samplers are tex, writes sust, questions txq. Handles of images and
 * samplers are those of the launch; a sampler in the source is its own bits. Included by cl2ptx.h. */
static inline __attribute__((always_inline, nodebug)) ulong __translate_sampler_initializer(uint sampler)
{
    return sampler;
}

/* A layer of an array: the nearest there is (OpenCL 1.2, 8.3). */
WS_CALLED uint ws_layer(float layer)
{
    return (uint)rint(clamp(layer, 0.0f, 65536.0f));
}
WS_CALLED uint ws_layer(int layer)
{
    return (uint)max(layer, 0);
}

/* read_image*(image, sampler, at): element is the type of PTX, number that of coordinates, places the operands from %6 on. */
#define WS_SAMPLED(once, access, image_t, shape, places, name, value_t, element, register_, at_t, number, ...)                     \
    WS_CALLED value_t ws_##name(access image_t image, sampler_t sampler, at_t at)                                                  \
    {                                                                                                                              \
        value_t value;                                                                                                             \
        __asm__ once("tex." shape ".v4." element "." number " {%0, %1, %2, %3}, [%4, %5, {" places "}];"                           \
                     : "=" register_(value.x), "=" register_(value.y), "=" register_(value.z), "=" register_(value.w)              \
                     : "l"(image), "l"(sampler), __VA_ARGS__);                                                                     \
        return value;                                                                                                              \
    }
/* The same without a sampler; %5 is the image once more. */
#define WS_PLAIN(once, access, image_t, shape, places, name, value_t, element, register_, at_t, ...)                               \
    WS_CALLED value_t ws_##name(access image_t image, at_t at)                                                                     \
    {                                                                                                                              \
        value_t value;                                                                                                             \
        __asm__ once("tex." shape ".v4." element ".s32 {%0, %1, %2, %3}, [%4, {" places "}];"                                      \
                     : "=" register_(value.x), "=" register_(value.y), "=" register_(value.z), "=" register_(value.w)              \
                     : "l"(image), "l"(image), __VA_ARGS__);                                                                       \
        return value;                                                                                                              \
    }
#define WS_WRITTEN(access, image_t, shape, places, name, value_t, register_, at_t, ...)                                            \
    WS_CALLED void ws_##name(access image_t image, at_t at, value_t value)                                                         \
    {                                                                                                                              \
        __asm__ volatile("sust.p." shape ".v4.b32.trap [%4, {" places "}], {%0, %1, %2, %3};" ::register_(value.x),                \
                         register_(value.y), register_(value.z), register_(value.w), "l"(image), "l"(image), __VA_ARGS__           \
                         : "memory");                                                                                              \
    }

/* For floats, signed and unsigned integers. */
#define WS_ALL_SAMPLED(once, access, image_t, shape, places, at_t, number, ...)                                                    \
    WS_SAMPLED(once, access, image_t, shape, places, read_imagef, float4, "f32", "f", at_t, number, __VA_ARGS__)                   \
    WS_SAMPLED(once, access, image_t, shape, places, read_imagei, int4, "s32", "r", at_t, number, __VA_ARGS__)                     \
    WS_SAMPLED(once, access, image_t, shape, places, read_imageui, uint4, "u32", "r", at_t, number, __VA_ARGS__)
#define WS_ALL_PLAIN(once, access, image_t, shape, places, at_t, ...)                                                              \
    WS_PLAIN(once, access, image_t, shape, places, read_imagef, float4, "f32", "f", at_t, __VA_ARGS__)                             \
    WS_PLAIN(once, access, image_t, shape, places, read_imagei, int4, "s32", "r", at_t, __VA_ARGS__)                               \
    WS_PLAIN(once, access, image_t, shape, places, read_imageui, uint4, "u32", "r", at_t, __VA_ARGS__)
#define WS_ALL_WRITTEN(access, image_t, shape, places, at_t, ...)                                                                  \
    WS_WRITTEN(access, image_t, shape, places, write_imagef, float4, "f", at_t, __VA_ARGS__)                                       \
    WS_WRITTEN(access, image_t, shape, places, write_imagei, int4, "r", at_t, __VA_ARGS__)                                         \
    WS_WRITTEN(access, image_t, shape, places, write_imageui, uint4, "r", at_t, __VA_ARGS__)

/* For each shape the operands of a place; what fills four places does not matter. */
#define WS_BOTH_SAMPLED(once, access, image_t, shape, places, float_t, int_t, floats, integers)                                    \
    WS_ALL_SAMPLED(once, access, image_t, shape, places, float_t, "f32", floats)                                                   \
    WS_ALL_SAMPLED(once, access, image_t, shape, places, int_t, "s32", integers)
#define WS_AND    ,
#define WS_1D(c)  #c(at)
#define WS_A1D(c) #c(at.x) WS_AND "r"(ws_layer(at.y))
#define WS_2D(c)  #c(at.x) WS_AND #c(at.y)
#define WS_A2D(c) #c(at.x) WS_AND #c(at.y) WS_AND "r"(ws_layer(at.z))
#define WS_3D(c)  #c(at.x) WS_AND #c(at.y) WS_AND #c(at.z)

#define WS_READS(once, access)                                                                                                     \
    WS_BOTH_SAMPLED(once, access, image1d_t, "1d", "%6", float, int, WS_1D(f), WS_1D(r))                                           \
    WS_BOTH_SAMPLED(once, access, image1d_array_t, "a1d", "%7, %6", float2, int2, WS_A1D(f), WS_A1D(r))                            \
    WS_BOTH_SAMPLED(once, access, image2d_t, "2d", "%6, %7", float2, int2, WS_2D(f), WS_2D(r))                                     \
    WS_BOTH_SAMPLED(once, access, image2d_array_t, "a2d", "%8, %6, %7, %7", float4, int4, WS_A2D(f), WS_A2D(r))                    \
    WS_BOTH_SAMPLED(once, access, image3d_t, "3d", "%6, %7, %8, %8", float4, int4, WS_3D(f), WS_3D(r))                             \
    WS_ALL_PLAIN(once, access, image1d_t, "1d", "%6", int, WS_1D(r))                                                               \
    WS_ALL_PLAIN(once, access, image1d_buffer_t, "1d", "%6", int, WS_1D(r))                                                        \
    WS_ALL_PLAIN(once, access, image1d_array_t, "a1d", "%7, %6", int2, WS_A1D(r))                                                  \
    WS_ALL_PLAIN(once, access, image2d_t, "2d", "%6, %7", int2, WS_2D(r))                                                          \
    WS_ALL_PLAIN(once, access, image2d_array_t, "a2d", "%8, %6, %7, %7", int4, WS_A2D(r))                                          \
    WS_ALL_PLAIN(once, access, image3d_t, "3d", "%6, %7, %8, %8", int4, WS_3D(r))
#define WS_WRITES(access)                                                                                                          \
    WS_ALL_WRITTEN(access, image1d_t, "1d", "%6", int, WS_1D(r))                                                                   \
    WS_ALL_WRITTEN(access, image1d_buffer_t, "1d", "%6", int, WS_1D(r))                                                            \
    WS_ALL_WRITTEN(access, image1d_array_t, "a1d", "%7, %6", int2, WS_A1D(r))                                                      \
    WS_ALL_WRITTEN(access, image2d_t, "2d", "%6, %7", int2, WS_2D(r))                                                              \
    WS_ALL_WRITTEN(access, image2d_array_t, "a2d", "%8, %6, %7, %7", int4, WS_A2D(r))                                              \
    WS_ALL_WRITTEN(access, image3d_t, "3d", "%6, %7, %8, %8", int4, WS_3D(r))

/* ---- Questions ---- */

#define WS_ASKED(access, image_t, result_t, name, property)                                                                        \
    WS_CALLED result_t ws_get_image_##name(access image_t image)                                                                   \
    {                                                                                                                              \
        result_t value;                                                                                                            \
        __asm__("txq." property ".b32 %0, [%1];" : "=r"(value) : "l"(image));                                                      \
        return value;                                                                                                              \
    }
#define WS_ASKED_ALL(access, image_t)                                                                                              \
    WS_ASKED(access, image_t, int, width, "width")                                                                                 \
    WS_ASKED(access, image_t, int, channel_order, "channel_order")                                                                 \
    WS_ASKED(access, image_t, int, channel_data_type, "channel_data_type")
#define WS_ASKED_2D(access, image_t)                                                                                               \
    WS_ASKED_ALL(access, image_t)                                                                                                  \
    WS_ASKED(access, image_t, int, height, "height")                                                                               \
    WS_CALLED int2 ws_get_image_dim(access image_t image)                                                                          \
    {                                                                                                                              \
        return (int2)(ws_get_image_width(image), ws_get_image_height(image));                                                      \
    }
#define WS_ASKED_SIZE(access, image_t)                                                                                             \
    WS_ASKED(access, image_t, uint, size, "array_size")                                                                            \
    WS_CALLED size_t ws_get_image_array_size(access image_t image)                                                                 \
    {                                                                                                                              \
        return ws_get_image_size(image);                                                                                           \
    }
#define WS_QUESTIONS(access)                                                                                                       \
    WS_ASKED_ALL(access, image1d_t)                                                                                                \
    WS_ASKED_ALL(access, image1d_buffer_t)                                                                                         \
    WS_ASKED_ALL(access, image1d_array_t)                                                                                          \
    WS_ASKED_SIZE(access, image1d_array_t)                                                                                         \
    WS_ASKED_2D(access, image2d_t)                                                                                                 \
    WS_ASKED_2D(access, image2d_array_t)                                                                                           \
    WS_ASKED_SIZE(access, image2d_array_t)                                                                                         \
    WS_ASKED_ALL(access, image3d_t)                                                                                                \
    WS_ASKED(access, image3d_t, int, height, "height")                                                                             \
    WS_ASKED(access, image3d_t, int, depth, "depth")                                                                               \
    WS_CALLED int4 ws_get_image_dim(access image3d_t image)                                                                        \
    {                                                                                                                              \
        return (int4)(ws_get_image_width(image), ws_get_image_height(image), ws_get_image_depth(image), 0);                        \
    }

/* ---- By access ---- */

#define WS_ONCE
WS_READS(WS_ONCE, __read_only)
WS_QUESTIONS(__read_only)
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
WS_WRITES(__write_only)
WS_QUESTIONS(__write_only)
#if __OPENCL_C_VERSION__ >= 200
WS_READS(volatile, __read_write)
WS_WRITES(__read_write)
WS_QUESTIONS(__read_write)
#endif

#define read_imagef                 ws_read_imagef
#define read_imagei                 ws_read_imagei
#define read_imageui                ws_read_imageui
#define write_imagef                ws_write_imagef
#define write_imagei                ws_write_imagei
#define write_imageui               ws_write_imageui
#define get_image_width             ws_get_image_width
#define get_image_height            ws_get_image_height
#define get_image_depth             ws_get_image_depth
#define get_image_dim               ws_get_image_dim
#define get_image_array_size        ws_get_image_array_size
#define get_image_channel_order     ws_get_image_channel_order
#define get_image_channel_data_type ws_get_image_channel_data_type
