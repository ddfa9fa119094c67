#!/usr/bin/env bash
# wgsl_reflect 1.6.0: round in WgslExec rounds halves upwards.
#   round(2.5) is 3 and round(0.5) is 1.
# Guess: 2 4 0 -2: "rounds towards k when k is even" (WGSL, 17.5, round).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 4 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<f32>;
@compute @workgroup_size(1)
fn main() {
    r[0] = round(2.5);
    r[1] = round(3.5);
    r[2] = round(0.5);
    r[3] = round(-2.5);
}
END
)" '3 4 1 -2'
