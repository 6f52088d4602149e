// Vertex and compute stage: what the instances of a layer share.
layout(location = 0) uniform vec4 uMap;   // origin, 1 / span (0: none), number of categories (or 0), 1: wraps
layout(location = 1) uniform int uWhich;  // 0 all, 1 active, 2 inactive
layout(location = 2) uniform vec4 uUndefined;
layout(location = 5) uniform ivec2 uLevels;  // lowest and highest level shown
layout(location = 6) uniform float uFade;   // opacity of the whole layer
layout(location = 12) uniform uint uTypes;  // bit i: type i is shown; types from 32 on always are
layout(location = 13) uniform int uMark;    // of every instance; -1: from the colour table
layout(location = 7) uniform float uSmaller;  // spheres: factor of their diameters
layout(location = 14) uniform vec4 uQuiet;  // w = 1: the colour of all instances
layout(binding = 0) uniform sampler2D uColours;  // one row: rgb, index into kMarks

const vec4 kOutside = vec4(2.0, 2.0, 2.0, 1.0);

// By the bits: a driver may take for granted that comparisons never meet a NaN.
bool finite(float v) { return (floatBitsToUint(v) & 0x7f800000u) != 0x7f800000u; }

// Entry of a value in a table of categories, 0 in other tables.
int entryOf(float value) {
  if (uMap.z <= 0.0 || !finite(value)) return 0;
  return int(mod(floor(clamp(value, 0.0, 65535.0) + 0.5), uMap.z));
}

int markOf(float value) {
  if (uMark >= 0) return uMark;
  return int(texelFetch(uColours, ivec2(entryOf(value), 0), 0).a + 0.5);
}

// Of a finite value. Entries are fetched and not sampled, so that all tables share one sampler state:
// drivers that compile a shader for each state then compile it once.
vec3 tableColour(float value) {
  if (uMap.z > 0.0) return texelFetch(uColours, ivec2(entryOf(value), 0), 0).rgb;
  float t = uMap.y > 0.0 ? (value - uMap.x) * uMap.y : 0.5;
  bool wraps = uMap.w > 0.5;
  int n = textureSize(uColours, 0).x;
  float at = (wraps ? fract(t) : clamp(t, 0.0, 1.0)) * float(n) - 0.5;
  int lower = int(floor(at)), upper = lower + 1;
  ivec2 entry = wraps ? ivec2((lower + n) % n, upper % n) : clamp(ivec2(lower, upper), 0, n - 1);
  return mix(texelFetch(uColours, ivec2(entry.x, 0), 0).rgb, texelFetch(uColours, ivec2(entry.y, 0), 0).rgb,
             at - float(lower));
}

vec3 colourOf(float value) {
  if (kMarks[markOf(value)].ink) return uBackground.w > 0.5 ? vec3(1.0) : vec3(0.05);
  if (!finite(value)) return uUndefined.rgb;
  if (uQuiet.w > 0.5) return uQuiet.rgb;
  return tableColour(value);
}

// Inactive instances (level < 0) are drawn at 15 % opacity.
float opacityOf(int level) { return uFade * (level < 0 ? 0.15 : 1.0); }
// Of a tag: level, type.
int typeOf(ivec2 tag) { return tag.y & 0x7fff; }
// kHoldsBoxes, sim/api/frame.h; not where those of higher levels are not shown.
bool holdsBoxes(ivec2 tag) { return (tag.y & 0x8000) != 0 && tag.x < uLevels.y; }
// Particles beside a selection: 0 as they are, 1 dimmed, 2 hidden.
layout(location = 18) uniform int uRest;
layout(location = 19) uniform int uUncut;  // 1: slabs do not act; 2: no fading with depth

bool inSelectedBox(vec3 at) {
  for (uint i = 0u; i < min(uSelectTypes.y, 64u); ++i)
    if (all(greaterThanEqual(at, uSelectLo[i].xyz)) && all(lessThan(at, uSelectHi[i].xyz))) return true;
  return false;
}
// A cell or box in the middle of which this is, beside those that are selected.
bool isRestBox(vec3 middle) { return uRest != 0 && uSelectTypes.y > 0u && !inSelectedBox(middle); }

bool isRest(vec3 at, ivec2 tag) {
  if (uRest == 0) return false;
  int type = typeOf(tag);
  if (type < 32 && (uSelectTypes.x & (1u << type)) == 0u) return true;
  if (uSelectTypes.y > 0u && !inSelectedBox(at)) return true;
  if (uSelect.w < 0.0) return false;
  vec3 d = at - uSelect.xyz, box = max(uSelectBox.xyz, vec3(1e-6));
  d -= mix(vec3(0.0), box * round(d / box), greaterThan(uSelectBox.xyz, vec3(0.0)));
  return dot(d, d) > uSelect.w * uSelect.w;
}
// tag: level, type
bool leftOut(ivec2 tag) {
  if (tag.x >= 0 && (tag.x < uLevels.x || tag.x > uLevels.y)) return true;
  int type = typeOf(tag);
  return type < 32 && (uTypes & (1u << type)) == 0u;
}
bool otherTurn(int level) { return (uWhich == 1 && level < 0) || (uWhich == 2 && level >= 0); }
bool skipped(ivec2 tag) { return leftOut(tag) || otherTurn(tag.x); }
// A particle: whether it is not drawn now. `level` becomes that of inactive ones where it is dimmed.
bool skippedPoint(vec3 at, ivec2 tag, bool rest, out int level) {
  level = rest ? -1 : tag.x;
  return leftOut(tag) || otherTurn(level) || (rest && uRest == 2) || cutAway(at);
}
