// Vertex stage: a segment as a screen-space strip of four corners with constant pixel width.
// Half width, length of the arrowhead (0: none), period of dashes (0: solid), half width of the
// hollow in the middle; pixels.
flat out vec4 vShape;
noperspective out vec2 vPlace;      // across the line, distance to its end b (pixels)
flat out vec4 vColour;

// Moves a segment's end to the near plane. False: all of it lies behind the eye.
bool clipNear(inout vec3 a, inout vec3 b) {
  float nearZ = -uCue.w;
  if (a.z > nearZ && b.z > nearZ) return false;
  if (a.z > nearZ) a = mix(b, a, (nearZ - b.z) / (a.z - b.z));
  if (b.z > nearZ) b = mix(a, b, (nearZ - a.z) / (b.z - a.z));
  return true;
}

// Cuts off what lies outside the slabs. False: all of it.
bool clipToSlabs(inout vec3 a, inout vec3 b) {
  for (int i = 0; i < 4; ++i) {
    if (uSlabHalf[i] < 0.0) continue;
    for (int side = -1; side <= 1; side += 2) {
      float s = float(side), room = uSlabHalf[i] + s * uSlab[i].w;
      float da = room - s * dot(uSlab[i].xyz, a), db = room - s * dot(uSlab[i].xyz, b);
      if (da < 0.0 && db < 0.0) return false;
      if (da < 0.0) a = mix(b, a, db / (db - da));
      if (db < 0.0) b = mix(a, b, da / (da - db));
    }
  }
  return true;
}

// A segment shorter than `least` pixels is drawn as long, about its middle.
vec4 lineCorner(vec3 worldA, vec3 worldB, int corner, float width, float head, float least) {
#ifdef SPACE
  if ((uUncut & 1) == 0 && !clipToSlabs(worldA, worldB)) return kOutside;
#endif
  vec3 a = (uView * vec4(worldA, 1.0)).xyz, b = (uView * vec4(worldB, 1.0)).xyz;
#ifdef SPACE
  if (!clipNear(a, b)) return kOutside;
  float cue = (uUncut & 2) != 0 ? 0.0 : cueAt(eyeDistance(0.5 * (a + b)));
  vColour.rgb = mix(vColour.rgb, uBackground.rgb, cue);
#endif
  vec4 clipA = uProjection * vec4(a, 1.0), clipB = uProjection * vec4(b, 1.0);
  vec2 pa = pixelOf(clipA), pb = pixelOf(clipB);
  float size = length(pb - pa);
  vec2 along = size > 1e-6 ? (pb - pa) / size : vec2(1.0, 0.0);
  vec2 normal = vec2(-along.y, along.x);
  float longer = size > 1e-6 ? 0.5 * max(least - size, 0.0) : 0.0;
  pa -= longer * along;
  pb += longer * along;
  size += 2.0 * longer;
  float headLength = min(head, 0.5 * size);
  vShape.x = 0.5 * width * (head > 0.0 ? min(1.0, size / (1.2 * head)) : 1.0);
  vShape.y = headLength;
  float reach = max(vShape.x, 0.45 * headLength) + 1.0;
  bool atB = (corner & 2) != 0;
  float side = (corner & 1) != 0 ? 1.0 : -1.0;
  float beyond = 0.75;
  vPlace = vec2(side * reach, atB ? -beyond : size + beyond);
  vec2 pixel = (atB ? pb + beyond * along : pa - beyond * along) + side * reach * normal;
#ifdef SPACE
  vec4 end = atB ? clipB : clipA;
  return clipOf(pixel, end.z / end.w);
#else
  return clipOf(pixel, 0.0);
#endif
}
