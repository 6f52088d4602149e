// Rectangles of a texture in clip space.
layout(location = 0) in vec4 aCorner;  // place, texture coordinates
out vec2 vAt;

void main() {
  vAt = aCorner.zw;
  gl_Position = vec4(aCorner.xy, 0.0, 1.0);
}
