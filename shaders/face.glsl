// Boxes in space, filled where the eye meets them first: at a face, or where a slab cuts them. Drawn
// are the faces that look away from the eye, which are seen from within a box as well: six, of two
// triangles each; the fragment stage finds where the ray through a pixel enters.
flat VARYING vec4 vColour;  // rgb, strength
flat VARYING vec3 vLow, vHigh;
flat VARYING float vWidth;  // of the border where slabs cut (pixels)
flat VARYING vec3 vEye;  // its place; orthographic: the direction towards it
VARYING vec3 vWorld;

#ifdef VERTEX
layout(location = 0) in vec3 aLow;
layout(location = 1) in vec3 aHigh;
layout(location = 2) in float aValue;
layout(location = 3) in ivec2 aTag;  // level, type

void main() {
  int side = gl_VertexID / 6, corner = gl_VertexID - 6 * side, axis = side >> 1;
  int k = corner < 3 ? corner : 6 - corner;  // 0 1 2, 3 2 1: corners of two triangles
  vec3 at = vec3(side & 1, k & 1, k >> 1);
  at = axis == 0 ? at : axis == 1 ? at.zxy : at.yzx;
  vWorld = mix(aLow, aHigh, at);
  vLow = aLow;
  vHigh = aHigh;
  vWidth = kMarks[markOf(aValue)].width * uScale.y;
  vec3 toAxes = uEye.x > 0.5 ? vec3(0.0, 0.0, 1.0) : -uView[3].xyz;
  vEye = toAxes * mat3(uView);  // by the transposed rotation
  vec3 fromFace = uEye.x > 0.5 ? vEye : vEye - vWorld;
  bool towards = ((side & 1) == 0 ? -fromFace[axis] : fromFace[axis]) > 0.0;
  bool rest = isRestBox(0.5 * (aLow + aHigh));
  float faces = holdsBoxes(aTag) ? 0.0 : kMarks[markOf(aValue)].faces;
  vColour = vec4(colourOf(aValue), faces * opacityOf(aTag.x));
  bool hidden = towards || !finite(dot(aLow + aHigh, vec3(1.0))) || faces <= 0.0 || skipped(aTag);
  // Inactive boxes have edges alone.
  hidden = hidden || rest || aTag.x < 0;
  gl_Position = hidden ? kOutside : uProjection * (uView * vec4(vWorld, 1.0));
}
#else
// Only the box that the ray through a pixel meets first is filled: one colour, however many there.
layout(location = 20) uniform int uNearest;  // 1: looks for the nearest; 0: draws it
layout(binding = 1) uniform sampler2D uFaces;  // depths of the nearest
out vec4 oColour;

const float kFace = 3.0, kCut = 6.0;       // opacity, in strengths: of faces, and where slabs cut
const vec3 kShade = vec3(0.78, 0.9, 1.0);  // faces across each axis; what slabs cut has its colour
const float kBorder = 0.85;
const float kReach = 3.0;  // pixels by which an edge may stick out of its face

// Of the outline of what a slab cuts, half of which lies in each of two neighbours.
float border(vec3 at, vec3 normal, float pixel) {
  vec3 off = min(at - vLow, vHigh - at) / sqrt(max(1.0 - normal * normal, 1e-6));
  return clamp(0.5 * vWidth + 0.5 - min(off.x, min(off.y, off.z)) / pixel, 0.0, 1.0);
}

void main() {
  bool parallel = uEye.x > 0.5;
  vec3 ray = parallel ? -vEye : vWorld - vEye, from = vWorld - ray;
  ray = mix(ray, vec3(1e-9), lessThan(abs(ray), vec3(1e-9)));
  vec3 a = (vLow - from) / ray, b = (vHigh - from) / ray;
  vec3 into = min(a, b), outOf = max(a, b);
  float enter = max(into.x, max(into.y, into.z)), leave = min(outOf.x, min(outOf.y, outOf.z));
  vec3 across = vec3(greaterThanEqual(into, vec3(enter)));
  float steep = dot(across, abs(ray)), shade = dot(across, kShade);
  int cut = -1;
  if (across.x + across.y + across.z > 1.5) shade = kShade.y;  // at an edge
  float same = 1e-4 * (leave - enter);
  for (int i = 0; i < 4; ++i) {
    if (uSlabHalf[i] < 0.0) continue;
    float along = dot(uSlab[i].xyz, ray), off = dot(uSlab[i].xyz, from) - uSlab[i].w;
    if (abs(along) < 1e-9) along = 1e-9;
    float t0 = (-uSlabHalf[i] - off) / along, t1 = (uSlabHalf[i] - off) / along;
    leave = min(leave, max(t0, t1));
    if (min(t0, t1) < enter - same) continue;
    enter = min(t0, t1);
    steep = abs(along);
    shade = 1.0;
    cut = i;
  }
  if (enter >= leave - same) discard;
  vec3 at = from + enter * ray;
  float z = (uView * vec4(at, 1.0)).z;
  if (z > -uCue.w) discard;  // the eye is within
  float pixel = (parallel ? 1.0 : -z) / uScale.x;
  float behind = kReach * uScale.y * pixel * length(ray) / max(steep, 0.1 * length(ray));
  gl_FragDepth = 0.5 + 0.5 * depthOf(uNearest != 0 ? z - behind : z);
  if (uNearest == 0 && gl_FragDepth > texelFetch(uFaces, ivec2(gl_FragCoord.xy), 0).x) discard;
  float opacity = min((cut < 0 ? kFace : kCut) * vColour.a, 1.0);
  if (cut >= 0) opacity = mix(opacity, kBorder, border(at, uSlab[cut].xyz, pixel));
  float cue = cueAt(parallel ? -z : length(enter * ray));
  oColour = vec4(mix(shade * vColour.rgb, uBackground.rgb, cue), opacity);
}
#endif
