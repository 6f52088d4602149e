// Text and the plates behind it. Pixels of the window.
layout(location = 0) in vec2 aPixel;
layout(location = 1) in vec2 aPlace;  // in the atlas; negative: a plate
layout(location = 2) in vec4 aColour;
out vec2 vPlace;
flat out vec4 vColour;

void main() {
  vPlace = aPlace;
  vColour = aColour;
  gl_Position = clipOf(aPixel, 0.0);
}
