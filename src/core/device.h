// SPDX-License-Identifier: GPL-3.0-or-later
/* What users call devices, which there are, and what was computed where. */
#ifndef ES_CORE_DEVICE_H
#define ES_CORE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

enum { ES_DEVICE_NAME = 16, ES_MOST_DEVICES = 16, ES_MOST_RAN = 24 };

/* ---- names ---- */

/* Of what users and PyTorch write, our name: "cuda", "cuda:0" and "gpu:0" are "gpu", "cuda:1" is "gpu:1"; all else,
 * cut to fit, is its own.  out: ES_DEVICE_NAME bytes. */
void es_device_name(char *out, const char *written);
/* As PyTorch would call it: "cuda:1" for "gpu:1"; "cpu" and "sim" as they are. */
void es_device_torch_name(char *out, const char *name);
bool es_device_is_gpu(const char *name); /* by its name */
int es_device_number(const char *name);  /* N of "gpu:N", else 0 */
/* The same name, in memory that stays: for values that hold it. */
const char *es_device_kept(const char *name);

/* ---- which there are ---- */

typedef struct es_device {
    char name[ES_DEVICE_NAME]; /* what --device takes */
    char about[128];           /* what its maker calls it */
    char driver[128];          /* "" for those we drive ourselves */
    uint64_t memory;           /* bytes; 0: the host's */
    bool emulated;             /* a processor that poses as a GPU */
    char why[192];             /* why it cannot be used; "" if it can */
} es_device;

typedef struct es_devices {
    int n;
    es_device of[ES_MOST_DEVICES];
    char none[256]; /* why no GPU is among them, and what to do; "" if one is */
} es_devices;

/* All kinds, cpu first.  Drivers are asked, which takes a tenth of a second the first time. */
void es_devices_list(es_devices *out);
/* The i-th of those that are GPUs and can be used, or NULL. */
const es_device *es_devices_gpu(const es_devices *list, int i);

/* ---- what was computed where ---- */

/* Counts since the last look.  Threads may add to it. */
typedef struct es_ran {
    uint64_t launches; /* of kernels on the device */
    int n_beside;      /* operations that had no slot, and were computed on the host */
    struct {
        const char *what; /* "median" */
        uint64_t times;
    } beside[ES_MOST_RAN];
} es_ran;

struct es_backend;

/* A kernel was sent off. */
void es_backend_ran_there(struct es_backend *be);
/* An operation on tensors of a device whose memory is not the host's was computed by the host.  what: a string that stays.  For
 * other devices nothing is counted. */
void es_backend_ran_beside(struct es_backend *be, const char *what);
/* What ran since the last time; counting begins again. */
es_ran es_backend_ran(struct es_backend *be);

#endif
