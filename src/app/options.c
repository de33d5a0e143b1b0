// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guess.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/style.h"

/* Options beyond their letters. */
enum {
    OPT_JSON = 256,
    OPT_VALUES,
    OPT_MODEL,
    OPT_WTE,
    OPT_WPE,
    OPT_VOCAB,
    OPT_DEVICE,
    OPT_THREADS,
    OPT_SEED,
    OPT_WIDTH,
    OPT_COLOR,
    OPT_PLAIN,
    OPT_KEEP_GOING,
    OPT_NORC,
    OPT_FORMAT,
    OPT_SPECIAL,
    OPT_VIEW,
    OPT_LAYOUT,
    OPT_AXES,
    OPT_PICTURE,
    OPT_TEXT,
    OPT_SIZE,
    OPT_PALETTE,
    OPT_BIG,
    OPT_CHECK,
    OPT_NEW,
    OPT_HTML
};

/* One table for parsing, --help and the manual page. */
static const es_option options[] = {
    {"command", "LINE", "run LINE as if typed, then exit; may be repeated", 'c'},
    {"script", "FILE", "run a file of lines; - is standard input", 'f'},
    {"statement", "STATEMENT", "run one PyTorch statement; may be repeated", 'e'},
    {"tensor", NULL, "start in tensor mode: lines are PyTorch statements", 't'},
    {"json", NULL, "one JSON object a statement on standard output", OPT_JSON},
    {"values", NULL, "with --json: the vectors too", OPT_VALUES},
    {"model", "NAME|PATH", "mini (the default), untrained, gpt2, or a file", OPT_MODEL},
    {"wte", "PATH", "the token table from another file", OPT_WTE},
    {"wpe", "PATH", "the position table from another file", OPT_WPE},
    {"vocab", "NAME|PATH", "gpt2 (the default), or a merge list", OPT_VOCAB},
    {"device", "NAME", "cpu (the default), gpu, gpu:N, or sim, a stand-in", OPT_DEVICE},
    {"threads", "N", "use at most N threads; at most 4 unless asked", OPT_THREADS},
    {"seed", "N", "the seed of the untrained tables", OPT_SEED},
    {"width", "N", "how wide answers may be, 40 to 1000 columns", OPT_WIDTH},
    {"color", "WHEN", "colours: auto (the default), always, never", OPT_COLOR},
    {"plain", NULL, "answer in name: value lines, without bars or grids", OPT_PLAIN},
    {"keep-going", NULL, "go on after a line that fails", OPT_KEEP_GOING},
    {"norc", NULL, "read no startup file", OPT_NORC},
    {"quiet", NULL, "show no banner", 'q'},
    {"help", NULL, "show this text", 'h'},
    {"version", NULL, "show the version", 'V'},
    {"verbose", NULL, "with --version: the libraries too", 'v'},
    {"format", "ids|u32le", "encode: ids in decimal, or 4 bytes each", OPT_FORMAT},
    {"output", "FILE", "extract, plot: where to write", 'o'},
    {"special", NULL, "read <|endoftext|> in a text as that one token", OPT_SPECIAL},
    {"view", "VIEW", "plot: map (default), axes, \u2026: :show lists them", OPT_VIEW},
    {"layout", "NAME", "plot: of the map: pca, tsne or umap", OPT_LAYOUT},
    {"axes", "AXES", "plot: he,she;man,men or king-man+woman", OPT_AXES},
    {"picture", "N", "plot: a teaching picture, 1 to 12, captioned", OPT_PICTURE},
    {"text", "TEXT", "plot: a sentence to show; else the tables alone", OPT_TEXT},
    {"size", "WxH", "plot: how large, 1280x800 unless given", OPT_SIZE},
    {"palette", "NAME", "pictures for a dark or light room, or for print", OPT_PALETTE},
    {"big", NULL, "large letters, for a projector", OPT_BIG},
    {"check", NULL, "lesson: prove that lessons do what they say", OPT_CHECK},
    {"new", "NAME", "lesson: write NAME.md, a commented start", OPT_NEW},
    {"html", "FOLDER", "lesson: write the course as pages to read", OPT_HTML},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static const struct {
    const char *form, *meaning;
} forms[] = {
    {"[OPTIONS]", "the prompt, or lines from a pipe"},
    {"[OPTIONS] -c LINE \u2026", "run lines, then exit"},
    {"[OPTIONS] -f FILE", "run a file of lines"},
    {"encode [--format=ids|u32le] [--special] [--threads N] [FILE\u2026]",
     "bytes to token ids, a line a file"},
    {"decode [FILE]", "ids to bytes"},
    {"extract FILE -o OUT", "the two tables of a model alone"},
    {"train [OPTIONS] CORPUS\u2026 -o OUT", "a model from text: see train --help"},
    {"plot [--view VIEW] [--text TEXT] \u2026 -o FILE", "a picture: .png, .svg, or numbers: .tsv"},
    {"lesson [N|N.STEP|FILE|FOLDER]", "the course, or your own lessons"},
    {"lesson --check [FILE|FOLDER]", "prove what lessons say"},
    {"lesson --html FOLDER | --new NAME", "a handout; a lesson to begin from"},
    {"doctor", "what was found on this machine"},
};

const es_option *es_option_at(size_t i)
{
    return i < N_OPTIONS ? &options[i] : NULL;
}

const char *es_options_form(size_t i)
{
    return i < sizeof forms / sizeof *forms ? forms[i].form : NULL;
}

static void help_forms(es_str *out)
{
    enum { ROOM = 22 };
    for (size_t i = 0; es_options_form(i); i++) {
        int wide = es_columns(forms[i].form, strlen(forms[i].form));
        es_str_add(out, "%s embedscope %s", i ? "      " : "usage:", forms[i].form);
        if (wide > ROOM)
            es_str_add(out, "\n%*s", 18, "");
        es_str_fill(out, ' ', (size_t)(wide > ROOM ? ROOM : ROOM - wide));
        es_str_add(out, "%s\n", forms[i].meaning);
    }
}

void es_options_help(es_str *out)
{
    es_str_cat(out, "embedscope: see the embedding layer of a GPT, number by number\n\n");
    help_forms(out);
    es_str_char(out, '\n');
    for (int i = 0; i < N_OPTIONS; i++) {
        es_str name = {0};
        if (options[i].code < 256)
            es_str_add(&name, "-%c, ", options[i].code);
        es_str_add(&name, "--%s%s%s", options[i].name, options[i].arg ? " " : "",
                   options[i].arg ? options[i].arg : "");
        es_str_add(out, "  %-27s %s\n", name.s, es_translate(options[i].help));
        es_str_free(&name);
    }
    es_str_cat(out, "\nAt the prompt, :help lists the commands; man embedscope has it all.\n"
                    "Exit status: 0 all well, 1 a line failed, 2 wrong usage, 3 a file, model or\n"
                    "vocabulary could not be read, 130 interrupted.\n");
}

#define usage(err, ...) es_usage(err, "embedscope --help", __VA_ARGS__)

static const char *brief(es_str *shown, const char *s)
{
    es_str_cut(shown, 0);
    es_show_brief(shown, s, strlen(s));
    return shown->s;
}

static bool read_number(const char *name, const char *value, uint64_t low, uint64_t high,
                        uint64_t *to, es_error *err)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && !*end && !errno && n >= low && n <= high) {
        *to = n;
        return true;
    }
    es_str shown = {0};
    usage(err, "--%s is a whole number from %llu to %llu, not %s", name, (unsigned long long)low,
          (unsigned long long)high, brief(&shown, value));
    es_str_free(&shown);
    return false;
}

static bool read_setting(es_options *o, const char *name, const char *value, es_error *err)
{
    if (es_settings_set(&o->session.settings, name, value, ES_FROM_COMMAND_LINE, NULL))
        return true;
    es_str shown = {0};
    usage(err, "--%s cannot be %s", name, brief(&shown, value));
    es_str_free(&shown);
    return false;
}

static bool is_device(const char *written)
{
    char name[ES_DEVICE_NAME];
    es_device_name(name, written);
    if (!es_device_is_gpu(name))
        return !strcmp(name, "cpu") || !strcmp(name, "sim");
    return !name[3] || (name[4] && name[4 + strspn(name + 4, "0123456789")] == '\0');
}

static void add_action(es_options *o, char kind, const char *value)
{
    o->action = es_realloc(o->action, (o->n_actions + 1) * sizeof *o->action);
    o->action[o->n_actions++] = (es_action){kind, value};
}

static bool take(void *user, int code, const char *value, es_error *err)
{
    es_options *o = user;
    es_str shown = {0};
    uint64_t n = 0;
    bool ok = true;
    switch (code) {
    case 'c':
    case 'f':
    case 'e': add_action(o, (char)code, value); break;
    case 't': o->session.tensor = true; break;
    case 'o': o->output = value; break;
    case 'q': o->quiet = true; break;
    case 'h': o->verb = ES_VERB_HELP; break;
    case 'v': o->verbose = true; break;
    case 'V': o->verb = ES_VERB_VERSION; break;
    case OPT_JSON: o->json = true; break;
    case OPT_VALUES: o->values = true; break;
    case OPT_MODEL: o->session.model = value; break;
    case OPT_WTE: o->session.wte = value; break;
    case OPT_WPE: o->session.wpe = value; break;
    case OPT_VOCAB: o->session.vocab = value; break;
    case OPT_DEVICE:
        o->session.device = value;
        ok = is_device(value) ||
             usage(err, "--device is cpu, gpu, gpu:N or sim, not %s", brief(&shown, value));
        break;
    case OPT_THREADS:
        ok = read_number("threads", value, 1, 1024, &n, err);
        o->session.threads = (int)n;
        break;
    case OPT_SEED: ok = read_number("seed", value, 0, UINT64_MAX, &o->session.seed, err); break;
    case OPT_WIDTH:
        ok = read_number("width", value, ES_MIN_WIDTH, ES_MAX_WIDTH, &n, err) &&
             read_setting(o, "width", value, err);
        break;
    case OPT_COLOR: ok = read_setting(o, "color", value, err); break;
    case OPT_PLAIN: ok = read_setting(o, "plain", "on", err); break;
    case OPT_KEEP_GOING: o->keep_going = o->session.keep_going = true; break;
    case OPT_NORC: o->norc = true; break;
    case OPT_FORMAT:
        o->u32le = !strcmp(value, "u32le");
        ok = o->u32le || !strcmp(value, "ids") ||
             usage(err, "--format is ids or u32le, not %s", brief(&shown, value));
        break;
    case OPT_SPECIAL:
        o->special = true;
        ok = read_setting(o, "special", "on", err);
        break;
    case OPT_VIEW: o->view = value; break;
    case OPT_LAYOUT: o->layout = value; break;
    case OPT_AXES: o->axes = value; break;
    case OPT_PICTURE: o->picture = value; break;
    case OPT_TEXT: o->text = value; break;
    case OPT_SIZE: o->size = value; break;
    case OPT_PALETTE: ok = read_setting(o, "palette", value, err); break;
    case OPT_BIG: ok = read_setting(o, "big", "on", err); break;
    case OPT_CHECK: o->check = true; break;
    case OPT_NEW: o->fresh = value; break;
    case OPT_HTML: o->html = value; break;
    default: break;
    }
    es_str_free(&shown);
    return ok;
}

static bool option_at(size_t i, es_option *o)
{
    if (i < N_OPTIONS)
        *o = options[i];
    return i < N_OPTIONS;
}

/* Words that belong to no option: most often a text without quotes, or a file without -f. */
static void unknown_operand(char **words, int n, es_error *err)
{
    es_str shown = {0}, text = {0};
    usage(err, "embedscope does not know %s", brief(&shown, words[0]));
    for (int i = 0; i < n; i++)
        es_str_add(&text, "%s%s", i ? " " : "", words[i]);
    es_str_cut(&shown, 0);
    es_show_brief(&shown, text.s, text.len);
    if (access(words[0], F_OK) == 0)
        es_hint(err, "it is a file: -f runs its lines, embedscope encode FILE gives its ids");
    else if (strcmp(words[0], "help"))
        es_hint(err, "a text is given with -c, in quotes: embedscope -c %s", shown.s);
    es_str_free(&shown);
    es_str_free(&text);
}

static bool read_operands(es_options *o, int at, int argc, char **argv, es_error *err)
{
    static const struct {
        const char *name;
        es_verb verb;
        int most_files;
    } verbs[] = {{"encode", ES_VERB_ENCODE, INT32_MAX},
                 {"decode", ES_VERB_DECODE, 1},
                 {"doctor", ES_VERB_DOCTOR, 0},
                 {"extract", ES_VERB_EXTRACT, 1},
                 {"plot", ES_VERB_PLOT, 0},
                 {"lesson", ES_VERB_LESSON, 1},
                 {"train", ES_VERB_TRAIN, INT32_MAX}};
    if (at == argc || o->verb == ES_VERB_HELP || o->verb == ES_VERB_VERSION)
        return true;
    es_str shown = {0};
    bool known = false;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(argv[at], verbs[i].name))
            continue;
        known = true;
        o->verb = verbs[i].verb;
        o->file = argv + at + 1;
        o->n_files = (size_t)(argc - at - 1);
        if (o->n_files > (size_t)verbs[i].most_files)
            usage(err, "embedscope %s takes %s", verbs[i].name,
                  verbs[i].verb == ES_VERB_LESSON ? "one lesson, file or folder"
                  : verbs[i].most_files           ? "one file"
                                                  : "no arguments");
    }
    if (!known)
        unknown_operand(argv + at, argc - at, err);
    es_str_free(&shown);
    return err->code == ES_OK;
}

static bool lesson_fits(const es_options *o, es_error *err)
{
    bool lesson = o->verb == ES_VERB_LESSON;
    int ways = o->check + (o->fresh != NULL) + (o->html != NULL);
    if (ways && !lesson)
        return usage(err, "--check, --new and --html belong to embedscope lesson");
    if (ways > 1)
        return usage(err, "--check, --new and --html are three things: one at a time");
    if (o->fresh && o->n_files)
        return usage(err, "the form is embedscope lesson --new NAME");
    if (lesson && o->n_actions)
        return usage(err, "-c, -f and -e go without lesson");
    return true;
}

static bool fits_together(const es_options *o, es_error *err)
{
    bool extract = o->verb == ES_VERB_EXTRACT, plot = o->verb == ES_VERB_PLOT;
    if (o->verb == ES_VERB_TRAIN)
        return usage(err, "train comes first: embedscope train [OPTIONS] CORPUS\u2026 -o OUT");
    bool bulk = o->verb == ES_VERB_ENCODE || o->verb == ES_VERB_DECODE || extract;
    if ((bulk || plot || o->verb == ES_VERB_DOCTOR) && o->n_actions)
        return usage(err, "-c, -f and -e go without encode, decode, extract, plot or doctor");
    if (bulk && (o->json || o->values))
        return usage(err, "--json and --values go with lines; encode and decode have plain output");
    if (extract && (!o->n_files || !o->output))
        return usage(err, "the form is embedscope extract FILE -o OUT");
    if (plot && !o->output)
        return usage(err, "the form is embedscope plot [OPTIONS] -o FILE.png|.svg|.tsv|.npy");
    if (o->output && !extract && !plot)
        return usage(err, "-o belongs to embedscope extract and plot");
    if ((o->view || o->layout || o->axes || o->picture || o->text || o->size) && !plot)
        return usage(err, "--view, --layout, --axes, --picture, --text and --size belong to "
                          "embedscope plot");
    if (o->picture && (o->view || o->layout || o->axes))
        return usage(err,
                     "--picture is a view with all that is chosen for it: --view, --layout and "
                     "--axes do not go with it");
    if (o->u32le && o->verb != ES_VERB_ENCODE)
        return usage(err, "--format belongs to embedscope encode");
    return lesson_fits(o, err);
}

bool es_options_parse(es_options *o, int argc, char **argv, es_error *err)
{
    *o = (es_options){.session.settings.pad = -1};
    const es_arguments arguments = {option_at, take, o, "embedscope --help"};
    int rest;
    if (argc > 1 && !strcmp(argv[1], "train")) { /* it has options of its own */
        o->verb = ES_VERB_TRAIN;
        o->file = argv + 1;
        o->n_files = (size_t)(argc - 1);
        return true;
    }
    return es_arguments_read(&arguments, argc, argv, &rest, err) &&
           read_operands(o, rest, argc, argv, err) && fits_together(o, err);
}

void es_options_free(es_options *o)
{
    free(o->action);
    *o = (es_options){0};
}
