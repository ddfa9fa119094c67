# The script behind ws_embed: cmake -DINPUT=file -DOUTPUT=path without suffix -DSYMBOL=name -P EmbedBytes.cmake
# The assembler reads the file itself: a compiler takes seconds for a megabyte of initialisers.
file(SIZE ${INPUT} length)
file(
    WRITE ${OUTPUT}.h
    "#include <stddef.h>\n"
    "extern const char ${SYMBOL}[${length} + 1];\n"
    "extern const size_t ${SYMBOL}_length;\n"
)
file(
    WRITE ${OUTPUT}.c
    "#include \"${SYMBOL}.h\"\n"
    "__asm__(\".section .rodata\\n.balign 16\\n.globl ${SYMBOL}\\n.type ${SYMBOL}, %object\\n.size ${SYMBOL}, ${length} + 1\\n\"\n"
    "        \"${SYMBOL}: .incbin \\\"${INPUT}\\\"\\n.byte 0\\n.previous\\n\");\n"
    "const size_t ${SYMBOL}_length = ${length};\n"
)
