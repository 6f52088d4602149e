// Boxes of the plane: translucent fill and a thin outline.
layout(location = 0) in vec3 aLow;
layout(location = 1) in vec3 aHigh;
layout(location = 2) in float aValue;
layout(location = 3) in ivec2 aTag;  // level, type
flat out vec4 vBox;       // centre, half size (pixels)
flat out vec4 vColour;    // rgb, opacity
flat out int vHatching;
flat out vec2 vOutline;    // width, period of its dashes or 0 (pixels)
flat out float vFill;      // opacity of the fill

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
