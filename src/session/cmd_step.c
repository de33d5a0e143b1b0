// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that go through statements line by line. */
#include "session/commands.h"
#include "session/statement.h"
#include "session/step.h"

static bool run_step(es_call *call, es_error *err)
{
    if (call->args >= call->len)
        return es_call_usage(call, err);
    return es_statement_begin(call, call->args, es_step_begin, err);
}

static bool run_trace(es_call *call, es_error *err)
{
    if (call->args >= call->len)
        return es_call_usage(call, err);
    return es_statement_begin(call, call->args, es_step_trace, err);
}

static const es_command commands[] = {
    {.group = "tensors",
     .name = "step",
     .args = "STATEMENT",
     .summary = "run a statement line by line: each line with its shapes before and after",
     .help =
         "It stops before the first line of the first function that is called; each line shows "
         "what it reads, and once it has run what it bound. Then Enter runs the line, i goes into "
         "its calls, o out of the function, v shows values (v NAME one of them), c goes on to "
         "the end, q quits and leaves the rest undone; l lists the source around the line, w the "
         "chain of calls, ? all of these. Anything else is a statement, run where it stands. "
         "Where a line fails it stops at that line, and all but going on still works.",
     .example = ":tensor double = lambda t: t + t\n:step double(torch.zeros(2, C))",
     .want = ES_WANT_STATEMENT,
     .run = run_step},
    {.group = "tensors",
     .name = "trace",
     .args = "STATEMENT",
     .summary = "run a statement and show each line that was run, with shapes",
     .help =
         "Lines of a function are indented under the line that called it. The first 2,000 are "
         "shown, the others counted. A line that fails is marked with !, and the exit status is "
         "that of an error. As JSON: \"steps\", in order, each with event (line, call, module), "
         "depth, function, line, source, reads, binds, condition, value, raises and failed; "
         "\"not_shown\", how many more; and \"value\".",
     .example = ":tensor double = lambda t: t + t\n:trace double(torch.zeros(2, C))",
     .want = ES_WANT_STATEMENT,
     .run = run_trace},
};

const es_command *es_step_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
