# SPDX-License-Identifier: MIT
# What is made from the headers' comments (docs/reference): the manual pages of section 3, with everything
# else, into man/man3, so that `man -M BUILD/man heist_run` shows one; and by the target docs, which
# needs Doxygen, the API reference, into docs/html.
set(reference ${PROJECT_SOURCE_DIR}/docs/reference)
set(HEIST_MAN_DIR ${PROJECT_BINARY_DIR}/man)
file(GLOB documented CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/heist/*.h ${reference}/*
     ${PROJECT_SOURCE_DIR}/examples/*.c)

add_custom_command(OUTPUT ${HEIST_MAN_DIR}/made VERBATIM
                   COMMAND ${reference}/man.sh ${PROJECT_SOURCE_DIR} ${HEIST_MAN_DIR}
                   COMMAND ${CMAKE_COMMAND} -E touch ${HEIST_MAN_DIR}/made
                   DEPENDS ${documented} ${PROJECT_SOURCE_DIR}/docs/man/heist.7
                   COMMENT "Manual pages of section 3")
add_custom_target(heist-man ALL DEPENDS ${HEIST_MAN_DIR}/made)

if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(docs COMMAND ${reference}/doxygen.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/docs
                      COMMENT "API reference: ${PROJECT_BINARY_DIR}/docs/html/index.html" VERBATIM)
endif()
