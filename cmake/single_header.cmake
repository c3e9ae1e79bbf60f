# SPDX-License-Identifier: MIT
# heist-queues.h: all queues in one file, made anew when one of its sources changes.
find_program(HEIST_AWK awk)
if(NOT HEIST_AWK)
    message(STATUS "No awk: heist-queues.h is left out")
    return()
endif()

set(HEIST_SINGLE_HEADER ${PROJECT_BINARY_DIR}/heist-queues.h)
set(generator ${CMAKE_CURRENT_LIST_DIR}/single_header.awk)
file(GLOB parts CONFIGURE_DEPENDS include/heist/*.h src/queue/*.[ch])
add_custom_command(OUTPUT ${HEIST_SINGLE_HEADER}
    COMMAND ${HEIST_AWK} -v root=${PROJECT_SOURCE_DIR} -f ${generator} > ${HEIST_SINGLE_HEADER}.new
    COMMAND ${CMAKE_COMMAND} -E rename ${HEIST_SINGLE_HEADER}.new ${HEIST_SINGLE_HEADER}
    DEPENDS ${parts} ${generator} LICENSE
    COMMENT "Making heist-queues.h" VERBATIM)
add_custom_target(heist-single-header ALL DEPENDS ${HEIST_SINGLE_HEADER})
