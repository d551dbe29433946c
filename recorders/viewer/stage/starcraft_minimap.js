// The whole map in a corner, with what of it is in the picture.
export function drawMinimap(pen, units, plane, { colours, groups, loop, map }) {
  const { left, right, low, high } = plane.bounds;
  const scale = Math.min(plane.width / (right - left), plane.height / (high - low)) * 0.3;
  const [wide, tall] = [(right - left) * scale, (high - low) * scale];
  const corner = { x: 8, y: plane.height - tall - 8 };
  const at = ({ x, y }) => [corner.x + (x - left) * scale, corner.y + (high - y) * scale];
  pen.save();
  pen.beginPath();
  pen.rect(corner.x, corner.y, wide, tall);
  pen.fillStyle = colours.background;
  pen.fill();
  pen.clip();
  if (map.picture) {
    const [x, y] = at({ x: map.area[0], y: map.area[3] });
    pen.drawImage(map.picture, x, y, (map.area[2] - map.area[0]) * scale, (map.area[3] - map.area[1]) * scale);
  }
  for (const unit of units) {
    const place = unit.places.at(loop);
    if (!place || unit.born > loop || unit.died <= loop || (place.x === 0 && place.y === 0)) continue;
    const owner = unit.owners.at(loop) ?? 0;
    const side = owner && unit.building ? 4 : 2;
    pen.fillStyle = owner ? groups.of(owner) : colours.line;
    const [x, y] = at(place);
    pen.fillRect(x - side / 2, y - side / 2, side, side);
  }
  const seen = [plane.width / plane.scale, plane.height / plane.scale];
  const [x, y] = at({ x: plane.centre.x - seen[0] / 2, y: plane.centre.y + seen[1] / 2 });
  pen.strokeStyle = colours.disc;
  pen.lineWidth = 1.5;
  pen.strokeRect(x, y, seen[0] * scale, seen[1] * scale);
  pen.restore();
  pen.strokeStyle = colours.text;
  pen.lineWidth = 1;
  pen.strokeRect(corner.x, corner.y, wide, tall);
}
