/* Scores of all alignments of the beginnings of two DNA sequences (Needleman and Wunsch): score, of (length + 1) x (length + 1) in
 * rows, has in its last element that of the best alignment of the whole. One work-group goes from anti-diagonal to anti-diagonal,
 * with a barrier after each, every work-item a cell at a time. */
#define MATCH    2
#define MISMATCH -1
#define GAP      -2

__kernel void needleman(__global const uchar *first, __global const uchar *second, __global int *score, uint length)
{
    const uint item = get_local_id(0);
    const uint items = get_local_size(0);
    const uint pitch = length + 1;
    for (uint n = item; n <= length; n += items) {
        score[n] = (int)n * GAP;
        score[n * pitch] = (int)n * GAP;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    /* Cells of a diagonal: row + column is its number. */
    for (uint diagonal = 2; diagonal <= 2 * length; diagonal++) {
        const uint top = diagonal > length ? diagonal - length : 1, bottom = min(diagonal - 1, length);
        for (uint row = top + item; row <= bottom; row += items) {
            const uint column = diagonal - row;
            __global int *const cell = &score[row * pitch + column];
            const int pair = cell[-(int)pitch - 1] + (first[row - 1] == second[column - 1] ? MATCH : MISMATCH);
            const int gap = max(cell[-(int)pitch], cell[-1]) + GAP;
            *cell = max(pair, gap);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
