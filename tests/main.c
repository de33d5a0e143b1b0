// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs every suite, one more at a time than there are processors, for tests also wait, and twice as many where none
 * minds the clock (ES_TEST_SLOW); ES_TEST_JOBS=1: one after another.  CK_RUN_SUITE=bpe runs one; ES_TEST_WITHOUT='golden doors'
 * runs all but these. */
#include <check.h>
#include <ftw.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those that take longest begin first, so that none is left alone at the end; the others one a line, by name. */
/* clang-format off */
#define LONG_SUITES(X) \
    X(opencl_session) \
    X(device_sessions) \
    X(session) \
    X(fuzz) \
    X(train_command) \
    X(bpe) \
    X(golden) \
    X(pty) \
    X(code) \
    X(lesson_pictures) \
    X(course) \
    X(course_pty) \
    X(lesson_pty) \
    X(near) \
    X(signals) \
    X(driven) \
    X(program)
#define SUITES(X) \
    LONG_SUITES(X) \
    X(adam) \
    X(affinity) \
    X(atlas) \
    X(axes) \
    X(backends) \
    X(base) \
    X(block) \
    X(blocks) \
    X(builtin_examples) \
    X(bundle) \
    X(camera) \
    X(canvas) \
    X(card) \
    X(cells) \
    X(checkpoint) \
    X(classes) \
    X(colour) \
    X(compare) \
    X(contexts) \
    X(coordinates) \
    X(cosine_view) \
    X(crew) \
    X(desk) \
    X(device_command) \
    X(device_answers) \
    X(devices) \
    X(differ) \
    X(display) \
    X(doors) \
    X(embedding) \
    X(explain) \
    X(expr_cases) \
    X(far) \
    X(far_tensors) \
    X(fake_driver) \
    X(fft) \
    X(font) \
    X(frame) \
    X(gesture) \
    X(gradients) \
    X(habits) \
    X(handout) \
    X(heat) \
    X(held) \
    X(interp) \
    X(judge) \
    X(judge_task) \
    X(knn) \
    X(labels) \
    X(language_shapes) \
    X(layout) \
    X(layouts) \
    X(lesson) \
    X(lesson_app) \
    X(lesson_course) \
    X(lesson_faults) \
    X(loss) \
    X(map) \
    X(meta) \
    X(model) \
    X(module_doors) \
    X(modules) \
    X(near_commands) \
    X(npy) \
    X(objects_shown) \
    X(offset) \
    X(onehot_view) \
    X(opencl) \
    X(opencl_rows) \
    X(opencl_slots) \
    X(pairs) \
    X(parameters) \
    X(parse) \
    X(pca) \
    X(pictures) \
    X(plot) \
    X(plot_app) \
    X(points) \
    X(positions) \
    X(player) \
    X(predict) \
    X(prose) \
    X(progress) \
    X(prove) \
    X(quality) \
    X(raster) \
    X(reader) \
    X(reader_modules) \
    X(recipe) \
    X(safetensors) \
    X(sampler) \
    X(select) \
    X(series) \
    X(skipgram) \
    X(spread) \
    X(step) \
    X(step_modules) \
    X(strips) \
    X(svg) \
    X(tensor) \
    X(tensor_mode) \
    X(torch_numbers) \
    X(torch_shapes) \
    X(traceback) \
    X(train) \
    X(train_app) \
    X(train_step) \
    X(transcript) \
    X(tsne) \
    X(umap) \
    X(value) \
    X(variance) \
    X(vector) \
    X(why) \
    X(window)
/* clang-format on */

#define DECLARED(name) Suite *name##_suite(void);
#define LISTED(name)   {#name, name##_suite},

SUITES(DECLARED)

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {SUITES(LISTED)};
enum { N_SUITES = sizeof suites / sizeof *suites, MOST_JOBS = 16 };

/* One runner of all, in this process: Check's variables do what they say. */
static int run_together(void)
{
    SRunner *sr = srunner_create(NULL);
    for (size_t i = 0; i < N_SUITES; i++)
        srunner_add_suite(sr, suites[i].make());
    srunner_run_all(sr, CK_ENV);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed;
}

/* ---- several at a time ---- */

/* What the workers share: the next suite nobody has taken, and the sums. */
typedef struct tally {
    atomic_size_t next;
    atomic_int run, failures, errors;
} tally;

static void count(tally *t, SRunner *sr)
{
    int n = srunner_ntests_failed(sr);
    TestResult **failed = srunner_failures(sr);
    for (int i = 0; i < n; i++)
        atomic_fetch_add(tr_rtype(failed[i]) == CK_ERROR ? &t->errors : &t->failures, 1);
    atomic_fetch_add(&t->run, srunner_ntests_run(sr));
    free(failed);
}

/* What the tests of this process have taken so far, in seconds of a processor. */
static double spent(void)
{
    struct rusage of;
    getrusage(RUSAGE_CHILDREN, &of);
    return (double)(of.ru_utime.tv_sec + of.ru_stime.tv_sec) +
           (double)(of.ru_utime.tv_usec + of.ru_stime.tv_usec) / 1e6;
}

static void run_suite(tally *t, size_t i)
{
    double before = spent();
    SRunner *sr = srunner_create(suites[i].make());
    srunner_run_all(sr, CK_SILENT);
    printf("%-16s %5.1f s  ", suites[i].name, spent() - before);
    srunner_print(sr, CK_ENV);
    count(t, sr);
    srunner_free(sr);
}

/* Is it among the suites that were asked not to run? */
static bool is_left_out(const char *name)
{
    const char *without = getenv("ES_TEST_WITHOUT");
    size_t n = strlen(name);
    for (const char *at = without ? without : ""; (at = strstr(at, name)); at += n)
        if ((at == without || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

/* Takes suites until none is left.  What Check says of one comes out in one piece. */
static void work(tally *t)
{
    static char said[1 << 20];
    setvbuf(stdout, said, _IOFBF, sizeof said);
    for (size_t i; (i = atomic_fetch_add(&t->next, 1)) < N_SUITES; fflush(stdout))
        if (!is_left_out(suites[i].name))
            run_suite(t, i);
}

/* Did all of them come to their end? */
static int wait_for(int n)
{
    int status, ended = 0;
    while (n-- > 0 && wait(&status) > 0)
        ended += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return ended;
}

static int run_apart(int jobs)
{
    tally *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t == MAP_FAILED)
        return run_together();
    int started = 0;
    for (; started < jobs; started++) {
        pid_t pid = fork();
        if (pid == 0) {
            work(t);
            _exit(EXIT_SUCCESS);
        }
        if (pid < 0)
            break;
    }
    int lost = started - wait_for(started);
    work(t); /* nothing, unless no worker could be started */
    int errors = t->errors + lost, bad = t->failures + errors;
    printf("%d%%: Checks: %d, Failures: %d, Errors: %d\n",
           t->run ? 100 * (t->run - bad) / t->run : 0, t->run, t->failures, errors);
    munmap(t, sizeof *t);
    return bad;
}

static int jobs_wanted(void)
{
    const char *asked = getenv("ES_TEST_JOBS");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long n = asked ? atol(asked) : getenv("ES_TEST_SLOW") ? 2 * processors : processors + 1;
    return n < 1 ? 1 : n > MOST_JOBS ? MOST_JOBS : (int)n;
}

/* A folder for what the program remembers of its reader, who must not find there what tests did. */
static char *keep_apart(void)
{
    static char folder[] = "/tmp/embedscope-state.XXXXXX";
    if (!mkdtemp(folder))
        return NULL;
    setenv("XDG_STATE_HOME", folder, 1);
    return folder;
}

static int unlink_one(const char *path, const struct stat *of, int kind, struct FTW *at)
{
    (void)of;
    (void)kind;
    (void)at;
    return remove(path);
}

/* What the OpenCL driver of these machines compiles is kept beside the tests: each has a home of its own, and would compile
 * everything anew. */
static void keep_compiled(const char *program)
{
    char folder[PATH_MAX + 8], whole[PATH_MAX];
    if (!realpath(program, whole))
        return;
    *strrchr(whole, '/') = '\0';
    snprintf(folder, sizeof folder, "%s/pocl", whole);
    setenv("POCL_CACHE_DIR", folder, 0);
}

int main(int argc, char **argv)
{
    if (argc)
        keep_compiled(argv[0]);
    setenv("EMBEDSCOPE_MODEL", "untrained", 1); /* what answers say was written down with it */
    setenv("CK_TIMEOUT_MULTIPLIER", getenv("ES_TEST_SLOW") ? "8" : "3",
           0); /* machines are shared */
    char *state = keep_apart();
    bool one_log = getenv("CK_XML_LOG_FILE_NAME") || getenv("CK_TAP_LOG_FILE_NAME") ||
                   getenv("CK_LOG_FILE_NAME");
    bool chosen = getenv("CK_RUN_SUITE") || getenv("CK_RUN_CASE");
    int jobs = one_log || chosen ? 1 : jobs_wanted();
    int failed = jobs > 1 ? run_apart(jobs) : run_together();
    if (state)
        nftw(state, unlink_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
