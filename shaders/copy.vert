// Rectangles in clip space.
layout(location = 0) in vec2 aCorner;

void main() { gl_Position = vec4(aCorner, 0.0, 1.0); }
