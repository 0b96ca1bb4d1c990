# SPDX-License-Identifier: BSD-3-Clause
# The commands that a user needs; each installs what is missing first. CMake and Ninja do the building.
#
#   make            build everything
#   make demo       measure briefly and show the results: build/report/index.html
#   make check      run all tests, then those that suit sanitizers under them
#   make check-aarch64  build for 64-bit ARM, Fugaku's processor, and test under an emulator
#   make bench      measure everything that the documentation has figures of
#   make install    PREFIX=/usr/local
#   make clean      remove what was built

PREFIX ?= /usr/local

.PHONY: build demo check check-release check-asan check-tsan check-aarch64 bench install clean setup
.NOTPARALLEL:

build: setup
	@$(call configure_and_build,release)

demo: build
	build/bin/tofu-bench demo --output build/report

bench: build
	build/bin/tofu-bench figures

# "make -k check" goes on after a failure.
check: check-release check-asan check-tsan

check-release: build
	ctest --preset release --output-junit junit.xml

check-asan: setup
	@$(call configure_and_build,asan)
	ctest --preset asan -LE nosan --output-junit junit.xml

# The thread sanitizer wants its shadow memory where randomized addresses may be in the way.
check-tsan: setup
	@$(call configure_and_build,tsan)
	$$(setarch -R true 2>/dev/null && echo setarch -R) ctest --preset tsan -LE nosan --output-junit junit.xml

# A cross compiler and an emulator are no use to anything else, so the other targets do without them.
check-aarch64: setup
	@scripts/setup cross
	@$(call configure_and_build,aarch64)
	ctest --preset aarch64 -j $$(nproc) --output-junit junit.xml

# DESTDIR is respected, too.
install: build
	cmake --install build --prefix "$(abspath $(PREFIX))"

clean:
	rm -rf build build-asan build-tsan build-aarch64

setup:
	@scripts/setup

# Ninja configures anew by itself when a CMake file changes.
define configure_and_build
	dir=build$(if $(filter-out release,$(1)),-$(1)); \
	test -f $$dir/build.ninja || cmake --preset $(1) || exit; \
	cmake --build --preset $(1)
endef
