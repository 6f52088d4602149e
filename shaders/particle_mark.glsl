// Marks around particles, in the plane and in space, drawn over everything. Four corners each.
flat VARYING vec3 vPlace;  // centre, radius of the particle (pixels)
flat VARYING vec4 vColour;  // rgb, opacity
flat VARYING int vMark;
flat VARYING float vSize;  // of its line, and of the least radius

#ifdef VERTEX
layout(location = 0) in vec4 aPosition;  // x, y, z, diameter
layout(location = 1) in float aValue;
layout(location = 2) in ivec2 aTag;  // level, type
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
#else
out vec4 oColour;

const vec3 kDarkCasing = vec3(0.16, 0.18, 0.2);

void main() {
  Mark mark = kMarks[vMark];
  vec2 p = gl_FragCoord.xy - vPlace.xy;
  float s = uScale.y * vSize, width = s * mark.width, radius = vPlace.z + 0.5 * width;
  float off = shapeDistance(mark.shape, p, radius);
  float line = clamp(0.5 * width - off + 0.5, 0.0, 1.0);
  float casing = clamp(0.5 * width + s - off + 0.5, 0.0, 1.0);
  if (casing <= 0.0) discard;
  if (mark.dash > 0.0) {  // a whole number of dashes, at least six
    float turn = 6.2831853, dashes = max(6.0, floor(turn * vPlace.z / (mark.dash * s)));
    line *= dashCoverage(atan(p.y, p.x) / turn * dashes * mark.dash * s, mark.dash * s);
  }
  // A thin casing in the colour of the background keeps the mark apart from what lies below; of a
  // cross, which lies on its particle, a dark one.
  vec3 c = mix(mark.shape == 4 ? min(uBackground.rgb, kDarkCasing) : uBackground.rgb, vColour.rgb, line);
  oColour = vec4(c, vColour.a * max(line, 0.7 * casing));
}
#endif
