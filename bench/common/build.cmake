# SPDX-License-Identifier: MIT
# Writes build.h, for the machine's record, if something in it has changed.
cmake_minimum_required(VERSION 3.21)
set(BUILD_COMMIT unknown)
find_program(git git)
if(git)
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                    RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
        set(BUILD_COMMIT ${commit})
    endif()
endif()
file(CONFIGURE OUTPUT build.h CONTENT "#define BUILD_COMPILER \"@BUILD_COMPILER@\"
#define BUILD_FLAGS \"@BUILD_FLAGS@\"
#define BUILD_COMMIT \"@BUILD_COMMIT@\"
" @ONLY)
