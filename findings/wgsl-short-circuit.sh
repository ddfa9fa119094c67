#!/usr/bin/env bash
# wgsl_reflect 1.6.0: WgslExec evaluates both operands of && and ||. A call on the right, which counts here, happens whatever the left one is.
# Guess: 0 0: the right operand is evaluated only if the left one is true for &&, false for || (WGSL, 8.6, logical expressions).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 2 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<i32>;
fn count(i: i32) -> bool {
    r[i] += 1;
    return true;
}
@compute @workgroup_size(1)
fn main() {
    let zero = r[0];
    if (zero == 1 && count(0)) { r[0] += 10; }
    if (zero == 0 || count(1)) { r[1] += 0; }
}
END
)" '1 1'
