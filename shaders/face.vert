// Boxes in space, filled where the eye meets them first: at a face, or where a slab cuts them. Drawn
// are the faces that look away from the eye, which are seen from within a box as well: six, of two
// triangles each; face.frag finds where the ray through a pixel enters.
layout(location = 0) in vec3 aLow;
layout(location = 1) in vec3 aHigh;
layout(location = 2) in float aValue;
layout(location = 3) in ivec2 aTag;  // level, type
flat out vec4 vColour;               // rgb, strength
flat out vec3 vLow, vHigh;
flat out float vWidth;  // of the border where slabs cut (pixels)
flat out vec3 vEye;  // its place; orthographic: the direction towards it
out vec3 vWorld;

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
