/* Every workload's source, run by OpenCL on a CPU device, gives the results of plain C. An argument selects the largest size. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "unit/kit/cl_runner.h"
#include "unit/workloads/rows.h"

enum { SEED = 7, MOST_SOURCE = 1 << 20 };

static enum ws_size largest = WS_SIZE_SMALL;

static enum ws_status run(const struct ws_workload *workload, enum ws_size size, const char *source, struct ws_error *error)
{
    struct ws_ndrange launch;
    WS_TRY(workload->prepare(size, SEED, &launch, error));
    enum ws_status status = cl_run(source, &launch, error);
    if (status == WS_STATUS_ok)
        status = workload->check(&launch, size, SEED, error);
    workload->release(&launch);
    return status;
}

static void test_opencl(void **state)
{
    const struct ws_workload *workload = *state;
    struct ws_text path = {0};
    ws_text_add(&path, "%s/%s/%s.cl", WORKLOADS_FOLDER, workload->kernel, workload->kernel);
    assert_false(path.failed);

    struct ws_error error = {0};
    char *source = NULL;
    size_t length = 0;
    enum ws_status status = ws_file_read(path.data, MOST_SOURCE, &source, &length, &error);
    for (enum ws_size size = WS_SIZE_TINY; size <= largest && status == WS_STATUS_ok; size++)
        status = run(workload, size, source, &error);
    free(source);
    ws_text_free(&path);
    if (status != WS_STATUS_ok)
        fail_msg("%s: %s", workload->name, error.message);
}

int main(int count, char **arguments)
{
    for (enum ws_size size = WS_SIZE_TINY; count > 1 && size < WS_SIZES; size++)
        if (strcmp(arguments[1], ws_size_name(size)) == 0)
            largest = size;
    static struct workload_rows rows;
    workload_rows_add(&rows, "OpenCL C", test_opencl);
    return workload_rows_run(&rows, "workloads_opencl");
}
