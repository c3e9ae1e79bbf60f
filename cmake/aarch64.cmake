# SPDX-License-Identifier: MIT
# cmake -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake
set(HEIST_MACHINE aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/qemu.cmake)
