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
    {"_Z3mapISt4lessIiEEvT_", "map<std::less<int>>"},
    {"_Z1kIL4mode1EEvv", "k<(mode)1>"},
    {"_Z1kIL4mode1EEvv", "k<1>"},
    {"_Z1kILN3foo4modeEn2ELb0EEvv", "k<(foo::mode)-2, false>"},
    {"_Z1kIJifEEvDpT_", "k<int, float>"},
    {"_Z1kILi3EJEEvDpT0_", "k<3>"},
    {"_Z1kIJ3boxI5pointS1_ES0_IS1_JLi1ELi2EEEEEvv", "k<box<point, point>, box<point, 1, 2>>"},
    {"_ZN3foo1kINS_3boxIPKNS_5pointEEEEEvT_", "foo::k<foo::box<const foo::point*>>"},
    {"_Z1kIRKiOdPKPfEvv", "k<const int&, double&&, float* const*>"},
    {"_Z1kIDF16_6__halfEvv", "k<_Float16, __half>"},
    {"_ZN7cutlass6KernelINS_4gemm6device4GemmINS_6half_tENS_6layout8RowMajorES4_NS5_11ColumnMajorEEEEEvNT_6ParamsE",
     "cutlass::Kernel<cutlass::gemm::device::Gemm<cutlass::half_t, cutlass::layout::RowMajor, cutlass::half_t, "
     "cutlass::layout::ColumnMajor>>"},
    {"_Z1kILi32EXadL_ZN11_INTERNAL_x8q4_blockEPKvlRfEEfEvPT1_", "k<32, q4_block, float>"},
    {"_Z1kIXadL_Z4stepiEEEvv", "k<step>"},
    {"_Z1kIFvvEEvv", "k"}, /* a type of a function */
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
    {"_Z1kIL4mode1EEvv", "k<(other)1>"},
    {"_Z1kIJifEEvDpT_", "k<float, int>"},
    {"_Z1kIS9_Evv", "k<>"},
    {"_Z1kIN3fooEvv", "k<foo>"},
    {"_Z1kI1aIS_", "k<a>"},
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
