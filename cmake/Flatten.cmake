add_executable(ws_flatten ${PROJECT_SOURCE_DIR}/tools/flatten.c)
target_link_libraries(ws_flatten PRIVATE ws_flags)

# ws_flatten(SOURCE OUTPUT FOLDER...): OUTPUT becomes the text of SOURCE with every #include "..." replaced by what it names. SOURCE and the
# folders in which includes are sought are relative to the project.
function(ws_flatten source output)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ws_flatten ${PROJECT_SOURCE_DIR} ${source} ${output} ${output}.d ${ARGN}
        DEPENDS ${PROJECT_SOURCE_DIR}/${source}
        DEPFILE ${output}.d
        VERBATIM
    )
endfunction()
