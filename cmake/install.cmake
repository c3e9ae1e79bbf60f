# SPDX-License-Identifier: MIT
# What `cmake --install` puts where. Nothing installed names the prefix, so it can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/heist DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(HEIST_SINGLE_HEADER)
    install(FILES ${HEIST_SINGLE_HEADER} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
set(libraries heist)
foreach(other static shared)
    if(TARGET heist-${other})
        list(APPEND libraries heist-${other})
    endif()
endforeach()
install(TARGETS ${libraries} EXPORT heist-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT heist-targets NAMESPACE heist:: DESTINATION ${package_dir})

configure_package_config_file(cmake/heist-config.cmake.in heist-config.cmake
                              INSTALL_DESTINATION ${package_dir}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(heist-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heist-config.cmake
              ${PROJECT_BINARY_DIR}/heist-config-version.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc /${pkgconfig_dir} /)
configure_file(cmake/heist.pc.in heist.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heist.pc DESTINATION ${pkgconfig_dir})

install(DIRECTORY ${HEIST_MAN_DIR}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES docs/man/heist.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# The pages find each other, the examples and the README as in the source tree.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c")

if(HEIST_BUILD_TOOLS)
    file(RELATIVE_PATH lib_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(heist-tool PROPERTIES INSTALL_RPATH $ORIGIN/${lib_from_bin})
    install(TARGETS heist-tool)
    install(FILES docs/man/heist.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    # The checker's programs, of which some builds have none.
    foreach(kind ${HEIST_KINDS} slots park waiters groups pool master)
        if(TARGET verify-${kind})
            install(TARGETS verify-${kind} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heist)
        endif()
    endforeach()
endif()

# heist_install_script(NAME FOLDER SCRIPT TARGET...): a script of bench/app/FOLDER that heist report runs as
# NAME, and the programs that it takes from a build tree, which libexec/heist then is for it.
function(heist_install_script name folder script)
    set(place ${CMAKE_INSTALL_LIBEXECDIR}/heist)
    file(RELATIVE_PATH lib /${place}/bench/app/${folder} /${CMAKE_INSTALL_LIBDIR})
    foreach(target ${ARGN})
        if(NOT TARGET ${target})
            return()
        endif()
        set_target_properties(${target} PROPERTIES INSTALL_RPATH $ORIGIN/${lib})
    endforeach()
    install(TARGETS ${ARGN} DESTINATION ${place}/bench/app/${folder})
    install(PROGRAMS bench/app/${folder}/${script} DESTINATION ${place}/bench/app/${folder})
    set(here [=[${0%/*}]=])
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/installed/${name} @ONLY CONTENT
         "#!/bin/sh\nexec \"@here@/bench/app/@folder@/@script@\" \"@here@\" \"$@\"\n")
    install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/${name} DESTINATION ${place})
endfunction()
if(HEIST_BUILD_TOOLS)
    heist_install_script(echo-load echo load.sh heist-echo)
    heist_install_script(finddup-compare finddup compare.sh finddup finddup-tree)
    if(TARGET finddup)
        install(FILES bench/app/finddup/test/groups.awk
                DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heist/bench/app/finddup/test)
    endif()
endif()

# Archives: packaging/archive.sh runs cpack.
if(PROJECT_IS_TOP_LEVEL)
    set(CPACK_GENERATOR TGZ)
    set(CPACK_PACKAGE_FILE_NAME heist-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
    set(CPACK_STRIP_FILES ON)
    set(CPACK_VERBATIM_VARIABLES ON)
    include(CPack)
endif()
