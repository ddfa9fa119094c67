/* Atomics that libclc has not: those of 64 bits (atom_*), and those of OpenCL C 2.0 and later. Each is one atom, whatever its order
 * of memory: a trace has no other threads between. Included by cl2ptx.h. */

/* text is the state space in PTX, "r" or "l" the register; of floats there are exchanges and sums. */
#define WS_ATOM(name, instruction, space, text, pointed, T, r)                                                                     \
    WS_CALLED T ws_atom_##name(volatile space pointed *at, T x)                                                                    \
    {                                                                                                                              \
        T old;                                                                                                                     \
        __asm__ volatile("atom" text "." instruction " %0, [%1], %2;" : "=" r(old) : "l"(at), r(x) : "memory");                    \
        return old;                                                                                                                \
    }
#define WS_ATOM_MEMORY(space, text, pointed, T, r, bits)                                                                           \
    WS_ATOM(xchg, "exch.b" bits, space, text, pointed, T, r)                                                                       \
    WS_CALLED T ws_atomic_load(volatile space pointed *at)                                                                         \
    {                                                                                                                              \
        T x;                                                                                                                       \
        __asm__ volatile("ld.volatile" text ".b" bits " %0, [%1];" : "=" r(x) : "l"(at) : "memory");                               \
        return x;                                                                                                                  \
    }                                                                                                                              \
    WS_CALLED void ws_atomic_store(volatile space pointed *at, T x)                                                                \
    {                                                                                                                              \
        __asm__ volatile("st.volatile" text ".b" bits " [%0], %1;" ::"l"(at), r(x) : "memory");                                    \
    }
#define WS_ATOM_REAL(space, text, pointed, T, r, bits)                                                                             \
    WS_ATOM(add, "add.f" bits, space, text, pointed, T, r)                                                                         \
    WS_ATOM_MEMORY(space, text, pointed, T, r, bits)                                                                               \
    WS_CALLED T ws_atom_sub(volatile space pointed *at, T x)                                                                       \
    {                                                                                                                              \
        return ws_atom_add(at, -x);                                                                                                \
    }
#define WS_ATOM_INTEGER(space, text, pointed, T, r, bits, type)                                                                    \
    WS_ATOM(add, "add.u" bits, space, text, pointed, T, r)                                                                         \
    WS_ATOM(min, "min." type, space, text, pointed, T, r)                                                                          \
    WS_ATOM(max, "max." type, space, text, pointed, T, r)                                                                          \
    WS_ATOM(and, "and.b" bits, space, text, pointed, T, r)                                                                         \
    WS_ATOM(or, "or.b" bits, space, text, pointed, T, r)                                                                           \
    WS_ATOM(xor, "xor.b" bits, space, text, pointed, T, r)                                                                         \
    WS_ATOM_MEMORY(space, text, pointed, T, r, bits)                                                                               \
    WS_CALLED T ws_atom_sub(volatile space pointed *at, T x)                                                                       \
    {                                                                                                                              \
        return ws_atom_add(at, (T)(0 - x));                                                                                        \
    }                                                                                                                              \
    WS_CALLED T ws_atom_inc(volatile space pointed *at)                                                                            \
    {                                                                                                                              \
        return ws_atom_add(at, (T)1);                                                                                              \
    }                                                                                                                              \
    WS_CALLED T ws_atom_dec(volatile space pointed *at)                                                                            \
    {                                                                                                                              \
        return ws_atom_add(at, (T)-1);                                                                                             \
    }                                                                                                                              \
    WS_CALLED T ws_atom_cmpxchg(volatile space pointed *at, T expected, T x)                                                       \
    {                                                                                                                              \
        T old;                                                                                                                     \
        __asm__ volatile("atom" text ".cas.b" bits " %0, [%1], %2, %3;" : "=" r(old) : "l"(at), r(expected), r(x) : "memory");     \
        return old;                                                                                                                \
    }
#define WS_ATOM_INTEGERS(space, text, prefix)                                                                                      \
    WS_ATOM_INTEGER(space, text, prefix##int, int, "r", "32", "s32")                                                               \
    WS_ATOM_INTEGER(space, text, prefix##uint, uint, "r", "32", "u32")                                                             \
    WS_ATOM_INTEGER(space, text, prefix##long, long, "l", "64", "s64")                                                             \
    WS_ATOM_INTEGER(space, text, prefix##ulong, ulong, "l", "64", "u64")

WS_ATOM_INTEGERS(__global, ".global", )
WS_ATOM_INTEGERS(__local, ".shared", )

#define atom_add     ws_atom_add
#define atom_sub     ws_atom_sub
#define atom_inc     ws_atom_inc
#define atom_dec     ws_atom_dec
#define atom_xchg    ws_atom_xchg
#define atom_cmpxchg ws_atom_cmpxchg
#define atom_min     ws_atom_min
#define atom_max     ws_atom_max
#define atom_and     ws_atom_and
#define atom_or      ws_atom_or
#define atom_xor     ws_atom_xor

#if __OPENCL_C_VERSION__ >= 200
#define WS_ATOM_ALL(space, text)                                                                                                   \
    WS_ATOM_INTEGERS(space, text, atomic_)                                                                                         \
    WS_ATOM_REAL(space, text, atomic_float, float, "f", "32")                                                                      \
    WS_ATOM_REAL(space, text, atomic_double, double, "d", "64")
WS_ATOM_ALL(__global, ".global")
WS_ATOM_ALL(__local, ".shared")
WS_ATOM_ALL(, "")

#define WS_COMPARE_EXCHANGE(space, T)                                                                                              \
    WS_CALLED bool ws_atomic_compare_exchange(volatile space atomic_##T *at, T *expected, T x)                                     \
    {                                                                                                                              \
        const T wanted = *expected;                                                                                                \
        *expected = ws_atom_cmpxchg(at, wanted, x);                                                                                \
        return *expected == wanted;                                                                                                \
    }
#define WS_COMPARE_EXCHANGES(T)                                                                                                    \
    WS_COMPARE_EXCHANGE(__global, T)                                                                                               \
    WS_COMPARE_EXCHANGE(__local, T)                                                                                                \
    WS_COMPARE_EXCHANGE(, T)
WS_COMPARE_EXCHANGES(int)
WS_COMPARE_EXCHANGES(uint)
WS_COMPARE_EXCHANGES(long)
WS_COMPARE_EXCHANGES(ulong)

/* What follows the operands is order and scope. */
#define atomic_init                                            ws_atomic_store
#define atomic_store                                           ws_atomic_store
#define atomic_store_explicit(at, x, ...)                      ws_atomic_store(at, x)
#define atomic_load                                            ws_atomic_load
#define atomic_load_explicit(at, ...)                          ws_atomic_load(at)
#define atomic_exchange                                        ws_atom_xchg
#define atomic_exchange_explicit(at, x, ...)                   ws_atom_xchg(at, x)
#define atomic_compare_exchange_strong                         ws_atomic_compare_exchange
#define atomic_compare_exchange_strong_explicit(at, e, x, ...) ws_atomic_compare_exchange(at, e, x)
#define atomic_compare_exchange_weak                           ws_atomic_compare_exchange
#define atomic_compare_exchange_weak_explicit(at, e, x, ...)   ws_atomic_compare_exchange(at, e, x)
#define atomic_fetch_add                                       ws_atom_add
#define atomic_fetch_add_explicit(at, x, ...)                  ws_atom_add(at, x)
#define atomic_fetch_sub                                       ws_atom_sub
#define atomic_fetch_sub_explicit(at, x, ...)                  ws_atom_sub(at, x)
#define atomic_fetch_min                                       ws_atom_min
#define atomic_fetch_min_explicit(at, x, ...)                  ws_atom_min(at, x)
#define atomic_fetch_max                                       ws_atom_max
#define atomic_fetch_max_explicit(at, x, ...)                  ws_atom_max(at, x)
#define atomic_fetch_and                                       ws_atom_and
#define atomic_fetch_and_explicit(at, x, ...)                  ws_atom_and(at, x)
#define atomic_fetch_or                                        ws_atom_or
#define atomic_fetch_or_explicit(at, x, ...)                   ws_atom_or(at, x)
#define atomic_fetch_xor                                       ws_atom_xor
#define atomic_fetch_xor_explicit(at, x, ...)                  ws_atom_xor(at, x)
#define atomic_flag_test_and_set(at)                           (ws_atom_xchg(at, 1) != 0)
#define atomic_flag_test_and_set_explicit(at, ...)             (ws_atom_xchg(at, 1) != 0)
#define atomic_flag_clear(at)                                  ws_atomic_store(at, 0)
#define atomic_flag_clear_explicit(at, ...)                    ws_atomic_store(at, 0)
#define atomic_work_item_fence(flags, order, scope)            mem_fence(flags)
#endif
