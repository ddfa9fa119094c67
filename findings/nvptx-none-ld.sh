#!/usr/bin/env bash
# nvptx-tools 0.20220610, the assembler and linker of GCC's offloading: nvptx-none-ld links two objects that both define a function, with exit
# status 0 and both definitions in the output, which ptxas 13.0.88 refuses ("Duplicate definition"): the driver would say so, when the program runs.
# Guess: an error that names the symbol, as it has one for a symbol that nothing defines ("unresolved symbol").
. "$(dirname "$0")/common"
packages nvptx-tools=0.20220610-1
for number in 1 2; do
    cat >"$work/$number.s" <<END
// BEGIN PREAMBLE
.version 6.0
.target sm_35
.address_size 64
// END PREAMBLE
// BEGIN GLOBAL FUNCTION DEF: f
.visible .func f
{
.reg .u32 %r;
mov.u32 %r, $number;
ret;
}
END
    "$work/usr/bin/nvptx-none-as" --no-verify -o "$work/$number.o" "$work/$number.s"
done
"$work/usr/bin/nvptx-none-ld" -o "$work/linked" "$work/1.o" "$work/2.o"
same "$(tr '\0' '\n' <"$work/linked" | grep -E '^(\.visible|mov)')" '.visible .func f
mov.u32 %r,1;
.visible .func f
mov.u32 %r,2;'
