// The cells of a plane: one rectangle over the whole box and images around it; a cell is found from the
// place of each pixel. FILL: the tint that lies under the particles; otherwise outline and hatching over
// them. SMALL: one colour, averaged over the pixel. REST: some cells are dimmed or hidden beside a
// selection.
layout(location = 16) uniform ivec4 uCells;  // along each axis; 1: even x first, 2: bytes; active set
layout(location = 17) uniform vec4 uEdge;    // lengths of the box; reach of images beyond it
VARYING vec2 vAt;  // place in the box
flat VARYING mat4 vSets;  // of each set: rgb, opacity; 0 where it is not shown
flat VARYING ivec4 vHatchings;
flat VARYING float vFilled;  // 1: not outlines alone

#ifdef VERTEX
// What all cells of a checkerboard set share is found here, once: a processor that draws would look it
// up for every pixel.
void main() {
  vAt = vec2(gl_VertexID & 1, gl_VertexID >> 1) * (uEdge.xy + 2.0 * uEdge.zw) - uEdge.zw;
  gl_Position = vec4((uProjection * (uView * vec4(vAt, 0.0, 1.0))).xy, 0.0, 1.0);
  vFilled = kMarks[markOf(0.0)].faces > 0.0 ? 1.0 : 0.0;
  for (int set = 0; set < 4; ++set) {
    bool inSet = uCells.w < 0 || set == uCells.w;
    int level = inSet ? set : -1;
    float opacity = skipped(ivec2(level, 0)) ? 0.0 : opacityOf(inSet ? 0 : -1);
    vSets[set] = vec4(colourOf(float(set)), opacity);
    vHatchings[set] = kMarks[markOf(float(set))].hatching;
  }
}
#else
layout(location = 15) uniform vec4 uGrid;    // width of a cell; origin of cell (0, 0)
layout(std430, binding = 0) readonly buffer Cells { uint uBytes[]; };
out vec4 oColour;

const float kFill = 0.26, kHatch = 0.30, kOutline = 0.85, kFlat = 0.40, kImage = 0.35;
const int kMostPerPixel = 8;  // cells that are looked at along an axis

ivec2 wrapped(ivec2 c) { return c - uCells.xy * ivec2(floor(vec2(c) / vec2(uCells.xy))); }
int setOf(ivec2 c) { return (c.x & 1) | (c.y & 1) << 1; }

vec3 colourOfBytes(ivec2 c) {
  int column = c.x;
  if ((uCells.z & 1) != 0) column = (c.x & 1) != 0 ? (c.x + uCells.x) >> 1 : c.x >> 1;
  int cell = c.y * uCells.x + column;
  return tableColour(float((uBytes[cell >> 2] >> (8 * (cell & 3))) & 255u));
}

// rgb, opacity; 0 where the cell is not shown.
vec4 cellColour(ivec2 c) {
  vec4 low = (c.x & 1) != 0 ? vSets[1] : vSets[0], high = (c.x & 1) != 0 ? vSets[3] : vSets[2];
  vec4 colour = (c.y & 1) != 0 ? high : low;
  if ((uCells.z & 2) != 0) colour.rgb = colourOfBytes(c);
#ifdef REST
  vec2 middle = mod(uGrid.zw + (vec2(c) + 0.5) * uGrid.xy, max(uSelectBox.xy, vec2(1e-6)));
  if (isRestBox(vec3(middle, 0.0))) colour.a = uRest == 2 ? 0.0 : min(colour.a, opacityOf(-1));
#endif
  return colour;
}

#ifdef SMALL
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
#endif

void main() {
  vec2 at = (vAt - uGrid.zw) / uGrid.xy;  // in cells
  vec2 size = uGrid.xy * uScale.x;        // of a cell, pixels
#ifdef SMALL
  vec4 colour = meanColour(at, 1.0 / size);
  float a = kFlat * vFilled;
#else
  ivec2 cell = ivec2(floor(at)), own = wrapped(cell);
  vec4 colour = cellColour(own);
  float a = kFill * vFilled;
#ifndef FILL
  float smaller = min(size.x, size.y) / uScale.y;  // pixels at scale 1
  vec2 p = (at - vec2(cell) - 0.5) * size;         // pixels from the centre
  vec2 depth = 0.5 * size - abs(p);
  // Half of the line lies in each of two neighbours: 2 px in all.
  float width = max(1.0, min(uScale.y, 0.125 * min(size.x, size.y)));
  float outline = clamp(width - min(depth.x, depth.y) + 0.5, 0.0, 1.0);
  a = 0.0;
  if (vHatchings != ivec4(0)) {
    int hatching = vHatchings[setOf(own)];
    float period = 10.0 * uScale.y, halfWidth = hatchWidth(hatching, 0.8 * uScale.y);
    float line = clamp(halfWidth - hatchDistance(hatching, p, period) + 0.5, 0.0, 1.0);
    a = hatching > 0 ? kHatch * smoothstep(6.0, 12.0, smaller) * line : 0.0;
  }
  // The fewer pixels its outline has, the more the colour covers the particles.
  a = max(a, vFilled * kFlat * (1.0 - smoothstep(6.0, 14.0, smaller)));
  a = mix(a, kOutline, outline * mix(0.3, 1.0, smoothstep(6.0, 14.0, smaller)));
#endif
#endif
  // Images fade out.
  vec2 beyond = max(-vAt, vAt - uEdge.xy);
  if (uEdge.z > 0.0 && max(beyond.x, beyond.y) > 0.0)
    a *= kImage * (1.0 - max(beyond.x / uEdge.z, beyond.y / uEdge.w));
  oColour = vec4(colour.rgb, colour.a * a);
}
#endif
