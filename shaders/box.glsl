// Boxes of the plane: translucent fill and a thin outline.
flat VARYING vec4 vBox;  // centre, half size (pixels)
flat VARYING vec4 vColour;  // rgb, opacity
flat VARYING int vHatching;
flat VARYING vec2 vOutline;  // width, period of its dashes or 0 (pixels)
flat VARYING float vFill;  // opacity of the fill

#ifdef VERTEX
layout(location = 0) in vec3 aLow;
layout(location = 1) in vec3 aHigh;
layout(location = 2) in float aValue;
layout(location = 3) in ivec2 aTag;  // level, type

void main() {
  vec4 low = uProjection * (uView * vec4(aLow.xy, 0.0, 1.0));
  vec4 high = uProjection * (uView * vec4(aHigh.xy, 0.0, 1.0));
  vec2 a = pixelOf(low), b = pixelOf(high);
  vBox = vec4(0.5 * (a + b), 0.5 * abs(b - a));
  bool rest = isRestBox(0.5 * (aLow + aHigh));
  vColour = vec4(colourOf(aValue), opacityOf(rest ? -1 : aTag.x));
  Mark mark = kMarks[markOf(aValue)];
  vHatching = mark.hatching;
  vOutline = vec2(mark.width, mark.dash) * uScale.y;
  vFill = holdsBoxes(aTag) ? 0.0 : 2.6 * mark.faces;
  bool hidden = !finite(dot(aLow + aHigh, vec3(1.0))) || skipped(aTag);
  hidden = hidden || (rest && uRest == 2);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = hidden ? kOutside : clipOf(vBox.xy + corner * (vBox.zw + 0.5), 0.0);
}
#else
out vec4 oColour;

// FILL: the tint that lies under the particles. Otherwise the marks over them.
const float kHatch = 0.30, kOutline = 0.85, kFlat = 0.50;

// Of an outline, `along` pixels from a corner of a side: whole dashes, and one about each corner.
float dashed(float along, float side) {
  float period = side / max(1.0, floor(side / vOutline.y + 0.5));
  return dashCoverage(along + 0.5 * period, period);
}

void main() {
  vec2 p = gl_FragCoord.xy - vBox.xy, halfSize = vBox.zw;
  vec2 cover = clamp(halfSize + 0.5 - abs(p), vec2(0.0), min(vec2(1.0), 2.0 * halfSize));
#ifdef FILL
  float a = vFill;
#else
  float smaller = 2.0 * min(halfSize.x, halfSize.y), at1x = smaller / uScale.y;
  float a = kFlat;  // of small boxes, without outline and hatching
  if (at1x >= 6.0 || vFill <= 0.0) {
    a = 0.0;
    vec2 depth = halfSize - abs(p);  // inwards from the edges
    float outline = clamp(min(vOutline.x, 0.25 * smaller) - min(depth.x, depth.y) + 0.5, 0.0, 1.0);
    if (vOutline.y > 0.0)
      outline *= depth.x < depth.y ? dashed(p.y + halfSize.y, 2.0 * halfSize.y)
                                   : dashed(p.x + halfSize.x, 2.0 * halfSize.x);
    if (vHatching > 0) {
      float period = 10.0 * uScale.y, halfWidth = hatchWidth(vHatching, 0.8 * uScale.y);
      float line = clamp(halfWidth - hatchDistance(vHatching, p, period) + 0.5, 0.0, 1.0);
      a = kHatch * smoothstep(6.0, 12.0, at1x) * line;
    }
    // The fewer pixels its outline has, the more the colour covers the particles.
    if (vFill > 0.0) a = max(a, kFlat * (1.0 - smoothstep(6.0, 14.0, at1x)));
    a = mix(a, kOutline, outline * mix(0.3, 1.0, smoothstep(6.0, 14.0, at1x)));
  }
#endif
  oColour = vec4(vColour.rgb, vColour.a * a * cover.x * cover.y);
}
#endif
