/* Majority by an approximately sorted table of pcs (Fung 4.3). */
#include <stdlib.h>

#include "oracle/path/dwf.h"

struct row {
    u32 pc, threads;
};

struct table {
    bool keeps;
    u32 pc;
    struct row *row;
    u32 rows;
};

static void start(struct sm *sm)
{
    struct table *own = oracle_allocate(1, sizeof *own);
    own->row = oracle_allocate(sm->machine->dwf_majority_table, sizeof *own->row);
    sm->policy = own;
}

static void finish(struct sm *sm)
{
    struct table *own = sm->policy;
    free(own->row);
    free(own);
}

static struct forming *pick(const struct sm *sm)
{
    const struct table *own = sm->policy;
    if (own->keeps && forming_oldest(sm, own->pc))
        return forming_oldest(sm, own->pc);
    for (u32 n = 0; n < own->rows; n++)
        if (forming_oldest(sm, own->row[n].pc))
            return forming_oldest(sm, own->row[n].pc);
    return forming_oldest(sm, ANY_PC);
}

/* The row of a pc; the number of rows if none. */
static u32 find_row(const struct table *own, u32 pc)
{
    u32 n = 0;
    while (n < own->rows && own->row[n].pc != pc)
        n++;
    return n;
}

static void joins(struct sm *sm, u32 pc, u32 threads)
{
    struct table *own = sm->policy;
    const u32 n = find_row(own, pc);
    if (n == sm->machine->dwf_majority_table) {
        count(sm, WS_COUNT_majority_overflows, 1);
        return;
    }
    if (n == own->rows)
        own->row[own->rows++] = (struct row){.pc = pc};
    own->row[n].threads += threads;
    if (n > 0 && own->row[n].threads > own->row[n - 1].threads) {
        const struct row risen = own->row[n];
        own->row[n] = own->row[n - 1];
        own->row[n - 1] = risen;
    }
}

static void leaves(struct sm *sm, u32 pc, u32 threads)
{
    struct table *own = sm->policy;
    u32 n = find_row(own, pc);
    own->keeps = true;
    own->pc = pc;
    if (n == own->rows)
        return;
    own->row[n].threads -= threads < own->row[n].threads ? threads : own->row[n].threads;
    if (own->row[n].threads > 0)
        return;
    for (own->rows--; n < own->rows; n++)
        own->row[n] = own->row[n + 1];
}

const struct oracle_policy oracle_policy_majority_table = {
    .start = start, .finish = finish, .pick = pick, .joins = joins, .leaves = leaves};
