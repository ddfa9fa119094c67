#!/usr/bin/env bash
# Oclgrind 21.10: conversions to integers with _rtp and _rtn round a negative fraction in the other direction.
#   convert_int_rtp(-0.5f) is -1, convert_int_rtn(-0.5f) is 0; of +0.5 they are 1 and 0, as they should be.
# Guess: 0 and -1: _rtp rounds to positive infinity, _rtn to negative infinity (OpenCL C 1.2, 6.2.3.2).
. "$(dirname "$0")/oclgrind"
same "$(words 4 <<'END'
kernel void k(global uint *r)
{
    const float half_ = as_float(r[0] + 0x3f000000u);
    const int a = convert_int_rtp(-half_), b = convert_int_rtn(-half_), c = convert_int_rtp(half_), d = convert_int_rtn(half_);
    r[0] = a;
    r[1] = b;
    r[2] = c;
    r[3] = d;
}
END
)" '0xffffffff 0x00000000 0x00000001 0x00000000 '
