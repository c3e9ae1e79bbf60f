# SPDX-License-Identifier: MIT
# A thin front for CMake: `make help` says what there is.

BUILD = build
PREFIX = /usr/local
CMAKE_ARGS =
LONG = 60
TORTURE = 300

jobs := $(shell nproc)
configure = cmake -S . -B $(BUILD) -G Ninja $(CMAKE_ARGS)
build = cmake --build $(BUILD)
test = ctest --test-dir $(BUILD) -C trees -j $(jobs) --output-on-failure --no-tests=error

all: setup-build
	$(configure)
	$(build)

help:
	@echo 'make             build into $(BUILD)/; the command is $(BUILD)/heist'
	@echo 'make demo        compare the queues, in less than a minute'
	@echo 'make check       all tests: gcc, clang, sanitizers, aarch64 and riscv64 under qemu'
	@echo 'make check-long  the same, each stress test for $(LONG) s (LONG=seconds)'
	@echo 'make torture     random delays in every window of the queues, for $(TORTURE) s (TORTURE=seconds)'
	@echo 'make install     install under $(PREFIX) (PREFIX=directory, DESTDIR=staging root)'
	@echo 'make setup       install the Debian packages that all of this needs'
	@echo 'make clean       remove $(BUILD)/'
	@echo 'BUILD=directory builds elsewhere, CMAKE_ARGS=-D... is passed to cmake'

setup:
	@scripts/setup.sh

setup-build:
	@scripts/setup.sh build

demo: setup-build
	$(configure)
	$(build) --target heist-tool
	$(BUILD)/heist bench queue --quick

# cmake is made to look again for what it did not find before the setup.
check: setup
	$(configure) -U HEIST_HAVE_CMOCKA
	$(build)
	$(test)

check-long: export HEIST_STRESS_SECONDS = $(LONG)
check-long: check

torture: setup
	$(configure)
	$(build)
	test/stress/torture.sh $(BUILD) $(TORTURE)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)

.PHONY: all help setup setup-build demo check check-long torture install clean
