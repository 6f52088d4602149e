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

// Pixels that splats of this group reach: where they are few, the group sums for them on its own
// first. Neighbours in the list are neighbours in the picture, and hundreds of particles may share a
// pixel, so that sums in global memory would wait for each other.
const int kTile = 512;
shared int sLow[2], sHigh[2];
shared uint sTile[4 * kTile];

uint indexIn(ivec2 at, ivec2 low, int width) {
  return 4u * uint((at.y - low.y) * width + at.x - low.x);
}

void add(Splat s, ivec2 lo, ivec2 hi, bool together, ivec2 low, int width) {
  for (int y = lo.y; y <= hi.y; ++y)
    for (int x = lo.x; x <= hi.x; ++x) {
      float coverage = s.colour.a * coverageOf(vec2(x, y) + 0.5 - s.centre, s.radius);
      uvec4 part = uvec4(vec4(s.colour.rgb * coverage, coverage) * kSumScale + 0.5);
      if (part.w == 0u) continue;
      uint k = indexIn(ivec2(x, y), low, width);
      for (uint c = 0u; c < 4u; ++c) {
        if (together)
          atomicAdd(sTile[k + c], part[c]);
        else
          atomicAdd(uSum[k + c], part[c]);
      }
    }
}

float number(int k) { return uintBitsToFloat(aInstance[k]); }

// Of this thread; false: none.
bool ownSplat(out Splat s) {
  int i = int(gl_GlobalInvocationID.x);
  if (i >= uCount.x) return false;
  if (uCount.y >= 0 && uint(uCount.y + i) >= sCount[1]) return false;
  int k = 6 * i;
  vec4 at = vec4(number(k), number(k + 1), number(k + 2), number(k + 3));
  int word = int(aInstance[k + 5]);
  ivec2 tag = ivec2((word << 16) >> 16, word >> 16);
  if (!finite(dot(at, vec4(1.0))) || at.w <= 0.0) return false;
  int level;
  bool rest = isRest(at.xyz, tag);
  if (skippedPoint(at.xyz, tag, rest, level)) return false;
  return splatOf(at, rest ? uQuiet.rgb : colourOf(number(k + 4)), level, s);
}

void main() {
  int thread = int(gl_LocalInvocationIndex);
  if (thread < 2) {
    sLow[thread] = uPart[2 + thread];
    sHigh[thread] = uPart[thread] - 1;
  }
  barrier();
  Splat s;
  ivec2 lo = uPart.zw, hi = uPart.xy - 1;
  if (ownSplat(s)) {
    float reach = min(splatReach(s.radius), kLargestSplat);
    lo = max(ivec2(ceil(s.centre - reach - 0.5)), uPart.xy);
    hi = min(ivec2(floor(s.centre + reach - 0.5)), uPart.zw - 1);
    if (lo.x <= hi.x && lo.y <= hi.y)
      for (int axis = 0; axis < 2; ++axis) {
        atomicMin(sLow[axis], lo[axis]);
        atomicMax(sHigh[axis], hi[axis]);
      }
  }
  barrier();
  ivec2 low = ivec2(sLow[0], sLow[1]), size = ivec2(sHigh[0], sHigh[1]) - low + 1;
  if (size.x <= 0) return;  // none is in the picture
  int words = 4 * size.x * size.y, width = uPart.z - uPart.x;
  bool together = words <= 4 * kTile;
  if (!together) {
    add(s, lo, hi, false, uPart.xy, width);
    return;
  }
  for (int k = thread; k < words; k += int(gl_WorkGroupSize.x)) sTile[k] = 0u;
  barrier();
  add(s, lo, hi, true, low, size.x);
  barrier();
  for (int k = thread; k < words; k += int(gl_WorkGroupSize.x)) {
    if (sTile[k] == 0u) continue;
    int pixel = k / 4;
    ivec2 at = low + ivec2(pixel % size.x, pixel / size.x);
    atomicAdd(uSum[indexIn(at, uPart.xy, width) + uint(k % 4)], sTile[k]);
  }
}
