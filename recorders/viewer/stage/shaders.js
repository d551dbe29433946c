// The programs of renderer.js: one for meshes and lines, one for sprites. Where the processor draws, each program more is paid
// for before the first picture; what lacks a normal or colours of its corners has them all alike.

// A corner's colour is turned into the screen's, not each pixel's: where the processor draws, a pixel more or less is what
// counts.
const toScreen = `
vec3 written(vec3 linear) {
  return mix(pow(linear, vec3(0.41666)) * 1.055 - 0.055, linear * 12.92, vec3(lessThanEqual(linear, vec3(0.0031308))));
}`;

export function programKey(object) {
  return object.material.isShaderMaterial ? object.material.id : Boolean(object.isSprite);
}

const begin = (object) => `#version 300 es
precision highp float;
${toScreen}
${object.isSprite ? "#define SPRITE\n" : ""}`;

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
#ifndef SPRITE
uniform mat4 turn;
uniform vec3 ambient, sun, towardsSun;
in vec4 color;
in vec3 normal;
#else
uniform vec4 part;
uniform vec2 middle, size;
in vec2 uv;
out vec2 at;
#endif
void main() {
  shade = vec4(1.0);
  vec4 place = vec4(position, 1.0);
#ifndef SPRITE
  float facing = max(dot(normalize(mat3(turn) * normal), towardsSun), 0.0);
  shade = vec4(color.rgb * (ambient + sun * facing), color.a);
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
