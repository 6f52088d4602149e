// Coverage of particles that are too small to resolve, in linear light: summed per pixel in fixed
// point, so that the sum depends neither on the order nor on rounding. A thread for each particle:
// rasterising as many points would leave a GPU made for computing nearly idle.
// SPACE: spheres, otherwise disks of the plane.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer Instances { uint aInstance[]; };  // six for each
layout(std430, binding = 1) buffer Sums { uint uSum[]; };  // per pixel: rgb times coverage, coverage
layout(std430, binding = 2) readonly buffer Counts { uint sCount[]; };  // [1]: of the layer
layout(location = 9) uniform ivec2 uCount;  // instances; number of the first where sCount counts
layout(location = 10) uniform ivec4 uPart;  // of the picture: first pixel, end
layout(location = 11) uniform float uLarger;  // factor by which disks are enlarged

struct Splat {
  vec2 centre;    // pixels
  float radius;
  vec4 colour;    // linear rgb, opacity
};

#ifdef SPACE
// Middle of x / -z covered by the sphere, seen from the origin in the (x, z) plane.
float middleOf(float x, float z, float r) { return -x * z / (z * z - r * r); }

bool splatOf(vec4 at, vec3 colour, int level, out Splat s) {
  vec3 c = (uView * vec4(at.xyz, 1.0)).xyz;
  float r = 0.5 * at.w * uSmaller;
  if (-c.z - r < uCue.w) return false;
  bool parallel = uEye.x > 0.5;
  vec2 middle = parallel ? c.xy : vec2(middleOf(c.x, c.z, r), middleOf(c.y, c.z, r));
  s.centre = uFrame.xy + 0.5 * uFrame.zw + middle * uScale.x;
  s.radius = parallel ? r * uScale.x : r * uScale.x / max(-c.z, 1e-6);
  vec3 faded = mix(colour, uBackground.rgb, cueAt(eyeDistance(c)));
  s.colour = vec4(linearFromSrgb(faded), opacityOf(level));
  return true;
}
#else
bool splatOf(vec4 at, vec3 colour, int level, out Splat s) {
  s.centre = pixelOf(uProjection * (uView * vec4(at.xy, 0.0, 1.0)));
  s.radius = 0.5 * at.w * uScale.x * uLarger;
  s.colour = vec4(linearFromSrgb(colour), opacityOf(level));
  return true;
}
#endif

// Integral of the unit tent up to x.
vec2 tentSum(vec2 x) {
  vec2 low = 0.5 * (1.0 + x) * (1.0 + x), high = 1.0 - 0.5 * (1.0 - x) * (1.0 - x);
  return mix(low, high, step(0.0, x));
}

float coverageOf(vec2 p, float r) {  // p: pixel minus centre
  p = abs(p);
  if (r >= kSplatRadius) return clamp(sqrt(r * r - 1.0 / 12.0) + 0.5 - length(p), 0.0, 1.0);
  // A square of the disk's area under a tent over the pixel grid: the weights sum to that area
  // wherever the centre lies, so that neither single particles flicker nor lattices beat with
  // the pixels.
  float halfSide = 0.8862269 * r;  // side sqrt(pi) r
  vec2 part = tentSum(clamp(p + halfSide, -1.0, 1.0)) - tentSum(clamp(p - halfSide, -1.0, 1.0));
  return part.x * part.y;
}

void add(Splat s) {
  float reach = min(splatReach(s.radius), kLargestSplat);
  ivec2 lo = max(ivec2(ceil(s.centre - reach - 0.5)), uPart.xy);
  ivec2 hi = min(ivec2(floor(s.centre + reach - 0.5)), uPart.zw - 1);
  for (int y = lo.y; y <= hi.y; ++y)
    for (int x = lo.x; x <= hi.x; ++x) {
      float coverage = s.colour.a * coverageOf(vec2(x, y) + 0.5 - s.centre, s.radius);
      uvec4 part = uvec4(vec4(s.colour.rgb * coverage, coverage) * kSumScale + 0.5);
      if (part.w == 0u) continue;
      uint k = 4u * uint((y - uPart.y) * (uPart.z - uPart.x) + x - uPart.x);
      atomicAdd(uSum[k], part.x);
      atomicAdd(uSum[k + 1u], part.y);
      atomicAdd(uSum[k + 2u], part.z);
      atomicAdd(uSum[k + 3u], part.w);
    }
}

float number(int k) { return uintBitsToFloat(aInstance[k]); }

void main() {
  int i = int(gl_GlobalInvocationID.x);
  if (i >= uCount.x) return;
  if (uCount.y >= 0 && uint(uCount.y + i) >= sCount[1]) return;
  int k = 6 * i;
  vec4 at = vec4(number(k), number(k + 1), number(k + 2), number(k + 3));
  int word = int(aInstance[k + 5]);
  ivec2 tag = ivec2((word << 16) >> 16, word >> 16);
  if (!finite(dot(at, vec4(1.0))) || at.w <= 0.0) return;
  int level;
  bool rest = isRest(at.xyz, tag);
  if (skippedPoint(at.xyz, tag, rest, level)) return;
  Splat s;
  if (splatOf(at, rest ? uQuiet.rgb : colourOf(number(k + 4)), level, s)) add(s);
}
