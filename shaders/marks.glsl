// Shapes of the table of marks, as distances in the unit of p. This text is GLSL and, with GLM,
// C++: pictures and legends draw the same.

// To the nearest of lines `period` apart.
float stripe(float x, float period) { return abs(x - period * floor(x / period + 0.5f)); }

// To the hatching: 1 /, 2 \, 3 horizontal, 4 dots, 5 vertical, 6 grid, 7 crossed diagonals.
float hatchDistance(int hatching, vec2 p, float period) {
  if (hatching == 1) return stripe((p.x - p.y) * 0.70711f, period);
  if (hatching == 2) return stripe((p.x + p.y) * 0.70711f, period);
  if (hatching == 3) return stripe(p.y, period);
  if (hatching == 4) return length(vec2(stripe(p.x, period), stripe(p.y, period)));
  if (hatching == 5) return stripe(p.x, period);
  if (hatching == 6) return min(stripe(p.x, period), stripe(p.y, period));
  if (hatching == 7) return min(stripe((p.x - p.y) * 0.70711f, period), stripe((p.x + p.y) * 0.70711f, period));
  return 1e9f;
}

// Half width of its lines; its dots are larger.
float hatchWidth(int hatching, float width) { return hatching == 4 ? 2.3f * width : width; }

// To the middle of the line of a mark around a particle: 1 ring, 2 square, 3 diamond, 4 cross.
// All are about as large as the ring of this radius.
float shapeDistance(int shape, vec2 p, float radius) {
  vec2 a = abs(p);
  if (shape == 2) return abs(max(a.x, a.y) - 0.886f * radius);
  if (shape == 3) return abs(a.x + a.y - 1.253f * radius) * 0.70711f;
  if (shape == 4) {
    float along = clamp((a.x + a.y) * 0.70711f, 0.0f, radius);
    return length(a - vec2(along * 0.70711f));
  }
  return abs(length(p) - radius);
}

// Of a dash: coverage at `along` (pixels) of a line whose dashes repeat after `period`.
float dashCoverage(float along, float period) {
  float t = along / period - floor(along / period);
  return clamp((0.31f - abs(t - 0.5f)) * period + 0.5f, 0.0f, 1.0f);
}
