#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Beside others, in the same minute: tokenizers from npm, and PyTorch's nn.Embedding.  Ids are compared
# before anything is timed; what is not installed is named and left out.
#
#   tests/bench_peers.sh PEERS FILE…
#
# PEERS: a folder with encode.cjs and `npm install` done, FILE: texts of about 2 MB.  CPU seconds, one
# thread, one pass over each text after another text's first half megabyte; medians of ROUNDS=5 by turns.
set -u
[ $# -ge 2 ] || { echo "usage: tests/bench_peers.sh PEERS FILE…" >&2; exit 2; }
peers=$(cd "$1" && pwd) || exit 2
shift
here=$(cd "$(dirname "$0")/.." && pwd)
files=()
for file in "$@"; do
    [ -f "$file" ] || { echo "no text: $file" >&2; exit 2; }
    files+=("$(realpath "$file")")
done
bench=$here/build/bench
rounds=${ROUNDS:-5}
make -s -C "$here" all build/bench || exit 2
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

tokenizers() {
    command -v node >/dev/null || { echo "node is not here: no tokenizers from npm"; return; }
    for peer in tiktoken tiktoken-node gpt-tokenizer; do
        if ! (cd "$peers" && node -e "require('$peer')") >/dev/null 2>&1; then
            echo "$peer is not installed in $peers: left out"
            continue
        fi
        for file in "$@"; do
            "$here/build/embedscope" encode "$file" > "$work/ours"
            (cd "$peers" && node encode.cjs "$peer" ids "$file") > "$work/theirs"
            cmp -s "$work/ours" "$work/theirs" || echo "$peer gives other ids for $(basename "$file")"
        done
        for _ in $(seq "$rounds"); do
            (cd "$peers" && node encode.cjs "$peer" bench "$1" "$@") |
                sed 's/.*"file":"\([^"]*\)","bytes":\([0-9]*\).*"cpu_s":\([0-9.e-]*\).*/theirs \1 \2 \3/'
            "$bench" --passes "$1" "$@"
        done > "$work/times"
        echo "$peer: MB a CPU second, and ours to theirs (least-most of the rounds)"
        awk '{ mb = $3 / $4 / 1e6; n[$1, $2]++; v[$1, $2, n[$1, $2]] = mb; names[$2] = 1 }
             function mid(who, f,   a, i, j, k, x) {
                 k = n[who, f]
                 for (i = 1; i <= k; i++) a[i] = v[who, f, i]
                 for (i = 1; i <= k; i++) for (j = i + 1; j <= k; j++) if (a[j] < a[i]) { x = a[i]; a[i] = a[j]; a[j] = x }
                 return a[int((k + 1) / 2)]
             }
             END { for (f in names) {
                 low = 1e9; high = 0
                 for (i = 1; i <= n["ours", f]; i++) { r = v["ours", f, i] / v["theirs", f, i]; if (r < low) low = r; if (r > high) high = r }
                 printf "  %-20s %8.1f %8.1f %6.1f  (%.1f-%.1f)\n", f, mid("theirs", f), mid("ours", f), mid("ours", f) / mid("theirs", f), low, high
             } }' "$work/times" | sort
    done
}

# nn.Embedding twice and a sum for (8, 1024) ids, C=768; ours is a row of the bench.
torch() {
    python=
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c 'import torch' 2>/dev/null && python=$candidate && break
    done
    [ "$python" ] || { echo "PyTorch is not here (Debian: python3-torch): left out"; return; }
    for threads in 1 2; do
        MALLOC_MMAP_THRESHOLD_=4000000000 MALLOC_TRIM_THRESHOLD_=8000000000 THREADS=$threads "$python" - <<'EOF'
import os, time, torch
torch.set_num_threads(int(os.environ["THREADS"]))
torch.manual_seed(0)
wte, wpe = torch.nn.Embedding(50257, 768), torch.nn.Embedding(1024, 768)
ids, positions = torch.randint(0, 50257, (8, 1024)), torch.arange(1024)
with torch.no_grad():
    times = []
    for i in range(60):
        start = time.perf_counter()
        x = wte(ids) + wpe(positions)
        times.append(time.perf_counter() - start)
print("PyTorch %s, nn.Embedding twice and a sum, %s threads: %.2f ms" % (torch.__version__, os.environ["THREADS"], 1e3 * sorted(times[20:])[20]))
EOF
    done
    "$bench" LICENSE | grep 'x alone, uniform'
}

tokenizers "${files[@]}"
torch
