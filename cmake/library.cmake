# SPDX-License-Identifier: MIT
# How the libraries are linked: static ones as they are; of shared ones, what is seen from outside is
# src/libheist.map.

# Its few words per thread (readelf -lW: 40 bytes) are addressed as those of the program are
# (initial-exec), without a call. A program that is linked with the library can't notice; one that loads
# it by dlopen takes them from what glibc keeps for that: at least 512 bytes, for all such libraries.
#
# No -Bsymbolic: the library compares the address of heist_run_plain_ with what a program's code has
# stored, and where a program is not position-independent that is an address in the program.
function(heist_link_library target)
    get_target_property(type ${target} TYPE)
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)
    if(NOT type STREQUAL SHARED_LIBRARY)
        return()
    endif()
    set(map ${PROJECT_SOURCE_DIR}/src/libheist.map)
    target_compile_options(${target} PRIVATE -ftls-model=initial-exec -fno-semantic-interposition)
    target_link_options(${target} PRIVATE -Wl,--version-script=${map})
    if(NOT HEIST_SANITIZE) # whose run-time is the program's
        target_link_options(${target} PRIVATE -Wl,-z,defs)
    endif()
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()

heist_link_library(heist)

# The other kind of library, beside the one that BUILD_SHARED_LIBS chooses: heist::static or heist::shared.
if(HEIST_BOTH_LIBRARIES)
    if(BUILD_SHARED_LIBS)
        set(other static)
    else()
        set(other shared)
    endif()
    string(TOUPPER ${other} type)
    add_library(heist-${other} ${type} $<TARGET_PROPERTY:heist,SOURCES>)
    add_library(heist::${other} ALIAS heist-${other})
    set_target_properties(heist-${other} PROPERTIES OUTPUT_NAME heist EXPORT_NAME ${other})
    target_include_directories(heist-${other}
                               PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                               PRIVATE $<TARGET_PROPERTY:heist,INCLUDE_DIRECTORIES>)
    target_compile_definitions(heist-${other} PRIVATE $<TARGET_PROPERTY:heist,COMPILE_DEFINITIONS>)
    target_link_libraries(heist-${other} PUBLIC Threads::Threads PRIVATE ${CMAKE_DL_LIBS})
    heist_link_library(heist-${other})
endif()
