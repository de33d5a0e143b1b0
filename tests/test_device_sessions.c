// SPDX-License-Identifier: GPL-3.0-or-later
/* Golden sessions on other devices: the program answers there as it does on the CPU (alike.h says what that is).  On `sim`, and on
 * each OpenCL device there is.  What is about devices itself stands in a table. */
#include <string.h>

#include "alike.h"
#include "base/file.h"
#include "golden.h"
#include "gpu.h"
#include "support.h"

Suite *device_sessions_suite(void);

/* A command whose answer, or a line that, need not be the same. */
static const struct {
    const char *part, *why;
} excepted[] = {
    {"$ embedscope --device gpu", "it names a device itself"},
    {"$ ./e -c 'wte(torch.arange(0, T, device=\"sim\"))'", "it makes a tensor on another device"},
    {":device      where the model lives", "a list of devices"},
    {":trace m(torch.zeros(1, 4, dtype=torch.long))",
     "code is cut to leave room for the device's name"},
    {":trace BucketBias(2, num_buckets=4)(2, 3).shape", "likewise"},
    {"-c ':layout ", "many steps make of the last bit of a start another picture"},
    {"'m = PositionsElsewhere().to(\"sim\")'", "it is about another device"},
    {"2>&1 | head -40", "what is wrapped elsewhere is cut elsewhere"},
    {"'m = KeysUnturned()'", "at 40 columns it wraps elsewhere"},
    {"wrapper_CUDA__index_select", "a text that was typed, with devices in it"},
};
enum { N_EXCEPTED = sizeof excepted / sizeof *excepted };

static bool is_excepted(const char *line)
{
    es_str s = {0};
    bool found = false;
    es_str_bytes(&s, line, strcspn(line, "\n"));
    for (size_t i = 0; i < N_EXCEPTED; i++)
        found = found || strstr(es_str_text(&s), excepted[i].part);
    es_str_free(&s);
    return found;
}

typedef struct place {
    const char *path, *device, *command;
    int line;
} place;

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

static bool is_command(const char *s)
{
    return s[0] == '$' && s[1] == ' ';
}

/* Lines from s on, at most n and none of the next command, as one; returns where the next begins. */
static const char *join(es_str *out, const char *s, int n)
{
    es_str_cut(out, 0);
    for (; n && *s && !is_command(s); n--) {
        es_str_add(out, "%.*s ", (int)strcspn(s, "\n"), s);
        s = next_line(s);
    }
    return s;
}

enum { MOST_WRAPPED = 4 };

/* Is what stands here the same, though it fills another number of lines, for a device's name is longer?  Both move on. */
static bool wrapped_alike(const char **want, const char **got, int *line)
{
    es_str w = {0}, g = {0};
    bool found = false;
    for (int i = 1; i <= MOST_WRAPPED && !found; i++)
        for (int k = 1; k <= MOST_WRAPPED && !found; k++) {
            const char *want_next = join(&w, *want, i), *got_next = join(&g, *got, k);
            found = w.len && g.len && alike_line(w.s, g.s);
            *want = found ? want_next : *want;
            *got = found ? got_next : *got;
            *line += found ? i : 0;
        }
    es_str_free(&w);
    es_str_free(&g);
    return found;
}

static void fail_at(const place *p, const char *want, const char *got)
{
    ck_abort_msg("%s:%d, on %s\n  %.*s\n  wanted: %.*s\n  got:    %.*s", p->path, p->line,
                 p->device, alike_shown(p->command), p->command, alike_shown(want), want,
                 alike_shown(got), got);
}

/* What stands under one command; both move on to the next, or the end. */
static void compare_answer(place *p, const char **want, const char **got)
{
    while (**want && !is_command(*want)) {
        if (is_excepted(*want)) {
            *want = next_line(*want);
            *got = next_line(*got);
            p->line++;
        } else if (!wrapped_alike(want, got, &p->line)) {
            fail_at(p, *want, *got);
        }
    }
    if (**got && !is_command(*got))
        fail_at(p, "", *got);
}

static void skip_answer(place *p, const char **want, const char **got)
{
    for (; **want && !is_command(*want); p->line++)
        *want = next_line(*want);
    while (**got && !is_command(*got))
        *got = next_line(*got);
}

static void compare(place *p, const char *want, const char *got)
{
    p->line = 1;
    while (*want) {
        p->command = want;
        want = next_line(want);
        got = next_line(got);
        p->line++;
        if (!is_command(p->command))
            continue;
        if (is_excepted(p->command))
            skip_answer(p, &want, &got);
        else
            compare_answer(p, &want, &got);
    }
}

/* Commands, which name devices, are not mapped. */
static void map_answers(es_str *out, const char *now, const char *device)
{
    es_str answer = {0};
    for (const char *s = now; *s;) {
        const char *end = s;
        do
            end = next_line(end);
        while (*end && !is_command(end) && !is_command(s));
        es_str_bytes(&answer, s, (size_t)(end - s));
        if (is_command(s))
            es_str_cat(out, answer.s);
        else
            alike_mapped(out, answer.s, device);
        es_str_cut(&answer, 0);
        s = end;
    }
    es_str_free(&answer);
}

static size_t session; /* the one that is tested */

static void check(const char *device)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    es_str now = {0}, more = {0}, mapped = {0}, want = {0};
    place p = {.path = golden_path(session), .device = device};
    es_str_add(&more, "--device %s", device);
    ck_assert_works(es_file_open(&f, p.path, &err), err);
    es_str_bytes(&want, (const char *)f.data, f.size);
    golden_replay(&now, want.s, want.len, more.s);
    map_answers(&mapped, now.s, device);
    compare(&p, want.s, mapped.s);
    es_str_free(&now);
    es_str_free(&more);
    es_str_free(&mapped);
    es_str_free(&want);
    es_file_close(&f);
}

START_TEST(a_session_is_the_same_on_sim)
{
    session = (size_t)_i;
    if (also_on_sim())
        check("sim");
}
END_TEST

START_TEST(a_session_is_the_same_on_a_gpu)
{
    session = (size_t)_i;
    each_gpu(check);
}
END_TEST

Suite *device_sessions_suite(void)
{
    int n = (int)golden_count();
    Suite *s = suite_create("device_sessions");
    gpu_tally();
    TCase *tc = tcase_create("sim");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, a_session_is_the_same_on_sim, 0, n);
    suite_add_tcase(s, tc);
    tc = tcase_create("gpu");
    tcase_set_timeout(tc, 240);
    tcase_add_loop_test(tc, a_session_is_the_same_on_a_gpu, 0, n);
    suite_add_tcase(s, tc);
    return s;
}
