// Cells of a plane, found from the place of each pixel. FILL: the tint that lies under the particles;
// otherwise outline and hatching over them. Small cells: one colour, averaged over the pixel.
layout(location = 15) uniform vec4 uGrid;    // width of a cell; origin of cell (0, 0)
layout(location = 16) uniform ivec4 uCells;  // along each axis; 1: even x first, 2: bytes; active set
layout(std430, binding = 0) readonly buffer Cells { uint uBytes[]; };
in vec2 vAt;
out vec4 oColour;

const float kFill = 0.26, kHatch = 0.30, kOutline = 0.85, kFlat = 0.40;
const int kMostPerPixel = 8;  // cells that are looked at along an axis

ivec2 wrapped(ivec2 c) { return c - uCells.xy * ivec2(floor(vec2(c) / vec2(uCells.xy))); }
int setOf(ivec2 c) { return (c.x & 1) | (c.y & 1) << 1; }

float valueOf(ivec2 c) {
  if ((uCells.z & 2) == 0) return float(setOf(c));
  int column = c.x;
  if ((uCells.z & 1) != 0) column = (c.x & 1) != 0 ? (c.x + uCells.x) >> 1 : c.x >> 1;
  int cell = c.y * uCells.x + column;
  return float((uBytes[cell >> 2] >> (8 * (cell & 3))) & 255u);
}

// rgb, opacity; 0 where the cell is not shown.
vec4 cellColour(ivec2 c) {
  int set = setOf(c);
  bool inSet = uCells.w < 0 || set == uCells.w;
  if (skipped(ivec2(inSet ? set : -1, 0))) return vec4(0.0);
  vec2 middle = mod(uGrid.zw + (vec2(c) + 0.5) * uGrid.xy, max(uSelectBox.xy, vec2(1e-6)));
  bool rest = isRestBox(vec3(middle, 0.0));
  if (rest && uRest == 2) return vec4(0.0);
  return vec4(colourOf(valueOf(c)), opacityOf(inSet && !rest ? 0 : -1));
}

// Mean over the cells of a pixel, in linear light. An odd stride meets all sets alike.
vec4 meanColour(vec2 at, vec2 pixel) {
  ivec2 lo = ivec2(floor(at - 0.5 * pixel)), hi = ivec2(floor(at + 0.5 * pixel));
  ivec2 stride = ((hi - lo) / kMostPerPixel) | 1;
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int y = lo.y; y <= hi.y; y += stride.y)
    for (int x = lo.x; x <= hi.x; x += stride.x) {
      vec2 cell = vec2(x, y);
      vec2 part = min(cell + 1.0, at + 0.5 * pixel) - max(cell, at - 0.5 * pixel);
      float weight = max(part.x, 0.0) * max(part.y, 0.0);
      vec4 c = cellColour(wrapped(ivec2(x, y)));
      sum += weight * vec4(linearFromSrgb(c.rgb) * c.a, c.a);
      weights += weight;
    }
  if (sum.a <= 0.0) return vec4(0.0);
  return vec4(srgbFromLinear(sum.rgb / sum.a), sum.a / weights);
}

void main() {
  vec2 at = (vAt - uGrid.zw) / uGrid.xy;  // in cells
  vec2 size = uGrid.xy * uScale.x;        // of a cell, pixels
  float smaller = min(size.x, size.y) / uScale.y;
  bool small = smaller < 6.0;  // pixels at scale 1
  ivec2 cell = ivec2(floor(at));
  vec4 colour = small ? meanColour(at, 1.0 / size) : cellColour(wrapped(cell));
#ifdef FILL
  float a = small ? 0.0 : kFill;
#else
  float a = small ? kFlat : 0.0;
  if (!small) {
    vec2 p = (at - vec2(cell) - 0.5) * size;  // pixels from the centre
    vec2 depth = 0.5 * size - abs(p);
    // Half of the line lies in each of two neighbours: 2 px in all.
    float width = max(1.0, min(uScale.y, 0.125 * min(size.x, size.y)));
    float outline = clamp(width - min(depth.x, depth.y) + 0.5, 0.0, 1.0);
    int hatching = kMarks[markOf(valueOf(wrapped(cell)))].hatching;
    if (hatching > 0) {
      float period = 10.0 * uScale.y, halfWidth = hatchWidth(hatching, 0.8 * uScale.y);
      float line = clamp(halfWidth - hatchDistance(hatching, p, period) + 0.5, 0.0, 1.0);
      a = kHatch * smoothstep(6.0, 12.0, smaller) * line;
    }
    // The fewer pixels its outline has, the more the colour covers the particles.
    a = max(a, kFlat * (1.0 - smoothstep(6.0, 14.0, smaller)));
    a = mix(a, kOutline, outline * mix(0.3, 1.0, smoothstep(6.0, 14.0, smaller)));
  }
#endif
  oColour = vec4(colour.rgb, colour.a * a);
}
