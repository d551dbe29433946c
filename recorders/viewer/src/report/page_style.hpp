// The style of a report: for light and dark screens, and for print. Colours are distinguishable for the
// colour-blind, and lines also differ in their dashes.
#pragma once

#include <string_view>

namespace tickreel::viewer {

inline constexpr std::string_view report_style = R"css(:root{color-scheme:light dark;
--paper:#fbfbfa;--ink:#1d2126;--soft:#555d66;--line:#d4d8dc;--ground:#eceff1;--warn:#a83200;
--blue:#005f94;--orange:#a64600;--grey:#6e7781;
--c0:#1f6fb4;--c1:#b8530a;--c2:#0f7d5c;--c3:#a6408a;--c4:#6b6b00;--c5:#b02a37;--c6:#5a4fcf;--c7:#4d5761}
@media(prefers-color-scheme:dark){:root{
--paper:#15181c;--ink:#e7e9eb;--soft:#aab2ba;--line:#3a4149;--ground:#1c2025;--warn:#ff9b6b;
--blue:#6bbcec;--orange:#f0ac33;--grey:#8b949e;
--c0:#79b8f3;--c1:#f2a55f;--c2:#52c9a1;--c3:#e08fca;--c4:#cfc45a;--c5:#f28b93;--c6:#a9a2ff;--c7:#b3bcc7}}
*{box-sizing:border-box}
html{font-size:clamp(15px,.55vw + 8px,28px)}
body{margin:0 auto;max-width:76rem;padding:1.5rem 1rem 4rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);
background:var(--paper)}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem;overflow-wrap:anywhere}
article>h1{font-size:1.3rem;line-height:1.25;margin:3rem 0 .25rem;padding-top:1.5rem;border-top:1px solid var(--line);
overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2.25rem 0 .5rem}h3{font-size:1rem;margin:1.25rem 0 .5rem;color:var(--soft)}
p{margin:.5rem 0}.under,.note,small,dt{color:var(--soft)}.note{font-size:.9rem}
a{color:var(--c0)}a:focus-visible,summary:focus-visible,.table:focus-visible{outline:2px solid var(--c0);outline-offset:2px}
nav ol{columns:20rem;padding-left:1.5rem}nav li{overflow-wrap:anywhere}nav a{display:inline-block;min-height:1.6rem}
.score{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0 .5rem}
.side{flex:1 1 9rem;min-width:0;padding:.6rem 1rem;background:var(--ground);border-left:.4rem solid var(--own);border-radius:.25rem}
.side .team{display:block;overflow-wrap:anywhere;color:var(--soft)}.side b{font-size:1.9rem;line-height:1.2;
font-variant-numeric:tabular-nums}.side.won .team::after{content:" · won";color:var(--ink);font-weight:600}
.blue{--own:var(--blue)}.orange{--own:var(--orange);--dash:7 3}.grey{--own:var(--grey);--dash:2 3}
.s0{--own:var(--c0)}.s1{--own:var(--c1);--dash:7 3}.s2{--own:var(--c2);--dash:2 3}.s3{--own:var(--c3);--dash:9 3 2 3}
.s4{--own:var(--c4);--dash:4 4}.s5{--own:var(--c5);--dash:12 4}.s6{--own:var(--c6);--dash:1 2}.s7{--own:var(--c7);--dash:6 2 1 2}
.losses{margin:1rem 0;padding:.25rem 1rem .5rem;border-left:.4rem solid var(--warn);background:var(--ground)}
.losses h2{margin:.5rem 0}.losses ul{margin:0;padding-left:1.2rem}.losses li{overflow-wrap:anywhere}
.table{overflow-x:auto;margin:.5rem 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .65rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;font-weight:normal}
thead th{color:var(--soft);vertical-align:bottom}tbody th,thead th:first-child{text-align:left;position:sticky;left:0;
background:var(--paper)}.players thead th,.passes thead th,.counts thead th{white-space:normal;overflow-wrap:break-word;
min-width:4.5rem;max-width:10rem}.players tbody th{white-space:normal;min-width:6.5rem}
.listing td,.listing th{text-align:left}.listing td:last-child{white-space:normal;min-width:11rem;overflow-wrap:anywhere}
.counts tbody th,.passes tbody th{white-space:normal;overflow-wrap:anywhere;max-width:16rem;min-width:6rem}
.mark{border-bottom:.2rem solid var(--own)}.name{color:var(--ink)}
figure{margin:0 0 1rem}figcaption{margin:0 0 .25rem}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem 2rem}
.plot{display:grid;grid-template-columns:4rem minmax(0,1fr);gap:.15rem .5rem}
.plot svg{width:100%;height:10rem;grid-column:2;background:var(--ground)}.plot svg.strip{height:1.5rem}
.ys{display:flex;flex-direction:column;justify-content:space-between;text-align:right;font-size:.85rem;color:var(--soft);
grid-row:1;line-height:1;font-variant-numeric:tabular-nums}
.xs{grid-column:2;display:flex;justify-content:space-between;font-size:.85rem;color:var(--soft)}
.line{fill:none;stroke:var(--own);stroke-width:1.75px;stroke-dasharray:var(--dash,none);vector-effect:non-scaling-stroke;
stroke-linejoin:round}.grid{fill:none;stroke:var(--line);vector-effect:non-scaling-stroke}
.goal{stroke-width:3px;stroke-dasharray:none}.fill,.heat{fill:var(--own)}.ground{fill:var(--ground)}.plot .ground,.share .ground{fill:var(--line)}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1rem;margin:.25rem 0;font-size:.9rem}.legend span{overflow-wrap:anywhere}
.key{width:1.75rem;height:.5rem;margin-right:.4rem}
.shares{display:flex;flex-wrap:wrap;gap:.75rem}.share{flex:1 1 9rem;min-width:0}.share svg{display:block;width:100%;height:.6rem;
margin-bottom:.25rem}.share span{overflow-wrap:anywhere}
.few{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem}
.map svg{display:block;width:100%;border:1px solid var(--line)}.map figcaption{margin-top:.25rem;overflow-wrap:anywhere}
details{margin:.5rem 0}summary{cursor:pointer;padding:.25rem 0}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:.4rem 1.5rem;margin:.5rem 0}
dt{font-size:.85rem}dd{margin:0;overflow-wrap:anywhere}
@media print{html{font-size:10pt}body{max-width:none;padding:0}article>h1{break-before:page;border:0;margin-top:0}
figure,.side,tr,.map{break-inside:avoid}h2{break-after:avoid}.table{overflow:visible}
th,td{padding:.1rem .35rem;white-space:normal;overflow-wrap:anywhere}tbody th,thead th:first-child{position:static}
.side,.ground,.heat,.fill,.plot svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}})css";

}  // namespace tickreel::viewer
