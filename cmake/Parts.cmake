# Warnings, language flags and include paths of everything; a part of the library is an object library ws_NAME.
add_library(ws_flags INTERFACE)
target_include_directories(ws_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/host)
target_compile_definitions(ws_flags INTERFACE _POSIX_C_SOURCE=200809L _XOPEN_SOURCE=700)
target_compile_options(
    ws_flags
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              -Wshadow
              -Wconversion
              -Wstrict-prototypes
              -Wmissing-prototypes
              -Wpointer-arith
              -Wcast-qual
              -Wwrite-strings
              -Wundef
              -Wvla
              $<$<BOOL:${WS_WERROR}>:-Werror>
)

# ws_part(NAME [ONLY source...] [EXCEPT pattern]): the part's sources, compiled once for both libraries: all that lie in its folder and below.
function(ws_part name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCEPT" "ONLY")
    set(sources ${arg_ONLY})
    if(NOT sources)
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.c)
    endif()
    if(arg_EXCEPT)
        list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
    endif()
    add_library(ws_${name} OBJECT ${sources})
    target_link_libraries(ws_${name} PUBLIC ws_flags)
    set_property(GLOBAL APPEND PROPERTY WS_PARTS ws_${name})
endfunction()

# What tests make and take again: traces, and what drivers have compiled, in the folder that PoCL has by default.
set(WS_TEST_CACHE ${PROJECT_BINARY_DIR}/test-cache CACHE PATH "Cache of the tests")
set(WS_TEST_ENVIRONMENT "XDG_CACHE_HOME=${WS_TEST_CACHE}" "POCL_CACHE_DIR=${WS_TEST_CACHE}/pocl/kcache" WARPSWEEP_QUICK=1)

# ws_kit(NAME source...): what several tests share, compiled once; for PARTS of ws_test.
function(ws_kit name)
    add_library(ws_${name} OBJECT ${ARGN})
    target_link_libraries(ws_${name} PRIVATE ws_flags PkgConfig::CMOCKA)
    target_include_directories(ws_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
endfunction()

# ws_test(NAME SOURCES source... PARTS part... [LABELS label...] [RUNNER script]): a cmocka program that links these parts; the script,
# if any, is given the program to run. The target tests_LABEL builds those of a label.
function(ws_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PARTS;LABELS;RUNNER")
    add_executable(test_${name} ${arg_SOURCES})
    list(TRANSFORM arg_PARTS PREPEND ws_)
    target_link_libraries(test_${name} PRIVATE ws_test_main ${arg_PARTS} ws_flags PkgConfig::CMOCKA)
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    add_test(NAME ${name} COMMAND ${arg_RUNNER} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
    set_property(TEST ${name} PROPERTY ENVIRONMENT ${WS_TEST_ENVIRONMENT} "XDG_CONFIG_HOME=${PROJECT_BINARY_DIR}/test-config")
    foreach(label IN LISTS arg_LABELS)
        if(NOT TARGET tests_${label})
            add_custom_target(tests_${label})
        endif()
        add_dependencies(tests_${label} test_${name})
    endforeach()
endfunction()
