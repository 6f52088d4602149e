// The cells of a plane: one rectangle over the whole box and images around it. What all cells of a
// checkerboard set share is found here, once: a processor that draws would look it up for every pixel.
layout(location = 17) uniform vec4 uEdge;    // lengths of the box; reach of images beyond it
layout(location = 16) uniform ivec4 uCells;  // along each axis; 1: even x first, 2: bytes; active set
out vec2 vAt;                                // place in the box
flat out mat4 vSets;                         // of each set: rgb, opacity; 0 where it is not shown
flat out ivec4 vHatchings;
flat out float vFilled;  // 1: not outlines alone

void main() {
  vAt = vec2(gl_VertexID & 1, gl_VertexID >> 1) * (uEdge.xy + 2.0 * uEdge.zw) - uEdge.zw;
  gl_Position = vec4((uProjection * (uView * vec4(vAt, 0.0, 1.0))).xy, 0.0, 1.0);
  vFilled = kMarks[markOf(0.0)].faces > 0.0 ? 1.0 : 0.0;
  for (int set = 0; set < 4; ++set) {
    bool inSet = uCells.w < 0 || set == uCells.w;
    int level = inSet ? set : -1;
    float opacity = skipped(ivec2(level, 0)) ? 0.0 : opacityOf(inSet ? 0 : -1);
    vSets[set] = vec4(colourOf(float(set)), opacity);
    vHatchings[set] = kMarks[markOf(float(set))].hatching;
  }
}
