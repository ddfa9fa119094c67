# The script behind ws_embed: cmake -DINPUT=file -DOUTPUT=path without suffix -DSYMBOL=name -P EmbedBytes.cmake
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR length "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REPEAT "......." 16 row) # sixteen bytes of seven characters each
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
file(
    WRITE ${OUTPUT}.h
    "#include <stddef.h>\n"
    "extern const char ${SYMBOL}[${length} + 1];\n"
    "extern const size_t ${SYMBOL}_length;\n"
)
file(
    WRITE ${OUTPUT}.c
    "#include \"${SYMBOL}.h\"\n"
    "const char ${SYMBOL}[] = {\n${bytes}'\\0'};\n"
    "const size_t ${SYMBOL}_length = ${length};\n"
)
