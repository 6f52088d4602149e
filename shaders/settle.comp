// What each pixel knows at the begin and at the end of a round, a thread for each tile.
layout(local_size_x = 64) in;
// Number of the round, of all; steps in which later rounds look for spheres; what to do.
layout(location = 22) uniform ivec4 uRound;
const int kBegin = 0, kNear = 1, kEnd = 2;

void begin(int n, int k) {
  sPixel[n * kKey + k] = kNone;
  sPixel[n * kEarly + k] = kNone;
  sPixel[n * kSure + k] = kNone;
  sPixel[n * kBound + k] = kNone;
  sPixel[n * kLimit + k] = kNone;
}

void end(int n, int k) {
  uint key = sPixel[n * kKey + k], early = sPixel[n * kEarly + k], sure = sPixel[n * kSure + k];
  int shield = n * (kShields + 2 * uRound.x) + k;
  bool settled = early == kNone;
  uint first = key & ((1u << uKeys.x) - 1u);
  // Drawn before every sphere that may shine through in front of it, it overwrites what was there.
  // In any case it hides what lies behind it and is drawn after it, or after one in front of it.
  uint after = min((first + 1u) << uKeys.y, sure == kNone ? kNone : sure + 1u);
  sPixel[shield] = key == kNone ? kNone : key >> uKeys.x;
  sPixel[shield + n] = settled ? kOverwrites | first << uKeys.y : after;
  if (uRound.x == 0 && key != kNone) sPixel[n * kLimit + k] = (key >> uKeys.x) + uint(uRound.z);
  sPixel[n * kBound + k] = settled ? 0u : early;
  sPixel[n * kKey + k] = kNone;
  sPixel[n * kEarly + k] = kNone;
  sPixel[n * kSure + k] = kNone;
}

// Behind this depth everything is hidden.
uint hiddenBehind(int n, int k) {
  for (int round = 0; round < uRound.y; ++round) {
    int shield = n * (kShields + 2 * round) + k;
    if (sPixel[shield] == kNone) return kNone;
    if ((sPixel[shield + n] & kOverwrites) != 0u) return sPixel[shield];
  }
  return kNone;
}

uint nearest(int n, int k) {
  uint key = sPixel[n * kKey + k];
  return key == kNone ? kNone : key >> uKeys.x;
}

void main() {
  int n = pixelCount();
  ivec2 size = uPart.zw - uPart.xy, tiles = (size + 3) / 4;
  int threads = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
  bool last = uRound.x + 1 == uRound.y;
  for (int t = int(gl_GlobalInvocationID.x); t < tiles.x * tiles.y; t += threads) {
    ivec2 from = 4 * ivec2(t % tiles.x, t / tiles.x), to = min(from + 4, size);
    uint deepest = 0u;
    for (int y = from.y; y < to.y; ++y)
      for (int x = from.x; x < to.x; ++x) {
        int k = y * size.x + x;
        if (uRound.w == kBegin) begin(n, k);
        if (uRound.w == kEnd) end(n, k);
        if (uRound.w == kNear) deepest = max(deepest, nearest(n, k));
        if (uRound.w == kEnd && last) deepest = max(deepest, hiddenBehind(n, k));
      }
    if (uRound.w == kNear) sPixel[uTiles + kNearTiles * tiles.x * tiles.y + t] = deepest;
    if (uRound.w == kEnd && last) sPixel[uTiles + kHiddenTiles * tiles.x * tiles.y + t] = deepest;
  }
}
