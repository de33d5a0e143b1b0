#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Includes point downwards only, and each outside library has its homes.
# usage: tests/check_layers.sh src
set -eu
src=$1
bad=0

# folder: folders it may include (besides itself)
allowed='
base:
core: base
opencl: base core
text: base
layer: base core
model: base core layer
torch: base core
expr: base core torch
train: base core text layer model
analysis: base core layer
session: base core text layer model train torch expr
lesson: base core expr torch session
repl: base core text layer model train torch expr session
view: base core text layer model analysis session
window: base core layer model analysis session view
app: base core text layer model train torch expr session lesson repl analysis view
gen: base text session lesson repl view app
'
for file in $(find "$src" -name '*.[ch]' | sort); do
    from=${file#"$src"/}
    from=${from%%/*}
    printf '%s\n' "$allowed" | grep -q "^$from:" || { echo "$file: $from/ is no layer"; bad=1; continue; }
    may=$(printf '%s\n' "$allowed" | sed -n "s/^$from://p")
    for to in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
        case " $from $may " in
        *" $to "*) ;;
        *) echo "$file: $from/ may not include $to/"; bad=1 ;;
        esac
    done
done

# header: the only files that may include it
fence() {
    header=$1
    shift
    for file in $(grep -rl "#include <$header" "$src" || true); do
        case " $* " in
        *" ${file#"$src"/} "*) ;;
        *) echo "$file: <$header> belongs in $*"; bad=1 ;;
        esac
    done
}
fence cblas.h core/backend_cpu.c core/gemm.c
fence utf8proc.h base/utf8.c
fence jansson.h model/header.c
fence pcre2.h text/pattern.c
fence CL/ opencl/driver.h
fence zstd.h train/reader.c
fence md4c lesson/prose.c
fence readline/ repl/prompt.c repl/prompt_keys.c repl/prompt_history.c
fence SDL window/module.c window/faces.h window/png.c window/video.h window/video.c window/inside.h window/keys.h
fence fontconfig/ window/faces.c

# Only app/ and repl/ print; only app/ exits.
for file in $(find "$src" -name '*.c' | grep -v -e /app/ -e /repl/ -e /gen/ -e base/mem.c | sort); do
    if grep -nE '^[^"]*\b(printf|puts|putchar|exit) *\(' "$file" | grep -v snprintf; then
        echo "$file: only app/ and repl/ print or exit"
        bad=1
    fi
done
exit $bad
