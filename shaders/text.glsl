// Text and the plates behind it. Pixels of the window.
VARYING vec2 vPlace;
flat VARYING vec4 vColour;

#ifdef VERTEX
layout(location = 0) in vec2 aPixel;
layout(location = 1) in vec2 aPlace;  // in the atlas; negative: a plate
layout(location = 2) in vec4 aColour;

void main() {
  vPlace = aPlace;
  vColour = aColour;
  gl_Position = clipOf(aPixel, 0.0);
}
#else
layout(binding = 0) uniform sampler2D uAtlas;
out vec4 oColour;

void main() {
  float cover = vPlace.x < 0.0 ? 1.0 : texture(uAtlas, vPlace).r;
  oColour = vec4(vColour.rgb, vColour.a * cover);
}
#endif
