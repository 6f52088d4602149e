// Rings around particles, in the plane and in space, drawn over everything. Four corners each.
layout(location = 0) in vec4 aPosition;  // x, y, z, diameter
layout(location = 1) in vec2 aValue;     // value, level
layout(location = 7) uniform float uLeast;  // least radius (pixels)
flat out vec4 vRing;    // centre, radius of the particle (pixels), category
flat out vec4 vColour;  // rgb, opacity

void main() {
  vec4 clip = uProjection * (uView * vec4(aPosition.xyz, 1.0));
  float r = max(0.5 * aPosition.w * uScale.x / clip.w, uLeast);
  vRing = vec4(pixelOf(clip), r, floor(aValue.x + 0.5));
  vColour = vec4(colourOf(aValue.x), opacityOf(aValue.y));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  bool hidden = !finite(dot(aPosition, vec4(1.0))) || clip.w <= 0.0 || skipped(aValue.y);
  gl_Position = hidden ? kOutside : clipOf(vRing.xy + (r + 6.0 * uScale.y) * corner, 0.0);
}
