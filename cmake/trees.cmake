# SPDX-License-Identifier: MIT
# The same tests in other builds: each tree is one test, which configures and builds it in trees/NAME
# and runs its tests. They take minutes, so only `ctest -C trees` (`make check`) and `ctest -C long`
# (`make check-long`) run them.
include(ProcessorCount)
ProcessorCount(processors)

# heist_tree(NAME CMAKE_OPTION... [CTEST CTEST_OPTION...] [RUNNER COMMAND...] [TORTURE])
# TORTURE: there is also a test that runs only the tree's torture tests, for `ctest -C torture`.
function(heist_tree name)
    cmake_parse_arguments(arg "TORTURE" "" "CTEST;RUNNER" ${ARGN})
    function(tree_test test configurations)
        add_test(NAME ${test} CONFIGURATIONS ${configurations}
                 COMMAND ${CMAKE_CTEST_COMMAND}
                         --build-and-test ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/trees/${name}
                         --build-generator ${CMAKE_GENERATOR} --build-noclean
                         --build-options -DHEIST_TEST_BUILDS=OFF -DHEIST_PEERS=OFF
                                         -DHEIST_BUILD_TOOLS=OFF ${arg_UNPARSED_ARGUMENTS}
                         --test-command ${arg_RUNNER} ${CMAKE_CTEST_COMMAND} -j ${processors}
                                        --no-tests=error ${ARGN})
        set_tests_properties(${test} PROPERTIES LABELS tree RUN_SERIAL ON TIMEOUT 7200)
    endfunction()
    tree_test(tree-${name} "trees;long" --output-on-failure ${arg_CTEST})
    if(arg_TORTURE)
        tree_test(torture-in-${name} torture --verbose -L ^torture$)
        set_tests_properties(torture-in-${name} PROPERTIES TIMEOUT 360000)
    endif()
endfunction()

# Not again what is the same in every build: scripts played by one thread, the checker's own tests, pages,
# commands that only start others, the programs of bench/app; the command only with AddressSanitizer.
# (Torture has a target of its own.)
set(same "^(interleave|litmus|genmc|docs|sim|unit-sim|verify-command|torture)")
set(policies "^runtime-(policy-|long_task$)") # of these, once more with ThreadSanitizer is enough
heist_tree(clang -DCMAKE_C_COMPILER=clang CTEST -E "${same}|${policies}")
heist_tree(asan -DCMAKE_BUILD_TYPE=Debug -DHEIST_SANITIZE=address,undefined -DHEIST_BUILD_TOOLS=ON
           -DHEIST_BUILD_APPS=OFF TORTURE
           CTEST -E "${same}|${policies}")

# ThreadSanitizer can't map its shadow where the kernel randomises addresses by many bits.
execute_process(COMMAND setarch -R true RESULT_VARIABLE no_setarch ERROR_QUIET)
if(NOT no_setarch)
    set(runner RUNNER setarch -R)
endif()
# It holds signals back from threads that sleep, so nothing is seen of a pool that is stuck. And it is
# slow: not what one thread does alone, nor the two policies that take longest.
set(alone "^unit-(bwos|victim|chaselev-memory|heist-memory)")
heist_tree(tsan -DCMAKE_BUILD_TYPE=Debug -DHEIST_SANITIZE=thread -DCMAKE_C_COMPILER=clang ${runner} TORTURE
           CTEST -E "${same}|${alone}|^runtime-observ|^runtime-policy-bwos_fifo")

# Slow under qemu, and the same on every machine: programs with much to compute, and what looks at times,
# processes and the system.
foreach(machine aarch64 riscv64)
    heist_tree(${machine} -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/${machine}.cmake
               CTEST -E "${same}|${policies}|^bench|^unit-victim|^runtime-(long_task|loops|deep|citizen|idle|observ|kinds|mixes|jobs)")
endforeach()
