// Vertex and compute stage: what the instances of a layer share.
layout(location = 0) uniform vec4 uMap;   // origin, 1 / span (0: none), number of categories (or 0)
layout(location = 1) uniform vec4 uLayer; // 0 all, 1 active, 2 inactive; arrowheads; hatching
layout(location = 2) uniform vec4 uUndefined;
layout(location = 5) uniform vec2 uLevels;  // lowest and highest level shown
layout(location = 6) uniform float uFade;   // opacity of the whole layer
layout(binding = 0) uniform sampler2D uColours;

const vec4 kOutside = vec4(2.0, 2.0, 2.0, 1.0);

// By the bits: a driver may take for granted that comparisons never meet a NaN.
bool finite(float v) { return (floatBitsToUint(v) & 0x7f800000u) != 0x7f800000u; }

vec3 colourOf(float value) {
  if (!finite(value)) return uUndefined.rgb;
  if (uMap.z > 0.0) {
    float i = floor(clamp(value, 0.0, 65535.0) + 0.5);
    return texelFetch(uColours, ivec2(int(mod(i, uMap.z)), 0), 0).rgb;
  }
  float t = uMap.y > 0.0 ? (value - uMap.x) * uMap.y : 0.5;
  return textureLod(uColours, vec2(t, 0.5), 0.0).rgb;
}

// Checkerboard set of a value where the layer shows sets, else -1.
float setOf(float value) {
  return uLayer.z > 0.5 && finite(value) ? mod(floor(max(value, 0.0) + 0.5), 4.0) : -1.0;
}

// Inactive instances (level < 0) are drawn at 15 % opacity.
float opacityOf(float level) { return uFade * (level < 0.0 ? 0.15 : 1.0); }
bool skipped(float level) {
  if (level >= 0.0 && (level < uLevels.x || level > uLevels.y)) return true;
  return (uLayer.x == 1.0 && level < 0.0) || (uLayer.x == 2.0 && level >= 0.0);
}
