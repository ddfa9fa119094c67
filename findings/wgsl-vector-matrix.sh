#!/usr/bin/env bash
# wgsl_reflect 1.6.0: vector * matrix in WgslExec is matrix * vector.
#   (1, 1) * [(1, 2), (3, 4)] is (4, 6), as [(1, 2), (3, 4)] * (1, 1) is.
# Guess: 3 7 4 6: dot products with the columns (1, 2) and (3, 4), then the sum of the columns (WGSL, 8.7, arithmetic expressions).
. "$(dirname "$0")/wgsl"
same "$(dispatch 1 4 <<'END'
@group(0) @binding(0) var<storage, read_write> r: array<f32>;
@compute @workgroup_size(1)
fn main() {
    let columns = mat2x2f(r[0] + 1.0, 2.0, 3.0, 4.0);
    let row = vec2f(1.0, 1.0) * columns;
    let column = columns * vec2f(1.0, 1.0);
    r[0] = row.x;
    r[1] = row.y;
    r[2] = column.x;
    r[3] = column.y;
}
END
)" '4 6 4 6'
