// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines from a file, through the session to both printers: whatever comes in, JSON is JSON, nothing
 * raw and nothing wider than the screen is printed, an error says why. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/answers.h"
#include "repl/cmd_repl.h"
#include "repl/script.h"
#include "view/viewer.h"

static es_style style;

/* ---- what lines may not reach ---- */

/* Lines can write files, start an editor and open a window: here they write into a folder of their own, the editor is
 * `true`, and there is no window.  The caller's folder is where a fuzzer keeps its corpus: it is gone back to after each input. */
static int outside = -1;

static void go_inside(void)
{
    static const char *const programs[] = {"VISUAL", "EDITOR", "PAGER"};
    static char folder[PATH_MAX];
    if (outside < 0) {
        const char *home = getenv("HOME"), *tmp = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/fuzz-lines-XXXXXX", tmp ? tmp : home ? home : "/tmp");
        outside = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        promise(outside >= 0 && mkdtemp(folder));
        for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
            setenv(programs[i], "true", 1);
        setenv("EMBEDSCOPE_VIEW", "none", 1);
        setenv("TMPDIR", folder, 1);
        setenv("HOME", folder, 1);
    }
    promise(chdir(folder) == 0);
}

static void go_back_outside(void)
{
    promise(fchdir(outside) == 0);
}

/* A quoted argument can spell the / that out_of_scope looks for. */
static bool spells(const uint8_t *data, size_t size)
{
    return memchr(data, '\\', size) &&
           (memmem(data, size, ":tr", 3) || memmem(data, size, ":ru", 3));
}

/* Not what this target is for: files of this machine, statements that never end or make huge tensors, and
 * texts repeated far past n_ctx, whose answers of megabytes take all the time. */
static bool out_of_scope(const uint8_t *data, size_t size)
{
    if (spells(data, size))
        return true;
    static const char *const endless[] = {"while", "for", "def", "lambda", "**", "<<"};
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++)
        if (memmem(data, size, endless[i], strlen(endless[i])))
            return true;
    bool tensors = memmem(data, size, "=", 1) || memmem(data, size, ":t", 2);
    int number = 0, most = tensors ? 60 : memmem(data, size, ":rep", 4) ? 1100 : 60000;
    for (size_t i = 0; i < size; i++) {
        number = data[i] >= '0' && data[i] <= '9' ? 10 * number + (data[i] - '0') : 0;
        if (data[i] == '/' || data[i] == '~' || number > most)
            return true;
    }
    return false;
}

/* Two sessions, one for a person and one for scripts, kept from one input to the next: opening one takes
 * longer than most inputs.  After :quit a new one is needed. */
static es_session *open_session(bool person)
{
    es_session_options o = {
        .model = "untrained:C=5", .settings.pad = -1, .keep_going = true, .person = person};
    es_session *s = es_session_new(&o, NULL);
    promise(s);
    es_add_repl_commands(s);
    es_viewer_new(s);
    return s;
}

int fuzz_lines(const uint8_t *data, size_t size)
{
    static es_session *sessions[2];
    const es_sink sink = answers_sink(&style);
    if (size < 1 || size > 2000 || out_of_scope(data, size))
        return 0;
    style = (es_style){.width = ES_MIN_WIDTH + data[0] % 100,
                       .plain = data[0] % 5 == 0,
                       .quoted = data[0] % 3 == 0};
    es_session **s = &sessions[data[0] & 1];
    go_inside();
    if (!*s)
        *s = open_session(data[0] & 1);

    int fd = memfd_create("lines", MFD_CLOEXEC);
    promise(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1) &&
            lseek(fd, 0, SEEK_SET) == 0);
    es_outcome o = es_script_run(*s, fd, "lines", &sink);
    close(fd);
    es_session_reset(*s);
    es_session_set_tensor(*s, false);
    if (o == ES_QUIT) {
        es_viewer_free(es_viewer_of(*s));
        es_session_free(*s);
        *s = NULL;
    }
    go_back_outside();
    return 0;
}

ES_FUZZ_TARGET(fuzz_lines)
