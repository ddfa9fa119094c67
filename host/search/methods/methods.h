/* The methods of methods.def. */
#pragma once

#include "search/method.h"

#define METHOD(name, doc, source) ws_search_propose_fn ws_search_##name;
#include "search/methods.def"
#undef METHOD
