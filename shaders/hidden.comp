// One bit for each sphere: whether something of it may be seen.
layout(local_size_x = 128) in;
layout(std430, binding = 4) writeonly buffer Bits { uint sBits[]; };
layout(location = 22) uniform int uRounds;
const int kMostPixels = 4096;  // larger spheres are always drawn
shared uint sWord[4];

bool seenAt(Ball b, uint i, ivec2 p, float nearest, float least) {
  int n = pixelCount(), k = pixelAt(p);
  for (int round = 0; round < uRounds; ++round) {
    int shield = n * (kShields + 2 * round) + k;
    uint steps = sPixel[shield];
    if (steps == kNone) break;
    bool behind = nearest > depthOfSteps(steps);
    if (b.kind == kFaint) {
      if (behind) return false;
      break;
    }
    uint from = sPixel[shield + n];
    if ((from & kOverwrites) != 0u ? behind || i < (from ^ kOverwrites) : behind && i >= from)
      return false;
  }
  return meet(b, p).x > -0.5 - least;
}

bool seen(uint i) {
  Ball b = ballOf(int(i));
  ivec2 size = sizeOf(b);
  if (b.kind == kAbsent || size.x <= 0 || size.y <= 0) return false;
  if (b.kind == kUnsure || size.x * size.y > kMostPixels) return true;
  float least = blur(b), nearest = nearestForSure(b);
  if (behindTiles(b, kHiddenTiles, nearest, 0u)) return false;
  for (int y = b.part.y; y < b.part.w; ++y)
    for (int x = b.part.x; x < b.part.z; ++x)
      if (seenAt(b, i, ivec2(x, y), nearest, least)) return true;
  return false;
}

void main() {
  uint all = uint(instances()), lane = gl_LocalInvocationIndex;
  for (uint g = gl_WorkGroupID.x; g * 128u < uint(uCount.x); g += gl_NumWorkGroups.x) {
    if (lane < 4u) sWord[lane] = 0u;
    barrier();
    uint i = g * 128u + lane;
    if (i < all && seen(i)) atomicOr(sWord[lane >> 5], 1u << (lane & 31u));
    barrier();
    if (lane < 4u) sBits[g * 4u + lane] = sWord[lane];
  }
}
