#!/usr/bin/env bash
# wgsl_reflect 1.6.0: WgslExec runs the invocations of a workgroup one after another, each to its end, through barriers. A right sum of 1 to 8 in workgroup
# memory is 1.
# Guess: 36: it supports var<workgroup>, gives "the same results a GPU would", and as invocations are sequential "a missing workgroupBarrier() has no visible
# effect" (its docs/shader-execution.md), so one that is there should do no harm.
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 1 <<'END'
@group(0) @binding(0) var<storage, read_write> sum: array<i32>;
var<workgroup> w: array<i32, 8>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_id) l: vec3u) {
    w[l.x] = i32(l.x) + 1;
    workgroupBarrier();
    for (var s = 4u; s > 0u; s = s / 2u) {
        if (l.x < s) { w[l.x] = w[l.x] + w[l.x + s]; }
        workgroupBarrier();
    }
    if (l.x == 0u) { sum[0] = w[0]; }
}
END
)" '1'
