flat in vec4 vDisk;
flat in vec4 vColour;
flat in vec2 vLook;
flat in int vHatching;
out vec4 oColour;

const vec3 kLight = vec3(-0.40, 0.52, 0.755);  // unit vector towards the light

void main() {
  vec2 p = gl_FragCoord.xy - vDisk.xy;
  float distance2 = dot(p, p);
  float radius = vDisk.z, edge = radius + 0.5;
  if (distance2 >= edge * edge) discard;
  float dist = sqrt(distance2);
  vec3 c = vColour.rgb;
  vec2 n = p * vDisk.w;
  float rr = min(dot(n, n), 1.0);
  // Soft light over a low dome, and a slight rim.
  float light = dot(vec3(n, sqrt(1.0 - rr)), kLight);
  float rim = rr * rr * rr;
  c *= 1.0 + vLook.x * (0.30 * light - 0.16);
  c += vLook.x * 0.10 * rim * max(light, 0.0);
  // One line or dot of the hatching, through the centre.
  float outside = hatchDistance(vHatching, n, 1e3) - hatchWidth(vHatching, 0.13);
  c *= 1.0 - 0.5 * clamp(0.5 - outside * radius, 0.0, 1.0);
  float width = 0.5 + min(0.06 * radius, 1.0 * uScale.y);
  float outline = vLook.y * clamp(dist - (radius - width) + 0.5, 0.0, 1.0);
  c = mix(c, c * 0.42, outline * 0.85);
  oColour = vec4(c, vColour.a * clamp(edge - dist, 0.0, 1.0));
}
