flat in vec4 vShape;
noperspective in vec2 vPlace;
flat in vec4 vColour;
out vec4 oColour;
#ifdef BOX_EDGES
layout(location = 20) uniform int uBehind;     // 1: fainter behind faces of boxes
layout(binding = 1) uniform sampler2D uFaces;  // depths of the nearest
const float kBehind = 0.15;
#endif

void main() {
  float across = abs(vPlace.x), rest = vPlace.y, head = vShape.y;
  float thin = min(1.0, 2.0 * vShape.x);
  float edge = clamp(vShape.x - across + 0.5, 0.0, thin);
  if (vShape.w > 0.0) edge *= clamp(across - vShape.w + 0.5, 0.0, 1.0);
  if (vShape.z > 0.0) edge *= dashCoverage(rest, vShape.z);
  if (head > 0.0) {
    // A triangle: half width 0.45 of its length; 0.912 = cosine of its slope.
    float triangle = clamp((0.45 * rest - across) * 0.912 + 0.5, 0.0, 1.0) *
                     clamp(head - rest + 0.5, 0.0, 1.0);
    edge = max(triangle, edge * clamp(rest - 0.5 * head, 0.0, 1.0));
  }
  edge *= clamp(rest + 0.5, 0.0, 1.0);
#ifdef BOX_EDGES
  if (uBehind != 0 && gl_FragCoord.z > texelFetch(uFaces, ivec2(gl_FragCoord.xy), 0).x)
    edge *= kBehind;
#endif
  oColour = vec4(vColour.rgb, vColour.a * edge);
}
