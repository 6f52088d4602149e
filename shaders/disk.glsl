// Disks of the plane, one instance each. QUADS: four corners per instance; otherwise a point.
flat VARYING vec4 vDisk;  // centre (pixels), radius (pixels), 1 / radius
flat VARYING vec4 vColour;  // rgb, opacity
flat VARYING vec2 vLook;  // shading, outline
flat VARYING int vHatching;

#ifdef VERTEX
layout(location = 0) in vec4 aPosition;  // x, y, z, diameter
layout(location = 1) in float aValue;
layout(location = 2) in ivec2 aTag;  // level, type
// Offset of periodic images, and the lengths of the box into which they reach; 0: all are drawn.
layout(location = 8) uniform vec4 uImage;

void main() {
  vec2 at = aPosition.xy + uImage.xy;
  vec4 clip = uProjection * (uView * vec4(at, 0.0, 1.0));
  float r = 0.5 * aPosition.w * uScale.x;
  int level;
  bool rest = isRest(aPosition.xyz, aTag);
  bool hidden = skippedPoint(aPosition.xyz, aTag, rest, level);
  float opacity = opacityOf(level);
  // A ramp of one pixel at radius rho covers pi (rho^2 + 1/12): correct it. Below rho = 1/2 the
  // disk keeps its size and loses opacity.
  float rho = sqrt(max(r * r - 1.0 / 12.0, 0.25));
  opacity *= min(1.0, 3.0 * r * r);
  // The ramp ends half a pixel outside; drivers round sizes of points to an eighth.
  float reach = rho + 0.6;
  vDisk = vec4(pixelOf(clip), rho, 1.0 / rho);
  vColour = vec4(rest ? uQuiet.rgb : colourOf(aValue), opacity);
  vLook = vec2(uScale.z * smoothstep(1.5, 5.0, r), smoothstep(3.0, 6.0, r));
  vHatching = r > 3.0 * uScale.y ? kMarks[markOf(aValue)].hatching : 0;
  // Only images that reach into the box.
  vec2 outside = max(-at, at - uImage.zw);
  bool far = uImage.z > 0.0 && max(outside.x, outside.y) > 0.5 * aPosition.w;
  hidden = hidden || far || !finite(dot(aPosition, vec4(1.0))) || r <= 0.0;
#ifdef QUADS
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = hidden ? kOutside : clipOf(vDisk.xy + reach * corner, 0.0);
#else
  gl_Position = hidden ? kOutside : vec4(clip.xy, 0.0, 1.0);
  gl_PointSize = 2.0 * reach;
#endif
}
#else
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
#endif
