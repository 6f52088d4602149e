// Summed coverage to colour. Particles do not overlap, so sums below one are exact; sums above one
// (overlaps, depth) show the mean colour.

#ifdef VERTEX
// One triangle over the whole viewport.
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}
#else
layout(std430, binding = 1) readonly buffer Sums { uint uSum[]; };  // of splat.glsl
layout(location = 10) uniform ivec4 uPart;
out vec4 oColour;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - uPart.xy;
  int k = 4 * (at.y * (uPart.z - uPart.x) + at.x);
  vec4 sum = vec4(uSum[k], uSum[k + 1], uSum[k + 2], uSum[k + 3]) / kSumScale;
  if (sum.a <= 0.0) discard;
  float a = min(sum.a, 1.0);
  vec3 background = uBackground.rgb;
  vec3 shown = mix(linearFromSrgb(background), sum.rgb / sum.a, a);
  // Premultiplied, so that over the plain background exactly `shown` results.
  oColour = vec4(max(srgbFromLinear(shown) - background * (1.0 - a), 0.0), a);
}
#endif
