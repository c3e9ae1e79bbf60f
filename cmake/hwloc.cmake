# SPDX-License-Identifier: MIT
# hwloc's header, for src/policy/machine_hwloc.c: HEIST_HAVE_HWLOC. pkg-config finds it; whether it is
# for the machine that is built for, and new enough (2.4 has kinds of CPUs), a program says. The library
# itself is loaded when a pool needs it.
include(CheckCSourceCompiles)

set(HEIST_HAVE_HWLOC OFF)
if(HEIST_WITH_HWLOC)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(HWLOC QUIET hwloc>=2.4)
    endif()
    if(HWLOC_FOUND)
        set(CMAKE_REQUIRED_INCLUDES ${HWLOC_INCLUDE_DIRS})
        set(CMAKE_REQUIRED_LINK_OPTIONS ${HWLOC_LDFLAGS})
        set(CMAKE_REQUIRED_LIBRARIES ${HWLOC_LIBRARIES})
        check_c_source_compiles("
            #include <hwloc.h>
            int main(void) { return hwloc_cpukinds_get_nr(NULL, 0); }
            " HEIST_HWLOC_LINKS)
        unset(CMAKE_REQUIRED_INCLUDES)
        unset(CMAKE_REQUIRED_LINK_OPTIONS)
        unset(CMAKE_REQUIRED_LIBRARIES)
        set(HEIST_HAVE_HWLOC ${HEIST_HWLOC_LINKS})
    endif()
    if(NOT HEIST_HAVE_HWLOC)
        message(STATUS "No hwloc for this machine: the machine is flat")
    endif()
endif()

if(HEIST_HAVE_HWLOC)
    target_sources(heist PRIVATE src/policy/machine_hwloc.c)
    target_include_directories(heist PRIVATE ${HWLOC_INCLUDE_DIRS})
endif()
target_link_libraries(heist PRIVATE ${CMAKE_DL_LIBS}) # nothing where the C library has dlopen
target_compile_definitions(heist PRIVATE HEIST_WITH_HWLOC=$<BOOL:${HEIST_HAVE_HWLOC}>)
