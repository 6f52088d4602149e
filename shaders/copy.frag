// Pixels of a texture where they are; a fetch, since a software renderer pays for filtering.
layout(binding = 0) uniform sampler2D uTexture;
layout(location = 20) uniform ivec2 uOrigin;  // its lower left pixel in the framebuffer
out vec4 oColour;

void main() { oColour = texelFetch(uTexture, ivec2(gl_FragCoord.xy) - uOrigin, 0); }
