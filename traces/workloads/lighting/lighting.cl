/* Deferred lighting: a pixel a work-item. Its place (seen from the origin) and normal are known; each kind of material has a path
 * of its own, which goes over the lights that reach the pixel. A light is a place and range, and a colour. The parameter of a
 * pixel's material, from 0 to 1, is w of its normal. */
enum { GLOWING, MATTE, ROUGH, PLASTIC, METAL, CLOTH, SKIN, CAR_PAINT };

/* A highlight around the direction halfway between light and eye: Beckmann's distribution, Schlick's Fresnel term. */
float facets(float halfway, float view, float width)
{
    const float square = halfway * halfway, slope = native_divide(1.0f - square, square * width);
    const float grazing = 1.0f - view, grazing_2 = grazing * grazing;
    return native_divide(native_exp(-slope), width * square * square) * (0.1f + 0.9f * grazing_2 * grazing_2 * grazing);
}

/* What a material sends to the eye of light from a direction. */
float4 reflected(int material, float4 colour, float parameter, float4 normal, float4 eye, float4 light)
{
    const float falling = dot(normal, light), lit = max(falling, 0.0f), view = max(dot(normal, eye), 0.05f);
    const float4 middle = light + eye;
    const float halfway = clamp(dot(normal, middle) * native_rsqrt(dot(middle, middle)), 0.05f, 1.0f);
    switch (material) {
    case ROUGH: {
        const float4 side = light - falling * normal;
        const float square = parameter * parameter, side_of_eye = max(dot(side, eye), 0.0f);
        const float swing = native_divide(square, square + 0.09f) * native_divide(side_of_eye, max(lit, view));
        return lit * (1.0f - 0.5f * native_divide(square, square + 0.33f) + 0.45f * swing) * colour;
    }
    case PLASTIC:
        return lit * (colour + native_powr(halfway, 8.0f + 56.0f * parameter));
    case METAL:
        return lit * min(facets(halfway, view, 0.05f + 0.2f * parameter), 8.0f) * colour;
    case CLOTH: {
        const float rim = 1.0f - min(view, 1.0f);
        return lit * (colour + parameter * rim * rim * rim);
    }
    case SKIN:
        return native_divide(max(falling + parameter, 0.0f), 1.0f + parameter) * colour + 0.2f * lit * native_powr(halfway, 16.0f);
    case CAR_PAINT:
        return lit * (colour + 0.5f * native_powr(halfway, 12.0f) * parameter + min(facets(halfway, view, 0.05f), 8.0f));
    default:
        return lit * colour;
    }
}

/* All lights that reach the place, on one material. */
float4 shine(int material, float4 colour, float4 place, float4 normal, __global const float4 *lights, uint light_count)
{
    const float parameter = normal.w;
    const float4 up = (float4)(normal.xyz, 0.0f), eye = -native_rsqrt(dot(place, place)) * place;
    float4 sum = 0.05f * colour;
#pragma nounroll
    for (uint n = 0; n < light_count; n++) {
        const float4 light = lights[2 * n], way = (float4)(light.xyz, 0.0f) - place;
        const float square = dot(way, way), range = light.w * light.w;
        if (square < range) {
            const float fade = 1.0f - native_divide(square, range);
            sum += fade * fade * lights[2 * n + 1] * reflected(material, colour, parameter, up, eye, native_rsqrt(square) * way);
        }
    }
    return sum;
}

__kernel void lighting(__global const float4 *places, __global const float4 *normals, __global const float4 *colours,
                       __global const uint *materials, __global const float4 *lights, __global float4 *pixels, uint light_count)
{
    const uint pixel = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const float4 place = places[pixel], normal = normals[pixel], colour = colours[pixel];
    float4 seen;
    switch (materials[pixel]) {
#define PATH(material)                                                                                                             \
    case material:                                                                                                                 \
        seen = shine(material, colour, place, normal, lights, light_count);                                                        \
        break;
        PATH(MATTE)
        PATH(ROUGH)
        PATH(PLASTIC)
        PATH(METAL)
        PATH(CLOTH)
        PATH(SKIN)
        PATH(CAR_PAINT)
    default: /* GLOWING */
        seen = colour;
    }
    pixels[pixel] = seen;
}
