flat in vec4 vRing;
flat in vec4 vColour;
out vec4 oColour;

// Category 0: thin; 1: dashed; 2: thick, white or black as the theme asks; 3: thick.

const float kDash = 7.0;  // pixels at scale 1, gap included

void main() {
  vec2 p = gl_FragCoord.xy - vRing.xy;
  float s = uScale.y, dist = length(p);
  bool dashed = vRing.w == 1.0;
  float width = s * (vRing.w == 0.0 ? 1.5 : vRing.w == 1.0 ? 2.0 : 2.5);
  float off = abs(dist - vRing.z - 0.5 * width);
  float ring = clamp(0.5 * width - off + 0.5, 0.0, 1.0);
  float casing = clamp(0.5 * width + s - off + 0.5, 0.0, 1.0);
  if (casing <= 0.0) discard;
  if (dashed) {  // a whole number of dashes, at least six
    float turn = 6.2831853, dashes = max(6.0, floor(turn * vRing.z / (kDash * s)));
    float t = fract(atan(p.y, p.x) / turn * dashes), across = turn * vRing.z / dashes;
    ring *= clamp((0.31 - abs(t - 0.5)) * across + 0.5, 0.0, 1.0);
  }
  // A thin casing in the colour of the background keeps the ring apart from what lies below.
  vec3 own = vRing.w == 2.0 ? (uBackground.w > 0.5 ? vec3(1.0) : vec3(0.05)) : vColour.rgb;
  vec3 c = mix(uBackground.rgb, own, ring);
  oColour = vec4(c, vColour.a * max(ring, 0.7 * casing));
}
