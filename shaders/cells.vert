// The cells of a plane: one rectangle over the whole box.
layout(location = 17) uniform vec2 uEdge;  // lengths of the box
out vec2 vAt;                              // place in the box

void main() {
  vAt = vec2(gl_VertexID & 1, gl_VertexID >> 1) * uEdge;
  gl_Position = vec4((uProjection * (uView * vec4(vAt, 0.0, 1.0))).xy, 0.0, 1.0);
}
