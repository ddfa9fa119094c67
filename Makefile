# make builds; run and test also install what is missing (deps). CMake does the work.
BUILD ?= build
PRESET ?= release

all: configure
	cmake --build $(BUILD) --parallel

configure:
	cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DWS_WERROR=ON >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }

# The main job: the figures of the first paper, simulated through OpenCL, with pictures in $(OUT). What has been run is not run again.
SIZE ?= small
OUT ?= out

run: deps all
	$(BUILD)/warpsweep reproduce narasiman2011 --engine opencl --size $(SIZE) --output $(OUT)

test: deps all
	cd $(BUILD) && ctest --output-on-failure

deps:
	@tools/deps

.PHONY: all configure run test deps
