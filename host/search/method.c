#include "search/method.h"

#include <string.h>

#include "base/error.h"
#include "search/methods/methods.h"

static const struct ws_search_method methods[] = {
#define METHOD(name, doc, source) {#name, ws_search_##name, doc, source},
#include "search/methods.def"
#undef METHOD
};

enum { METHODS = sizeof methods / sizeof methods[0], LEAST_POPULATION = 4, MOST_POPULATION = 500, REDUCTION = 4 };

const struct ws_search_method *ws_search_methods(u32 *count)
{
    *count = METHODS;
    return methods;
}

const struct ws_search_method *ws_search_method(const char *name)
{
    for (u32 m = 0; m < METHODS; m++) {
        if (strcmp(methods[m].name, name) == 0)
            return &methods[m];
    }
    return NULL;
}

enum ws_status ws_search_propose(const struct ws_search_method *method, const struct ws_search_request *request,
                                 struct ws_search_proposals *proposals, struct ws_error *error)
{
    struct ws_search_request checked = *request;
    struct ws_search_settings *settings = &checked.settings;
    if (!settings->population)
        settings->population = ws_max(LEAST_POPULATION, ws_min(request->wanted, MOST_POPULATION));
    if (!settings->reduction)
        settings->reduction = REDUCTION;
    if (!settings->proposer)
        settings->proposer = ws_search_method("nsga2");
    if (settings->population < LEAST_POPULATION)
        return ws_fail(error, WS_STATUS_usage, "population: %u is too small; take at least %d", settings->population,
                       LEAST_POPULATION);
    if (settings->reduction < 2)
        return ws_fail(error, WS_STATUS_usage, "reduction: %u promotes every point; take at least 2", settings->reduction);
    if (settings->proposer->propose == ws_search_halving)
        return ws_fail(error, WS_STATUS_usage, "proposer: halving cannot propose points for halving; take another method");
    return method->propose(&checked, proposals, error);
}
