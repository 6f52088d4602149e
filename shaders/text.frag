layout(binding = 0) uniform sampler2D uAtlas;
in vec2 vPlace;
flat in vec4 vColour;
out vec4 oColour;

void main() {
  float cover = vPlace.x < 0.0 ? 1.0 : texture(uAtlas, vPlace).r;
  oColour = vec4(vColour.rgb, vColour.a * cover);
}
