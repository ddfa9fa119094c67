/* Renders spheres over a plane: a work-item follows the ray of one pixel through up to 5 reflections, with a light, its shadows and
 * highlights. A ray starts at from and goes along a vector of length 1. objects[0].y is the height of the plane; the other objects
 * are spheres, w is their radius. A colour is red, green, blue from 0 to 1. The eye is at z = 0 and sees, towards negative z, the
 * square from -1 to 1 at distance 2 in the shorter side of the image. A pixel has a byte each of red, green and blue, the lowest
 * first. */
#define OBJECTS    4
#define DEPTH      5
#define FAR        10000.0f
#define LIGHT      ((float3)(10.0f, 10.0f, 10.0f))
#define AMBIENT    0.05f
#define DIFFUSE    0.3f
#define HIGHLIGHT  0.8f
#define REFLECTION 0.8f
#define ABOVE      1e-3f /* a surface: where rays leave it */

static float3 unit(float3 v)
{
    return v * native_rsqrt(dot(v, v));
}

/* How far along the ray the plane is; not positive where it is behind. */
static float meet_plane(float3 from, float3 along, float height)
{
    return native_divide(height - from.y, along.y);
}

/* How far along the ray the sphere is, seen from in it too; not positive where they do not meet. */
static float meet_sphere(float3 from, float3 along, float4 sphere)
{
    const float3 way = sphere.xyz - from;
    const float middle = dot(way, along), squared = dot(way, way), radius = sphere.w * sphere.w;
    const float across = squared - middle * middle;
    if (across > radius || (middle < 0.0f && squared > radius))
        return 0.0f;
    const float half_chord = native_sqrt(radius - across);
    return squared > radius ? middle - half_chord : middle + half_chord;
}

static float meet(float3 from, float3 along, __constant float4 *objects, uint n)
{
    return n == 0 ? meet_plane(from, along, objects[0].y) : meet_sphere(from, along, objects[n]);
}

/* The object that the ray meets first; OBJECTS for none. */
static uint nearest(float3 from, float3 along, __constant float4 *objects, float *distance)
{
    uint found = OBJECTS;
    *distance = FAR;
#pragma nounroll
    for (uint n = 0; n < OBJECTS; n++) {
        const float t = meet(from, along, objects, n);
        if (t > 0.0f && t < *distance) {
            *distance = t;
            found = n;
        }
    }
    return found;
}

/* The plane is beneath all, and shades nothing. */
static bool is_lit(float3 from, float3 along, __constant float4 *objects)
{
    bool lit = true;
#pragma nounroll
    for (uint n = 1; n < OBJECTS && lit; n++)
        lit = !(meet_sphere(from, along, objects[n]) > 0.0f);
    return lit;
}

/* x to the 50th power. */
static float sharpen(float x)
{
    const float x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8;
    return x16 * x16 * x16 * x2;
}

/* What the point that the ray has met gives of its own: some light from everywhere, and of the light, where it is seen. */
static float3 shade(float3 point, float3 along, float3 normal, __constant float4 *objects, float3 colour)
{
    const float3 light = unit(LIGHT - point);
    const float lambert = dot(normal, light);
    float3 share = AMBIENT * colour;
    if (lambert > 0.0f && is_lit(point + ABOVE * normal, light, objects))
        share += DIFFUSE * lambert * colour + HIGHLIGHT * sharpen(max(0.0f, dot(normal, unit(light - along))));
    return share;
}

static uint pack(float3 colour)
{
    const uint3 bytes = convert_uint3(clamp(colour, 0.0f, 1.0f) * 255.0f);
    return bytes.x | bytes.y << 8 | bytes.z << 16;
}

__kernel void ray_render(__constant float4 *objects, __constant float4 *colours, __global uint *pixels, uint width, uint height)
{
    const uint column = get_global_id(0), row = get_global_id(1);
    const bool inside = column < width && row < height;
    const float pixel = native_divide(2.0f, (float)min(width, height));
    float3 from = (float3)(0.0f, 0.0f, 0.0f);
    float3 along = unit((float3)(((float)column - 0.5f * width) * pixel, ((float)row - 0.5f * height) * pixel, -2.0f));
    float3 sum = (float3)(0.0f, 0.0f, 0.0f);
    float weight = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    bool goes_on = inside;
#pragma nounroll
    for (uint depth = 0; goes_on && depth < DEPTH; depth++) {
        float distance;
        const uint object = nearest(from, along, objects, &distance);
        goes_on = object < OBJECTS;
        if (goes_on) {
            from += distance * along;
            const float3 normal = object == 0 ? (float3)(0.0f, 1.0f, 0.0f) : unit(from - objects[object].xyz);
            sum += weight * shade(from, along, normal, objects, colours[object].xyz);
            weight *= REFLECTION;
            along = unit(along - 2.0f * dot(normal, along) * normal);
            from += ABOVE * normal;
        }
    }
    if (inside)
        pixels[row * width + column] = pack(sum);
}
