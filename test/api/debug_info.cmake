# SPDX-License-Identifier: MIT
# Included by CMake after project(): the library, and only it, gets debug information, for test/packaging/abi.sh.
add_compile_options("$<$<STREQUAL:$<TARGET_PROPERTY:NAME>,heist>:-g>")
