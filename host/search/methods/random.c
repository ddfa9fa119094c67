/* Random search: the baseline of the others. */
#include "base/error.h"
#include "search/methods/methods.h"
#include "search/sampler.h"

enum ws_status ws_search_random(const struct ws_search_request *request, struct ws_search_proposals *proposals,
                                struct ws_error *error)
{
    struct ws_sampler sampler;
    enum ws_status status = ws_sampler_open(&sampler, request, proposals, error);
    WS_THEN(status, ws_sampler_random(&sampler, request->wanted, request->space->fidelities - 1, error));
    ws_sampler_close(&sampler);
    return status;
}
