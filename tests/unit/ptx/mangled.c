/* Symbols of C++ functions, as nvcc and gcc make them, and the names that they have in the source. */
#include "frontend/ptx/mangled.h"

#include "test.h"

static const char *const right[][2] = {
    {"_Z5saxpyifPfS_", "saxpy"},
    {"_ZN3foo3barE1P", "foo::bar"},
    {"_ZN12_GLOBAL__N_14stepEv", "_GLOBAL__N_1::step"},
    {"_Z4axpyILi2EfEvT0_PKS0_PS0_", "axpy"},
    {"_Z4axpyILi2EfEvT0_PKS0_PS0_", "axpy<2, float>"},
    {"_Z4axpyILi2EfEvT0_PKS0_PS0_", "axpy<2,float>"},
    {"_Z6reduceILj256ELb1EEvPf", "reduce<256, true>"},
    {"_Z4scanILin1EPKiEvT0_", "scan<-1, const int*>"},
    {"_ZN3foo3bazI5pointEEvT_", "foo::baz<point>"},
    {"_Z3mapISt4lessIiEEvT_", "map"},
};

static const char *const wrong[][2] = {
    {"_Z5saxpyifPfS_", "sax"},
    {"_Z5saxpyifPfS_", "saxpy<float>"},
    {"_ZN3foo3barE1P", "bar"},
    {"_Z4axpyILi2EfEvT0_", "axpy<3, float>"},
    {"_Z3mapISt4lessIiEEvT_", "map<int>"},
    {"saxpy", "saxpy2"},
    {"_Z", ""},
    {"_Z9short", "short"},
    {"_ZN", ""},
};

TEST(test_names)
{
    for (size_t n = 0; n < sizeof right / sizeof *right; n++)
        if (!ws_mangled_is(right[n][0], right[n][1]))
            fail_msg("%s is not %s", right[n][0], right[n][1]);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        if (ws_mangled_is(wrong[n][0], wrong[n][1]))
            fail_msg("%s is %s", wrong[n][0], wrong[n][1]);
}
