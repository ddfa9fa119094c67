#!/usr/bin/env bash
# clang 19.1.7 for NVPTX (llc 15.0.6 and 16.0.6 of such LLVM IR, too): a sequentially consistent atomic addition, a release exchange and an
# acquire compare-exchange become plain atom instructions, without a warning. Those are relaxed: nothing before or after them is ordered,
# so a lock or a flag made of them protects nothing.
# Guess: atom.acq_rel, or a fence beside it, which sm_70 has (PTX ISA, atom: without .sem, .relaxed is assumed).
. "$(dirname "$0")/llvm" 19
same "$(tool clang -x c -O2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 -Xclang -target-feature -Xclang +ptx64 -S -o - - <<'END' | grep -oE '(atom|fence|membar)\.[.a-z0-9]*'
int counter(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }
int unlock(int *p) { return __atomic_exchange_n(p, 0, __ATOMIC_RELEASE); }
int try_lock(int *p, int free) { return __atomic_compare_exchange_n(p, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE); }
END
)" 'atom.add.u32
atom.exch.b32
atom.cas.b32'
