// Marks around particles, in the plane and in space, drawn over everything. Four corners each.
layout(location = 0) in vec4 aPosition;  // x, y, z, diameter
layout(location = 1) in float aValue;
layout(location = 2) in ivec2 aTag;  // level, type
flat out vec3 vPlace;   // centre, radius of the particle (pixels)
flat out vec4 vColour;  // rgb, opacity
flat out int vMark;
flat out float vSize;  // of its line, and of the least radius

layout(location = 21) uniform int uCrowded;  // 1: below this radius (pixels at scale 1) they shrink
const float kTiny = 7.0, kSmallest = 0.35;

void main() {
  vec4 clip = uProjection * (uView * vec4(aPosition.xyz, 1.0));
  vMark = markOf(aValue);
  float own = 0.5 * aPosition.w * uScale.x / clip.w, least = kMarks[vMark].leastRadius * uScale.y;
  vSize = uCrowded != 0 ? clamp(own / (kTiny * uScale.y), kSmallest, 1.0) : 1.0;
  float r = max(own, vSize * least);
  vPlace = vec3(pixelOf(clip), r);
  vColour = vec4(colourOf(aValue), opacityOf(aTag.x));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  bool hidden = !finite(dot(aPosition, vec4(1.0))) || clip.w <= 0.0 || skipped(aTag) ||
                cutAway(aPosition.xyz);
  gl_Position = hidden ? kOutside : clipOf(vPlace.xy + (1.3 * r + 6.0 * uScale.y) * corner, 0.0);
}
