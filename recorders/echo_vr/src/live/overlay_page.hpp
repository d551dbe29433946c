// What a browser shows. Everything that the game says is set as text, never as markup.
#pragma once

#include <string_view>

namespace tickreel::echo_vr {

inline constexpr std::string_view overlay_html = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tickreel overlay</title>
<link rel="stylesheet" href="/overlay.css">
<main id="board" hidden>
  <div class="team blue"><span id="blue-team"></span><b id="blue-points"></b></div>
  <div id="clock"></div>
  <div class="team orange"><b id="orange-points"></b><span id="orange-team"></span></div>
  <div id="possession"></div>
  <div id="goal"></div>
</main>
<script src="/overlay.js"></script>
</html>
)html";

inline constexpr std::string_view overlay_css = R"css(html, body { background: transparent; margin: 0; }
body { color: #fff; font: 600 28px/1.3 system-ui, sans-serif; text-shadow: 0 0 4px #000; }
#board { display: grid; grid-template-columns: 1fr auto 1fr; gap: 4px 16px; padding: 12px; text-align: center; }
#board[hidden] { display: none; }
.team { overflow: hidden; padding: 4px 16px; text-overflow: ellipsis; white-space: nowrap; }
.team b { padding: 0 12px; }
.blue { background: #1c4e9acc; text-align: right; }
.orange { background: #b3541ecc; text-align: left; }
#clock { background: #000c; font-variant-numeric: tabular-nums; padding: 4px 16px; }
#possession, #goal { font-size: 20px; grid-column: 1 / 4; min-height: 1.3em; overflow-wrap: anywhere; }
#possession[data-team=blue] { color: #8fbcff; }
#possession[data-team=orange] { color: #ffb27d; }
)css";

inline constexpr std::string_view overlay_js = R"js('use strict';
const say = (id, text) => {
  const place = document.getElementById(id);
  if (place.textContent !== text) place.textContent = text;
};
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
  say('possession', now.possession ? now.possession.player : '');
  const goal = now.last_goal;
  say('goal', !goal ? '' : goal.player + (goal.assist ? ' (' + goal.assist + ')' : '') + '  ' + goal.points +
    '  ' + goal.goal_type + '  ' + goal.speed.toFixed(1) + ' m/s  ' + goal.distance_m.toFixed(1) + ' m');
};
// The browser connects again by itself.
new EventSource('/live').onmessage = message => show(JSON.parse(message.data));
)js";

}  // namespace tickreel::echo_vr
