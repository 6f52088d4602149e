// Lines with constant pixel width. BOX_EDGES: the twelve edges of a box, four vertices each.
// Half width, length of the arrowhead (0: none), period of dashes (0: solid), half width of the
// hollow in the middle; pixels.
flat VARYING vec4 vShape;
noperspective VARYING vec2 vPlace;  // across the line, distance to its end b (pixels)
flat VARYING vec4 vColour;

#ifdef VERTEX
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

// A segment as a screen-space strip of four corners. One shorter than `least` pixels is drawn as long, about its middle.
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

layout(location = 0) in vec3 aFrom;   // box: lower corner
layout(location = 1) in vec3 aTo;     // box: upper corner
layout(location = 2) in float aValue;
layout(location = 3) in ivec2 aTag;  // level, type
// Opacity, wider by (pixels at scale 1), fixed colour on, 1: casings alone, 2: without dashes.
layout(location = 3) uniform vec4 uLine;
layout(location = 4) uniform vec4 uFixed;

void main() {
  vec3 a = aFrom, b = aTo;
  bool rest = false;
#ifdef BOX_EDGES
  rest = isRestBox(0.5 * (aFrom + aTo));
  int edge = gl_VertexID >> 2, axis = edge >> 2;
  vec3 low = vec3(edge & 1, (edge >> 1) & 1, 0.0);  // place in the two other axes
  vec3 start = axis == 0 ? low.zxy : axis == 1 ? low.yzx : low.xyz;
  vec3 onward = axis == 0 ? vec3(1, 0, 0) : axis == 1 ? vec3(0, 1, 0) : vec3(0, 0, 1);
  a = mix(aFrom, aTo, start);
  b = mix(aFrom, aTo, start + onward);
#endif
  Mark mark = kMarks[markOf(aValue)];
  bool casing = uLine.w == 1.0, solid = uLine.w > 0.0;
  vec3 rgb = uLine.z > 0.5 ? uFixed.rgb : colourOf(aValue);
  float opacity = mark.cased && !casing ? 1.0 : uLine.x;  // what has a casing is opaque on it
  vColour = vec4(rgb, opacity * opacityOf(rest ? -1 : aTag.x));
  vShape.w = solid ? 0.0 : 0.5 * mark.hollow * uScale.y;
  // Casings of arrows have the same dashes: where they are dark on a light theme, these would be lost.
  vShape.z = solid && !(casing && mark.head > 0.0) ? 0.0 : mark.dash * uScale.y;
  float width = (mark.width + uLine.y) * uScale.y;
  float head = mark.head > 0.0 ? (mark.head + 1.5 * uLine.y) * uScale.y : 0.0;
  bool hidden = (casing && !mark.cased) || !finite(dot(aFrom + aTo, vec3(1.0))) || skipped(aTag);
  hidden = hidden || (rest && uRest == 2);
  vec4 place = lineCorner(a, b, gl_VertexID & 3, width, head, mark.leastLength * uScale.y);
  gl_Position = hidden ? kOutside : place;
}
#else
out vec4 oColour;
#ifdef BOX_EDGES
layout(location = 20) uniform int uBehind;     // 1: fainter behind faces of boxes
layout(binding = 1) uniform sampler2D uFaces;  // depths of the nearest
const float kBehind = 0.15;
#endif

void main() {
  float across = abs(vPlace.x), rest = vPlace.y, head = vShape.y;
  float thin = min(1.0, 2.0 * vShape.x);
  float edge = clamp(vShape.x - across + 0.5, 0.0, thin);
  if (vShape.w > 0.0) edge *= clamp(across - vShape.w + 0.5, 0.0, 1.0);
  if (vShape.z > 0.0) edge *= dashCoverage(rest, vShape.z);
  if (head > 0.0) {
    // A triangle: half width 0.45 of its length; 0.912 = cosine of its slope.
    float triangle = clamp((0.45 * rest - across) * 0.912 + 0.5, 0.0, 1.0) *
                     clamp(head - rest + 0.5, 0.0, 1.0);
    edge = max(triangle, edge * clamp(rest - 0.5 * head, 0.0, 1.0));
  }
  edge *= clamp(rest + 0.5, 0.0, 1.0);
#ifdef BOX_EDGES
  if (uBehind != 0 && gl_FragCoord.z > texelFetch(uFaces, ivec2(gl_FragCoord.xy), 0).x)
    edge *= kBehind;
#endif
  oColour = vec4(vColour.rgb, vColour.a * edge);
}
#endif
