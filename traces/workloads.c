#include "warpsweep/frontend.h"

#include <string.h>

#include "embedded/workloads.h"
#include "workload.h"

#define DECLARE(name, kernel, paper, place, about) WORKLOAD(name, paper, place, about);
WS_WORKLOAD_TABLE(DECLARE)

#define ROW(name_, kernel_, paper_, place_, about_)                                                                                \
    {.name = #name_,                                                                                                               \
     .about = (about_),                                                                                                            \
     .paper = (paper_),                                                                                                            \
     .place = (place_),                                                                                                            \
     .kernel = #kernel_,                                                                                                           \
     .ptx = ws_ptx_##kernel_,                                                                                                      \
     .ptx_length = sizeof ws_ptx_##kernel_ - 1,                                                                                    \
     .prepare = ws_##name_##_prepare,                                                                                              \
     .check = ws_##name_##_check,                                                                                                  \
     .release = ws_launch_release},
static const struct ws_workload workloads[] = {WS_WORKLOAD_TABLE(ROW){.name = NULL}};

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
