// Lines with constant pixel width. BOX_EDGES: the twelve edges of a box, four vertices each.
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
