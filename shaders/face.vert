// Faces of boxes in space: six, of two triangles each.
layout(location = 0) in vec3 aLow;
layout(location = 1) in vec3 aHigh;
layout(location = 2) in float aValue;
layout(location = 3) in ivec2 aTag;  // level, type
flat out vec4 vColour;               // rgb, opacity
out vec3 vWorld;

void main() {
  int side = gl_VertexID / 6, corner = gl_VertexID - 6 * side, axis = side >> 1;
  int k = corner < 3 ? corner : 6 - corner;  // 0 1 2, 3 2 1: corners of two triangles
  vec3 at = vec3(side & 1, k & 1, k >> 1);
  at = axis == 0 ? at : axis == 1 ? at.zxy : at.yzx;
  vWorld = mix(aLow, aHigh, at);
  bool rest = isRestBox(0.5 * (aLow + aHigh));
  vec3 camera = (uView * vec4(vWorld, 1.0)).xyz;
  float cue = cueAt(eyeDistance(camera)), faces = kMarks[markOf(aValue)].faces;
  vColour = vec4(mix(colourOf(aValue), uBackground.rgb, cue), faces * opacityOf(rest ? -1 : aTag.x));
  bool hidden = !finite(dot(aLow + aHigh, vec3(1.0))) || faces <= 0.0 || skipped(aTag);
  // Inactive boxes have edges alone: the faces of many behind each other would hide the active ones.
  hidden = hidden || (rest && uRest == 2) || aTag.x < 0;
  gl_Position = hidden ? kOutside : uProjection * vec4(camera, 1.0);
}
