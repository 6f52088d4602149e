// Ray against sphere, exactly; depth of the hit.
flat in vec4 vSphere;
flat in vec4 vColour;
flat in vec4 vLook;
layout(depth_greater) out float gl_FragDepth;
out vec4 oColour;

const vec3 kLight = vec3(-0.42, 0.55, 0.722);  // unit vector towards the light, camera space

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
