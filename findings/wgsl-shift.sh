#!/usr/bin/env bash
# wgsl_reflect 1.6.0: >> of u32 in WgslExec copies the sign bit. Hashes and random numbers that shift right differ from those of a GPU.
#   0xFFFFFFFFu >> 31u is 0xFFFFFFFF, 0x80000000u >> 4u is 0xF8000000.
# Guess: 1 and 0x8000000: zeros are shifted in for u32 (WGSL, 8.9, logical shift right).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 2 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<i32>;
@compute @workgroup_size(1)
fn main() {
    let ones = ~u32(r[0]);
    r[0] = i32(ones >> 31u);
    r[1] = i32((ones << 31u) >> 4u);
}
END
)" '-1 -134217728'
