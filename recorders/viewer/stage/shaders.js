// The shader programs of renderer.js: one for meshes and lines, and those of materials. With software
// rendering each further program delays the first picture; missing normals or vertex colours are constants.

// Colours are converted per corner, not per pixel: with software rendering the pixels are the cost.
const toScreen = `
vec3 written(vec3 linear) {
  return mix(pow(linear, vec3(0.41666)) * 1.055 - 0.055, linear * 12.92, vec3(lessThanEqual(linear, vec3(0.0031308))));
}`;

export function programKey(object) {
  return object.material.isShaderMaterial ? object.material.id : 0;
}

const begin = `#version 300 es
precision highp float;
${toScreen}
`;

// A custom shader has `view`, `projection` and written(), which converts a linear colour to the screen's, and
// sets `pixel` to its colour.
export function vertexShader(object) {
  const { material } = object;
  if (material.isShaderMaterial) return `${begin}uniform mat4 view, projection;\n${material.vertexShader}`;
  return `${begin}
uniform mat4 view, projection, model;
uniform vec3 colour;
uniform float opacity;
in vec3 position;
out vec4 shade;
uniform mat4 turn;
uniform vec3 ambient, sun, towardsSun;
in vec4 color;
in vec3 normal;
void main() {
  float facing = max(dot(normalize(mat3(turn) * normal), towardsSun), 0.0);
  vec3 lit = color.rgb * (ambient + sun * facing);
  shade = vec4(written(lit * colour), color.a * opacity);
  gl_Position = projection * (view * (model * vec4(position, 1.0)));
}`;
}

export function fragmentShader(object) {
  const { material } = object;
  if (material.isShaderMaterial) return `${begin}out vec4 pixel;\n${material.fragmentShader}`;
  return `${begin}
in vec4 shade;
out vec4 pixel;
void main() {
  pixel = shade;
}`;
}
