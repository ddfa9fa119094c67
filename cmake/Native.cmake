# The kernels as host C: a row for each pipeline, path unit, way of dispatch and width of sets, as the tables of include/shared say. Those
# that WS_PREBUILT matches are compiled in for each instruction set; the program compiles the others when a job needs them.

include(CheckCCompilerFlag)
include(${CMAKE_CURRENT_LIST_DIR}/Tables.cmake)

check_c_compiler_flag(-fno-move-loop-stores WS_HAS_MOVE_LOOP_STORES)
check_c_compiler_flag(-mstore-max=256 WS_HAS_STORE_MAX)
check_c_compiler_flag(-fno-tree-loop-distribute-patterns WS_HAS_LOOP_PATTERNS)
check_c_compiler_flag(-mno-stv WS_HAS_STV)

# ws_widths(OUTPUT SLOTS): words of the sets that a path unit of so many slots can have.
function(ws_widths output slots)
    set(widths 1)
    if(slots GREATER 32)
        list(APPEND widths 2)
    endif()
    if(slots GREATER 64)
        list(APPEND widths 8)
    endif()
    set(${output} ${widths} PARENT_SCOPE)
endfunction()

# ws_kernel_object(TARGET SOURCE PIPELINE PATH DISPATCH WORDS [definition...]): an object library of a source that includes the kernels, compiled
# for these; the scheduler is the machine's.
function(ws_kernel_object target source pipeline path dispatch words)
    add_library(${target} OBJECT ${source})
    target_link_libraries(${target} PUBLIC ws_flags)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/kernels)
    target_compile_definitions(
        ${target} PRIVATE WS_PIPELINE_${pipeline}=1 WS_PATH_${path}=1 WS_DISPATCH_${dispatch}=1 WS_SLOT_WORDS=${words} ${ARGN}
    )
    # A contract's parameters are those of all who fulfil it; not everyone needs each.
    target_compile_options(${target} PRIVATE -Wno-unused-parameter)
endfunction()

# ws_kernel_rows(OUTPUT): what there is to compile, as a list of "pipeline path dispatch words".
function(ws_kernel_rows output)
    ws_rows(include/shared/runs.def "RUNS(pipeline, path, slots, schedulers, dispatches)" "pipeline=path=slots=dispatches" runs)
    ws_rows(include/shared/predecoded.def "PREDECODED(pipeline, path, slots, schedulers, dispatches)" "pipeline=path=slots=dispatches" lowered)
    list(APPEND runs ${lowered})
    ws_rows(include/shared/dispatches.def "DISPATCH(name, value, doc)" "name" every_dispatch)
    set(rows)
    foreach(run IN LISTS runs)
        string(REPLACE "=" ";" run ${run})
        list(GET run 0 pipeline)
        list(GET run 1 path)
        list(GET run 2 slots)
        list(GET run 3 dispatches)
        if("${dispatches}" STREQUAL "all")
            set(dispatches ${every_dispatch})
        endif()
        ws_widths(widths ${slots})
        foreach(dispatch IN LISTS dispatches)
            foreach(words IN LISTS widths)
                list(APPEND rows "${pipeline} ${path} ${dispatch} ${words}")
            endforeach()
        endforeach()
    endforeach()
    set(${output} ${rows} PARENT_SCOPE)
endfunction()

# ws_native_add(TARGET): adds an object library to ws_engine.
function(ws_native_add target)
    target_sources(ws_engine INTERFACE $<TARGET_OBJECTS:${target}>)
    set_property(GLOBAL APPEND PROPERTY WS_PARTS ${target})
endfunction()

# ws_native_align(ISA [flags...]): the alignment for one instruction set, added to ws_engine.
function(ws_native_align isa)
    set(target ws_native_align_${isa})
    add_library(${target} OBJECT native/align_kernel.c)
    target_link_libraries(${target} PUBLIC ws_flags)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/kernels)
    target_compile_definitions(${target} PRIVATE WS_ALIGN_NAME=${target})
    target_compile_options(${target} PRIVATE -Wno-unused-parameter "$<$<NOT:$<CONFIG:Debug>>:-O3>" ${ARGN})
    ws_native_add(${target})
endfunction()

# ws_native_level(OUTPUT ISA ROW): how a row's kernel is compiled for an instruction set.
function(ws_native_level output isa row)
    separate_arguments(fields UNIX_COMMAND "${row}")
    list(GET fields 3 words)
    # -O3 takes a third to a half longer to compile. The widest sets gain from it in the barrel alone. Kernels without AVX2, if there are
    # others, compile twice as fast with -O1 and run 0.86 times as fast.
    set(level -O3)
    if("${isa}" STREQUAL base AND WS_HAS_AVX2)
        set(level -O1)
    elseif(words GREATER 2 AND NOT "${row}" MATCHES "^barrel ")
        set(level -O2 -ftree-vectorize -fvect-cost-model=dynamic)
    endif()
    # Loops over words of wider sets, rows of large warps, ports and fetches are short: fields kept in registers for their length cost more
    # than they save.
    if((words GREATER 1 OR "${row}" MATCHES " lwm ") AND WS_HAS_MOVE_LOOP_STORES)
        list(APPEND level -fno-move-loop-stores)
    endif()
    # Loops that move the ways of a set are shorter than the call that gcc makes of them.
    if(WS_HAS_LOOP_PATTERNS)
        list(APPEND level -fno-tree-loop-distribute-patterns)
    endif()
    # gcc does scalar minima and maxima in vector registers, and then reads back as whole vectors the words that it has spilled, which a
    # processor does not forward.
    if(WS_HAS_STV)
        list(APPEND level -mno-stv)
    endif()
    # gcc copies and clears 32 bytes in halves, which a processor does not forward to a read of the whole vector. Kernels of pre-decoded traces
    # lose by whole ones, presumably since they copy structures whose fields have just been written.
    if("${isa}" STREQUAL avx2 AND NOT "${row}" MATCHES " predecoded " AND WS_HAS_STORE_MAX)
        list(APPEND level -mmove-max=256 -mstore-max=256)
    endif()
    set(${output} ${level} ${WS_ISA_${isa}} PARENT_SCOPE)
endfunction()

# ws_native_built(ISA ROW): the row's kernel for an instruction set, added to ws_engine.
function(ws_native_built isa row)
    separate_arguments(fields UNIX_COMMAND "${row}")
    list(JOIN fields "_" name)
    set(target ws_native_${name}_${isa})
    ws_kernel_object(${target} native/native_kernel.c ${fields} WS_NATIVE_NAME=${target})
    ws_native_level(level ${isa} "${row}")
    target_compile_options(${target} PRIVATE "$<$<NOT:$<CONFIG:Debug>>:${level}>")
    ws_native_add(${target})
endfunction()

# ws_natives(ISA...): the plan of each row, and for each instruction set, base first, the kernels of those rows that WS_PREBUILT matches.
# natives.def names them all, with the flags of the instruction set that comes last.
function(ws_natives)
    ws_kernel_rows(rows)
    list(GET ARGN -1 last)
    set(table)
    foreach(row IN LISTS rows)
        separate_arguments(fields UNIX_COMMAND "${row}")
        list(JOIN fields "_" name)
        set(target ws_native_${name}_plan)
        ws_kernel_object(${target} native/native_plan.c ${fields} WS_NATIVE_PLAN=${target})
        ws_native_add(${target})
        set(built 0 0)
        if(WS_PREBUILT AND "${row}" MATCHES "${WS_PREBUILT}")
            set(built 1 0)
            foreach(isa IN LISTS ARGN)
                ws_native_built(${isa} "${row}")
            endforeach()
            if(NOT "${last}" STREQUAL base)
                set(built 1 1)
            endif()
        endif()
        ws_native_level(level ${last} "${row}")
        list(TRANSFORM level REPLACE "(.+)" "\"\\1\"")
        list(JOIN fields ", " arguments)
        list(JOIN built ", " built)
        list(JOIN level ", " level)
        string(APPEND table "NATIVE(${arguments}, ${built}, ${level})\n")
    endforeach()
    foreach(isa IN LISTS ARGN)
        ws_native_align(${isa} ${WS_ISA_${isa}})
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/natives.def CONTENT "${table}")
    target_include_directories(ws_engine PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
