/* Scores of sequences against a profile hidden Markov model of the Plan 7 architecture, by Viterbi's algorithm: the best path's log
 * odds in thousandths of a bit. A work-item has a sequence, from begins[n] to begins[n + 1] among the residues.
 *
 * The model's states are M, I and D for each position from 1 on, and N, B, E, C, J around them. scores has a row of the model's
 * length + 1 each for the logarithms of its transitions and of entering (B to M) and leaving (M to E) at a position, then of what M
 * and I emit, a row a residue. loop and move are the transitions of N, C and J, turn is E's to C or J.
 *
 * cells holds for every residue of a sequence, and before the first, rows of M, I and D as long, then E; none is reused. They are
 * volatile: a better score is stored behind a branch, as in code without conditional instructions. */
#define NEVER (-987654321)

enum { MM, MI, MD, IM, II, DM, DD, ENTER, LEAVE, EMITTED, RESIDUES = 20 };

/* The better of two scores, of which the one is in its place. */
static int better(int best, int score, volatile __global int *place)
{
    if (score > best) {
        *place = score;
        return score;
    }
    return best;
}

__kernel void hmmer_viterbi(__global const uchar *residues, __global const uint *begins, __global const int *scores,
                            volatile __global int *cells, __global int *results, int length, int loop, int move, int turn)
{
    const uint sequence = get_global_id(0), begin = begins[sequence], end = begins[sequence + 1];
    const int row = length + 1, step = 3 * row + 1;
    volatile __global int *m = cells + step * (begin + sequence), *i = m + row, *d = i + row;
    for (int k = 0; k <= length; k++)
        m[k] = i[k] = d[k] = NEVER;
    int n_state = 0, b_state = move, j_state = NEVER, c_state = NEVER;

#pragma nounroll
    for (uint place = begin; place < end; place++) {
        __global const int *const emit_m = scores + (EMITTED + residues[place]) * row, *const emit_i = emit_m + RESIDUES * row;
        volatile __global int *const m_before = m, *const i_before = i, *const d_before = d;
        m += step;
        i += step;
        d += step;
        int e_state = NEVER;
        m[0] = i[0] = d[0] = d[row] = e_state;
#pragma nounroll
        for (int k = 1; k <= length; k++) {
            int best = m_before[k - 1] + scores[MM * row + k - 1];
            m[k] = best;
            best = better(best, i_before[k - 1] + scores[IM * row + k - 1], m + k);
            best = better(best, d_before[k - 1] + scores[DM * row + k - 1], m + k);
            best = better(best, b_state + scores[ENTER * row + k], m + k);
            best += emit_m[k];
            m[k] = best;
            best = better(best, NEVER, m + k);
            e_state = better(e_state, best + scores[LEAVE * row + k], d + row);

            best = d[k - 1] + scores[DD * row + k - 1];
            d[k] = best;
            best = better(best, m[k - 1] + scores[MD * row + k - 1], d + k);
            better(best, NEVER, d + k);

            if (k < length) {
                best = m_before[k] + scores[MI * row + k];
                i[k] = best;
                best = better(best, i_before[k] + scores[II * row + k], i + k);
                best += emit_i[k];
                i[k] = best;
                better(best, NEVER, i + k);
            }
        }
        n_state += loop;
        j_state = max(max(j_state + loop, e_state + turn), NEVER);
        c_state = max(max(c_state + loop, e_state + turn), NEVER);
        b_state = max(n_state, j_state) + move;
    }
    results[sequence] = c_state + move;
}
