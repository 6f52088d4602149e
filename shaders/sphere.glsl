// Spheres, one instance each: the smallest rectangle that holds the perspective image.
flat VARYING vec4 vSphere;  // centre in camera space, radius
flat VARYING vec4 vColour;  // rgb, opacity
flat VARYING vec4 vLook;  // shading, outline, pixels per unit at the centre, depth cue

#ifdef VERTEX
layout(location = 0) in vec4 aPosition;  // x, y, z, diameter
layout(location = 1) in float aValue;
layout(location = 2) in ivec2 aTag;  // level, type

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
#else
layout(depth_greater) out float gl_FragDepth;
out vec4 oColour;

const vec3 kLight = vec3(-0.42, 0.55, 0.722);  // unit vector towards the light, camera space

// Ray against sphere, exactly; depth of the hit.
void main() {
  vec3 c = vSphere.xyz;
  float r = vSphere.w;
  vec2 plane = (gl_FragCoord.xy - uFrame.xy - 0.5 * uFrame.zw) / uScale.x;
  bool parallel = uEye.x > 0.5;
  vec3 from = parallel ? vec3(plane, 0.0) : vec3(0.0);  // where the ray starts
  vec3 ray = parallel ? vec3(0.0, 0.0, -1.0) : vec3(plane, -1.0);
  c -= from;
  float rayRay = dot(ray, ray);
  float along = dot(ray, c) / rayRay;  // nearest point of the ray to the centre
  vec3 nearest = along * ray - c;
  float miss2 = dot(nearest, nearest);
  float inside = (r - sqrt(miss2)) * vLook.z;  // pixels from the silhouette
  float coverage = clamp(inside + 0.5, 0.0, 1.0);
  if (coverage <= 0.0) discard;
  float t = along - sqrt(max(r * r - miss2, 0.0) / rayRay);
  vec3 hit = t * ray;
  vec3 n = (hit - c) / r;
  float light = max(dot(n, kLight), 0.0);
  float facing = max(-dot(n, ray) * inversesqrt(rayRay), 0.0);
  float rim = 1.0 - facing;
  vec3 base = vColour.rgb;
  float gloss = light * light;
  gloss *= gloss;
  gloss *= gloss;
  vec3 shaded = base * (0.50 + 0.58 * light) + 0.13 * gloss * gloss * gloss;
  shaded += 0.12 * base * rim * rim;
  vec3 colour = mix(base, shaded, vLook.x);
  float width = 0.5 + 0.7 * uScale.y;
  colour *= 1.0 - 0.55 * vLook.y * (1.0 - clamp(inside - width + 0.5, 0.0, 1.0));
  colour = mix(colour, uBackground.rgb, vLook.w);
  // Pixels at the silhouette that are covered by half or more are the sphere's, whose outline is dark
  // there; the others are only seen before the background. Otherwise the background would shine
  // through between spheres that are drawn later.
  bool most = coverage >= 0.5;
  oColour = vec4(colour, most ? vColour.a : vColour.a * coverage);
  gl_FragDepth = most ? 0.5 + 0.5 * depthOf(hit.z) : 1.0;
}
#endif
