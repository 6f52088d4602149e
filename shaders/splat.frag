// Coverage of disks that are too small to resolve, in linear light: summed, never blended.
flat in vec4 vDisk;  // centre, radius (pixels)
flat in vec4 vColour;
out vec4 oSum;

// Integral of the unit tent up to x.
vec2 tentSum(vec2 x) {
  vec2 low = 0.5 * (1.0 + x) * (1.0 + x), high = 1.0 - 0.5 * (1.0 - x) * (1.0 - x);
  return mix(low, high, step(0.0, x));
}

void main() {
  vec2 p = abs(gl_FragCoord.xy - vDisk.xy);
  float r = vDisk.z, coverage;
  if (r < kSplatRadius) {
    // A square of the disk's area under a tent over the pixel grid: the weights sum to that area
    // wherever the centre lies, so that neither single particles flicker nor lattices beat with
    // the pixels.
    float halfSide = 0.8862269 * r;  // side sqrt(pi) r
    vec2 part = tentSum(clamp(p + halfSide, -1.0, 1.0)) - tentSum(clamp(p - halfSide, -1.0, 1.0));
    coverage = part.x * part.y;
  } else {
    coverage = clamp(sqrt(r * r - 1.0 / 12.0) + 0.5 - length(p), 0.0, 1.0);
  }
  coverage *= vColour.a;
  oSum = vec4(vColour.rgb * coverage, coverage);
}
