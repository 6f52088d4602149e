flat in vec4 vColour;
in vec3 vWorld;
out vec4 oColour;

void main() {
  if (cutAway(vWorld)) discard;
  oColour = vColour;
}
