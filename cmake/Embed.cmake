set(WS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedBytes.cmake)

# ws_embed(TARGET FILE SYMBOL): adds the bytes of FILE to TARGET, a target of this directory. C sees them as
#   extern const char SYMBOL[];          the bytes and a zero after them
#   extern const size_t SYMBOL_length;   their number, the zero not counted
# FILE may itself be the output of a custom command.
function(ws_embed target file symbol)
    get_filename_component(input ${file} ABSOLUTE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DSYMBOL=${symbol} -P ${WS_EMBED_SCRIPT}
        DEPENDS ${input} ${WS_EMBED_SCRIPT}
        VERBATIM
    )
    target_sources(${target} PRIVATE ${output})
endfunction()
