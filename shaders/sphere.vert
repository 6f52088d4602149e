// Spheres, one instance each: the smallest rectangle that holds the perspective image.
layout(location = 0) in vec4 aPosition;  // x, y, z, diameter
layout(location = 1) in float aValue;
layout(location = 2) in ivec2 aTag;  // level, type
flat out vec4 vSphere;  // centre in camera space, radius
flat out vec4 vColour;  // rgb, opacity
flat out vec4 vLook;    // shading, outline, pixels per unit at the centre, depth cue

// Interval of x / -z covered by the sphere, seen from the origin in the (x, z) plane.
vec2 extent(float x, float z, float r) {
  float a = z * z - r * r;
  float root = r * sqrt(max(x * x + a, 0.0));
  return vec2(-x * z - root, -x * z + root) / a;
}

void main() {
  vec3 c = (uView * vec4(aPosition.xyz, 1.0)).xyz;
  float r = 0.5 * aPosition.w * uSmaller;
  bool parallel = uEye.x > 0.5;
  float perUnit = parallel ? uScale.x : uScale.x / max(-c.z, 1e-6);
  float pixels = r * perUnit;
  int level;
  bool rest = isRest(aPosition.xyz, aTag);
  bool hidden = skippedPoint(aPosition.xyz, aTag, rest, level);
  vColour = vec4(rest ? uQuiet.rgb : colourOf(aValue), opacityOf(level));
  vLook = vec4(uScale.z * smoothstep(1.0, 4.0, pixels), smoothstep(3.0, 6.0, pixels), perUnit,
               cueAt(eyeDistance(c)));
  vSphere = vec4(c, r);
  hidden = hidden || !finite(dot(aPosition, vec4(1.0))) || r <= 0.0 || -c.z - r < uCue.w;
  vec2 x = extent(c.x, c.z, r), y = extent(c.y, c.z, r);
  vec2 middle = parallel ? c.xy : 0.5 * vec2(x.x + x.y, y.x + y.y);
  vec2 reach = parallel ? vec2(pixels + 1.0) : 0.5 * uScale.x * vec2(x.y - x.x, y.y - y.x) + 1.0;
  vec2 centre = uFrame.xy + 0.5 * uFrame.zw + middle * uScale.x;
  // Depth of the nearest point: fragments only move away from the eye.
  float depth = depthOf(c.z + r);
#ifdef QUADS
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = hidden ? kOutside : clipOf(centre + reach * corner, depth);
#else
  gl_Position = hidden ? kOutside : clipOf(centre, depth);
  gl_PointSize = 2.0 * max(reach.x, reach.y);
#endif
}
