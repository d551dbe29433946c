// The page with the slider. Everything stands in it; nothing is fetched.
#include <fmt/format.h>

#include "plot_text.hpp"
#include "tickreel/npc/plot.hpp"

namespace tickreel::npc {

namespace {

// Ten looks a second are smooth when positions between them are interpolated.
constexpr double page_step_s = 0.1;

constexpr const char* page_head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>@TITLE@</title>
<style>
body{margin:0;font:14px sans-serif;color:#222;display:flex;flex-direction:column;height:100vh}
header,footer{padding:8px 14px;display:flex;gap:14px;align-items:center;flex-wrap:wrap}
h1{font-size:17px;margin:0}
canvas{flex:1;min-height:0;width:100%;display:block;border-block:1px solid #ccc}
input[type=range]{flex:1;min-width:200px}
.key{display:inline-flex;gap:5px;align-items:center}.key i{width:12px;height:12px;border-radius:6px}
output{font-variant-numeric:tabular-nums;min-width:5em}
</style></head><body>
<header><h1>@TITLE@</h1><span id="keys"></span></header>
<canvas id="map" aria-label="The tracks from above"></canvas>
<footer><button id="play">Play</button><label>speed <select id="rate"><option>1</option><option>2</option><option>5</option>
<option>10</option></select></label><input id="time" type="range" min="0" step="0.01" value="0" aria-label="Time"><output id="clock"></output></footer>
<script>
const tracks=)";

constexpr const char* page_tail = R"(;
const colours=["#1f4e8c","#b3541e","#2d7a3a","#7a3b8f","#8c6d1f","#1f8c86","#a3293d","#555"];
const canvas=document.getElementById("map"),time=document.getElementById("time"),play=document.getElementById("play");
const clock=document.getElementById("clock"),rate=document.getElementById("rate"),keys=document.getElementById("keys");
let end=0,box=[1e9,1e9,-1e9,-1e9];
tracks.forEach((track,i)=>{
  const p=track.points;
  for(const q of p){box=[Math.min(box[0],q[1]),Math.min(box[1],q[2]),Math.max(box[2],q[1]),Math.max(box[3],q[2])]}
  if(p.length)end=Math.max(end,p[p.length-1][0]);
  const key=document.createElement("span");key.className="key";
  const dot=document.createElement("i");dot.style.background=colours[i%8];
  key.append(dot,document.createTextNode(track.name+" "));keys.append(key);
});
time.max=end;
// The state at t, between the two nearest points; headings the short way round.
function at(p,t){
  let a=0,b=p.length-1;
  while(b-a>1){const m=(a+b)>>1;if(p[m][0]<=t)a=m;else b=m}
  const u=p[a],v=p[b],s=v[0]>u[0]?Math.min(1,Math.max(0,(t-u[0])/(v[0]-u[0]))):0;
  const turn=((v[5]-u[5]+540)%360)-180;
  return [1,2,3,4].map(i=>u[i]+(v[i]-u[i])*s).concat(u[5]+turn*s);
}
function draw(){
  const dense=window.devicePixelRatio||1,w=canvas.clientWidth,h=canvas.clientHeight;
  canvas.width=w*dense;canvas.height=h*dense;
  const c=canvas.getContext("2d");c.scale(dense,dense);
  const wide=Math.max(box[2]-box[0],4)*1.15,high=Math.max(box[3]-box[1],4)*1.15,k=Math.min(w/wide,h/high);
  const x=v=>w/2+(v-(box[0]+box[2])/2)*k,y=v=>h/2-(v-(box[1]+box[3])/2)*k,t=+time.value;
  tracks.forEach((track,i)=>{
    c.strokeStyle=colours[i%8];c.globalAlpha=.35;c.lineWidth=3;c.beginPath();
    track.points.forEach((q,n)=>n?c.lineTo(x(q[1]),y(q[2])):c.moveTo(x(q[1]),y(q[2])));c.stroke();c.globalAlpha=1;
  });
  tracks.forEach((track,i)=>{
    if(!track.points.length)return;
    const q=at(track.points,t),r=q[4]*Math.PI/180,px=x(q[0]),py=y(q[1]);
    c.save();c.translate(px,py);c.rotate(-r);c.fillStyle=colours[i%8];c.strokeStyle="#fff";c.lineWidth=1.5;
    c.beginPath();c.moveTo(0,-12);c.lineTo(7,8);c.lineTo(-7,8);c.closePath();c.fill();c.stroke();c.restore();
    c.fillStyle="#222";c.font="12px sans-serif";
    c.fillText(track.name+"  "+q[3].toFixed(1)+" m/s  z "+q[2].toFixed(1),px+12,py+4);
  });
  const m=Math.floor(t/60);clock.textContent=m+":"+(t-60*m).toFixed(1).padStart(4,"0");
}
let last=0,running=false;
function step(now){
  if(!running)return;
  time.value=Math.min(end,+time.value+(now-last)/1000*rate.value);last=now;draw();
  if(+time.value>=end){running=false;play.textContent="Play";return}
  requestAnimationFrame(step);
}
play.onclick=()=>{
  running=!running;play.textContent=running?"Pause":"Play";
  if(running){if(+time.value>=end)time.value=0;last=performance.now();requestAnimationFrame(step)}
};
time.oninput=draw;window.onresize=draw;draw();
</script></body></html>
)";

// For a text in a script: nothing may end the script early.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char each : text) {
    const auto code = static_cast<unsigned char>(each);
    if (code < 0x20 || each == '"' || each == '\\' || each == '<' || each == '>' || each == '&') {
      result += fmt::format("\\u{:04x}", code);
    } else {
      result += each;
    }
  }
  return result + '"';
}

}  // namespace

std::string html_of(std::span<const plot_track> tracks, const std::string& title) {
  std::string out;
  for (std::string_view rest = page_head; !rest.empty();) {
    constexpr std::string_view place = "@TITLE@";
    const std::size_t at = rest.find(place);
    out += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    out += escaped(title);
    rest.remove_prefix(at + place.size());
  }
  out += '[';
  for (const plot_track& track : tracks) {
    if (&track != tracks.data()) out += ',';
    out += fmt::format("{{\"name\":{},\"points\":[", quoted(track.name));
    double last_s = -1;
    for (const plot_point& each : track.points) {
      const bool ends = &each == &track.points.back();
      if (each.t_s - last_s < page_step_s - 1e-6 && !ends) continue;
      out += fmt::format("{}[{:.2f},{:.2f},{:.2f},{:.2f},{:.1f},{:.0f}]", last_s < 0 ? "" : ",", each.t_s,
                         each.position.x, each.position.y, each.position.z, each.speed_mps, each.heading_deg);
      last_s = each.t_s;
    }
    out += "]}";
  }
  out += ']';
  return out + page_tail;
}

}  // namespace tickreel::npc
