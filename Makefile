# The usual commands. Everything is built by CMake with the presets of CMakePresets.json; this file only spares typing.
# Variables: JOBS (default: every core), PREFIX (install, default /usr/local), DESTDIR.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export CTEST_PARALLEL_LEVEL := $(JOBS)

.PHONY: help demo test test-all test-nightly build mpi python package wheel paper bench fuzz format tidy clean install setup dev asan tsan clang
.DEFAULT_GOAL := help

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14
	@echo 'dev, asan, tsan, clang: build and test with that preset'

demo: build ## build, infer the paper's hidden Markov model, make a page of charts
	@scripts/demo

# The three gates are labels of tests (test/CMakeLists.txt). Each installs what it needs before CMake looks for it.
test: ## build the C++ program and its tests, then run those of label core
	@scripts/setup --test
	@$(MAKE) --no-print-directory build
	cmake --build --preset release
	ctest --preset release --parallel 2 --label-regex '^core$$'

test-all: test ## the same, then what needs other languages and tools (label languages)
	@scripts/setup --test-all
	cmake --preset release
	cmake --build --preset release --target all chancel_languages
	ctest --preset release --parallel 2 --label-regex '^languages$$'

test-nightly: ## fresh seeds, many kills, long fuzzing (label nightly); run before a release
	@scripts/setup --test-all
	@$(MAKE) --no-print-directory build
	cmake --build --preset release --target all chancel_languages
	ctest --preset release --parallel 2 --label-regex '^nightly$$'

build: setup ## build the program: build/release/chancel
	cmake --preset release
	cmake --build --preset release --target chancel chancel_archive chancel_shared chancel_pages

setup: ## install the Debian packages that are missing
	@scripts/setup

python: ## build the Python module: build/release/python/chancel
	@scripts/setup --python
	cmake --preset release -DCHANCEL_PYTHON=ON
	cmake --build --preset release --target python
	@echo 'To use it: PYTHONPATH=$(CURDIR)/build/release/python /usr/bin/python3 -c "import chancel; help(chancel)"'

mpi: ## build the program and its module for clusters: build/release/libchancel_mpi.so
	@scripts/setup --mpi
	@$(MAKE) --no-print-directory build
	cmake --build --preset release --target chancel_mpi

package: ## make the Debian package: build/package/chancel_VERSION_ARCH.deb
	@scripts/setup --package
	@$(MAKE) --no-print-directory build
	cmake --build --preset release --target chancel_paper
	@rm -rf build/package
	cpack --config build/release/CPackConfig.cmake -B build/package
	@rm -rf build/package/_CPack_Packages
	@echo 'To install it: apt-get install ./'$$(ls -t build/package/*.deb | head -1)

wheel: ## make the Python wheel: build/wheel/chancel-VERSION-*.whl
	@scripts/setup --python
	cmake --preset release -DCHANCEL_PYTHON=ON
	cmake --build --preset release --target python
	@rm -rf build/wheel
	scripts/make_wheel build/release/python build/wheel
	@echo 'To install it in a virtual environment: pip install '$$(ls -t build/wheel/*.whl | head -1)

# Build and test another preset. Frames are several times larger without optimisation or with sanitizers.
dev asan tsan clang: setup
	cmake --preset $@
	cmake --build --preset $@ --target all chancel_languages
	ulimit -s 131072; ctest --preset $@ --label-exclude '^nightly$$'

FUZZ_SECONDS ?= 600
fuzz: ## fuzz the readers of files, FUZZ_SECONDS (600) each, with clang and sanitizers
	@scripts/setup --dev
	@for target in csv json edn state run_directory; do scripts/fuzz $$target $(FUZZ_SECONDS) || exit 1; done

paper: build ## reproduce the paper's figures: build/paper/index.html
	cmake --build --preset release --target chancel_paper
	build/release/chancel paper --out build/paper

bench: setup ## build and run the benchmarks; results go to bench/results
	cmake --preset bench
	cmake --build --preset bench
	scripts/bench

format: ## lay the sources out with clang-format
	@scripts/format

tidy: build ## run clang-tidy over src and tools
	@scripts/tidy

install: build ## install under PREFIX (default /usr/local)
	cmake --install build/release --prefix $(PREFIX)

clean: ## remove build/
	rm -rf build
