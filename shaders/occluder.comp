// NEAREST: the nearest opaque sphere of each pixel. Otherwise: whether a sphere that is drawn
// before it lies in front of it and covers the pixel partly. Then it shines through there, with
// whatever was drawn before, and the nearest sphere is not drawn at all.
layout(local_size_x = 64) in;
// Which spheres: 0 all, 1 near, 2 large; 1: the first round; steps behind which they are not near.
layout(location = 22) uniform ivec3 uRound;
const int kLargePixels = 400;  // a thread looks at so many; larger spheres have a group each

// How many of them are drawn before the end of the group of spheres that a key names.
uint endOf(uint key) { return ((key & ((1u << uKeys.x) - 1u)) + 1u) << uKeys.y; }

// True where the sphere may come in front of what lies there, or not far behind.
bool visit(Ball b, uint i, ivec2 p, float least) {
  int n = pixelCount(), k = pixelAt(p);
#ifdef NEAREST
  if (b.kind != kSolid || i >= sPixel[n * kBound + k]) return false;
  if (b.nearest > depthOfSteps(sPixel[k] >> uKeys.x)) return false;
  vec2 at = meet(b, p);
  if (at.x < 0.5 + least) return false;
  uint steps = stepsOf(at.y + b.slack);
  if (steps >= min(mostSteps(), sPixel[n * kLimit + k])) return false;
  atomicMin(sPixel[k], steps << uKeys.x | i >> uKeys.y);
  return true;
#else
  uint key = sPixel[k];
  if (key == kNone) return true;
  float depth = depthOfSteps(key >> uKeys.x), room = apart(b.nearest) + b.slack;
  if (b.nearest - room > depth)
    return b.nearest - room <= depthOfSteps((key >> uKeys.x) + uint(uRound.z));
  if (i >= endOf(key) || (sPixel[n * kEarly + k] <= i && sPixel[n * kSure + k] <= i)) return true;
  vec2 at = meet(b, p);
  bool whole = b.kind == kSolid && at.x >= 0.51 + least;
  if (at.x < -0.5 - least || whole || at.y - room > depth) return true;
  atomicMin(sPixel[n * kEarly + k], i);
  if (b.kind == kSolid && at.x > -0.5 + least && at.y + b.slack <= depth)
    atomicMin(sPixel[n * kSure + k], i);
  return true;
#endif
}

void look(uint i, int first, int stride) {
  Ball b = ballOf(int(i));
  if (b.kind == kAbsent || b.kind == kFaint) return;
  ivec2 size = sizeOf(b);
  bool large = size.x * size.y > kLargePixels, near = false;
  if (large != (uRound.x == 2)) {
#ifdef NEAREST
    if (uRound.y != 0) sList[2u + atomicAdd(sList[0], 1u)] = i;
#endif
    return;
  }
#ifndef NEAREST
  if (uRound.x == 0 && behindTiles(b, kNearTiles, nearestForSure(b), uint(uRound.z))) return;
#endif
  float least = blur(b);
  for (int j = first; j < size.x * size.y; j += stride)
    if (visit(b, i, b.part.xy + ivec2(j % size.x, j / size.x), least)) near = true;
#ifndef NEAREST
  if (near && uRound.x == 0)  // only of the first round
    sList[2u + uint(uCount.x) + atomicAdd(sList[1], 1u)] = i;
#endif
}

void main() {
  uint all = uint(instances()), threads = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  if (uRound.x == 2) {
    for (uint j = gl_WorkGroupID.x; j < sList[0]; j += gl_NumWorkGroups.x)
      look(sList[2u + j], int(gl_LocalInvocationID.x), int(gl_WorkGroupSize.x));
  } else if (uRound.x == 1) {
    for (uint j = gl_GlobalInvocationID.x; j < sList[1]; j += threads)
      look(sList[2u + uint(uCount.x) + j], 0, 1);
  } else {
    for (uint i = gl_GlobalInvocationID.x; i < all; i += threads) look(i, 0, 1);
  }
}
