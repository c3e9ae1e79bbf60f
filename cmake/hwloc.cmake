# SPDX-License-Identifier: MIT
# hwloc, for src/policy/machine_hwloc.c: HEIST_HAVE_HWLOC, and what the library links to. pkg-config
# finds it; whether it is for the machine that is built for, and new enough (2.4 has kinds of CPUs), a
# program says.
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
    target_link_directories(heist PRIVATE ${HWLOC_LIBRARY_DIRS})
    target_link_libraries(heist PRIVATE ${HWLOC_LIBRARIES})
    set(HEIST_PC_REQUIRES hwloc) # of heist.pc; whoever links libheist.a needs it too
    if(BUILD_SHARED_LIBS)
        set(HEIST_PC_PRIVATE .private)
    else()
        set(HEIST_LINKED -lhwloc) # beside the library's file, without CMake
    endif()
endif()
target_compile_definitions(heist PRIVATE HEIST_WITH_HWLOC=$<BOOL:${HEIST_HAVE_HWLOC}>)
