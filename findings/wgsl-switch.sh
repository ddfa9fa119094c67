#!/usr/bin/env bash
# wgsl_reflect 1.6.0: break in a switch inside a loop leaves the loop, too, in WgslExec. Without the break, or with continue, the loop goes on.
# Guess: 3 3: break leaves the innermost loop or switch around it (WGSL, 9.4.6).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 2 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<i32>;
@compute @workgroup_size(1)
fn main() {
    for (var i = 0; i < 3; i++) {
        switch i {
            case 1: { break; }
            default: { }
        }
        r[0] += 1;
    }
    for (var i = 0; i < 3; i++) {
        switch i {
            case 1: { }
            default: { }
        }
        r[1] += 1;
    }
}
END
)" '1 3'
