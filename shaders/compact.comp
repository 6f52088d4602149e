// Spheres whose bit is set, one after the other in their order.
// SCAN: how many come before each group of 128; a single work group.
layout(std430, binding = 4) readonly buffer Bits { uint sBits[]; };
layout(std430, binding = 5) buffer Offsets { uint sOffset[]; };
layout(std430, binding = 6) buffer Commands { uint sCommand[]; };  // DrawCommands of layer_passes.h
layout(std430, binding = 7) writeonly buffer Kept { uint sKept[]; };

uint bitsOf(uint group) {
  uint n = 0u;
  for (uint w = 0u; w < 4u; ++w) n += uint(bitCount(sBits[group * 4u + w]));
  return n;
}

#ifdef SCAN
layout(local_size_x = 512) in;
shared uint sSum[512];

void main() {
  uint groups = (uint(uCount.x) + 127u) / 128u, each = (groups + 511u) / 512u;
  uint lane = gl_LocalInvocationIndex, begin = min(lane * each, groups);
  uint end = min(begin + each, groups), mine = 0u;
  for (uint g = begin; g < end; ++g) mine += bitsOf(g);
  sSum[lane] = mine;
  for (uint d = 1u; d < 512u; d *= 2u) {
    barrier();
    uint before = lane >= d ? sSum[lane - d] : 0u;
    barrier();
    sSum[lane] += before;
  }
  uint at = sSum[lane] - mine;
  for (uint g = begin; g < end; ++g) {
    sOffset[g] = at;
    at += bitsOf(g);
  }
  if (lane == 511u) {
    sCommand[1] = at;
    sCommand[4] = at;
  }
}
#else
layout(local_size_x = 128) in;

void main() {
  uint lane = gl_LocalInvocationIndex, word = lane >> 5, bit = 1u << (lane & 31u);
  for (uint g = gl_WorkGroupID.x; g * 128u < uint(uCount.x); g += gl_NumWorkGroups.x) {
    if ((sBits[g * 4u + word] & bit) == 0u) continue;
    uint at = sOffset[g];
    for (uint w = 0u; w < word; ++w) at += uint(bitCount(sBits[g * 4u + w]));
    at += uint(bitCount(sBits[g * 4u + word] & (bit - 1u)));
    for (uint j = 0u; j < 6u; ++j) sKept[6u * at + j] = aInstance[6u * (g * 128u + lane) + j];
  }
}
#endif
