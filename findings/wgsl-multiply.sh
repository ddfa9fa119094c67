#!/usr/bin/env bash
# wgsl_reflect 1.6.0: WgslExec multiplies integers as doubles and keeps the lower 32 bits of the rounded product, which are wrong from 2^53 on.
#   0xFFFFFFFFu * 0xFFFFFFFFu is 0, 123456789 * 987654321 is -67153024. Random numbers and hashes that multiply differ from a GPU's.
# Guess: 1 and -67153019: the product modulo 2^32 (WGSL, 8.7, arithmetic expressions).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 2 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<i32>;
@compute @workgroup_size(1)
fn main() {
    let ones = ~u32(r[0]);
    r[0] = i32(ones * ones);
    r[1] = (r[1] + 123456789) * 987654321;
}
END
)" '0 -67153024'
