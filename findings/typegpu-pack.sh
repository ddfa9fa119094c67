#!/usr/bin/env bash
# TypeGPU 0.12.5: pack4x8unorm on the CPU does not clamp: 1.01 becomes 1 and -1 becomes 1, so colours slightly out of range turn into others.
# Guess: ff and 0: 255 times the number clamped to 0 and 1, rounded (WGSL, 17.9.2, pack4x8unorm).
. "$(dirname "$0")/typegpu"
same "$(javascript <<'END'
for (const e of [1, 1.01, 2, -1]) console.log(e, std.pack4x8unorm(d.vec4f(e, 0, 0, 0)).toString(16));
END
)" '1 ff
1.01 1
2 fe
-1 1'
