#!/usr/bin/env bash
# TypeGPU 0.12.5: on the CPU, mul and dot of integer vectors are computed with doubles. Products from 2^53 on have wrong lower bits; dot does not
# wrap.
#   0xFFFFFFFF * 0xFFFFFFFF is 0, 0x9E3779B9 * 0x85EBCA6B is 3238976512, the dot product of (65536, 1) with itself 4294967297. add and sub wrap.
# Guess: 1, 3238976083 and 1, which the WGSL that TypeGPU makes of the same function gives: integers are modulo 2^32 there (WGSL, 8.7).
. "$(dirname "$0")/typegpu"
same "$(javascript <<'END'
console.log(std.mul(d.vec2u(0xffffffff, 0), d.vec2u(0xffffffff, 0)).x);
console.log(std.mul(d.vec2u(0x9e3779b9, 0), d.vec2u(0x85ebca6b, 0)).x);
console.log(std.dot(d.vec2i(65536, 1), d.vec2i(65536, 1)));
console.log(std.add(d.vec2i(2147483647, 0), d.vec2i(1, 0)).x);
END
)" '0
3238976512
4294967297
-2147483648'
