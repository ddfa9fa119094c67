set(WS_WORKLOAD_ROW "WORKLOAD\\(([a-z0-9_]+),[ \n]*(NULL|\"[a-z0-9_]+\"),[ \n]*([0-9]+),[ \n]*(\"[^\"]*\")\\)")

# ws_workloads(TARGET FOLDER): adds every workload in FOLDER to TARGET, an object library of this directory with traces/workloads.c and
# traces/workload.c. A workload is a folder NAME with NAME.c, NAME.cl and NAME.ptx; its row, WORKLOAD(NAME, PAPER, PLACE, "about"), stands
# in NAME.c (traces/workload.h). A folder with NAME.c alone shares the kernel of another, which SHARES(OTHER) in NAME.c names.
# Rows are sorted by paper and place, those without a paper (NULL) come last, by name.
# #include "embedded/workloads.h" declares the PTX and defines WS_WORKLOAD_TABLE(ROW): ROW(NAME, KERNEL, PAPER, PLACE, "about") for each,
# KERNEL the workload whose kernel it is.
function(ws_workloads target folder)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*/*.c)
    set(keys "")
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME_WE)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(READ ${source} text)
        string(REGEX MATCH "${WS_WORKLOAD_ROW}" row "${text}")
        if(NOT CMAKE_MATCH_1 STREQUAL name OR NOT source STREQUAL "${folder}/${name}/${name}.c")
            message(FATAL_ERROR "${source}: the row is missing: WORKLOAD(${name}, \"paper\" or NULL, place, \"about\"); see traces/workload.h")
        endif()
        set(fields_${name} "${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}, ${CMAKE_MATCH_4}")
        string(REPLACE "NULL" "~" paper "${CMAKE_MATCH_2}") # after all letters
        list(APPEND keys "${paper}/${CMAKE_MATCH_3}/${name}")
        set(kernel_${name} ${name})
        if("${text}" MATCHES "\nSHARES\\(([a-z0-9_]+)\\);")
            set(kernel_${name} ${CMAKE_MATCH_1})
        endif()
    endforeach()
    list(SORT keys COMPARE NATURAL)

    set(includes "")
    set(table "#define WS_WORKLOAD_TABLE(ROW)")
    foreach(key IN LISTS keys)
        get_filename_component(name ${key} NAME)
        set(kernel ${kernel_${kernel_${name}}}) # whose launch it is may share too
        foreach(suffix IN ITEMS cl ptx)
            if(NOT EXISTS ${folder}/${kernel}/${kernel}.${suffix})
                message(FATAL_ERROR "${folder}/${name} needs ${kernel}/${kernel}.${suffix}; tools/cl2ptx makes the .ptx of the .cl")
            endif()
        endforeach()
        target_sources(${target} PRIVATE ${folder}/${name}/${name}.c)
        if(kernel STREQUAL name)
            ws_embed(${target} ${folder}/${name}/${name}.ptx ws_ptx_${name})
            string(APPEND includes "#include \"embedded/ws_ptx_${name}.h\"\n")
        endif()
        string(APPEND table " \\\n    ROW(${name}, ${kernel}, ${fields_${name}})")
    endforeach()
    file(CONFIGURE OUTPUT embedded/workloads.h CONTENT "${includes}${table}\n" @ONLY)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/traces ${CMAKE_CURRENT_BINARY_DIR})
    target_link_libraries(${target} PUBLIC m)
endfunction()
