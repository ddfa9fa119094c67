#include "warpsweep/frontend.h"

#include <string.h>

#include "embedded/workloads.h"
#include "workload.h"

static const struct ws_workload workloads[] = {
#define WORKLOAD(name_, about_)                                                                                                    \
    {.name = #name_,                                                                                                               \
     .about = (about_),                                                                                                            \
     .ptx = ws_ptx_##name_,                                                                                                        \
     .ptx_length = sizeof ws_ptx_##name_ - 1,                                                                                      \
     .prepare = ws_##name_##_prepare,                                                                                              \
     .check = ws_##name_##_check,                                                                                                  \
     .release = ws_launch_release},
#include "workloads.def"
#undef WORKLOAD
    {.name = NULL},
};

const struct ws_workload *ws_workloads(void)
{
    return workloads;
}

const struct ws_workload *ws_workload_find(const char *name)
{
    for (const struct ws_workload *workload = workloads; workload->name; workload++)
        if (strcmp(workload->name, name) == 0)
            return workload;
    return NULL;
}

const char *ws_size_name(enum ws_size size)
{
#define NAME(size, name) [WS_SIZE_##size] = name,
    static const char *const names[WS_SIZES] = {WS_SIZE_TABLE(NAME, )};
#undef NAME
    return (unsigned)size < WS_SIZES ? names[size] : NULL;
}
