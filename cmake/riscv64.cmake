# SPDX-License-Identifier: MIT
# cmake -B build-riscv64 -DCMAKE_TOOLCHAIN_FILE=cmake/riscv64.cmake
set(HEIST_MACHINE riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/qemu.cmake)
