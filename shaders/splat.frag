// Coverage of disks that are too small to resolve, in linear light: summed, never blended.
flat in vec4 vDisk;  // centre, radius, reach (pixels)
flat in vec4 vColour;
out vec4 oSum;

void main() {
  vec2 p = abs(gl_FragCoord.xy - vDisk.xy);
  float r = vDisk.z, coverage;
  if (r < 0.6) {
    // A tent over the pixel grid: its weights sum to one wherever the centre lies, so that neither
    // single particles flicker nor lattices beat with the pixels.
    vec2 tent = max(1.0 - p / vDisk.w, 0.0);
    coverage = 3.14159265 * r * r * tent.x * tent.y / (vDisk.w * vDisk.w);
  } else {
    coverage = clamp(sqrt(r * r - 1.0 / 12.0) + 0.5 - length(p), 0.0, 1.0);
  }
  coverage *= vColour.a;
  oSum = vec4(vColour.rgb * coverage, coverage);
}
