#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast a GPU is at what the program asks of it: beside the processor, and beside PyTorch on the same card in the same
# minute.  What is not here is named and left out, with status 0.
#
#   tests/bench_gpu.sh [DEVICE…]
#
# DEVICE: gpu, gpu:1, …; without one, all real GPUs.  A processor that poses as a GPU (PoCL) is timed only if it is named: its
# figures say nothing of a card.  ROWS=50257 of the table, WORKS='x matmul near pca knn', EMBEDSCOPE_CLBLAST=0/1.
set -u
cd "$(dirname "$0")/.." || exit 2
bench=${B:-build}/bench_gpu
make -s "$bench" || exit 2
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
export CUDA_DEVICE_ORDER=PCI_BUS_ID

# Our names and PyTorch's: gpu is cuda:0, gpu:1 is cuda:1.
torch_name() {
    case $1 in *:*) echo "cuda:${1##*:}" ;; *) echo cuda:0 ;; esac
}

find_python() {
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c 'import torch' 2>/dev/null && { echo "$candidate"; return; }
    done
}

# What takes long comes last: x, products and searches are timed beside PyTorch, before it and after it.
time_device() {
    local early=() late=() work status=0
    for work in ${WORKS:-x matmul near pca knn}; do
        case $work in x | matmul | near) early+=("$work") ;; *) late+=("$work") ;; esac
    done
    if [ ${#early[@]} -gt 0 ]; then
        "$bench" "$1" "${ROWS:-50257}" "${early[@]}" || status=1
        if [ "$2" = real ] && [ "$python" ]; then
            "$python" tests/bench_gpu.py "$(torch_name "$1")" || status=1
            echo "once more, after PyTorch:"
            "$bench" "$1" "${ROWS:-50257}" "${early[@]}" || status=1
        elif [ "$2" = real ]; then
            echo "PyTorch is not here (Debian: python3-torch): nothing beside it was timed"
        else
            echo "no real GPU: nothing was timed beside PyTorch"
        fi
    fi
    [ ${#late[@]} -eq 0 ] || "$bench" "$1" "${ROWS:-50257}" "${late[@]}" || status=1
    return $status
}

python=$(find_python)
devices=$("$bench" --devices) || exit 1
for device in "$@"; do
    grep -q "^$device " <<<"$devices" || echo "$device is not here: left out"
done
status=0 timed=0
while read -r name kind about; do
    wanted=$([ $# -eq 0 ] && echo all)
    for device in "$@"; do
        [ "$device" = "$name" ] && wanted=named
    done
    case $wanted,$kind in
    *,none) echo "no GPU was timed: $about" ;;
    ,*) ;;
    *,unusable) echo "$name was left out: $about" ;;
    all,emulated) echo "$name was left out: $about is a processor that poses as a GPU (tests/bench_gpu.sh $name times it)" ;;
    *) timed=$((timed + 1)); time_device "$name" "$kind" </dev/null || status=1 ;;
    esac
done <<<"$devices"
[ $timed -gt 0 ] || echo "nothing was timed"
exit $status
