// Lines with constant pixel width. BOX_EDGES: the twelve edges of a box, four vertices each.
layout(location = 0) in vec3 aFrom;   // box: lower corner
layout(location = 1) in vec3 aTo;     // box: upper corner
layout(location = 2) in vec2 aValue;  // value, level
layout(location = 3) uniform vec4 uLine;  // opacity, width, fixed colour on, arrowhead (pixels)
layout(location = 4) uniform vec4 uFixed;

void main() {
  vec3 a = aFrom, b = aTo;
#ifdef BOX_EDGES
  int edge = gl_VertexID >> 2, axis = edge >> 2;
  vec3 low = vec3(edge & 1, (edge >> 1) & 1, 0.0);  // place in the two other axes
  vec3 start = axis == 0 ? low.zxy : axis == 1 ? low.yzx : low.xyz;
  vec3 onward = axis == 0 ? vec3(1, 0, 0) : axis == 1 ? vec3(0, 1, 0) : vec3(0, 0, 1);
  a = mix(aFrom, aTo, start);
  b = mix(aFrom, aTo, start + onward);
#endif
  vec3 rgb = uLine.z > 0.5 ? uFixed.rgb : colourOf(aValue.x);
  vColour = vec4(rgb, uLine.x * opacityOf(aValue.y));
  bool hidden = !finite(dot(aFrom + aTo, vec3(1.0))) || skipped(aValue.y);
  vec4 place = lineCorner(a, b, gl_VertexID & 3, uLine.y, uLine.w);
  gl_Position = hidden ? kOutside : place;
}
