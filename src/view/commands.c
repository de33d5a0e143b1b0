// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/commands.h"

#include "view/cmd.h"

static const es_command commands[] = {
    {.group = "pictures",
     .name = "axes",
     .args = "[FROM TO [; FROM TO] | TOKEN - TOKEN + TOKEN | off]",
     .summary = "axes made of tokens, or an analogy; alone it says what they are",
     .help = "Every row of wte along the direction from one token to another: its dot product with "
             "it, 0 at right angles. With one axis the other tells how far a row is from it. FROM "
             "and TO are tokens, or sums of them as :near takes them. a - b + c is the plane of b, "
             "a and c with the fourth point of their parallelogram and the rows that are nearest "
             "to it, with the three words and without. off goes back to the usual pair.",
     .example = ":axes \" he\" \" she\"; \" man\" \" men\"\n:axes \" king\" - \" man\" + "
                "\" woman\"\n:axes\n:axes off",
     .want = ES_WANT_TOKEN,
     .choices = "off",
     .run = es_cmd_axes},
    {.group = "pictures",
     .name = "camera",
     .args = "[fit] [x=N] [y=N] [zoom=N] [turn=N] [tilt=N] [2d|3d]",
     .summary = "where a picture is looked at from; alone it says where that is",
     .help = "x and y are the middle of what is seen, in radii of the picture from its own middle; "
             "zoom 1 shows all of it, and so does fit. In space (3d) turn goes about the upright "
             "axis and tilt towards you, in degrees. In the window: a drag, the wheel, Shift with "
             "the arrows, Alt+F, Alt+O.",
     .example = ":camera zoom=2 x=0.5\n:camera\n:camera fit",
     .want = ES_WANT_TEXT,
     .choices = "fit x= y= zoom= turn= tilt= 2d 3d",
     .run = es_cmd_camera},
    {.group = "pictures",
     .name = "clear",
     .args = "",
     .summary = "nothing is found, selected or in focus any more",
     .help = "Escape in the window.",
     .example = ":clear",
     .run = es_cmd_clear},
    {.group = "pictures",
     .name = "color-by",
     .args = "[length|id|script|space|digit|case|count|COLUMN]",
     .summary = "what the colours of the map's points say",
     .help = "length of the row of wte; id, low ones being the pieces learned first; the script of "
             "its letters; does it begin with a space; is it a number; its case; count, how often "
             "it was seen in training, for models that know. Or a column of the table that :meta "
             "read, in quotes where its name has a space or is one "
             "of these words: numbers on a scale, words by a hue each, 7 of many and one for the "
             "others. "
             "Alt+C in the window takes the next.",
     .example = ":color-by script\n:color-by",
     .want = ES_WANT_CHOICE,
     .choices = "length id script space digit case count",
     .more = es_cmd_columns,
     .run = es_cmd_color_by},
    {.group = "pictures",
     .name = "components",
     .args = "[N N [N]]",
     .summary = "which principal components the map shows; three are a map in space",
     .help =
         "Component 1 is the direction in which the rows of wte differ most, 2 the next at right "
         "angles to it, up to 10. Alt+X, Alt+Y and Alt+Z in the window take the next one.",
     .example = ":components 2 3\n:components 1 2",
     .run = es_cmd_components},
    {.group = "pictures",
     .name = "export",
     .args = "FILE [size=WxH]",
     .summary = "write the picture to a file: .png or .svg; .tsv or .npy are its numbers",
     .help =
         "What a window would show, without one: 1280 x 800 unless size says otherwise. The same "
         "state writes the same bytes. .tsv is a table of the points of the map, axes, positions "
         "or "
         "offset: what names each, then its coordinates, whatever is hidden (of the map id, token, "
         "x, y, in space z; :meta reads it). .npy is the coordinates alone, for NumPy.",
     .example = ":export embedscope.svg size=640x400\n:export embedscope.tsv",
     .want = ES_WANT_FILE,
     .run = es_cmd_export},
    {.group = "pictures",
     .name = "focus",
     .args = "[TOKEN|none]",
     .summary = "the token whose card a picture shows, with its true neighbours",
     .help =
         "As \" cat\", #3797 or @2, a place of the last text. none goes back to the text's last "
         "token. A double click in the window.",
     .example = ":focus \" cat\"\n:focus none",
     .want = ES_WANT_TOKEN,
     .choices = "none",
     .run = es_cmd_focus},
    {.group = "pictures",
     .name = "isolate",
     .args = "[fade|hide|off]",
     .summary = "show what is selected or found alone: all other tokens faint, or hidden",
     .help = "While any token is selected (:select) or found (:find) the map fades or hides all "
             "others, but for the sentence and the token in focus, and the camera goes to what is "
             "left; :camera fit goes there again. What is hidden is neither labelled nor found by "
             "the pointer, and the picture says how many are. Alt+I in the window.",
     .example = ":find \"cat\"\n:isolate hide\n:isolate\n:isolate off\n:clear",
     .want = ES_WANT_CHOICE,
     .choices = "fade hide off",
     .run = es_cmd_isolate},
    {.group = "pictures",
     .name = "labels",
     .args = "[N]",
     .summary = "how many points of the map have their token written beside them, at most",
     .help = "No label covers another, so there may be fewer. Alt+L and Alt+Shift+L in the window.",
     .example = ":labels 100\n:labels",
     .run = es_cmd_labels},
    {.group = "pictures",
     .name = "layout",
     .args = "[pca|tsne|umap] [perplexity=N] [neighbours=N] [steps=N] [min_dist=N] [seed=N] "
             "[pause|go|step [N]|again|to=N]",
     .summary =
         "where the map puts tokens: PCA, t-SNE or UMAP, step by step; alone it says how far",
     .help = "PCA turns the rows, so its axes mean something. t-SNE (iterations) and UMAP (epochs) "
             "start there and move points until neighbours are together; what lies far apart in "
             "them says nothing. In a window one sees them move, and types on; elsewhere the "
             "command waits for the end, and Ctrl-C pauses. perplexity: about how many neighbours "
             "count in t-SNE; neighbours and min_dist: how many in UMAP, and how near points may "
             "come. pause, go, step, again, to=N (as it was after N steps). Alt+M in the window is "
             "the next method, Alt+P pauses or goes on, Alt+S takes a step.",
     .example = ":layout\n:layout pca",
     .want = ES_WANT_TEXT,
     .choices = "pca tsne umap pause go step again perplexity= neighbours= steps= min_dist= seed= "
                "to=",
     .run = es_cmd_layout},
    {.group = "pictures",
     .name = "meta",
     .args = "[FILE.tsv|none]",
     .summary = "read a table of your own about the tokens, to colour the map by its columns",
     .help =
         "Text in UTF-8: a line a row, a tab between columns, at most 64 of them in 64 MiB. The "
         "first line names the columns. Rows belong to tokens by a column called id (3797), else "
         "by one called token: as the program prints it (␣cat), in quotes with escapes (\" cat\", "
         "\"\\n\"), or as it stands. Without such a column there is a row for every id from 0 on; "
         "then a file of as many lines as there are tokens has no header, as TensorBoard writes "
         "metadata of one column, and one of a line more has. A column whose values are all "
         "numbers is numbers (empty, nan and NA are no value), any other is words. :color-by "
         "COLUMN colours the map, cards show a token's values, :meta alone lists the columns, "
         ":meta none forgets the table.",
     .example = ":meta\n:meta none",
     .want = ES_WANT_FILE,
     .run = es_cmd_meta},
    {.group = "pictures",
     .name = "picture",
     .args = "[N]",
     .summary = "one of twelve teaching pictures, with what to see and what not to conclude",
     .help = "Alone it lists them. Each is a few of these commands, so that one can go on from "
             "there; its caption has the numbers of the model in use, and goes when another view "
             "is shown.",
     .example = ":picture\n:picture 10",
     .want = ES_WANT_TEXT,
     .choices = "1 2 3 4 5 6 7 8 9 10 11 12",
     .run = es_cmd_lesson_picture},
    {.group = "pictures",
     .name = "projector",
     .args = "DIR [centred] [force]",
     .summary = "write wte for TensorBoard's Embedding Projector: vectors.tsv, metadata.tsv",
     .help =
         "A row of wte a line, and what it is: Token, Id, Count where training's are known, "
         "Script, the columns of the table that :meta read. DIR is made where it is missing, and "
         "stands in quotes "
         "where its name has a space. centred: less the mean of all rows. force: files that are "
         "there are replaced. To look "
         "at them: in the Embedding Projector, of TensorBoard or projector.tensorflow.org, press "
         "Load and choose vectors.tsv, then metadata.tsv. Large tables are slow in a browser.",
     .example = ":projector embedscope-projector force",
     .want = ES_WANT_FILE,
     .run = es_cmd_projector},
    {.group = "pictures",
     .name = "quality",
     .args = "[all]",
     .summary = "measure how much the map keeps of who is near whom",
     .help = "Three figures. Of each token's 15 nearest rows, how many are among its 15 nearest "
             "points. Trustworthiness: 1 where nobody is near in the picture who is not near in "
             "wte, about 0.5 where points are strewn by lot (Venna and Kaski 2001). The order of "
             "distances: 1 where of two pairs the one farther apart in wte is so in the picture "
             "too, 0 by chance (Spearman's rank correlation). Of random rows a layout keeps some "
             "neighbours as well: compare with :model untrained. It compares all rows with all. "
             "all: of large tables too every token "
             "counts for trustworthiness, which takes longer.",
     .example = ":quality",
     .want = ES_WANT_CHOICE,
     .choices = "all",
     .run = es_cmd_quality},
    {.group = "pictures",
     .name = "select",
     .args = "x=A..B y=A..B [add] | lasso X,Y X,Y X,Y … [add] | none",
     .summary = "pick out the tokens in a rectangle of the map, or in a shape",
     .help =
         "In the map's own numbers, along its two axes; one of the two alone is a band. A lasso is "
         "a closed shape of 3 to 200 corners; where it crosses itself, inside is what it goes "
         "around an odd number of times. add keeps what is selected already. The tokens stand out "
         "in the map, :selection lists them, :isolate shows them alone, and in statements sel is "
         "their ids. In the window: Shift and a drag for a rectangle, Alt (or Ctrl) and a drag for "
         "a lasso, with Shift one that adds.",
     .example = ":show map\n:select x=-0.1..0.1 y=-0.1..0.1\n:select lasso 0,0 0.1,0 0.1,0.1 "
                "add\n:select none",
     .want = ES_WANT_TEXT,
     .choices = "x= y= lasso add none",
     .run = es_cmd_select},
    {.group = "pictures",
     .name = "selection",
     .args = "[top=N]",
     .summary = "the tokens that are selected",
     .example = ":selection",
     .want = ES_WANT_TEXT,
     .choices = "top=",
     .run = es_cmd_selection},
    {.group = "pictures",
     .name = "show",
     .args = "[VIEW [ARGUMENTS]]",
     .summary = "draw a picture: in the window, else here; alone it lists the views",
     .help =
         "In the terminal a picture is half blocks in colour, characters without; in --plain it is "
         "the numbers that matter. In the window F1 to F10 are the views. series takes a name or "
         "tokens in order, pairs and onehot a token: see :show alone.",
     .example = ":show\n:show map\n:show series years\n:show series \" one\" \" two\" \" three\"",
     .want = ES_WANT_CHOICE,
     .choices = "map positions offset strips cosine axes variance series pairs onehot",
     .run = es_cmd_show},
    {.group = "pictures",
     .name = "torn",
     .args = "[N|TOKEN|off]",
     .summary = "neighbours that the map has torn apart: of a token, or of the N that lost most",
     .help =
         "A token's true neighbours are joined to it by lines, solid where they are near in the "
         "picture too, dashed where it has torn them apart. N draws these lines for the tokens "
         "that keep fewest. Alt+N in the window.",
     .example = ":torn \" cat\"\n:torn off",
     .want = ES_WANT_TOKEN,
     .choices = "off",
     .run = es_cmd_torn},
    {.group = "pictures",
     .name = "window",
     .brief = "w",
     .args = "[on|off|full]",
     .summary = "open the window, close it, or fill the screen; alone it says the state",
     .help =
         "What is typed here is drawn there before Enter, and what is typed there goes here. Keys "
         "of the window: F1 to F10 views; F11 the whole screen; Escape :clear; Shift and arrows "
         "move or "
         "turn; Alt and + - zoom, F all, O space, X Y Z components, C colours, L labels "
         "(Shift fewer), G palette, B big, T the text's next token, [ ] its neighbours, M the "
         "map's next layout, P pause it, S one step of it, N torn lines, I isolate, E export, H "
         "these keys. Words of the line are gone over by Ctrl and arrows there. The "
         "mouse: click a token to type it, double click its card and neighbours, right click the "
         "number "
         "behind, drag, wheel, Shift and drag to select, Alt and drag for a lasso.",
     .example = ":window",
     .want = ES_WANT_CHOICE,
     .choices = "on off full",
     .run = es_cmd_window},
};

const es_command *es_view_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
