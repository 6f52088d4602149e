flat in vec4 vBox;
flat in vec4 vColour;
flat in float vPattern;
out vec4 oColour;

// FILL: the tint that lies under the particles. Otherwise the marks over them.
const float kFill = 0.26, kHatch = 0.30, kOutline = 0.85;

// Distance (pixels) to the nearest stripe centre of lines `period` apart.
float stripe(float x, float period) { return abs(x - period * floor(x / period + 0.5)); }

// Coverage of the hatching of a set: / \ horizontal, dots.
float hatch(float set, vec2 p) {
  float period = 10.0 * uScale.y, width = 0.8 * uScale.y;
  float d;
  if (set < 0.5) d = stripe((p.x - p.y) * 0.70711, period);
  else if (set < 1.5) d = stripe((p.x + p.y) * 0.70711, period);
  else if (set < 2.5) d = stripe(p.y, period);
  else {
    d = length(vec2(stripe(p.x, period), stripe(p.y, period)));
    width *= 2.2;
  }
  return clamp(width - d + 0.5, 0.0, 1.0);
}

void main() {
  vec2 p = gl_FragCoord.xy - vBox.xy, halfSize = vBox.zw;
  vec2 cover = clamp(halfSize + 0.5 - abs(p), vec2(0.0), min(vec2(1.0), 2.0 * halfSize));
#ifdef FILL
  float a = kFill;
#else
  float smaller = 2.0 * min(halfSize.x, halfSize.y);
  float width = min(1.5 * uScale.y, 0.25 * smaller);
  vec2 depth = halfSize - abs(p);  // inwards from the edges
  float outline = clamp(width - min(depth.x, depth.y) + 0.5, 0.0, 1.0);
  float a = 0.0;
  if (vPattern >= 0.0)
    a = kHatch * smoothstep(4.0, 10.0, smaller / uScale.y) * hatch(vPattern, p);
  a = mix(a, kOutline, outline * mix(0.15, 1.0, smoothstep(3.0, 12.0, smaller)));
#endif
  oColour = vec4(vColour.rgb, vColour.a * a * cover.x * cover.y);
}
