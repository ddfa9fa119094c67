set(WS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedBytes.cmake)

# ws_embed(TARGET FILE SYMBOL): adds the bytes of FILE to TARGET, a target of this directory. #include "embedded/SYMBOL.h" declares
#   extern const char SYMBOL[N];         the bytes and a zero after them, so that sizeof SYMBOL - 1 is their number
#   extern const size_t SYMBOL_length;   the same number for those who declare the symbols by themselves
# FILE may itself be the output of a custom command.
function(ws_embed target file symbol)
    get_filename_component(input ${file} ABSOLUTE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol})
    add_custom_command(
        OUTPUT ${output}.c ${output}.h
        COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DSYMBOL=${symbol} -P ${WS_EMBED_SCRIPT}
        DEPENDS ${input} ${WS_EMBED_SCRIPT}
        VERBATIM
    )
    target_sources(${target} PRIVATE ${output}.c ${output}.h)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
