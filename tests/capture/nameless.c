/* A layer under which the driver gives no information on kernel parameters, which drivers may omit. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <string.h>

static struct _cl_icd_dispatch layer;

static cl_int CL_API_CALL say_nothing(cl_kernel kernel, cl_uint n, cl_kernel_arg_info name, size_t room, void *value, size_t *size)
{
    (void)kernel, (void)n, (void)name, (void)room, (void)value, (void)size;
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value, size_t *size)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION || (value && room < sizeof version))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, &version, sizeof version);
    if (size)
        *size = sizeof version;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *target, cl_uint *layer_entries,
                               const struct _cl_icd_dispatch **dispatch)
{
    const cl_uint ours = sizeof layer / sizeof(void *);
    *layer_entries = entries < ours ? entries : ours;
    memcpy(&layer, target, *layer_entries * sizeof(void *));
    layer.clGetKernelArgInfo = say_nothing;
    *dispatch = &layer;
    return CL_SUCCESS;
}
