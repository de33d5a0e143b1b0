# SPDX-License-Identifier: GPL-3.0-or-later
# embedscope: an oscilloscope for the embedding layer of a GPT
#
#   make                build/embedscope
#   make run            install what is missing, build, start
#   make check          install what is missing, build, run every test
#
#   make bench          time the core             make lint      format, analysers, layers, both compilers
#   make bench-train    tokens a second           make score     how good models are (FILES=…)
#   make bench-window   frames and keys           make parse-ast  Python judges the parser
#   make bench-gpu      a GPU (device=gpu:1) beside the processor, and beside PyTorch on that GPU
#   make asan           tests under ASan+UBSan    make format    apply the format
#   make valgrind       tests under valgrind      make fuzz      libFuzzer, FUZZ_SECONDS=60 a target
#   make coverage       lines of src covered      make golden    rewrite the golden sessions
#   make messages       list what is said, for translators (assets/messages.pot)
#   make install        prefix=/usr/local DESTDIR=               make uninstall
#   make compile_commands.json                    make clean
#
#   V=1                 show whole commands       B=dir                   build elsewhere
#   CC=clang CFLAGS='-O0 -g3' LDFLAGS=…           yours to set; nothing we need lives there
#   SAN=address,undefined                         sanitiser build, in its own directory
#   OPENBLAS=0 READLINE=0 UTF8PROC=0 PCRE2=0 JANSSON=0 ZSTD=0 MD4C=0 OPENCL=0 SDL=0   leave a library out

version     := 0.1.0
PKG_CONFIG  ?= pkg-config
CFLAGS      ?= -O2 -g
INSTALL     ?= install
prefix      ?= /usr/local
bindir      ?= $(prefix)/bin
datadir     ?= $(prefix)/share/embedscope
libdir      ?= $(prefix)/lib/embedscope
mandir      ?= $(prefix)/share/man
SAN         ?=
FUZZ_SECONDS ?= 60
comma       := ,
B           ?= build$(if $(SAN),/$(subst $(comma),-,$(SAN)))
Q           := $(if $(filter 1,$(V)),,@)
say          = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' '$(1)' '$(2)')

# ---- libraries: pkg-config knows, or the header is where compilers look --------------------------
# $(call library,name,header,flags where there is no .pc file,what only this library's header declares)
hash        := \#
library      = $(strip $(shell $(PKG_CONFIG) --cflags --libs $(1) 2>/dev/null || { \
                 printf '$(hash)include <%s>\n' stdio.h '$(2)' | $(CC) $(3) -x c -E - 2>/dev/null | grep -q '$(4)' && echo '$(3)'; }))
openblas    := $(if $(filter 0,$(OPENBLAS)),,$(call library,openblas,cblas.h,-I/usr/include/openblas -lopenblas,openblas_get_config))
readline    := $(if $(filter 0,$(READLINE)),,$(call library,readline,readline/readline.h,-lreadline,rl_callback))
pcre2       := $(if $(filter 0,$(PCRE2)),,$(call library,libpcre2-8,pcre2.h,-DPCRE2_CODE_UNIT_WIDTH=8 -lpcre2-8,pcre2_match))
utf8proc    := $(if $(filter 0,$(UTF8PROC)),,$(call library,libutf8proc,utf8proc.h,-lutf8proc,utf8proc_))
jansson     := $(if $(filter 0,$(JANSSON)),,$(call library,jansson,jansson.h,-ljansson,json_loads))
zstd        := $(if $(filter 0,$(ZSTD)),,$(call library,libzstd,zstd.h,-lzstd,ZSTD_))
# Fonts, PNG and the window: the module of pictures has them, and none of it is in the program itself.
pictures    := $(if $(filter 0,$(SDL)),,$(shell $(PKG_CONFIG) --cflags --libs sdl2 SDL2_ttf SDL2_image fontconfig 2>/dev/null))
md4c        := $(if $(filter 0,$(MD4C)),,$(call library,md4c,md4c.h,-lmd4c,md_parse))
includes     = $(filter -I%,$(1))
# Headers alone: the loader is opened when a device is asked for.
opencl_at   := $(call includes,$(shell $(PKG_CONFIG) --cflags OpenCL-Headers 2>/dev/null))
opencl      := $(if $(filter 0,$(OPENCL)),,$(shell printf '$(hash)include <CL/cl.h>\n' | $(CC) $(opencl_at) -x c -E - 2>/dev/null | grep -q clEnqueueNDRangeKernel && echo here))
check       := $(call library,check,check.h,-lcheck -lm -lpthread,srunner_)

openmp      := $(shell printf 'int main(void) { return 0; }' | $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)

libs         = $(filter-out -I% -D%,$(1))
have         = -DES_HAVE_$(1)=$(if $(2),1,0)
core_libs   := $(call libs,$(openblas)) $(call libs,$(utf8proc)) $(call libs,$(pcre2)) $(call libs,$(jansson)) $(call libs,$(zstd)) $(call libs,$(md4c)) -lm
app_libs    := $(call libs,$(readline)) $(core_libs) -ldl
test_libs   := $(call libs,$(check)) -lutil $(app_libs)

warn     := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Wundef \
            -Wno-psabi $(if $(openmp),,-Wno-unknown-pragmas) # vectors are passed to inlined functions only
sanitise := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer $(if $(findstring undefined,$(SAN)),-fno-sanitize-recover=undefined))
cppflags := -D_GNU_SOURCE -Isrc -I$(B)/gen -DES_VERSION='"$(version)"' -DES_DATADIR='"$(datadir)"' \
            -DES_LIBDIR='"$(libdir)"' $(call have,PICTURES,$(pictures)) \
            $(call have,OPENBLAS,$(openblas)) $(call have,READLINE,$(readline)) $(call have,UTF8PROC,$(utf8proc)) $(call have,PCRE2,$(pcre2)) \
            $(call have,JANSSON,$(jansson)) $(call have,ZSTD,$(zstd)) $(call have,MD4C,$(md4c)) $(call have,OPENCL,$(opencl)) \
            $(sort $(call includes,$(openblas) $(readline) $(utf8proc) $(pcre2) $(jansson) $(zstd) $(md4c)) $(opencl_at))
test_cppflags := -Itests $(sort $(call includes,$(check) $(pictures)))
# No fused multiply-add behind our back: generated tables are the same on every machine.
cflags   := -std=c11 $(warn) -ffp-contract=off -pthread $(openmp) $(sanitise)
ldflags  := -pthread $(openmp) $(sanitise)

# ---- what there is -------------------------------------------------------------------------------
src      := $(filter-out src/gen/% src/window/% $(if $(opencl),,src/opencl/%),$(wildcard src/*/*.c))
kernels  := src/opencl/kernels/grid.cl $(filter-out %/grid.cl,$(wildcard src/opencl/kernels/*.cl))
obj      := $(src:src/%.c=$(B)/obj/%.o)
module_obj := $(patsubst src/%.c,$(B)/obj/%.o,$(wildcard src/window/*.c))
module   := $(if $(pictures),$(B)/embedscope-view.so)
lib      := $(B)/libembedscope.a
released := $(shell cut -c67- assets/checksums)
lessons  := $(wildcard lessons/[0-9][0-9]-*.md)
assets   := $(addprefix $(B)/assets/,bpe/gpt2.tables checksums $(released) $(lessons))
test_src := $(wildcard tests/*.c tests/fuzz/*.c)
test_main := bench bench_gpu bench_layout bench_pca bench_train bench_tsne bench_view bench_window parse_dump score
test_obj := $(filter-out $(test_main:%=$(B)/obj/tests/%.o),$(test_src:%.c=$(B)/obj/%.o))
fake     := $(if $(opencl),$(B)/libOpenCL-fake.so)
fake_obj := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/opencl/*.c))
every_c  := $(wildcard src/*/*.c src/*/*.h tests/*.c tests/*.h tests/*/*.c tests/*/*.h)
compile   = $(CC) $(cppflags) $(CPPFLAGS) $(cflags) $(CFLAGS)

all: $(B)/embedscope $(module) $(assets) $(B)/embedscope.1

# The module of pictures finds the core in the program that opens it, so all of the core is there.
whole := -rdynamic -Wl,--whole-archive $(lib) -Wl,--no-whole-archive

$(B)/embedscope: $(B)/obj/app/main.o $(lib)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $< $(whole) $(app_libs) $(LDLIBS)

$(B)/embedscope-view.so: $(module_obj)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call libs,$(pictures)) -lm $(LDLIBS)

$(module_obj): cflags += -fPIC -fvisibility=hidden
$(module_obj): cppflags += $(call includes,$(pictures))

$(lib): $(filter-out $(B)/obj/app/main.o,$(obj))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/obj/%.o: src/%.c $(B)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(compile) -MMD -MP -c -o $@ $<

$(B)/obj/tests/%.o: tests/%.c $(B)/flags $(B)/test-flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(compile) $(test_cppflags) -MMD -MP -c -o $@ $<

# Changing the compiler or its flags rebuilds everything that used the old ones.
$(B)/flags $(B)/test-flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' "$$flags" | cmp -s - $@ || printf '%s\n' "$$flags" > $@
$(B)/flags: export flags = $(compile) $(app_libs)
$(B)/test-flags: export flags = $(test_cppflags) $(test_libs)

# ---- made at build time --------------------------------------------------------------------------
$(B)/obj/text/classes.o: $(B)/gen/classes.inc
$(B)/gen/classes.inc: assets/unicode/classes-16.0.txt $(B)/gen/classes
	$(call say,GEN,$@)
	$(Q)$(B)/gen/classes < $< > $@.new && mv $@.new $@

$(B)/assets/bpe/gpt2.tables: assets/bpe/gpt2.vocab.bpe $(B)/gen/bpe
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && $(B)/gen/bpe $< $@ && chmod 644 $@

$(B)/assets/lessons/%: lessons/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(B)/assets/%: assets/%
	$(Q)mkdir -p $(@D) && cp $< $@

$(B)/embedscope.1: $(B)/gen/manual $(assets)
	$(call say,GEN,$@)
	$(Q)EMBEDSCOPE_DATA=$(B)/assets $(B)/gen/manual > $@.new && mv $@.new $@

$(B)/gen/messages.c: $(B)/gen/messages $(assets)
	$(call say,GEN,$@)
	$(Q)EMBEDSCOPE_DATA=$(B)/assets $(B)/gen/messages > $@.new && mv $@.new $@

$(B)/gen/manual $(B)/gen/messages: $(B)/gen/%: $(B)/obj/gen/%.o $(lib)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(app_libs) $(LDLIBS)

# What is compiled on each device goes along as text.
$(B)/gen/kernels.inc: $(kernels)
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && { echo 'const char es_kernels_source[] =' && \
	    sed -e 's/\\/\\\\/g; s/"/\\"/g; s/^/    "/; s/$$/\\n"/' $^ && echo '    ;'; } > $@.new && mv $@.new $@
$(B)/obj/opencl/kernels.o: $(B)/gen/kernels.inc

$(B)/gen/classes: src/gen/classes.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(compile) $(LDFLAGS) -o $@ $<

$(B)/gen/bpe: $(B)/obj/gen/bpe.o $(lib)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(core_libs)

# ---- tests ---------------------------------------------------------------------------------------
$(B)/tests: $(test_obj) $(lib) | $(fake)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $(test_obj) $(whole) $(test_libs) $(LDLIBS)

# A driver that fails where a test wants it to; its own functions are called as OpenCL's, so they are bound in the library.
$(B)/libOpenCL-fake.so: $(fake_obj)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-Bsymbolic $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ldl $(LDLIBS)

$(fake_obj): cflags += -fPIC

# Linked without Readline on purpose: if the core reached up, this would not link.  One opens the module.
$(B)/parse_dump: $(B)/obj/tests/ast_show.o
$(B)/score: $(B)/obj/tests/figures.o
$(B)/bench_gpu: $(B)/obj/tests/gpu_works.o
$(B)/bench_view: $(B)/obj/tests/box_font.o
$(B)/bench_window: $(addprefix $(B)/obj/tests/,module.o support.o terminal.o xvfb.o)
$(B)/bench_window: linked = $(whole) $(test_libs)
$(test_main:%=$(B)/%): linked ?= $(lib) $(core_libs)
$(test_main:%=$(B)/%): $(B)/%: $(B)/obj/tests/%.o $(lib)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(linked) $(LDLIBS)

# The tests of what is built, without looking for packages; ends with Check's closing line.
ifneq (,$(and $(check),$(jansson)))
test: all $(B)/tests $(filter-out $(if $(SAN),$(B)/bench%),$(test_main:%=$(B)/%))
	$(Q)tests/check_layers.sh src
	$(Q)ES_TEST_PROGRAM=$(abspath $(B))/embedscope $(test_wrapper) $(B)/tests
else
test: all
	@echo 'The program is built; its tests need Check and jansson.' >&2; exit 2
endif

# Packages first, then a second make that finds them.
jobs      = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
have_all  = $(Q)CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' .ci/deps
again     = $(Q)$(MAKE) --no-print-directory $(jobs)

run:
	$(have_all) build
	$(again) all
	$(Q)$(B)/embedscope

check:
	$(have_all) build check
	$(again) test

asan:
	$(have_all) build check
	$(again) SAN=address,undefined CFLAGS='-O0 -g1' test test_wrapper='ES_TEST_SLOW=1 ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$(abspath tests/lsan.supp):print_suppressions=0'

valgrind:
	$(have_all) build check valgrind
	$(again) B=build/valgrind CFLAGS='-O1 -g' test \
	    test_wrapper='ES_TEST_SLOW=1 CK_TIMEOUT_MULTIPLIER=20 valgrind -q --suppressions=$(abspath tests/valgrind.supp) --leak-check=full --error-exitcode=9 --errors-for-leak-kinds=definite --trace-children=yes --trace-children-skip=/bin/*,/usr/bin/*'

coverage:
	$(have_all) build check coverage
	$(Q)find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	$(again) B=build/coverage CFLAGS='-O0 -g --coverage' test
	$(Q)gcovr --root . --filter 'src/' --exclude 'src/gen/' --object-directory build/coverage build/coverage | tee build/coverage/report.txt

golden:
	$(have_all) build check
	$(again) all $(B)/tests
	$(Q)ES_TEST_PROGRAM=$(abspath $(B))/embedscope ES_GOLDEN=write CK_RUN_SUITE=golden $(B)/tests

bench:
	$(have_all) build
	$(again) all $(B)/bench
	$(Q)$(B)/bench

# Tokens a second of training; beside PyTorch: tests/bench_train_torch.py.
bench-train:
	$(have_all) build
	$(again) $(B)/bench_train
	$(Q)$(B)/bench_train

# How fast the window is, on Xvfb, and how long its frames take to draw.
bench-window:
	$(have_all) build check
	$(again) all $(B)/bench_view $(B)/bench_window
	$(Q)$(B)/bench_view 1280 800 mini
	$(Q)ES_TEST_PROGRAM=$(abspath $(B))/embedscope $(B)/bench_window

# What a GPU takes beside the processor; without one it says so.
bench-gpu:
	$(have_all) build
	$(again) $(B)/bench_gpu
	$(Q)B='$(B)' tests/bench_gpu.sh $(device)

# The figures of trained models: make score FILES='a.safetensors b.safetensors'
score:
	$(have_all) build
	$(again) all $(B)/score
	$(Q)$(B)/score $(FILES)

# Python's ast and our parser on 20,000 statements and 20,000 damaged ones (make check does a tenth).
parse-ast:
	$(have_all) build
	$(again) $(B)/parse_dump
	$(Q)python3 tests/parse_ast.py $(B)/parse_dump

# ---- fuzzing: each tests/fuzz/fuzz_*.c is a libFuzzer target --------------------------------------
fuzz_targets := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz:
	$(have_all) build fuzz
	$(again) B=build/fuzz CC=clang SAN=address,undefined CFLAGS='-O1 -g -fsanitize=fuzzer-no-link -DES_LIBFUZZER' \
	    all $(fuzz_targets:%=build/fuzz/fuzz_%)
	$(Q)for t in $(fuzz_targets); do mkdir -p build/fuzz/corpus/$$t build/fuzz/home; echo "fuzz_$$t, $(FUZZ_SECONDS) s"; \
	    HOME=$(abspath build/fuzz/home) build/fuzz/fuzz_$$t -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$t tests/fuzz/seeds/$$t || exit 1; done

$(B)/fuzz_%: $(B)/obj/tests/fuzz/fuzz_%.o $(lib)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ldflags) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(app_libs)

# ---- reading the code ----------------------------------------------------------------------------
lint:
	$(have_all) build check lint
	$(again) lint-now

# `make lint without=gcc` leaves a step out.
lint_steps := format layers messages headers gcc clang tidy cppcheck
lint-now: $(addprefix lint-,$(filter-out $(without),$(lint_steps)))

lint-format:
	$(call say,LINT,format)
	$(Q)clang-format --dry-run -Werror $(every_c)

lint-layers:
	$(call say,LINT,layers)
	$(Q)tests/check_layers.sh src
	$(Q)! grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' $(every_c) Makefile .ci/* tests/*.sh | grep .

# The file a translator starts from has every message of the code, and no other.
messages_in = $(filter-out src/gen/%,$(filter src/%.c,$(every_c)))
extract     = LC_ALL=C.UTF-8 xgettext --omit-header --no-location --sort-output --add-comments=/ --from-code=UTF-8 -kes_fail:3 -kes_hint:2 -kes_parser_expected:2 \
              -kes_call_note:2 -kes_lesson_fault:3 -knote:2 -kusage:2 -kes_usage:3 -kbad:3 -kbad_line:4 -kes_bad_file:3 -kes_bad_tensor:4 -kwarn:2 -kremark:2 -kES_TEXT -o
messages:
	$(have_all) build lint
	$(again) $(B)/gen/messages.c
	$(call say,GEN,assets/messages.pot)
	$(Q)$(extract) assets/messages.pot $(messages_in) $(B)/gen/messages.c 2> $(B)/messages.log

lint-messages: $(B)/gen/messages.c
	$(call say,LINT,messages)
	$(Q)$(extract) $(B)/messages.pot $(messages_in) $< 2> $(B)/messages.log
	$(Q)cmp -s assets/messages.pot $(B)/messages.pot || { echo 'assets/messages.pot is not what the code says: make messages' >&2; exit 1; }

# Both compilers read everything without a warning; every header compiles alone.
lint-gcc:
	$(call say,LINT,gcc -Werror)
	$(Q)$(MAKE) --no-print-directory CC=gcc B=build/lint/gcc CFLAGS='-O2 -Werror' all $(addprefix build/lint/gcc/,tests $(test_main)) > build/$@.log || \
	    { cat build/$@.log; exit 1; }

lint-clang: $(B)/gen/classes.inc $(B)/gen/kernels.inc
	$(call say,LINT,clang -Werror)
	$(Q)printf '%s\n' $(filter %.c,$(every_c)) | xargs -P2 -n8 clang $(cppflags) $(test_cppflags) $(cflags) -Werror -fsyntax-only

lint-headers: $(B)/gen/classes.inc $(B)/gen/kernels.inc
	$(call say,LINT,headers)
	$(Q)printf '%s\n' $(filter %.h,$(every_c)) | xargs -P2 -n8 clang $(cppflags) $(test_cppflags) $(cflags) -Werror -fsyntax-only -Wno-unused-function

# The analyser looks at 225,000 states of a function; `make lint states=50000` takes a third of the time.
states_arg = $(if $(states),$(addprefix --extra-arg=,-Xclang -analyzer-config -Xclang max-nodes=$(states)))
lint-tidy: $(B)/gen/classes.inc $(B)/gen/kernels.inc
	$(call say,LINT,clang-tidy)
	$(Q)printf '%s\n' $(filter src/%.c,$(every_c)) | xargs -P2 -n4 sh -c \
	    'clang-tidy --quiet --warnings-as-errors="*" $(states_arg) "$$@" -- $(subst ",\",$(subst ',,$(cppflags))) $(test_cppflags) $(cflags) 2>/dev/null' tidy

lint-cppcheck: $(B)/gen/classes.inc $(B)/gen/kernels.inc
	$(call say,LINT,cppcheck)
	$(Q)cppcheck --quiet -j2 --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    $(cppflags) src

format:
	$(have_all) lint
	$(Q)clang-format -i $(every_c)

compile_commands.json: Makefile $(every_c)
	$(call say,GEN,$@)
	$(Q)for f in $(filter %.c,$(every_c)); do printf '{"directory":"%s","file":"%s","command":"%s $(test_cppflags) -c %s"},\n' \
	    '$(CURDIR)' $$f '$(subst ",\\\",$(subst ',,$(compile)))' $$f; done | sed -e '1s/^/[/' -e '$$s/,$$/]/' > $@

# ---- installing ----------------------------------------------------------------------------------
install: all
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 755 $(B)/embedscope $(DESTDIR)$(bindir)
	$(Q)for it in $(module); do $(INSTALL) -D -m 755 $$it $(DESTDIR)$(libdir)/$${it##*/} || exit 1; done
	$(Q)for asset in $(assets:$(B)/assets/%=%); do \
	    $(INSTALL) -D -m 644 $(B)/assets/$$asset $(DESTDIR)$(datadir)/$$asset || exit 1; done
	$(INSTALL) -m 644 $(B)/embedscope.1 $(DESTDIR)$(mandir)/man1

uninstall:
	rm -f $(DESTDIR)$(bindir)/embedscope $(DESTDIR)$(mandir)/man1/embedscope.1
	rm -rf $(DESTDIR)$(datadir) $(DESTDIR)$(libdir)

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

clean:
	rm -rf build compile_commands.json

.PHONY: all run check test asan valgrind coverage golden bench bench-gpu bench-train bench-window score parse-ast fuzz lint lint-now lint-format lint-layers lint-messages messages \
        lint-headers lint-gcc lint-clang lint-tidy lint-cppcheck format install uninstall help clean FORCE
.DELETE_ON_ERROR:
-include $(obj:.o=.d) $(module_obj:.o=.d) $(test_obj:.o=.d) $(fake_obj:.o=.d) $(test_main:%=$(B)/obj/tests/%.d) $(B)/obj/gen/bpe.d $(B)/obj/gen/manual.d $(B)/obj/gen/messages.d
