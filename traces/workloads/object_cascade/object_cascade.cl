/* A cascade of classifiers by Viola and Jones: a work-item looks for the object in the window at its place, stage by stage, until
 * one rejects it. sums and squares have at (x, y) what all pixels above and to the left add up to, in rows of width. A feature
 * compares a part of a rectangle with the whole, in units of the window's deviation, and votes; a stage wants least votes. passed
 * is how many stages the window has passed. */
#define WINDOW 24

struct feature {
    int4 whole, part; /* left, top, width, height */
    int weight, threshold, over, under;
};

uint inside(__global const uint *corner, int width, int4 part)
{
    __global const uint *const top = corner + part.y * width + part.x, *const bottom = top + part.w * width;
    return bottom[part.z] - bottom[0] - top[part.z] + top[0];
}

__kernel void object_cascade(__global const uint *sums, __global const uint *squares, __constant struct feature *features,
                             __constant int2 *stages, __global uint *passed, int width, uint stage_count)
{
    const int at = get_global_id(1) * width + get_global_id(0), area = WINDOW * WINDOW;
    const ulong sum = inside(sums + at, width, (int4)(0, 0, WINDOW, WINDOW));
    const ulong square = inside(squares + at, width, (int4)(0, 0, WINDOW, WINDOW));
    const int deviation = (int)sqrt((float)(uint)((area * square - sum * sum) / (area * area / 16))); /* in quarters of a grey */
    uint stage = 0;
    int n = 0;
#pragma nounroll
    for (; stage < stage_count; stage++) {
        int votes = 0;
#pragma nounroll
        for (; n < stages[stage].x; n++) {
            const int part = inside(sums + at, width, features[n].part), whole = inside(sums + at, width, features[n].whole);
            const int value = features[n].weight * part - whole;
            votes += 16 * value > features[n].threshold * deviation ? features[n].over : features[n].under;
        }
        if (votes < stages[stage].y)
            break;
    }
    passed[get_global_id(1) * get_global_size(0) + get_global_id(0)] = stage;
}
