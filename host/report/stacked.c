#include "report/stacked.h"

#include "report/kinds.h"

enum { PANEL_PIXELS = 1090, TIC_FONT = 11 };

static bool shows(const struct ws_stacked *stacked, const struct ws_shown *shown, size_t bar)
{
    return !stacked->bar || stacked->bar(shown, bar);
}

static size_t count_bars(const struct ws_stacked *stacked, const struct ws_shown *shown)
{
    size_t count = 0;
    for (size_t bar = stacked->first_bar; bar < stacked->end_bar; bar++)
        count += shows(stacked, shown, bar);
    return count;
}

void ws_stacked_add_bars(struct ws_text *title, const struct ws_stacked *stacked, const struct ws_shown *shown, const char *group)
{
    const char *joint = "";
    if (count_bars(stacked, shown) < 2)
        return;
    ws_text_add(title, "; bars of a %s from the left: ", group);
    for (size_t bar = stacked->first_bar; bar < stacked->end_bar; bar++) {
        if (!shows(stacked, shown, bar))
            continue;
        ws_text_add(title, "%s%s", joint, ws_measures_name(shown->measures, bar));
        joint = ", ";
    }
}

/* Of each group a row: for each bar the sums from the last class up to each, the first class last. */
void ws_stacked_data(struct ws_text *text, const struct ws_stacked *stacked, const struct ws_shown *shown)
{
    size_t place = 0;
    ws_text_add(text, "$%s << EOD\n", stacked->block);
    for (size_t group = 0; group < stacked->groups; group++) {
        if (!stacked->group(shown, group))
            continue;
        ws_text_add(text, "%zu", place++);
        for (size_t bar = stacked->first_bar; bar < stacked->end_bar; bar++) {
            double sum = 0;
            for (size_t class = stacked->classes; class -- > 0;)
                ws_script_value(text, sum += stacked->share(shown, group, bar, class));
        }
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

/* Adds the tics and says how many there are. */
static size_t add_tics(struct ws_text *text, const struct ws_stacked *stacked, const struct ws_shown *shown)
{
    size_t place = 0;
    bool crowded = false;
    ws_text_add(text, "set xtics (");
    for (size_t group = 0; group < stacked->groups; group++) {
        const char *const name = stacked->group(shown, group);
        if (!name)
            continue;
        ws_text_add(text, "%s", place > 0 ? ", " : "");
        ws_script_string(text, name, " ");
        ws_text_add(text, " %zu", place++);
        crowded = crowded || ws_script_font(&name, 1, PANEL_PIXELS / (double)stacked->groups) < TIC_FONT;
    }
    ws_text_add(text, ") scale 0 %s font \"DejaVu Sans,%u\"\n", crowded ? "rotate by 30 right" : "norotate", (u32)TIC_FONT);
    return place;
}

/* A bar of several classes is several bars, the highest first, each in front of those before it. */
static void add_bars(struct ws_text *text, const struct ws_stacked *stacked, size_t bars)
{
    const double width = 0.8 / (double)bars;
    const char *joint = "plot ";
    for (size_t class = 0; class < stacked->classes; class ++) {
        for (size_t bar = 0; bar < bars; bar++, joint = ", ") {
            ws_text_add(text, "%s$%s using ($1%+.4f):%zu with boxes lc rgb \"%s\" ", joint, stacked->block,
                        ((double)bar + 0.5) * width - 0.4, 2 + bar * stacked->classes + (stacked->classes - 1 - class),
                        stacked->colours[class]);
            if (bar > 0)
                ws_text_add(text, "notitle");
            else
                ws_text_add(text, "title \"%s\"", stacked->words[class]);
        }
    }
    ws_text_add(text, "\n");
}

void ws_stacked_panel(struct ws_text *text, const struct ws_stacked *stacked, const struct ws_shown *shown, const char *title)
{
    const size_t bars = count_bars(stacked, shown);
    if (bars == 0)
        return;
    ws_text_add(text, "set title ");
    ws_script_string(text, title, " ");
    ws_text_add(text,
                " font \"DejaVu Sans,9\" offset 0,1.6\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.25\n"
                "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\n"
                "set boxwidth %.4f\nset yrange [0:100]\n",
                0.8 / (double)bars * 0.9);
    const size_t places = add_tics(text, stacked, shown);
    ws_text_add(text, "set xrange [-0.55:%.2f]\n", (double)places - 0.45);
    add_bars(text, stacked, bars);
}
