// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual.h"

#include <string.h>

#include "app/options.h"
#include "app/train_options.h"
#include "base/place.h"
#include "base/utf8.h"
#include "session/help_builtin.h"
#include "session/settings.h"

/* What is in no table of the program's own. */
typedef struct entry {
    const char *name, *meaning;
} entry;

static const entry statuses[] = {
    {"0", "All went well."},
    {"1", "A line failed, or a picture or a model could not be made; a script stops there, unless "
          "--keep-going was given."},
    {"2", "Wrong usage."},
    {"3", "A file, model or vocabulary that the command line names could not be read."},
    {"130", "Interrupted by Ctrl-C."},
    {NULL, NULL},
};

static const entry environment[] = {
    {"DISPLAY, WAYLAND_DISPLAY",
     "Where the window opens. With neither, pictures go to files and to the terminal."},
    {"EMBEDSCOPE_DATA", "The folder that holds the program's assets, tried before all others."},
    {"EMBEDSCOPE_HISTORY", "The file of typed lines; empty: none is kept."},
    {"EMBEDSCOPE_MODEL",
     "The model in use unless --model names another; mini where it is not set."},
    {"EMBEDSCOPE_VIEW", "The module of pictures, tried instead of embedscope-view.so beside the "
                        "program and where it was installed."},
    {"EMBEDSCOPE_OPENCL", "The OpenCL loader, instead of libOpenCL.so.1; none: there is no GPU."},
    {"EMBEDSCOPE_CLBLAST",
     "0: products on a GPU by kernels of our own; 1: by CLBlast on any device."},
    {"EMBEDSCOPE_PAGER, PAGER",
     "The pager for answers longer than the screen, the first one set; empty: none. Where "
     "neither is set it is less -FRX. It gets LESS unless that is set: FRX and a prompt that says "
     "how to leave."},
    {"GDK_SCALE", "Under X11, how many pixels of the screen a unit of the window takes, 1 to 4; a "
                  "desktop may set it."},
    {"HOME, XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME",
     "Where the person's own files are, see FILES."},
    {"LANG, LC_ALL, LC_MESSAGES, LANGUAGE",
     "The language of messages, where there is a translation. Texts are UTF-8 in every locale; the "
     "prompt switches to C.UTF-8 where the locale is another."},
    {"NO_COLOR", "Set and not empty: no colours, unless --color=always."},
    {"TMPDIR", "Where :edit has its file, else /tmp."},
    {"TERM", "dumb: no colours, no pager."},
    {"VISUAL, EDITOR", "The editor of :edit, the first one set, else vi."},
    {NULL, NULL},
};

static const entry files[] = {
    {"~/.config/embedscope/rc", "The startup file, in $XDG_CONFIG_HOME if that is set: lines as "
                                "typed, run when a prompt begins. "
                                "Blank lines and lines that begin with # are skipped, a line that "
                                "fails stops nothing. It is not "
                                "read with --norc, with -c, -f and -e, or when standard "
                                "input is no terminal; the program "
                                "never writes it."},
    {"~/.local/state/embedscope/history",
     "The lines typed so far, in $XDG_STATE_HOME if that is set; readable by nobody else."},
    {"~/.inputrc", "GNU Readline's own settings; $if embedscope begins a part for this program."},
    {NULL, NULL},
};

static const entry examples[] = {
    {"embedscope -c 'The cat sat'", "The tokens of a sentence, their vectors and the sum."},
    {"embedscope -c 'The cat sat' -e 'x @ wte.weight.T'",
     "PyTorch statements on the last text and the model's tables."},
    {"embedscope --json --values < lines.txt",
     "A JSON object for each line of a file, vectors included."},
    {"embedscope encode book.txt | embedscope decode | cmp - book.txt",
     "Ids and back, byte for byte."},
    {"embedscope plot --text 'The cat sat' --view strips -o strips.svg",
     "A picture in a file, without a display."},
    {"embedscope plot --axes 'king-man+woman' -o analogy.png",
     "An analogy as a parallelogram, with the rows that are nearest to its fourth point."},
    {"embedscope train book.txt -o book.safetensors", "A model that has read one book."},
    {NULL, NULL},
};

/* ---- roff ---- */

/* One character as it is to be read, never a request or an escape; ASCII. */
static void put_char(es_str *out, uint32_t cp)
{
    static const struct {
        char c;
        const char *escape;
    } special[] = {{'\\', "\\e"}, {'-', "\\-"}, {'~', "\\(ti"}, {'^', "\\(ha"}, {'\'', "\\(aq"}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (cp == (unsigned char)special[i].c) {
            es_str_cat(out, special[i].escape);
            return;
        }
    if (cp < 0x80)
        es_str_char(out, (char)cp);
    else
        es_str_add(out, "\\[u%04X]", (unsigned)cp);
}

static void put_bytes(es_str *out, const char *text, size_t n)
{
    if (n && text[0] == '.')
        es_str_cat(out, "\\&");
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp = 0;
        len = (size_t)es_utf8_next(text + i, n - i, &cp);
        put_char(out, cp);
    }
}

static void put(es_str *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

/* Prose, in source lines of a modest length. */
static void prose(es_str *out, const char *text)
{
    enum { LINE = 72 };
    size_t used = 0;
    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        if (used && used + n > LINE) {
            es_str_char(out, '\n');
            used = 0;
        }
        es_str_cat(out, used ? " " : "");
        put_bytes(out, text, n);
        used += n + 1;
    }
    es_str_char(out, '\n');
}

static void section(es_str *out, const char *name)
{
    es_str_add(out, ".SH %s\n", name);
}

/* A tagged paragraph's tag: name in bold, what follows it in italics. */
static void tag(es_str *out, const char *name, const char *argument)
{
    es_str_cat(out, ".TP\n\\fB");
    put(out, name);
    es_str_cat(out, "\\fR");
    if (*argument) {
        es_str_cat(out, " \\fI");
        put(out, argument);
        es_str_cat(out, "\\fR");
    }
    es_str_char(out, '\n');
}

static void entries(es_str *out, const entry *e)
{
    for (; e->name; e++) {
        tag(out, e->name, "");
        prose(out, e->meaning);
    }
}

/* ---- the program's tables ---- */

static void synopsis(es_str *out)
{
    const char *form;
    section(out, "SYNOPSIS");
    for (size_t i = 0; (form = es_options_form(i)); i++) {
        es_str_cat(out, i ? ".br\n\\fBembedscope\\fR " : "\\fBembedscope\\fR ");
        put(out, form);
        es_str_char(out, '\n');
    }
}

static void all_options(es_str *out)
{
    const es_option *o;
    section(out, "OPTIONS");
    prose(out, "They may stand before or after everything else.");
    for (size_t i = 0; (o = es_option_at(i)); i++) {
        es_str name = {0};
        if (o->code < 256)
            es_str_add(&name, "-%c, ", o->code);
        es_str_add(&name, "--%s", o->name);
        tag(out, name.s, o->arg ? o->arg : "");
        prose(out, o->help);
        es_str_free(&name);
    }
}

static void training(es_str *out)
{
    es_option o;
    section(out, "TRAINING");
    prose(out,
          "embedscope train CORPUS\u2026 -o FILE learns a model from text, in two stages: rows of "
          "wte from the company tokens keep (skip-gram with negative sampling), then "
          "everything by predicting the next token. A corpus is a file of UTF-8 text, plain "
          "or packed by zstd. Blank lines part documents; every 100th of a file is seen by "
          "neither stage, and embedscope train --eval FILE CORPUS\u2026 says how well a model "
          "predicts these. Progress is on standard error. Ctrl-C leaves FILE.checkpoint, from "
          "which --resume goes on; the same seed gives the same bytes with one thread.");
    for (size_t i = 0; es_train_option_at(i, &o); i++) {
        es_str name = {0};
        if (o.code < 256)
            es_str_add(&name, "-%c, ", o.code);
        es_str_add(&name, "--%s", o.name);
        tag(out, name.s, o.arg ? o.arg : "");
        es_str_cut(&name, 0);
        es_str_cat(&name, o.help);
        es_train_option_default(&name, &o);
        prose(out, name.s);
        es_str_free(&name);
    }
}

static void command(es_str *out, const es_command *c)
{
    es_str name = {0};
    es_str_add(&name, ":%s", c->name);
    tag(out, name.s, c->args);
    prose(out, c->summary);
    if (c->brief)
        es_str_add(out, "(short: \\fB:%s\\fR)\n", c->brief);
    if (c->help) {
        es_str_cat(out, ".br\n");
        prose(out, c->help);
    }
    for (const char *e = c->example; e && *e;) {
        size_t n = strcspn(e, "\n");
        es_str line = {0};
        es_str_bytes(&line, e, n);
        es_str_cat(out, e == c->example ? ".br\nExample: \\fB" : ".br\n\\fB");
        put(out, es_str_text(&line));
        es_str_cat(out, "\\fR\n");
        es_str_free(&line);
        e += n + (e[n] == '\n');
    }
    es_str_free(&name);
}

static void all_commands(es_str *out, const es_command_list *all)
{
    section(out, "COMMANDS");
    prose(out,
          "A line that begins with a colon is a command; any other line is text, in tensor mode "
          "a PyTorch statement. At a prompt a name may be shortened as long as it stays "
          "unique.");
    for (const char *group = NULL; (group = es_command_group_after(all, group));) {
        es_str_add(out, ".SS \"%s\"\n", group);
        for (size_t i = 0; i < all->n; i++)
            if (!strcmp(all->of[i]->group, group))
                command(out, all->of[i]);
    }
}

/* A function or attribute of the language: what :help says of it, less the example. */
static void function(es_str *out, const es_builtin *b)
{
    es_str text = {0};
    es_builtin_signature(&text, b);
    tag(out, text.s, "");
    prose(out, b->summary);
    if (b->rule) {
        es_str_cut(&text, 0);
        es_str_add(&text, "Shape: %s.", b->rule);
        prose(out, text.s);
    }
    es_str_cut(&text, 0);
    es_builtin_origin(&text, b);
    es_str_cat(out, ".br\n");
    prose(out, es_str_text(&text));
    es_str_free(&text);
}

static void all_functions(es_str *out)
{
    const es_builtin *all[ES_MOST_BUILTINS];
    section(out, "FUNCTIONS");
    prose(out, "What statements of tensor mode know of PyTorch and Python. Most are methods of a "
               "tensor as well as functions of torch or F; bare names will do for those of torch "
               "and F. Names axes carry (B, T, C, V, P) follow the rules given under Shape.");
    for (size_t i = 0, n = es_builtin_all(all); i < n; i++)
        if (es_builtin_is_listed(all[i]))
            function(out, all[i]);
}

static void all_settings(es_str *out)
{
    const es_setting *setting;
    section(out, "SETTINGS");
    prose(out,
          "Changed by :set NAME VALUE; :set alone lists them with the value each has and where "
          "it came from: default, startup file, command line or typed.");
    for (size_t i = 0; (setting = es_setting_at(i)); i++) {
        es_str choices = {0};
        es_setting_choices(setting, &choices);
        tag(out, setting->name, choices.s);
        prose(out, setting->help);
        es_str_free(&choices);
    }
}

void es_manual(es_str *out, const es_command_list *commands)
{
    es_str_cat(out, ".\\\" Made from the program's tables when it was built.\n");
    es_str_add(out, ".TH EMBEDSCOPE 1 \"\" \"embedscope %s\" \"User Commands\"\n.ad l\n",
               ES_VERSION);
    section(out, "NAME");
    es_str_cat(out, "embedscope \\- see the embedding layer of a GPT, number by number\n");
    synopsis(out);
    section(out, "DESCRIPTION");
    prose(
        out,
        "Type a sentence and see what a Transformer sees: the tokens that a byte-pair encoder "
        "cuts it into, their ids, the rows of the token table and of the position table that "
        "they select, and their sum, which is what the first block receives. In tensor mode a "
        "line is a PyTorch statement on those tensors: every shape is shown with the names of its "
        "axes, every shape error with the axes it is about.");
    all_options(out);
    all_commands(out, commands);
    all_functions(out);
    all_settings(out);
    training(out);
    section(out, "\"EXIT STATUS\"");
    entries(out, statuses);
    section(out, "ENVIRONMENT");
    entries(out, environment);
    section(out, "FILES");
    entries(out, files);
    tag(out, es_place_installed(), "");
    prose(out, "The program's assets, where it was installed.");
    section(out, "EXAMPLES");
    entries(out, examples);
    section(out, "\"SEE ALSO\"");
    es_str_cat(out, ".BR less (1),\n.BR readline (3)\n");
}
