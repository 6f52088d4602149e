flat in vec3 vShape;
noperspective in vec2 vPlace;
flat in vec4 vColour;
out vec4 oColour;

void main() {
  float across = abs(vPlace.x), rest = vPlace.y, head = vShape.y;
  float thin = min(1.0, 2.0 * vShape.x);
  float edge = clamp(vShape.x - across + 0.5, 0.0, thin);
  if (vShape.z > 0.0) edge *= dashCoverage(rest - head, vShape.z);
  if (head > 0.0) {
    // A triangle: half width 0.45 of its length; 0.912 = cosine of its slope.
    float triangle = clamp((0.45 * rest - across) * 0.912 + 0.5, 0.0, 1.0) *
                     clamp(head - rest + 0.5, 0.0, 1.0);
    edge = max(triangle, edge * clamp(rest - 0.5 * head, 0.0, 1.0));
  }
  edge *= clamp(rest + 0.5, 0.0, 1.0);
  oColour = vec4(vColour.rgb, vColour.a * edge);
}
