/* PTX kernels for tests of memory interaction between threads. Each is k(buffer): r1 is the thread, rd1 the buffer, rd2 its word
 * for the thread, rd3 the thread's word of shared memory `tile`. */
#pragma once

#define KERNEL(text)                                                                                                               \
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 buffer)\n{\n"                                    \
    ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.shared .align 4 .b8 tile[512];\n"                                  \
    "ld.param.u64 %rd1, [buffer];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nmov.u64 %rd3, tile;\n"                        \
    "add.s64 %rd3, %rd3, %rd2;\nadd.s64 %rd2, %rd1, %rd2;\n" text "ret;\n}\n"

#define REDUCE(bytes)                                                                                                              \
    "ld.volatile.shared.u32 %r3, [%rd3+" #bytes "];\nld.volatile.shared.u32 %r4, [%rd3];\nadd.u32 %r4, %r4, %r3;\n"                \
    "st.volatile.shared.u32 [%rd3], %r4;\n"

/* The reduction of Harris (Optimizing Parallel Reduction in CUDA, 2007) of 128 words by 64 threads: no barriers in the last warp.
 */
#define REDUCTION                                                                                                                  \
    KERNEL("ld.global.u32 %r3, [%rd2];\nld.global.u32 %r4, [%rd2+256];\nadd.u32 %r4, %r4, %r3;\nst.shared.u32 [%rd3], %r4;\n"      \
           "bar.sync 0;\nsetp.ge.u32 %p1, %r1, 32;\n@%p1 bra DONE;\n" REDUCE(128) REDUCE(64) REDUCE(32) REDUCE(16) REDUCE(8)       \
               REDUCE(4) "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd1], %r4;\nDONE:\n")
