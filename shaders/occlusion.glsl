// Compute stage: spheres as sphere.vert and sphere.frag draw them, for the shaders that find out
// which ones nothing can be seen of. Those shaders may round differently, so whatever is decided
// here keeps a distance from the limit.
layout(std430, binding = 0) readonly buffer Instances { uint aInstance[]; };  // six for each
layout(std430, binding = 1) readonly buffer Counts { uint sCount[]; };  // [1]: of the layer
// Planes of one number for each pixel of the picture:
layout(std430, binding = 2) buffer Pixels { uint sPixel[]; };
const int kKey = 0;    // nearest opaque sphere of this round: depth in steps, number of the sphere
const int kEarly = 1;  // first sphere that is drawn before that one and may shine through
const int kSure = 2;   // as kEarly, of those that are drawn there for certain
const int kBound = 3;  // only spheres before this one are looked at in this round
const int kLimit = 4;  // and only up to this depth
// Two for each round: a depth, behind which everything is hidden that is drawn from this sphere on.
// kOverwrites: everything behind it is hidden, and everything that is drawn before this sphere.
const int kShields = 5;
const uint kOverwrites = 0x80000000u;
// After those planes, for each tile of 4 x 4 pixels, in steps: behind this depth lies what is not
// near; everything behind this depth is hidden.
const int kNearTiles = 0, kHiddenTiles = 1;
layout(std430, binding = 3) buffer Lists { uint sList[]; };  // lengths, large spheres, near ones
layout(location = 9) uniform ivec2 uCount;    // instances; 1: sCount says how many of them there are
layout(location = 10) uniform ivec4 uPart;    // the picture: first pixel, end
layout(location = 23) uniform int uTiles;     // where those of the tiles begin
layout(location = 20) uniform vec4 uDepths;   // first depth, length of a step, largest point drawn
layout(location = 21) uniform ivec2 uKeys;    // bits of a sphere's number in a key; bits left out

const uint kNone = 0xffffffffu;
const int kAbsent = 0, kSolid = 1, kFaint = 2, kUnsure = 3;

struct Ball {
  vec3 c;         // centre in camera space
  float r;
  float perUnit;  // pixels
  float slack;    // by which places may be wrong
  float nearest;  // depth (distance along the view) of its nearest point
  ivec4 part;     // pixels that it may touch: first, end
  int kind;       // not drawn; opaque; drawn after the opaque ones, hiding nothing; one cannot tell
};

int instances() { return uCount.y != 0 ? min(uCount.x, int(sCount[1])) : uCount.x; }
int pixelCount() { return (uPart.z - uPart.x) * (uPart.w - uPart.y); }
int pixelAt(ivec2 p) { return (p.y - uPart.y) * (uPart.z - uPart.x) + p.x - uPart.x; }

// Depths in steps, rounded away from the eye.
uint stepsOf(float depth) { return uint(clamp(ceil((depth - uDepths.x) / uDepths.y), 0.0, 1e7)); }
float depthOfSteps(uint steps) { return uDepths.x + float(steps) * uDepths.y; }
uint mostSteps() { return (kNone >> uKeys.x) - 1u; }
// From which distance on the depth buffer tells two depths apart for certain.
float apart(float depth) {
  return uEye.x > 0.5 ? 2e-6 / abs(uProjection[2][2])
                      : 2e-6 * depth * depth / abs(uProjection[3][2]);
}

float number(int k) { return uintBitsToFloat(aInstance[k]); }

// Whether another way of rounding may see this place on the other side of a slab or selection.
bool onBorder(vec3 at) {
  float size = length(at);
  for (int i = 0; i < 4; ++i) {
    float half_ = uSlabHalf[i], middle = uSlab[i].w;
    if (half_ < 0.0) continue;
    float off = abs(dot(uSlab[i].xyz, at) - middle) - half_;
    if (abs(off) < 1e-5 * (1.0 + half_ + abs(middle) + size)) return true;
  }
  if (uRest == 0 || uSelect.w < 0.0) return false;
  vec3 d = at - uSelect.xyz, box = max(uSelectBox.xyz, vec3(1e-6));
  d -= mix(vec3(0.0), box * round(d / box), greaterThan(uSelectBox.xyz, vec3(0.0)));
  float r = uSelect.w;
  return abs(dot(d, d) - r * r) < 1e-5 * (1.0 + r) * (1.0 + r + size);
}

vec2 extentOf(float x, float z, float r) {  // as in sphere.vert
  float a = z * z - r * r;
  float root = r * sqrt(max(x * x + a, 0.0));
  return vec2(-x * z - root, -x * z + root) / a;
}

Ball ballOf(int i) {
  Ball b;
  b.kind = kAbsent;
  int k = 6 * i, level;
  vec4 at = vec4(number(k), number(k + 1), number(k + 2), number(k + 3));
  int word = int(aInstance[k + 5]);
  ivec2 tag = ivec2((word << 16) >> 16, word >> 16);
  if (!finite(dot(at, vec4(1.0))) || at.w <= 0.0) return b;
  bool out_ = skippedPoint(at.xyz, tag, isRest(at.xyz, tag), level), unsure = onBorder(at.xyz);
  if (out_ && !unsure) return b;
  b.c = (uView * vec4(at.xyz, 1.0)).xyz;
  b.r = 0.5 * at.w * uSmaller;
  b.slack = 2e-6 * (length(at.xyz) + length(uView[3].xyz) + b.r);
  b.nearest = -b.c.z - b.r;
  if (b.nearest < uCue.w - b.slack) return b;
  bool parallel = uEye.x > 0.5;
  b.perUnit = parallel ? uScale.x : uScale.x / max(-b.c.z, 1e-6);
  vec2 x = extentOf(b.c.x, b.c.z, b.r), y = extentOf(b.c.y, b.c.z, b.r);
  vec2 middle = parallel ? b.c.xy : 0.5 * vec2(x.x + x.y, y.x + y.y);
  vec2 reach = parallel ? vec2(b.r * b.perUnit + 1.0)
                        : 0.5 * uScale.x * vec2(x.y - x.x, y.y - y.x) + 1.0;
  vec2 centre = uFrame.xy + 0.5 * uFrame.zw + middle * uScale.x;
  vec2 more = reach + b.slack * b.perUnit, lo = vec2(uPart.xy), hi = vec2(uPart.zw);
  b.part = ivec4(clamp(ceil(centre - more - 0.5), lo, hi),
                 clamp(floor(centre + more + 0.5), lo, hi));
  // Planes that cut it off, and points that are too large or whose centre is outside.
  float depth = depthOf(b.c.z + b.r);
  bool cut = b.nearest < uCue.w + b.slack || abs(depth) > 1.0 - 1e-6;
  // Far from the axis coverage reaches beyond that rectangle.
  cut = cut || (!parallel && dot(middle, middle) > 1.6);
  vec2 off = abs(middle) * uScale.x - 0.5 * uFrame.zw + 1.0;
  cut = cut || (uDepths.z > 0.0 && (max(off.x, off.y) > 0.0 ||
                                    2.0 * max(reach.x, reach.y) > uDepths.z - 1.0));
  b.kind = unsure || cut ? kUnsure : level < 0 ? kFaint : kSolid;
  return b;
}

ivec2 sizeOf(Ball b) { return b.part.zw - b.part.xy; }

// Of the ray through a pixel: how far inside the silhouette it passes (pixels), and where it meets
// the sphere (depth), as sphere.frag says.
vec2 meet(Ball b, ivec2 pixel) {
  vec2 plane = (vec2(pixel) + 0.5 - uFrame.xy - 0.5 * uFrame.zw) / uScale.x;
  bool parallel = uEye.x > 0.5;
  vec3 c = parallel ? b.c - vec3(plane, 0.0) : b.c;
  vec3 ray = parallel ? vec3(0.0, 0.0, -1.0) : vec3(plane, -1.0);
  float rayRay = dot(ray, ray), along = dot(ray, c) / rayRay;
  vec3 nearest = along * ray - c;
  float miss2 = dot(nearest, nearest);
  return vec2((b.r - sqrt(miss2)) * b.perUnit,
              along - sqrt(max(b.r * b.r - miss2, 0.0) / rayRay));
}
// Depth of a sphere's nearest point for certain, for comparison with that of others.
float nearestForSure(Ball b) { return b.nearest - b.slack - apart(b.nearest); }

// Whether this depth lies behind that of all tiles that the sphere touches, by so many steps.
bool behindTiles(Ball b, int which, float depth, uint more) {
  ivec2 tiles = (uPart.zw - uPart.xy + 3) / 4, from = (b.part.xy - uPart.xy) / 4;
  ivec2 to = (b.part.zw - uPart.xy + 3) / 4;
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) {
      uint steps = sPixel[uTiles + (which * tiles.y + y) * tiles.x + x];
      if (steps == kNone || depth <= depthOfSteps(steps + more)) return false;
    }
  return true;
}

// Pixels by which the first number may be wrong.
float blur(Ball b) { return 0.02 + b.slack * b.perUnit; }
