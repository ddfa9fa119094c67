# make builds the program; run and test also install what is missing. CMake does the work (CMakePresets.json).
MAKEFLAGS += --no-print-directory
BUILD := build
JOBS := $(shell nproc)
# Some tests wait for others' processes: two more than there are cores.
TEST_JOBS := $(shell expr $(JOBS) + 2)
SIZE ?= small
ENGINE ?= auto
OUT ?= out
PREFIX ?= /usr/local
# Kernels that run and test compile on demand are not optimized: less to wait for (docs/performance.md).
export WARPSWEEP_QUICK := 1

# The program, its libraries and its manual.
all:
	@cmake --preset release >/dev/null
	cmake --build --preset release --target product -j $(JOBS)

# Tests and benchmarks too.
tests: all
	cmake --build --preset release -j $(JOBS)

# The main job: the figures of the first paper, with pictures in $(OUT). What has been run is not run again.
# ENGINE=opencl takes the OpenCL device even if it is the CPU.
run: deps all
	$(BUILD)/warpsweep reproduce narasiman2011 --engine $(ENGINE) --size $(SIZE) --output $(OUT)

# For the edit loop, in less than two minutes from a built tree: tests without the label slow, random cases by the hundred.
check: tests
	ctest --preset check -j $(TEST_JOBS)

# Every test without the label long; then the unit and fuzz tests once more in the sanitizer build.
test: deps tests
	ctest --preset release -j $(TEST_JOBS)
	@cmake --preset sanitized >/dev/null
	cmake --build --preset sanitized -j $(JOBS)
	ctest --preset sanitized -j $(TEST_JOBS)

# Tests with the label long, random cases by the million, fuzzers, figures at paper size: bounded by LONG_CASES and LONG_MINUTES (tests/long).
test-long: deps tests
	tests/long $(BUILD)

# Lays out the code as .clang-format says.
format:
	git ls-files host kernels include tests bench traces tools examples | grep -E '\.(c|h|cl)$$' | xargs tests/laws/layout --write

# What the benchmarks measure with all kernels compiled in, and the tables in the documents that say so.
bench: deps
	@cmake --preset package -DWS_BENCH=ON >/dev/null
	cmake --build --preset package --target all -j $(JOBS)
	bench/run $(BUILD)/package bench/results
	bench/tables README.md docs/performance.md docs/accuracy/papers.md

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

# Debian packages of the program with all kernels compiled in, of the library and of its development files.
deb:
	@cmake --preset package >/dev/null
	cmake --build --preset package -j $(JOBS)
	tools/deb $(BUILD)/package $(BUILD)/deb

deps:
	@tools/deps

clean:
	rm -rf $(BUILD) $(OUT)

.PHONY: all tests run check test test-long format bench install deb deps clean
