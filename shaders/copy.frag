// As simple as this, a software renderer has a faster way for it.
layout(binding = 0) uniform sampler2D uTexture;
in vec2 vAt;
out vec4 oColour;

void main() { oColour = texture(uTexture, vAt); }
