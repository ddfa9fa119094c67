/* replay SPACE POINTS.csv METHOD SEED PERCENT: runs a search method over a space that is simulated completely
 * (bench/search/enumerate). Prints a row after each generation: points simulated, their percentage of all points, the hypervolume
 * found relative to that of the true front, and by how many percent the cheapest point within 2 % of the best IPC that is found
 * costs more bits than the true one (- if none is found). A header precedes the rows.
 *
 * Objectives are IPC, bits and, if the table has it, energy. The reference point lies a tenth of the true front's range beyond its
 * worst values. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/front.h"
#include "search/method.h"

enum { AXES = 16, CHOICES = 32, OBJECTIVES = 3, LINE = 4096, NAME = 64, GENERATIONS = 20, LEAST_GENERATION = 8 };

struct table {
    struct ws_search_axis axis[AXES];
    char key[AXES][NAME], choice[AXES][CHOICES][NAME];
    u32 axes, objectives, points;
    u32 combinations;
    u32 *row;          /* [combinations]: 1 + a row; 0 is illegal */
    double *objective; /* [points][objectives], minimized: -IPC, bits, energy */
    double reference[OBJECTIVES], volume, cheapest;
};

static _Noreturn void die(const char *what, const char *where)
{
    fprintf(stderr, "replay: %s: %s\n", where, what);
    exit(2);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        die("out of memory", "allocate");
    return memory;
}

/* A line `axis KEY=VALUE,...` or `kinds KEY=VALUE,...`. */
static void add_axis(struct table *table, char *line, bool ordered)
{
    if (table->axes == AXES)
        die("too many axes", line);
    const u32 a = table->axes++;
    char *rest = strchr(line, '=');
    if (!rest || rest - line >= NAME)
        die("no value", line);
    *rest++ = 0;
    memcpy(table->key[a], line, strlen(line) + 1);
    u32 values = 0;
    for (char *value = strtok(rest, ",\n"); value; value = strtok(NULL, ",\n")) {
        if (values == CHOICES || strlen(value) >= NAME)
            die("too many or too long values", line);
        memcpy(table->choice[a][values++], value, strlen(value) + 1);
    }
    table->axis[a] = (struct ws_search_axis){table->key[a], values, ordered};
}

static void read_space(struct table *table, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[LINE];
    if (!file)
        die(strerror(errno), path);
    table->objectives = 2;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "axis ", 5) == 0 || strncmp(line, "kinds ", 6) == 0)
            add_axis(table, strchr(line, ' ') + 1, line[0] == 'a');
        table->objectives += strncmp(line, "energy ", 7) == 0;
    }
    fclose(file);
    table->combinations = 1;
    for (u32 a = 0; a < table->axes; a++)
        table->combinations *= table->axis[a].values;
}

static u32 number_of(const struct table *table, const u32 *choice)
{
    u32 number = 0;
    for (u32 a = 0; a < table->axes; a++)
        number = number * table->axis[a].values + choice[a];
    return number;
}

/* A row: the value of each axis, IPC, bits, energy. */
static void read_row(struct table *table, char *line, const char *path)
{
    u32 choice[AXES];
    char *field = strtok(line, ",\n");
    for (u32 a = 0; a < table->axes; a++, field = strtok(NULL, ",\n")) {
        for (choice[a] = 0; field && choice[a] < table->axis[a].values; choice[a]++) {
            if (strcmp(field, table->choice[a][choice[a]]) == 0)
                break;
        }
        if (!field || choice[a] == table->axis[a].values)
            die("a value is not in the space", path);
    }
    double *objective = table->objective + (size_t)table->points * table->objectives;
    for (u32 o = 0; o < table->objectives; o++, field = strtok(NULL, ",\n")) {
        if (!field)
            die("a row is too short", path);
        objective[o] = (o ? 1 : -1) * strtod(field, NULL);
    }
    table->row[number_of(table, choice)] = ++table->points;
}

static void read_points(struct table *table, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[LINE];
    if (!file)
        die(strerror(errno), path);
    table->row = allocate(table->combinations, sizeof *table->row);
    table->objective = allocate((size_t)table->combinations * table->objectives, sizeof *table->objective);
    if (!fgets(line, sizeof line, file))
        die("is empty", path);
    while (fgets(line, sizeof line, file))
        read_row(table, line, path);
    fclose(file);
}

static void check(enum ws_status status, const struct ws_error *error)
{
    if (status != WS_STATUS_ok)
        die(error->message, "search");
}

/* The fewest bits among points with an IPC of at least 98 % of the best one of the table; INFINITY if there is none. */
static double cheapest(const struct table *table, const double *objective, u32 count)
{
    double best = 0, least = INFINITY;
    for (u32 p = 0; p < table->points; p++)
        best = fmax(best, -table->objective[(size_t)p * table->objectives]);
    for (u32 p = 0; p < count; p++) {
        if (-objective[(size_t)p * table->objectives] >= 0.98 * best)
            least = fmin(least, objective[(size_t)p * table->objectives + 1]);
    }
    return least;
}

/* The true front: its reference point, hypervolume and cheapest point. Returns its points. */
static u32 find_truth(struct table *table)
{
    struct ws_error error;
    const struct ws_front_points points = {table->objective, NULL, table->points, table->objectives};
    u32 *member = allocate(table->points, sizeof *member), members;
    check(ws_front_pareto(&points, member, &members, &error), &error);
    for (u32 o = 0; o < table->objectives; o++) {
        double low = INFINITY, high = -INFINITY;
        for (u32 m = 0; m < members; m++) {
            low = fmin(low, table->objective[(size_t)member[m] * table->objectives + o]);
            high = fmax(high, table->objective[(size_t)member[m] * table->objectives + o]);
        }
        table->reference[o] = high + (high - low) / 10;
    }
    check(ws_front_hypervolume(&points, table->reference, &table->volume, &error), &error);
    table->cheapest = cheapest(table, table->objective, table->points);
    u32 different = 0;
    for (u32 m = 0; m < members; m++) {
        const size_t size = table->objectives * sizeof(double);
        different += !m || memcmp(table->objective + (size_t)member[m] * table->objectives,
                                  table->objective + (size_t)member[m - 1] * table->objectives, size) != 0;
    }
    free(member);
    return different;
}

static bool legal(void *context, const u32 *choice)
{
    const struct table *table = context;
    return table->row[number_of(table, choice)] != 0;
}

static void print_state(const struct table *table, const double *objective, u32 count)
{
    struct ws_error error;
    double volume;
    const struct ws_front_points points = {objective, NULL, count, table->objectives};
    check(ws_front_hypervolume(&points, table->reference, &volume, &error), &error);
    const double bits = cheapest(table, objective, count);
    printf("%u\t%.4f\t%.6f\t", count, 100.0 * count / table->points, volume / table->volume);
    if (isinf(bits))
        printf("-\n");
    else
        printf("%.3f\n", 100 * (bits / table->cheapest - 1));
}

static void search(struct table *table, const struct ws_search_method *method, u64 seed, u32 budget)
{
    const struct ws_search_space space = {table->axis, table->axes, table->objectives, 1, legal, table};
    struct ws_search_candidate *candidate = allocate(budget, sizeof *candidate);
    u32 *choice = allocate((size_t)budget * table->axes, sizeof *choice), *fidelity = allocate(budget, sizeof *fidelity);
    double *objective = allocate((size_t)budget * table->objectives, sizeof *objective);
    const u32 generation_size = ws_max(LEAST_GENERATION, (budget + GENERATIONS - 1) / GENERATIONS);
    struct ws_search_request request = {.space = &space, .history = {candidate, 0}, .seed = seed};
    for (; request.history.count < budget; request.generation++) {
        struct ws_error error;
        const u32 first = request.history.count;
        request.wanted = ws_min(generation_size, budget - first);
        struct ws_search_proposals proposals = {.choice = choice + (size_t)first * table->axes, .fidelity = fidelity};
        check(ws_search_propose(method, &request, &proposals, &error), &error);
        if (!proposals.count)
            break;
        for (u32 p = first; p < first + proposals.count; p++) {
            const u32 *chosen = choice + (size_t)p * table->axes;
            double *values = objective + (size_t)p * table->objectives;
            const u32 row = table->row[number_of(table, chosen)] - 1;
            memcpy(values, table->objective + (size_t)row * table->objectives, table->objectives * sizeof *values);
            candidate[p] = (struct ws_search_candidate){chosen, values, 0, 0, request.generation};
        }
        request.history.count += proposals.count;
        print_state(table, objective, request.history.count);
    }
    free(candidate);
    free(choice);
    free(fidelity);
    free(objective);
}

int main(int count, char **argument)
{
    static struct table table;
    if (count != 6) {
        fprintf(stderr, "usage: replay SPACE POINTS.csv METHOD SEED PERCENT\n");
        return 2;
    }
    read_space(&table, argument[1]);
    read_points(&table, argument[2]);
    const struct ws_search_method *method = ws_search_method(argument[3]);
    if (!method)
        die("no such method", argument[3]);
    const u32 budget = (u32)ceil(table.points * strtod(argument[5], NULL) / 100);
    const u32 front = find_truth(&table);
    printf("# %u points, %u on the front, %u to simulate\n", table.points, front, budget);
    search(&table, method, strtoull(argument[4], NULL, 10), budget);
    free(table.row);
    free(table.objective);
    return 0;
}
