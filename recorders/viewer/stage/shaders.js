// The programs of renderer.js: one text with what a kind of object needs switched on.

// A corner's colour is turned into the screen's, not each pixel's: where the processor draws, a pixel more or less is what
// counts.
const toScreen = `
vec3 written(vec3 linear) {
  return mix(pow(linear, vec3(0.41666)) * 1.055 - 0.055, linear * 12.92, vec3(lessThanEqual(linear, vec3(0.0031308))));
}`;

function switches({ material, geometry, isSprite }) {
  return [
    isSprite && "SPRITE", material.isMeshLambertMaterial && "LIT",
    material.vertexColors && geometry.attributes.color && `CORNERS ${geometry.attributes.color.itemSize}`,
  ].filter(Boolean);
}

export function programKey(object) {
  return object.material.isShaderMaterial ? object.material.id : switches(object).join();
}

const begin = (object) => `#version 300 es
precision highp float;
${toScreen}
${switches(object).map((each) => `#define ${each}\n`).join("")}`;

// A shader of one's own has `view`, `projection` and written(), which makes a screen's colour of a linear one, and
// gives `pixel` its colour.
export function vertexShader(object) {
  const { material } = object;
  if (material.isShaderMaterial) return `${begin(object)}uniform mat4 view, projection;\n${material.vertexShader}`;
  return `${begin(object)}
uniform mat4 view, projection, model;
uniform vec3 colour;
uniform float opacity;
in vec3 position;
out vec4 shade;
#ifdef CORNERS
#if CORNERS == 4
in vec4 color;
#else
in vec3 color;
#endif
#endif
#ifdef LIT
uniform mat4 turn;
uniform vec3 ambient, sun, towardsSun;
in vec3 normal;
#endif
#ifdef SPRITE
uniform vec4 part;
uniform vec2 middle, size;
in vec2 uv;
out vec2 at;
#endif
void main() {
  shade = vec4(1.0);
#ifdef CORNERS
#if CORNERS == 4
  shade = color;
#else
  shade.rgb = color;
#endif
#endif
  vec4 place = vec4(position, 1.0);
#ifdef LIT
  float facing = max(dot(normalize(mat3(turn) * normal), towardsSun), 0.0);
  shade.rgb *= ambient + sun * facing;
#endif
  shade = vec4(written(shade.rgb * colour), shade.a * opacity);
#ifdef SPRITE
  at = uv * part.xy + part.zw;
  vec4 seen = view * model * vec4(0.0, 0.0, 0.0, 1.0);
  // As large on the screen at any distance; a camera from above has none.
  vec2 wide = size * (projection[2][3] == -1.0 ? -seen.z : 1.0);
  seen.xy += (position.xy - (middle - 0.5)) * wide;
  gl_Position = projection * seen;
#else
  gl_Position = projection * (view * (model * place));
#endif
}`;
}

export function fragmentShader(object) {
  const { material } = object;
  if (material.isShaderMaterial) return `${begin(object)}out vec4 pixel;\n${material.fragmentShader}`;
  return `${begin(object)}
in vec4 shade;
out vec4 pixel;
#ifdef SPRITE
uniform sampler2D map;
in vec2 at;
#endif
void main() {
  pixel = shade;
#ifdef SPRITE
  pixel *= texture(map, at);
#endif
}`;
}
