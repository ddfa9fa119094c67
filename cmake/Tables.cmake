# ws_rows(FILE ROW TEXT VARIABLE): what TEXT makes of each row of a table, as the compiler reads it: for a ROW "CHOICE(set, name, value, doc)"
# and a TEXT "set:name" the list divergence:pdom;... A changed table triggers a new configuration.
function(ws_rows file row text variable)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    set(reader ${CMAKE_CURRENT_BINARY_DIR}/rows.c)
    file(WRITE ${reader} "#define ${row} <${text}>\n#include \"${PROJECT_SOURCE_DIR}/${file}\"\n")
    execute_process(
        COMMAND ${CMAKE_C_COMPILER} -E -P -I ${PROJECT_SOURCE_DIR}/include ${reader} OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY
    )
    string(REGEX MATCHALL "<[^<>]*>" rows "${read}")
    list(TRANSFORM rows REPLACE "[<> ]" "")
    set(${variable} ${rows} PARENT_SCOPE)
endfunction()
