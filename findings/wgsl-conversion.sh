#!/usr/bin/env bash
# wgsl_reflect 1.6.0: conversions of f32 to integers in WgslExec wrap.
#   i32(3e9) is -1294967296, u32(-1.0) is 4294967295 (-1 as i32).
# Guess: 2147483520, the largest f32 that is an i32, and 0: the value is clamped to the range of the type (WGSL, 15.7.6, floating point conversion).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 2 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<i32>;
@compute @workgroup_size(1)
fn main() {
    let zero = f32(r[0]);
    r[0] = i32(zero + 3e9);
    r[1] = i32(u32(zero - 1.0));
}
END
)" '-1294967296 -1'
