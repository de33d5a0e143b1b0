// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/viewer.h"

static unsigned needs(const es_viewer *v)
{
    (void)v;
    return 0;
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    (void)v;
    (void)c;
    (void)area;
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    (void)v;
    (void)c;
    (void)area;
    (void)at;
    (void)out;
    return false;
}

static void say(const es_viewer *v, es_str *out)
{
    (void)v;
    (void)out;
}

static void plain(es_viewer *v, es_str *out)
{
    (void)v;
    (void)out;
}

static void json(es_viewer *v, es_json *j)
{
    (void)v;
    (void)j;
}

const es_view_kind es_view_series = {
    .name = "series",
    .summary = "tokens that have an order, such as numbers, as a curve",
    .args = "",
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = say,
    .expression = say,
    .plain = plain,
    .json = json,
};
