// The style sheet of the page. Its colours are those of Okabe and Ito, which can be distinguished with every
// kind of colour vision, lightened for dark pages.
#pragma once

namespace lockstep::report {

/// Colours of lines, as `stroke-NAME` below. Lines differ in hue, in lightness, and in the dashes of their
/// kinds.
inline constexpr const char* line_colours[] = {"blue", "orange", "green",   "red", "pink",  "violet",
                                               "lime", "brown",  "crimson", "sky", "olive", "navy",
                                               "mint", "peach",  "grey",    "ink"};

inline constexpr const char* style_sheet = R"css(
:root {
  color-scheme: light dark;
  --page: #fdfdfb; --ink: #1d2125; --quiet: #5d656d; --rule: #dcdfe2; --track: #f0f1f2;
  --blue: #0072b2; --orange: #e69f00; --green: #009e73; --red: #d55e00; --pink: #c05f96;
  --sky: #3fa3dc; --olive: #84770a; --grey: #7d858c; --sand: #f2cd7c; --pale: #c3c9ce; --violet: #5b3fa8; --brown: #8d4a1c;
  --lime: #8fbf21; --crimson: #c4003e; --navy: #1f2f7a; --mint: #5fd0b5; --peach: #ef9a78;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --ink: #e8eaec; --quiet: #a2aab2; --rule: #343a40; --track: #20252a;
    --blue: #3f9fdb; --orange: #f0ae1d; --green: #23b98d; --red: #f5803e; --pink: #dd8fbd;
    --sky: #86ccf7; --olive: #c9bb3f; --grey: #8f989f; --sand: #93743a; --pale: #59626a; --violet: #a594f0; --brown: #c98a5a;
    --lime: #b3dd55; --crimson: #ff5c86; --navy: #6d86e8; --mint: #8fe6cf; --peach: #ffc0a3;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 48px 24px 64px; }
h1 { font-size: clamp(28px, 5vw, 44px); line-height: 1.1; letter-spacing: -0.02em; font-weight: 650; margin: 4px 0 12px; }
h2 { font-size: 26px; line-height: 1.2; letter-spacing: -0.01em; margin: 0; font-weight: 650; overflow-wrap: anywhere; }
h3 { font-size: 17px; margin: 0 0 8px; font-weight: 650; }
p { margin: 0 0 12px; max-width: 72ch; }
.kicker, .quiet, figcaption, footer, summary { color: var(--quiet); }
a { color: inherit; text-underline-offset: 3px; }
.kicker { font-size: 14px; margin: 0; }
section { border-top: 1px solid var(--rule); margin-top: 48px; padding-top: 24px; }
code { font: 0.86em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.facts { font-size: 14px; color: var(--quiet); max-width: none; margin: 6px 0 0; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 24px; margin: 28px 0 36px; }
.tiles div { border-left: 3px solid var(--rule); padding-left: 14px; }
.tiles dt { font-size: 14px; color: var(--quiet); }
.tiles dd { margin: 0; font-size: 14px; }
.tiles dd.big { font-size: 30px; line-height: 1.25; letter-spacing: -0.02em; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)); gap: 48px 56px; margin: 28px 0; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: 14px; margin-top: 8px; }
figcaption p { margin: 0 0 6px; }
details { margin: 6px 0; }
summary { cursor: pointer; font-size: 14px; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; padding: 0; margin: 0 0 12px; font-size: 13px; }
.legend li { display: flex; align-items: center; gap: 7px; }
svg { display: block; overflow: visible; }
svg text { font-size: 13px; fill: var(--ink); font-variant-numeric: tabular-nums; }
svg .number { text-anchor: end; } svg .middle { text-anchor: middle; } svg .quiet { fill: var(--quiet); }
svg .area { width: calc(100% - 72px); } svg .area > svg { overflow: hidden; }
svg .middle, svg .area ~ text { fill: var(--quiet); }
.track { fill: var(--track); } .gap { fill: var(--page); }
.reference { stroke: var(--ink); stroke-width: 1.5; } .grid { stroke: var(--rule); } .tick { stroke: var(--quiet); }
.fill-offline { fill: var(--blue); } .fill-online { fill: var(--red); } .fill-racing { fill: var(--grey); }
.fill-read { fill: var(--pale); } .fill-schedule { fill: var(--orange); } .fill-write { fill: var(--sand); }
.fill-load { fill: var(--sky); } .fill-execute { fill: var(--blue); } .fill-other { fill: var(--grey); }
.line { fill: none; stroke-width: 2.2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.dot { stroke-width: 1.5; fill: var(--page); }
.mark { font-weight: 650; paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
.line.online { stroke-dasharray: 8 4; } .line.racing { stroke-dasharray: 2 4; }
.stroke-blue { stroke: var(--blue); } .stroke-sky { stroke: var(--sky); } .stroke-green { stroke: var(--green); }
.stroke-pink { stroke: var(--pink); } .stroke-olive { stroke: var(--olive); } .stroke-violet { stroke: var(--violet); }
.stroke-grey { stroke: var(--grey); } .stroke-ink { stroke: var(--ink); } .stroke-red { stroke: var(--red); }
.stroke-orange { stroke: var(--orange); } .stroke-brown { stroke: var(--brown); }
.stroke-lime { stroke: var(--lime); } .stroke-crimson { stroke: var(--crimson); } .stroke-navy { stroke: var(--navy); }
.stroke-mint { stroke: var(--mint); } .stroke-peach { stroke: var(--peach); }
.scroll { overflow-x: auto; margin: 8px 0 24px; background: linear-gradient(90deg, transparent, var(--page) 70%) 100% 0 / 40px 100% no-repeat local, linear-gradient(90deg, transparent, var(--rule)) 100% 0 / 16px 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; min-width: 100%; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: 5px 0 5px 20px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); font-weight: 400; }
thead th { color: var(--quiet); font-size: 13px; vertical-align: bottom; border-bottom-color: var(--quiet); }
figcaption th, figcaption td { padding-left: 10px; font-size: 13px; } figcaption thead th { white-space: normal; }
th.text, td.text { text-align: left; }
tr > :first-child { position: sticky; left: 0; background: var(--page); padding-left: 0; padding-right: 8px; text-align: left; }
tbody th { font-weight: 600; }
tbody tr:hover > * { background: var(--track); }
.note { border-left: 3px solid var(--orange); padding-left: 14px; margin-top: 20px; }
dl.terms { display: grid; grid-template-columns: minmax(9em, max-content) 1fr; gap: 6px 24px; font-size: 15px; max-width: 90ch; }
dl.terms dt { font-weight: 600; } dl.terms dd { margin: 0; }
footer { border-top: 1px solid var(--rule); margin-top: 48px; padding-top: 16px; font-size: 14px; }
@media (max-width: 560px) {
  main { padding: 28px 16px 40px; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 20px 12px; } .tiles dd.big { font-size: 24px; }
  dl.terms { grid-template-columns: 1fr; gap: 0; } dl.terms dd { margin-bottom: 10px; }
}
@media print { main { max-width: none; } section, figure { break-inside: avoid-page; } .scroll { overflow: visible; } }
)css";

}  // namespace lockstep::report
