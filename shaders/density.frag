// Summed coverage to colour. Particles do not overlap, so sums below one are exact; sums above one
// (overlaps, depth) show the mean colour.
layout(binding = 1) uniform sampler2D uSum;
out vec4 oColour;

void main() {
  vec4 sum = texelFetch(uSum, ivec2(gl_FragCoord.xy), 0);
  if (sum.a <= 0.0) discard;
  float a = min(sum.a, 1.0);
  vec3 background = uBackground.rgb;
  vec3 shown = mix(linearFromSrgb(background), sum.rgb / sum.a, a);
  // Premultiplied, so that over the plain background exactly `shown` results.
  oColour = vec4(max(srgbFromLinear(shown) - background * (1.0 - a), 0.0), a);
}
