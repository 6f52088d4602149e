// Shared by every stage. Pixels are window pixels, origin lower left. The GL viewport is larger
// than the picture by a guard band, so that points whose centre lies just outside are not culled.
layout(std140, binding = 0) uniform Scene {
  mat4 uView;        // world to camera
  mat4 uProjection;  // camera to clip space of the enlarged viewport
  vec4 uFrame;       // enlarged viewport: lower left corner, size (pixels)
  vec4 uScale;       // pixels per unit (3D perspective: focal length in pixels); line scale; shading 0..1
  vec4 uCue;         // 3D: eye distance where fading starts and ends, its strength; near plane
  vec4 uBackground;  // sRGB; w = 1 for the dark theme
  vec4 uEye;         // x = 1: orthographic
  vec4 uSlab[4];     // normal, middle of what is shown
  vec4 uSlabHalf;    // half the thickness of each; negative: no slab
  vec4 uSelect;      // place, radius; negative: all places
  vec4 uSelectBox;   // lengths of the box; 0: not periodic
  uvec4 uSelectTypes;  // bits, number of selected boxes
  vec4 uSelectLo[64], uSelectHi[64];
};

// Whether a place lies outside a slab.
bool cutAway(vec3 at) {
  for (int i = 0; i < 4; ++i)
    if (uSlabHalf[i] >= 0.0 && abs(dot(uSlab[i].xyz, at) - uSlab[i].w) > uSlabHalf[i]) return true;
  return false;
}

vec2 pixelOf(vec4 clip) { return uFrame.xy + uFrame.zw * (0.5 * clip.xy / clip.w + 0.5); }
vec4 clipOf(vec2 pixel, float depth) {
  return vec4(2.0 * (pixel - uFrame.xy) / uFrame.zw - 1.0, depth, 1.0);
}
vec3 linearFromSrgb(vec3 c) {
  return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
}
vec3 srgbFromLinear(vec3 c) {
  return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, c * 12.92, lessThanEqual(c, vec3(0.0031308)));
}
// Summed disks below this radius (pixels) are spread over a tent, larger ones drawn as disks.
const float kSplatRadius = 1.0;
const float kSumScale = 1048576.0;  // sums of coverage in fixed point: 1 at this value, up to 4096
// Pixels to which a sphere near the eye is cut where the others are too small to resolve.
const float kLargestSplat = 256.0;
float splatReach(float r) { return r < kSplatRadius ? 1.0 + 0.8862269 * r : r + 1.0; }

float eyeDistance(vec3 camera) { return uEye.x > 0.5 ? -camera.z : length(camera); }
// Of a place in camera space.
float depthOf(float z) {
  return (uProjection[2][2] * z + uProjection[3][2]) / (uProjection[2][3] * z + uProjection[3][3]);
}

// Share of the colour that fades into the background with distance.
float cueAt(float eyeDistance) {
  return uCue.z * clamp((eyeDistance - uCue.x) / max(uCue.y - uCue.x, 1e-6), 0.0, 1.0);
}
