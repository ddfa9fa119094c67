#!/usr/bin/env bash
# wgsl_reflect 1.6.0: in WgslExec, variables of the workgroup address space keep what the workgroup before left in them.
#   Two workgroups of 4 store what they find, then 7: the second one finds 7.
# Guess: 0 everywhere: such variables are initialized to zero for each workgroup (WGSL, 7.3, initial values of var).
. "$(dirname "$0")/wgsl"
same "$(dispatch 2 8 <<'END'
@group(0) @binding(0) var<storage, read_write> found: array<i32>;
var<workgroup> w: array<i32, 4>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u) {
    found[g.x] = w[l.x];
    w[l.x] = 7;
}
END
)" '0 0 0 0 7 7 7 7'
