flat in vec4 vDisk;
flat in vec4 vColour;
flat in vec2 vLook;
flat in int vHatching;
out vec4 oColour;

const vec3 kLight = vec3(-0.40, 0.52, 0.755);  // unit vector towards the light

void main() {
  vec2 p = gl_FragCoord.xy - vDisk.xy;
  float distance2 = dot(p, p);
  float radius = vDisk.z, inverse = vDisk.w, edge = radius + 0.5;
  if (distance2 >= edge * edge) discard;
  float dist = sqrt(distance2);
  float rr = min(distance2 * inverse * inverse, 1.0);
  // Soft light over a low dome, and a slight rim.
  float light = dot(p, kLight.xy) * inverse + sqrt(1.0 - rr) * kLight.z;
  float rim = rr * rr * rr;
  vec3 c = vColour.rgb * (1.0 + vLook.x * (0.30 * light - 0.16));
  c += vLook.x * 0.10 * rim * max(light, 0.0);
#ifdef HATCHED
  // One line or dot of the hatching, through the centre.
  float outside = hatchDistance(vHatching, p * inverse, 1e3) - hatchWidth(vHatching, 0.13);
  c *= 1.0 - 0.5 * clamp(0.5 - outside * radius, 0.0, 1.0);
#endif
  float width = 0.5 + min(0.06 * radius, 1.0 * uScale.y);
  float outline = vLook.y * clamp(dist - (radius - width) + 0.5, 0.0, 1.0);
  c *= 1.0 - 0.58 * 0.85 * outline;
  oColour = vec4(c, vColour.a * clamp(edge - dist, 0.0, 1.0));
}
