// The page with the slider. Self-contained: nothing is fetched.
#include <fmt/format.h>

#include "plot_drawing.hpp"
#include "plot_text.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::npc {

namespace {

// Ten samples per second are smooth with interpolated positions.
constexpr double page_step_s = 0.1;

constexpr const char* page_style =
    R"(:root{color-scheme:light dark;--paper:#fff;--ink:#222;--line:#ccc;--soft:#555}
@media(prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e6e6e6;--line:#444;--soft:#b4b8bf}}
body{margin:0;font:14px sans-serif;color:var(--ink);background:var(--paper)}
h1{position:absolute;clip-path:inset(50%)}
main>svg{display:block;margin:0 auto;width:100%;max-width:max(1000px,calc(105vh - 60px))}
footer{position:sticky;bottom:0;padding:9px 14px;display:flex;gap:14px;align-items:center;flex-wrap:wrap;
background:var(--paper);border-top:1px solid var(--line)}
footer input[type=range]{flex:1;min-width:200px}
footer :is(button,select,input,label){min-height:24px}footer [type=checkbox]{min-height:0}
button{min-width:5em;font:inherit}output{font-variant-numeric:tabular-nums;min-width:8.5em;text-align:right}
.list{overflow-x:auto;margin:4px 0 18px}
table{border-collapse:collapse;margin:0 auto;font-variant-numeric:tabular-nums}
td,th{padding:3px 10px;border-bottom:1px solid var(--line);text-align:right;font-weight:normal}th{color:var(--soft)}
td:first-child,th:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}
td i{display:inline-block;width:11px;height:11px;border-radius:6px;margin-right:7px}
.over{opacity:.5}.now{stroke:var(--ink);stroke-dasharray:3 3}.actor path{stroke:var(--paper);stroke-width:1.5}
@media(max-width:640px){td,th{padding:3px 5px;font-size:12px}.actor path{stroke-width:1}})";

constexpr const char* page_controls =
    R"(<div class="list" tabindex="0"><table><thead><tr><th>recording</th><th>x</th><th>y</th><th>height, m</th><th>heading</th><th>m/s</th><th>km/h</th></tr>
</thead><tbody id="now"></tbody></table></div></main>
<footer><button id="play" title="Space">Play</button>
<label>speed <select id="rate"><option value=".25">¼</option><option value="1" selected>1</option><option>2</option>
<option>5</option><option>10</option><option>50</option></select></label>
<label><input type="checkbox" id="again"> again and again</label>
<input id="time" type="range" min="0" max="0" step="0.001" value="0" aria-label="Time"
title="Arrows: a second; with Shift a tenth; Page up and down: ten"><output id="clock"></output></footer>
)";

// `tracks` contains [s, x, y, z, m/s, heading] for each point; `paper` is the drawing's layout.
constexpr const char* page_script = R"js(
const by=id=>document.getElementById(id),time=by("time"),play=by("play"),rate=by("rate"),again=by("again");
const picture=document.querySelector("main>svg");
const make=(name,parent,attributes={},text="")=>{
  const one=document.createElementNS(parent.namespaceURI,name);
  for(const key in attributes)one.setAttribute(key,attributes[key]);
  one.textContent=text;
  return parent.appendChild(one);
};
// Names are drawn below the arrows, without overlap; many are only listed.
const dark=matchMedia("(prefers-color-scheme:dark)"),named=tracks.length<=maxNamed;
const hand=make("path",picture,{class:"now"}),names=make("g",picture),arrows=make("g",picture);
const actors=tracks.filter(track=>track.points.length).map((track,i)=>{
  const row=make("tr",by("now")),label=named?make("text",names,{class:"name f"+i%8},track.name):null;
  const mark=make("g",arrows,{class:"actor"}),arrow=make("path",mark,{d:"M0-12L7 8L-7 8Z",class:"f"+i%8});
  const dot=make("i",make("td",row));
  const paint=()=>{dot.style.background=track.colours[dark.matches?1:0]};
  paint();dark.addEventListener("change",paint);
  row.firstChild.append(track.name);
  const cells=[1,2,3,4,5,6].map(()=>make("td",row));
  return {points:track.points,end:track.points[track.points.length-1][0],label,mark,arrow,row,cells};
});
const end=Math.max(0,...actors.map(actor=>actor.end));
time.max=end;
// The state at t, between the two nearest points; headings the short way round.
function at(points,t){
  let low=0,high=points.length-1;
  while(high-low>1){const middle=(low+high)>>1;if(points[middle][0]<=t)low=middle;else high=middle}
  const from=points[low],to=points[high];
  const share=to[0]>from[0]?Math.min(1,Math.max(0,(t-from[0])/(to[0]-from[0]))):0;
  const turn=(to[5]-from[5]+540)%360-180;
  return [1,2,3,4].map(i=>from[i]+(to[i]-from[i])*share).concat((from[5]+turn*share+360)%360);
}
// Each name is drawn at the first free place around its arrow.
function placeNames(shown){
  const small=picture.getBoundingClientRect().width<640,high=small?28:16,taken=shown.map(({x,y})=>[x-9,y-9,18,18]);
  const free=box=>!taken.some(other=>box[0]<other[0]+other[2]&&other[0]<box[0]+box[2]&&box[1]<other[1]+other[3]&&other[1]<box[1]+box[3]);
  for(const {actor,x,y} of shown){
    if(!actor.label)continue;
    const wide=actor.label.getComputedTextLength();
    let place=null;
    for(let away=0;away<6&&!place;++away)for(const side of [1,-1])for(const up of [-1,1]){
      const box=[side>0?x+11:x-11-wide,y-high/2+up*away*(high+1),wide,high];
      if(!place&&box[0]>paper.left&&box[0]+wide<paper.right&&free(box))place=box;
    }
    actor.label.style.display=place?"":"none";
    if(!place)continue;
    taken.push(place);
    actor.label.setAttribute("x",place[0].toFixed(1));actor.label.setAttribute("y",(place[1]+high*.78).toFixed(1));
  }
}
const clock=t=>Math.floor(Math.round(t*10)/600)+":"+(Math.round(t*10)%600/10).toFixed(1).padStart(4,"0");
function draw(){
  const t=+time.value,now=paper.left+(end>0?t/end:0)*(paper.right-paper.left);
  hand.setAttribute("d",paper.panels.map(([top,bottom])=>`M${now.toFixed(2)} ${top}V${bottom}`).join(""));
  const shown=[];
  for(const actor of actors){
    const {points,end,mark,arrow,row,cells}=actor,[x,y,z,speed,heading]=at(points,t);
    shown.push({actor,x:paper.x+paper.scale*x,y:paper.y-paper.scale*y});
    mark.setAttribute("transform",`translate(${(paper.x+paper.scale*x).toFixed(2)} ${(paper.y-paper.scale*y).toFixed(2)})`);
    arrow.setAttribute("transform",`rotate(${(-heading).toFixed(1)})`);
    [x.toFixed(2),y.toFixed(2),z.toFixed(2),heading.toFixed(0)%360+"°",speed.toFixed(1),(speed*3.6).toFixed(0)]
      .forEach((text,i)=>cells[i].textContent=text);
    row.className=t>end?"over":"";
  }
  placeNames(shown);
  const text=clock(t)+" of "+clock(end);
  by("clock").textContent=text;time.setAttribute("aria-valuetext",text);
}
const show=t=>{time.value=Math.min(end,Math.max(0,t));draw()};
let last=0,running=false;
function run(on){
  running=on;play.textContent=on?"Pause":"Play";
  if(!on)return;
  if(+time.value>=end)show(0);
  last=performance.now();requestAnimationFrame(step);
}
function step(now){
  if(!running)return;
  // A page that was hidden continues where it was.
  const passed=Math.min(Math.max(now-last,0),500)/1000*rate.value,next=+time.value+passed;
  last=Math.max(now,last);
  show(again.checked&&next>=end&&end>0?next%end:next);
  if(next>=end&&!(again.checked&&end>0))return run(false);
  requestAnimationFrame(step);
}
play.onclick=()=>run(!running);
time.oninput=draw;
time.onkeydown=event=>{
  const by={ArrowLeft:-1,ArrowDown:-1,ArrowRight:1,ArrowUp:1,PageDown:-10,PageUp:10}[event.key];
  if(by===undefined)return;
  event.preventDefault();show(+time.value+by*(event.shiftKey?.1:1));
};
document.onkeydown=event=>{
  if(event.key!==" "||event.target.closest("button,select,label"))return;
  event.preventDefault();play.click();
};
// The graphs are a slider, too.
const drag=event=>{
  const place=new DOMPoint(event.clientX,event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  if(!(event.buttons&1)||!paper.panels.some(([top,bottom])=>place.y>=top&&place.y<=bottom))return;
  event.preventDefault();show((place.x-paper.left)/(paper.right-paper.left)*end);
};
picture.onpointerdown=drag;picture.onpointermove=drag;
window.addEventListener("resize",draw);
draw();
)js";

// Escapes a text in a script: nothing may end the script early.
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

void add_points(std::string& out, const std::vector<plot_point>& points) {
  double last_s = -1;
  for (const plot_point& each : points) {
    const bool ends = &each == &points.back();
    if (each.t_s - last_s < page_step_s - 1e-6 && !ends) continue;
    out += fmt::format("{}[{:.3f},{:.2f},{:.2f},{:.2f},{:.1f},{:.1f}]", last_s < 0 ? "" : ",", each.t_s,
                       each.position.x, each.position.y, each.position.z, each.speed_mps, each.heading_deg);
    last_s = each.t_s;
  }
}

}  // namespace

std::string html_of(std::span<const plot_track> tracks, const std::string& title,
                    const plot_map_image* under) {
  const plot_bounds all = bounds_of(tracks);
  const map_view map(all);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>\n{1}\n</style></head>"
      "<body><main><h1>{0}</h1>\n",
      text::escaped_markup(title), page_style);
  out += drawing_of(tracks, all, map, title, drawing_use::page, under);
  out += page_controls;
  out += fmt::format(
      "<script>\n\"use strict\";\nconst "
      "paper={{left:{},right:{},panels:[[{},{}],[{},{}]],scale:{:.9g},x:{:.9g},"
      "y:{:.9g}}},maxNamed={};\nconst tracks=[",
      paper::margin, paper::width - paper::margin, paper::speed_top, paper::speed_top + paper::panel_height,
      paper::height_top, paper::height_top + paper::panel_height, map.scale(), map.x(0), map.y(0),
      max_named_tracks);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    out += fmt::format("{}{{name:{},colours:[\"{}\",\"{}\"],points:[", i == 0 ? "" : ",\n",
                       quoted(tracks[i].name), series_colour(i), series_colour(i, true));
    add_points(out, tracks[i].points);
    out += "]}";
  }
  out += "];";
  out += page_script;
  return out + "</script></body></html>\n";
}

}  // namespace tickreel::npc
