flat in vec3 vPlace;
flat in vec4 vColour;
flat in int vMark;
flat in float vSize;
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
