// The overlay page. Every text from the game is set as text, never as markup.
#pragma once

#include <string_view>

namespace tickreel::echo_vr {

inline constexpr std::string_view overlay_html = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tickreel overlay</title>
<link rel="stylesheet" href="/overlay.css">
<main id="board" hidden>
  <div class="team blue"><bdi id="blue-team"></bdi><b id="blue-points"></b></div>
  <div id="clock"></div>
  <div class="team orange"><b id="orange-points"></b><bdi id="orange-team"></bdi></div>
  <div id="possession"><bdi></bdi></div>
  <div id="goal"><bdi></bdi><span></span><bdi></bdi><span></span><bdi></bdi><span></span></div>
</main>
<script src="/overlay.js"></script>
</html>
)html";

inline constexpr std::string_view overlay_css = R"css(html, body { background: transparent; margin: 0; }
body { color: #fff; font: 600 28px/1.3 system-ui, sans-serif; text-shadow: 0 0 4px #000; }
#board { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); gap: 4px 16px; padding: 12px; text-align: center; }
#board[hidden] { display: none; }
.team { display: flex; padding: 4px 16px; white-space: nowrap; }
.team bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.team b { flex: none; padding: 0 12px; }
.blue { background: #1c4e9acc; justify-content: flex-end; }
.orange { background: #b3541ecc; }
#clock { background: #000c; font-variant-numeric: tabular-nums; padding: 4px 16px; }
#possession, #goal { font-size: 20px; grid-column: 1 / 4; min-height: 1.3em; overflow-wrap: anywhere; }
#possession[data-team=blue] { color: #8fbcff; }
#possession[data-team=orange] { color: #ffb27d; }
)css";

inline constexpr std::string_view overlay_js = R"js('use strict';
// Names are untrusted: no bidirectional control character may affect the text around them.
const shown = text => String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '');
const put = (place, text) => {
  if (place.textContent !== text) place.textContent = text;
};
const say = (id, text) => put(document.getElementById(id), shown(text));
const sayParts = (id, ...texts) => [...document.getElementById(id).children].forEach((place, i) => put(place, shown(texts[i] ?? '')));
let updates = 0;
const show = now => {
  document.getElementById('board').hidden = !now.in_match;
  document.body.dataset.updates = ++updates;
  if (!now.in_match) return;
  say('blue-team', now.blue.team);
  say('orange-team', now.orange.team);
  say('blue-points', String(now.blue.points));
  say('orange-points', String(now.orange.points));
  say('clock', now.game_clock);
  document.getElementById('possession').dataset.team = now.possession ? now.possession.team : '';
  sayParts('possession', now.possession ? now.possession.player : '');
  const goal = now.last_goal;
  if (!goal) return sayParts('goal');
  sayParts('goal', goal.player, goal.assist ? ' (' : '  ', goal.assist ?? '', (goal.assist ? ')  ' : '') + goal.points + '  ',
    goal.goal_type, '  ' + goal.speed.toFixed(1) + ' m/s  ' + goal.distance_m.toFixed(1) + ' m');
};
// The browser reconnects automatically.
new EventSource('/live').onmessage = message => show(JSON.parse(message.data));
)js";

}  // namespace tickreel::echo_vr
