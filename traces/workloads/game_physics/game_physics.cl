/* A step of a game's physics: soft objects of 16 points each, a point a work-item. Objects that sleep stay; one that is near no
 * obstacle falls freely; the others move in small steps, pushed out of the obstacles near them by springs. What an object does is
 * the same for all its points. ball is an object's centre and radius; an obstacle of two rows is a ball (centre and radius), a half
 * space (normal and offset) or a capsule (from the first row, with its radius, to the second); w of the second is its kind. */
#define POINTS 16

enum { BALL, HALF_SPACE, CAPSULE };

/* How far a place is outside of an obstacle; normal is where to. */
float outside(float4 place, float4 first, float4 second, float4 *normal)
{
    if (second.w == HALF_SPACE) {
        *normal = (float4)(first.xyz, 0.0f);
        return dot(*normal, place) - first.w;
    }
    float4 centre = (float4)(first.xyz, 0.0f);
    if (second.w == CAPSULE) {
        const float4 along = (float4)(second.xyz, 0.0f) - centre;
        centre += clamp(native_divide(dot(place - centre, along), dot(along, along)), 0.0f, 1.0f) * along;
    }
    const float4 way = place - centre;
    const float inverse = native_rsqrt(dot(way, way));
    *normal = inverse * way;
    return native_recip(inverse) - first.w;
}

__kernel void game_physics(__global float4 *places, __global float4 *speeds, __global const float4 *balls,
                           __global const uint *asleep, __global const float4 *obstacles, uint obstacle_count, float4 gravity,
                           float interval, uint steps)
{
    const uint point = get_global_id(0), object = point / POINTS;
    if (asleep[object])
        return;
    float4 place = places[point], speed = speeds[point], normal;
    const float4 ball = balls[object], centre = (float4)(ball.xyz, 0.0f);
    uint near = 0;
#pragma nounroll
    for (uint n = 0; n < obstacle_count; n++)
        if (outside(centre, obstacles[2 * n], obstacles[2 * n + 1], &normal) < ball.w)
            near |= 1u << n;

    if (near == 0) { /* what the steps below would do */
        const float time = interval * steps;
        place += time * speed + 0.5f * time * (time + interval) * gravity;
        speed += time * gravity;
    } else {
#pragma nounroll
        for (uint step = 0; step < steps; step++) {
            float4 force = gravity;
#pragma nounroll
            for (uint rest = near; rest; rest &= rest - 1) {
                const uint n = 31 - clz(rest & -rest);
                const float depth = -outside(place, obstacles[2 * n], obstacles[2 * n + 1], &normal);
                if (depth > 0.0f)
                    force += depth * (500.0f * normal - 20.0f * speed);
            }
            speed += interval * force;
            place += interval * speed;
        }
    }
    places[point] = place;
    speeds[point] = speed;
}
