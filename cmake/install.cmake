# SPDX-License-Identifier: MIT
# What `cmake --install` puts where. Nothing installed names the prefix, so it can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/heist DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS heist EXPORT heist-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
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
