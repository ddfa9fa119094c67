#include "engine/opencl/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/text.h"
#include "shared/image.h"
#include "shared/machine.h"

enum { MOST_GROUPS = 32 }; /* of a compute unit */

static bool contains(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

static bool matches(const struct ws_cl_device *device, const char *wanted)
{
    if (strcmp(wanted, "gpu") == 0)
        return device->gpu;
    if (strcmp(wanted, "cpu") == 0)
        return device->cpu;
    return contains(device->name, wanted) || contains(device->platform_name, wanted);
}

static const struct ws_cl_device *first(const struct ws_cl_device *devices, size_t count, const char *wanted)
{
    for (size_t n = 0; n < count; n++)
        if (matches(&devices[n], wanted))
            return &devices[n];
    return NULL;
}

/* The folder that PoCL 3.1 requires for its device (lib/CL/pocl_cache.c of its source): $POCL_CACHE_DIR, else pocl in
 * $XDG_CACHE_HOME or $HOME/.cache. Empty if no variable is set. */
static void add_pocl_cache(struct ws_text *folder)
{
    const char *const own = getenv("POCL_CACHE_DIR"), *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    if (own && *own)
        ws_text_add(folder, "%s", own);
    else if (cache && *cache)
        ws_text_add(folder, "%s/pocl", cache);
    else if (home && *home)
        ws_text_add(folder, "%s/.cache/pocl", home);
}

/* There is no device. Without its cache folder PoCL hides its device silently. */
static void nothing_there(struct ws_error *error)
{
    struct ws_text folder = {0};
    struct ws_error cause = {.message = ""};
    add_pocl_cache(&folder);
    if (folder.length > 0 && ws_folder_make(folder.data, &cause) == WS_STATUS_ok && access(folder.data, W_OK) == 0)
        ws_text_free(&folder);
    if (folder.length > 0)
        ws_fail(error, WS_STATUS_no_device,
                "there is no OpenCL device. If PoCL is installed: it hides its device, because its cache %s cannot be written. Set "
                "POCL_CACHE_DIR or HOME to a folder that can be",
                folder.data);
    else
        ws_fail(error, WS_STATUS_no_device, "there is no OpenCL device. Install a driver (Debian: pocl-opencl-icd for the CPU)");
    ws_text_free(&folder);
}

static void no_device(const struct ws_cl_device *devices, size_t count, const char *wanted, struct ws_error *error)
{
    struct ws_text known = {0};
    for (size_t n = 0; n < count; n++)
        ws_text_add(&known, "%s'%s' (%s)", n ? ", " : "", devices[n].name, devices[n].platform_name);
    const char *const names = known.failed ? "some, but memory is out" : known.data;
    if (count == 0)
        nothing_there(error);
    else
        ws_fail(error, WS_STATUS_no_device, "no OpenCL device is '%s'; there are: %s", wanted, names);
    ws_text_free(&known);
}

const struct ws_cl_device *ws_device_pick(const struct ws_cl_device *devices, size_t count, const char *wanted,
                                          struct ws_error *error)
{
    const struct ws_cl_device *device = first(devices, count, wanted ? wanted : "gpu");
    if (!device && !wanted && count > 0)
        device = devices;
    if (!device)
        no_device(devices, count, wanted, error);
    return device;
}

u32 ws_device_registers(const struct ws_cl_device *device, u32 pipeline)
{
    if (!device->nvidia)
        return 0;
    return device->registers ? device->registers : ws_pipeline_facts(pipeline).registers;
}

u32 ws_device_groups(const struct ws_cl_device *device, u32 registers, u64 local_bytes)
{
    const u32 group = (registers + 7) / 8 * 8 * WS_LANES;
    u32 groups = MOST_GROUPS;
    if (local_bytes && device->local_memory / local_bytes < groups)
        groups = (u32)(device->local_memory / local_bytes);
    if (group && device->register_file)
        groups = ws_min(groups, device->register_file / group / 4 * 4);
    return ws_max(groups, 1);
}

/* ---- Lane forms ---- */

#define LANE_FORM(name, capitals, work_items, suits, language, why)                                                                \
    static bool name##_suits(const struct ws_cl_device *device)                                                                    \
    {                                                                                                                              \
        return (void)device, suits;                                                                                                \
    }                                                                                                                              \
    static const char *name##_language(const struct ws_cl_device *device)                                                          \
    {                                                                                                                              \
        return (void)device, language;                                                                                             \
    }
#include "engine/lane_forms.def"
#undef LANE_FORM

const struct ws_lane_form *ws_lane_forms(void)
{
    static const struct ws_lane_form forms[] = {
#define LANE_FORM(name, capitals, work_items, suits, language, why)                                                                \
    {#name, "WS_LANES_" #capitals, work_items, why, name##_suits, name##_language},
#include "engine/lane_forms.def"
#undef LANE_FORM
    };
    return forms;
}

static u32 pick_wanted(const char *wanted, const struct ws_lane_form **form, struct ws_error *error)
{
    struct ws_names known = {.nearest = {.word = wanted}};
    u32 found = 0;
    for (u32 n = 0; n < WS_LANE_FORMS && !found; n++) {
        ws_names_offer(&known, ws_lane_forms()[n].name);
        found = strcmp(ws_lane_forms()[n].name, wanted) == 0;
        if (found)
            *form = &ws_lane_forms()[n];
    }
    if (!found)
        ws_fail(error, WS_STATUS_usage, "no lane form is called '%s'; there are %s", wanted, ws_names_text(&known));
    ws_names_free(&known);
    return found;
}

u32 ws_lane_forms_pick(const struct ws_cl_device *device, const char *wanted, const struct ws_lane_form *forms[WS_LANE_FORMS],
                       struct ws_error *error)
{
    u32 count = 0;
    if (wanted)
        return pick_wanted(wanted, forms, error);
    for (u32 n = 0; n < WS_LANE_FORMS; n++)
        if (ws_lane_forms()[n].suits(device))
            forms[count++] = &ws_lane_forms()[n];
    return count;
}
