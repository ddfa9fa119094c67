# The library, static and shared, and what is installed with it.
include(CMakePackageConfigHelpers)

# ws_library(TYPE PART...): libwarpsweep of that type, of all objects of the parts. What is in include/ is its interface.
function(ws_library type)
    string(TOLOWER warpsweep_${type} target)
    add_library(${target} ${type})
    target_link_libraries(${target} PRIVATE ${ARGN})
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/include)
    set_target_properties(
        ${target} PROPERTIES OUTPUT_NAME warpsweep VERSION ${PROJECT_VERSION}
                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    )
    install(TARGETS ${target})
endfunction()

# Headers, a file for pkg-config and one for find_package(warpsweep), which gives warpsweep::warpsweep (shared) and warpsweep::static.
# Both find the rest from where they lie.
function(ws_install_library)
    set(headers ${CMAKE_INSTALL_INCLUDEDIR}/warpsweep)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/warpsweep ${PROJECT_SOURCE_DIR}/include/shared DESTINATION ${headers})
    file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/warpsweep.pc.in warpsweep.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsweep.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/warpsweep)
    configure_package_config_file(
        ${PROJECT_SOURCE_DIR}/cmake/warpsweep-config.cmake.in warpsweep-config.cmake
        INSTALL_DESTINATION ${package}
        PATH_VARS headers CMAKE_INSTALL_LIBDIR
    )
    write_basic_package_version_file(warpsweep-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsweep-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/warpsweep-config-version.cmake
            DESTINATION ${package}
    )
endfunction()
