# SPDX-License-Identifier: MIT
# A thin front for CMake: `make help` says what there is.

BUILD = build
PREFIX = /usr/local
CMAKE_ARGS =
LONG = 60
TORTURE = 300
GENMC_ARGS =
VERIFY_ARGS =
BENCH_ARGS =
CHECK_ARGS =

jobs := $(shell nproc)
tests = trees
configure = cmake -S . -B $(BUILD) -G Ninja $(CMAKE_ARGS)
build = cmake --build $(BUILD)
test = ctest --test-dir $(BUILD) -C $(tests) -j $(jobs) --output-on-failure --no-tests=error $(CHECK_ARGS)

all: setup-build
	$(configure)
	$(build)

help:
	@echo 'make             build into $(BUILD)/; the command is $(BUILD)/heist'
	@echo 'make demo        compare the queues, then the runtime with what else is installed; minutes'
	@echo 'make bench       compare the runtime with all peers, installing them first; half an hour'
	@echo '                 (BENCH_ARGS=--quick: a minute or two)'
	@echo 'make check       all tests: gcc, clang, sanitizers, aarch64 and riscv64 under qemu'
	@echo '                 (CHECK_ARGS="-L unit": a part of them, by options of ctest)'
	@echo 'make check-long  more of them, and each stress test for $(LONG) s (LONG=seconds)'
	@echo 'make torture     random delays in every window of the queues, for $(TORTURE) s (TORTURE=seconds)'
	@echo 'make verify      the model checker: all clients, all weakened orders; tens of minutes'
	@echo '                 (VERIFY_ARGS=abp: of one kind)'
	@echo 'make verify-genmc  the clients of verify/ in GenMC too, if there is one (GENMC_ARGS=--full)'
	@echo 'make install     install under $(PREFIX) (PREFIX=directory, DESTDIR=staging root)'
	@echo 'make package     an archive with all of that, under $(BUILD)/package/'
	@echo 'make deb         Debian packages, in $(BUILD)/deb/; make check-deb builds, installs and tries them'
	@echo 'make setup       install the Debian packages that all of this needs'
	@echo 'make clean       remove $(BUILD)/'
	@echo 'BUILD=directory builds elsewhere, CMAKE_ARGS=-D... is passed to cmake'

setup:
	@scripts/setup.sh

setup-build:
	@scripts/setup.sh build

setup-bench:
	@scripts/setup.sh bench

setup-deb:
	@scripts/setup.sh deb

demo: setup-build
	$(configure)
	$(build) --target heist-tool heist-contestants
	$(BUILD)/heist bench queue --quick
	$(BUILD)/heist bench runtime --quick

bench: setup-bench
	$(configure)
	$(build) --target heist-tool heist-contestants
	$(BUILD)/heist bench runtime $(BENCH_ARGS)

# cmake is made to look again for what it did not find before the setup.
check: setup
	$(configure) -U HEIST_HAVE_CMOCKA
	$(build)
	$(test)

check-long: export HEIST_STRESS_SECONDS = $(LONG)
check-long: tests = long
check-long: check

torture: setup
	$(configure)
	$(build)
	test/stress/torture.sh $(BUILD) $(TORTURE)

verify: all
	scripts/verify.sh $(BUILD) docs/verification-log.txt $(VERIFY_ARGS)

verify-genmc: all
	verify/genmc/compare.sh $(GENMC_ARGS) $(BUILD)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

package: setup-build
	packaging/archive.sh . $(BUILD)/package $(CMAKE_ARGS)

deb: setup-deb
	packaging/deb.sh . $(BUILD)/deb

check-deb: setup-deb
	test/packaging/deb.sh . $(BUILD)/check-deb

clean:
	rm -rf $(BUILD)

.PHONY: all help setup setup-build setup-bench demo bench check check-long torture verify verify-genmc install package deb \
        check-deb setup-deb clean
