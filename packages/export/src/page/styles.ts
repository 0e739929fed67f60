/** The one style sheet of the page. Colours pass 4.5:1 on their grounds, by day and by night. */
export const STYLES: string = `
:root{--ground:#fff;--raised:#f5f6f8;--ink:#1b1f24;--faint:#545c66;--line:#d5dae1;--link:#0a53b8;--won:#176a2e;--won-ground:#e6f4ea;--failed:#a3231c;--voted:#6b32a8;--answered:#0b5c73}
@media(prefers-color-scheme:dark){:root{--ground:#13161a;--raised:#1c2127;--ink:#e4e8ed;--faint:#a5afba;--line:#38414b;--link:#82b6ff;--won:#7fd596;--won-ground:#16321f;--failed:#ff9a92;--voted:#cfa8ff;--answered:#7fd3ea}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0 auto;max-width:62rem;padding:1rem clamp(.9rem,4vw,2.5rem) 4rem;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.5rem;background:var(--ground);padding:.5rem 1rem;z-index:1}
.brand{font-weight:600;margin:.2rem 0 1rem}
.faint{color:var(--faint);font-weight:400;font-size:.9em}
.turn{margin:2.5rem 0 0;color:var(--faint);font-weight:600}
h1{font-size:clamp(1.35rem,4vw,1.9rem);line-height:1.25;margin:.3rem 0 1rem}
h2{font-size:1.3rem;margin:2.6rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.4rem 0 .4rem}
h4,h5,h6{font-size:1rem;margin:1.2rem 0 .4rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.6rem 1.5rem;margin:0 0 1rem}
.facts dt{color:var(--faint);font-size:.85rem}
.facts dd{margin:0}
.facts .whole{grid-column:1/-1}
.sections ul{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;list-style:none;margin:0;padding:.6rem 0;border-top:1px solid var(--line)}
.sections a,nav ol a{display:inline-block;padding:.2rem 0}
.note{background:var(--raised);border-left:4px solid var(--line);padding:.6rem .9rem;margin:1rem 0}
.by{color:var(--faint);margin:.2rem 0 .6rem}
.foreign{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:.2rem 1.1rem;unicode-bidi:isolate}
.rule{font-size:1.1rem;font-weight:600}
.tag{display:inline-block;background:var(--won-ground);color:var(--won);border-radius:4px;padding:0 .4rem;font-size:.85rem;font-weight:600}
.reasons{list-style:none;padding:0}
.reasons li{margin:.6rem 0;padding-left:.9rem;border-left:3px solid var(--line)}
.who{display:block;color:var(--faint);font-size:.92rem}
q{quotes:"\\201c" "\\201d"}
details{margin:.6rem 0}
summary{cursor:pointer;padding:.5rem 0;line-height:1.5}
.label{font-weight:700}
.wide{overflow-x:auto;margin:.8rem 0;overflow-wrap:break-word}
section>.wide>table,details>.wide>table{min-width:38rem}
th[scope=row]{min-width:9rem}
table{border-collapse:collapse;width:100%;font-size:.95rem}
caption{text-align:left;font-weight:600;padding:.4rem 0}
th,td{border-bottom:1px solid var(--line);padding:.45rem .7rem .45rem 0;text-align:left;vertical-align:top}
thead th{color:var(--faint);font-weight:600}
tbody th{font-weight:500}
.right{text-align:right;font-variant-numeric:tabular-nums}
.center{text-align:center}
.matrix td{min-width:9rem}
.matrix .won{background:var(--won-ground)}
.matrix td,.matrix th{padding-left:.6rem}
.timeline{list-style:none;padding:0;margin:0}
.timeline li{display:grid;grid-template-columns:5.2rem minmax(0,1fr) 3.2rem;gap:.2rem .6rem;padding:.3rem 0 .3rem 1rem;border-left:3px solid var(--line)}
.timeline .faint{text-align:right}
@media(max-width:34rem){.timeline li{grid-template-columns:minmax(0,1fr) 3.2rem}.timeline .time{grid-column:1/-1}}
.timeline .time{color:var(--faint);font-variant-numeric:tabular-nums}
.timeline .answered{border-color:var(--answered)}
.timeline .voted{border-color:var(--voted)}
.timeline .won{border-color:var(--won);font-weight:600}
.timeline .failed{border-color:var(--failed);color:var(--failed)}
pre{overflow-x:auto;background:var(--ground);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;font:.9rem/1.5 ui-monospace,SFMono-Regular,Consolas,monospace}
pre.text{white-space:pre-wrap;border:0;background:none;padding:.4rem 0;font-family:inherit;font-size:1rem}
code{font-family:ui-monospace,SFMono-Regular,Consolas,monospace;font-size:.92em}
.lang{display:block;color:var(--faint);font-size:.8rem}
blockquote{margin:.8rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--faint)}
.foreign table{width:auto}
.files{columns:2 20rem;padding-left:1.2rem}
footer{margin-top:3rem;color:var(--faint);font-size:.9rem;border-top:1px solid var(--line)}
@media print{.skip,.sections{display:none}body{max-width:none}.wide{overflow:visible}}
`;
