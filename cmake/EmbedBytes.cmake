# The script behind ws_embed: cmake -DINPUT=file -DOUTPUT=file.c -DSYMBOL=name -P EmbedBytes.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REPEAT "......." 16 row) # sixteen bytes of seven characters each
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
file(
    WRITE ${OUTPUT}
    "#include <stddef.h>\n"
    "extern const char ${SYMBOL}[];\n"
    "extern const size_t ${SYMBOL}_length;\n"
    "const char ${SYMBOL}[] = {\n${bytes}'\\0'};\n"
    "const size_t ${SYMBOL}_length = sizeof ${SYMBOL} - 1;\n"
)
