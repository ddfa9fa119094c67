/* Decodes blocks of a convolutional code of rate 1/2 and constraint length 3 (generators 7 and 5, octal) by Viterbi's algorithm,
 * with hard decisions. A block begins and ends in state 0. symbols has two coded bits a byte and step, the first generator's above
 * the second's; step s of block b lies at s * blocks + b, and so do survivors and decoded bits. A state is the last two bits of the
 * input, the newest above. survivors keeps for each step a bit a state: whether the better path came from the odd one of the two
 * states before it. */
#define STATES 4
#define NEVER  0x10000u /* metric of a state that no path has reached */

__kernel void viterbi(__global const uchar *symbols, __global uchar *survivors, __global uchar *decoded, uint blocks, uint steps)
{
    for (size_t block = get_local_id(0); block < blocks; block += get_local_size(0)) {
        uint metric[2][STATES];
        for (uint state = 0; state < STATES; state++)
            metric[0][state] = state == 0 ? 0 : NEVER;

        for (uint step = 0; step < steps; step++) {
            const uint received = symbols[step * blocks + block];
            const uint *before = metric[step % 2];
            uint *after = metric[(step + 1) % 2];
            uint odd = 0;
            /* States 2b and 2b + 1 lead to b with a 0 and to b + 2 with a 1; the four codes are 2b or its complement. */
            for (uint b = 0; b < STATES / 2; b++) {
                const uint differs = received ^ 2 * b;
                const uint far = (differs & 1) + (differs >> 1), near = 2 - far;
                const uint even_path = before[2 * b], odd_path = before[2 * b + 1];
                uint zero = even_path + far, one = even_path + near;
                if (odd_path + near < zero) {
                    zero = odd_path + near;
                    odd |= 1 << b;
                }
                if (odd_path + far < one) {
                    one = odd_path + far;
                    odd |= 4 << b;
                }
                after[b] = zero;
                after[b + 2] = one;
            }
            survivors[step * blocks + block] = (uchar)odd;
        }

        uint state = 0;
        for (uint step = steps; step-- > 0;) {
            decoded[step * blocks + block] = (uchar)(state >> 1);
            state = (2 * state & 2) | (survivors[step * blocks + block] >> state & 1);
        }
    }
}
