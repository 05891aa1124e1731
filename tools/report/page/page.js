// Builds the page from its data: sections, tables, and pictures, which D3 draws. Names of files, devices and
// strategies come from users, so they are inserted only as text, never as HTML.
"use strict";
const report = JSON.parse(document.getElementById("data").textContent);
const has_library = Boolean(window.d3?.create && d3.scaleLog && d3.axisLeft);

// Numbers as text. An unknown number is null in the data.
const fixed = (value, digits) => Number.isFinite(value)
  ? value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–";
const whole = value => fixed(value, 0);
const times = value => fixed(value, 2) + " ×";
const plain = value => value.toLocaleString("en", { maximumSignificantDigits: 6 });
const rounded = value => Number(value?.toPrecision(3));
const prefixes = [["G", 1e9], ["M", 1e6], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9]];
/** Formats a number with its unit: 12 ms, 1.5 G/s. The prefix of the unit is that of `like`. */
function quantity(value, unit, like = value) {
  if (!Number.isFinite(value)) return "–";
  const [prefix, size] = prefixes.find(([, size]) => like >= size) ?? ["", 1];
  return `${plain(value / size)} ${prefix}${unit}`;
}
const duration = seconds => quantity(rounded(seconds), "s");
const extent = values => [Math.min(...values), Math.max(...values)];
const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter(child => child !== null));
  return made;
}
const paragraph = (style, ...content) => element("p", { class: style }, ...content);
const section = (title, ...content) =>
  content.length ? element("section", {}, element("h2", {}, title), ...content) : null;
const details = (summary, content) => element("details", {}, element("summary", {}, summary), content);

/** Returns a table that scrolls horizontally in a narrow window. The columns in `left` contain text. */
function table({ title, header, left = [], rows }) {
  const style = column => ({ class: left.includes(column) ? "text" : "number" });
  const titles = header.map((text, i) => element("th", { scope: "col", ...style(i) }, text));
  const lines = rows.map(([label, ...cells]) => element("tr", {}, element("th", { scope: "row" }, label),
    ...cells.map((text, i) => element("td", style(i + 1), text))));
  return element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": title },
    element("table", {}, element("caption", {}, title),
      element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...lines)));
}
const titled_tables = tables => tables.filter(one => one.rows.length)
  .flatMap(one => [element("h3", {}, one.title), table(one)]);

// Pictures. They are drawn for the width of the window, so that their text has the same size at every width.
const colours = {
  offline: "blue", online: "red", racing: "grey", "": "blue",
  "NL, then EL": "red", "hubs by EL, other edges by SGM": "blue",
  read: "pale", schedule: "orange", "verify + write": "sand", "load + transfer": "sky", execute: "blue",
  "evaluate + fit + rest": "grey",
};
const dashes = { online: "8 4", racing: "2 4" };
const paint = name => `var(--${name})`;
const shorten = (text, width) => (text.length * 7.5 > width ? text.slice(0, width / 7.5 - 1) + "…" : text);
const group_at = (parent, x, y) => parent.append("g").attr("transform", `translate(${x},${y})`);
const draw_text = (parent, x, y, text, style = "") =>
  parent.append("text").attr("x", x).attr("y", y).attr("class", style).text(text);
const draw_path = (parent, { colour, kind }, points) => parent.append("path").attr("class", "line")
  .attr("d", "M" + points.join("L")).style("stroke", paint(colour)).style("stroke-dasharray", dashes[kind]);

/** Draws the entries of a legend side by side: lines, or thick lines for bars. Returns its height. */
function draw_legend(parent, legend, width, thickness) {
  let x = 0, y = 0;
  for (const entry of legend) {
    const label = shorten(entry.label, width - 34), length = 50 + 7.5 * label.length;
    if (x > 0 && x + length > width) [x, y] = [0, y + 20];
    const place = group_at(parent, x, y).attr("class", "entry");
    draw_path(place, entry, [[0, 7], [26, 7]]).style("stroke-width", thickness);
    draw_text(place, 34, 11, label);
    x += length;
  }
  return legend.length ? y + 30 : 0;
}

/** Draws horizontal bars, each below its label. Returns the height of the picture. */
function draw_bars(parent, { bars, limit, has_reference }, width) {
  const x = d3.scaleLinear().domain([0, limit]).range([0, width]).clamp(true);
  bars.forEach(({ row, parts }, i) => {
    const place = group_at(parent, 0, 41 * i), number = row.at(-1);
    const draw = (from, to, colour) => place.append("rect").attr("x", from).attr("y", 17)
      .attr("width", to - from).attr("height", 10).style("fill", paint(colour));
    draw_text(place, 0, 11, shorten(row[0], width - 8 * number.length));
    draw_text(place, width, 11, number, "end");
    draw(0, width, "track");
    let start = 0;
    for (const [kind, length] of parts) draw(x(start), x(start += length), colours[kind]);
    if (start > limit * (1 + 1e-9)) // two gaps show that the bar is cut
      for (const gap of [0.95, 0.975]) draw(gap * width, gap * width + 3, "page");
    if (has_reference && limit >= 1) draw(x(1) - 1, x(1) + 1, "ink").attr("y", 15).attr("height", 14);
  });
  return 41 * bars.length;
}

/** Draws lines over two axes, and marks: rings with a number. Returns the height of the picture. */
function draw_lines(parent, { x: across, y: up, lines, marks = [] }, width) {
  const left = 68, right = width - 24, top = 10, bottom = 270;
  const scale_of = axis => (axis.is_log ? d3.scaleLog() : d3.scaleLinear()).domain(axis.domain);
  const x = scale_of(across).range([left, right]), y = scale_of(up).range([bottom, top]);
  if (!up.is_log) y.nice(5);
  const draw_axis = (axis, scale, { is_log, unit }, count, place) => {
    const like = is_log ? undefined : scale.domain()[1];
    const format = value => (unit ? quantity(value, unit, like) : plain(value));
    const label = is_log ? scale.tickFormat(count, format) : format; // only some powers have a label
    axis.tickValues(scale.ticks(count).filter(label)).tickFormat(label).tickSizeOuter(0);
    group_at(parent, ...place).attr("class", "axis").call(axis);
  };
  draw_axis(d3.axisLeft(y).tickSizeInner(left - right), y, up, 5, [left, 0]);
  draw_axis(d3.axisBottom(x), x, across, width / 110, [0, bottom]);
  draw_text(parent, right, bottom + 40, across.title, "end quiet");
  const draw_ring = ({ colour }, at, radius) => parent.append("circle").attr("class", "dot")
    .attr("cx", x(at[0])).attr("cy", y(at[1])).attr("r", radius).style("stroke", paint(colour));
  for (const line of lines) {
    if (!line.is_scattered) draw_path(parent, line, line.points.map(point => [x(point[0]), y(point[1])]));
    if (line.has_dots) for (const point of line.points) draw_ring(line, point, 2.5);
  }
  for (const mark of marks) {
    draw_ring(mark, mark.at, 4);
    draw_text(parent, x(mark.at[0]) - 4, y(mark.at[1]) - 8, mark.text, "mark end");
  }
  return bottom + 46;
}

function draw_picture(figure, width) {
  const svg = d3.create("svg:svg").attr("role", "img").attr("aria-label", figure.title);
  svg.append("desc").text(figure.caption);
  const top = 4 + draw_legend(svg, figure.legend, width, figure.bars ? 10 : 2.2);
  const draw = figure.bars ? draw_bars : draw_lines;
  const height = top + draw(group_at(svg, 0, top), figure, width);
  return svg.attr("width", width).attr("height", height).attr("viewBox", `0 0 ${width} ${height}`).node();
}

/** Returns a link that saves the picture as a file, which contains its style. */
function save_link(figure) {
  const svg = draw_picture(figure, 720), style = document.querySelector("style").textContent;
  d3.select(svg).insert("style", "*").text(style + "svg { background: var(--page); }");
  const file = encodeURIComponent(new XMLSerializer().serializeToString(svg));
  const name = figure.title.toLowerCase().replace(/[^a-z0-9]/g, "-") + ".svg";
  return element("a", { download: name, href: "data:image/svg+xml," + file }, `Save ${name}`);
}

const drawn = []; // figures, and the elements that contain their pictures
function draw_all() {
  for (const { figure, holder } of drawn) holder.replaceChildren(draw_picture(figure, holder.clientWidth));
}
function figure_element(figure) {
  const numbers = details("Numbers", table(figure)), holder = element("div", {});
  numbers.open = !has_library;
  if (has_library) drawn.push({ figure, holder });
  return element("figure", {}, element("h3", {}, figure.title), holder,
    element("figcaption", {}, element("p", {}, figure.caption), numbers,
      details("Command", element("code", {}, report.command_line)), has_library ? save_link(figure) : null));
}
const figures_element = figures =>
  element("div", { class: "figures" }, ...figures.filter(Boolean).map(figure_element));

const total_length = ({ parts }) => parts.reduce((sum, [, length]) => sum + length, 0);
/**
 * Returns a figure of bars. Each bar has a row of the table, from its label to the number at its end, and one
 * or several parts, [kind, length]. A few long bars are cut, so that the others can be compared.
 */
function bars_figure(title, caption, header, has_reference, bars) {
  const lengths = bars.map(total_length).sort((a, b) => a - b), longest = lengths.at(-1);
  const [low, high] = [Math.floor, Math.ceil].map(round => lengths[round((lengths.length - 1) / 2)]);
  const limit = Math.min(longest, 2 * (low + high)) || 1;
  const cut = " A bar with gaps at its end is cut off; the number is the actual value.";
  const used = bars.flatMap(({ parts }) => parts.map(([kind]) => kind));
  const legend = Object.keys(colours).filter(kind => kind && used.includes(kind))
    .map(label => ({ label, colour: colours[label] }));
  if (longest > limit) caption += cut;
  return { title, caption, header, has_reference, limit, legend, bars, rows: bars.map(({ row }) => row) };
}
const bar = (kind, length, ...row) => ({ row, parts: [[kind, length]] });

// The figures of a group of runs.
const per_sweep = row => row.seconds.execute_per_sweep;
/** Returns the seconds of a run before its sweeps, as far as they differ between strategies. */
const before_sweeps = ({ seconds: s }) => s.schedule + s.prove + s.write + s.load + s.transfer;
const is_finished = row => row.status === "ok" || row.status === "stopped-early";

function time_figure({ baseline }, rows) {
  const caption = "Execution only, without preprocessing. Shorter is faster";
  if (!baseline)
    return bars_figure("Time per sweep", caption + ". There is no baseline for normalisation.",
      ["strategy", "time per sweep"], false,
      rows.map(row => bar(row.kind, per_sweep(row), row.label, duration(per_sweep(row)))));
  return bars_figure("Time per sweep, normalised to " + baseline, caption + "; the line marks 1.",
    ["strategy", "time per sweep", "× " + baseline], true, rows.map(row =>
      bar(row.kind, row.normalised, row.label, duration(per_sweep(row)), times(row.normalised))));
}

function stages_figure(rows) {
  const bars = rows.map(({ label, seconds: s }) => {
    const parts = [["read", s.read], ["schedule", s.schedule], ["verify + write", s.prove + s.write],
      ["load + transfer", s.load + s.transfer], ["execute", s.execute],
      ["evaluate + fit + rest", s.evaluate + s.fit + s.result + s.other]];
    const cells = parts.map(([, length]) => duration(length));
    return { parts, row: [label, ...cells, duration(total_length({ parts }))] };
  });
  return bars_figure("Where the time goes",
    "All stages from the input file to the result. Warm colours are preprocessing.",
    ["strategy", ...bars[0].parts.map(([stage]) => stage), "total"], false, bars);
}

const palette = ["blue", "orange", "green", "red", "pink", "violet", "lime", "brown", "crimson", "sky",
  "olive", "navy", "mint", "peach", "grey", "ink"];
/** Returns the line of a row. Lines differ in colour, and the kinds in their dashes. */
function line_of(group, row, points) {
  const colour = palette[group.rows.indexOf(row) % palette.length];
  return { row, label: row.label, kind: row.kind, colour, points, has_dots: points.length <= 12 };
}

function error_figure(group, rows) {
  const error = group.graph.test_edges > 0 ? "rmse_test" : "rmse_train";
  const by_factors = new Map(), marks = [], cells = [];
  for (const row of group.all_weights_equal ? [] : rows) {
    const { seconds, kept, [error]: errors } = row.curve;
    const points = seconds.map((at, i) => [at, errors[i]]).filter(([at, value]) => value !== null && at > 0);
    if (!points.length) continue;
    cells.push([row.label, fixed(points[0][1], 4), fixed(row[error], 4), whole(seconds.length),
      duration(points.at(-1)[0])]);
    const is_one = row.deterministic && row.result_hashes.length === 1;
    const factors = is_one ? `${row.result_hashes} ${errors}` : row, same = by_factors.get(factors);
    if (same) {
      same.label += (same.label === same.row.label ? " = " : ", ") + row.label;
      continue;
    }
    by_factors.set(factors, line_of(group, row, points));
    const at = [seconds[kept - 1], errors[kept - 1]];
    if (kept < seconds.length && at[1]) marks.push({ ...by_factors.get(factors), at, text: "" });
  }
  const lines = [...by_factors.values()];
  if (!lines.length) return null;
  const later = lines.flatMap(({ points }) => points.slice(points.length / 10));
  const highest = Math.max(...later.map(point => point[1]));
  for (const line of lines) line.points = line.points.filter(point => point[1] <= highest);
  const shown = lines.flatMap(({ points }) => points);
  const [[first, last], errors] = [0, 1].map(i => extent(shown.map(point => point[i])));
  const is_log = last > 100 * first;
  return {
    title: `${error === "rmse_test" ? "Test" : "Training"} RMSE over time`, legend: lines, lines, marks,
    caption: "Further left is faster, further down is better. One point per sweep, without preprocessing " +
      "and evaluation. A ring marks the sweep whose model was kept, if that is not the last sweep. Of " +
      "several strategies with the same factors after every sweep, only the fastest is drawn. Larger " +
      "errors in the first tenth of a line are left out.",
    x: {
      domain: [is_log ? first : 0, last], is_log, unit: "s",
      title: is_log ? "execution time, logarithmic" : "execution time",
    },
    y: { domain: errors },
    header: ["strategy", "after sweep 1", "kept model", "sweeps", "execution"], rows: cells,
  };
}

function break_even_figure(group, rows) {
  const online = rows.find(row => row.kind === "online");
  const offline = rows.filter(row => row.kind === "offline");
  if (!online || !offline.length) return null;
  const never = Number.MAX_VALUE, pays_after = row => row.pays_online.sweeps ?? never;
  const total = (row, sweeps) => before_sweeps(row) + sweeps * per_sweep(row);
  const best = offline.toSorted((a, b) => pays_after(a) - pays_after(b)).slice(0, 3);
  // The axis shows where the lines cross, unless the first crossing could not be distinguished from zero.
  const farthest = 20 * Math.max(pays_after(best[0]), 1);
  const near = best.map(pays_after).filter(pays => pays <= farthest && pays < never);
  const end = Math.ceil(Math.max(...near.map(pays => 1.5 * pays), online.sweeps, 4));
  const line = row => ({ ...line_of(group, row, [0, end].map(n => [n, total(row, n)])), has_dots: false });
  const lines = [...best, online].map(line);
  const marks = best.filter(row => pays_after(row) <= end).map(row => {
    // The exact crossing. The number is the first whole number of sweeps from there.
    const cost = before_sweeps(row) - before_sweeps(online), gain = per_sweep(online) - per_sweep(row);
    const at = Math.max(0, cost / gain);
    return { ...line(row), at: [at, total(row, at)], text: at ? whole(pays_after(row)) : "" };
  });
  const locked_or_racing = group.rows.filter(row => rows.includes(row) && row.kind !== "offline");
  const others = [...new Set(locked_or_racing.map(row => row.strategy))];
  const cell = pays => (pays?.pays === false ? "never" : whole(pays?.sweeps));
  return {
    title: "When a schedule pays", legend: lines, lines, marks,
    caption: "The time before the sweeps (schedule, verify, write, load, transfer) plus the time of the " +
      `sweeps. A schedule pays from the sweep at which it crosses ${online.strategy}, the fastest online ` +
      "strategy; the number is that sweep.",
    x: { domain: [0, end], title: "sweeps" },
    y: { domain: [0, Math.max(...lines.map(({ points }) => points[1][1]))], unit: "s" },
    header: ["schedule", "before sweeps", "time per sweep", ...others.map(other => "vs " + other)],
    rows: offline.map(row => [row.label, duration(before_sweeps(row)), duration(per_sweep(row)),
      ...others.map(other => cell(row.break_even.find(pays => pays.against === other)))]),
  };
}

function comparison_figure({ app }, { title, option, with: rest, ratio, values }) {
  const text = number => (ratio ? plain(rounded(number)) + " ×" : plain(number));
  const caption = app + (rest ? ", with " + rest : "") + (ratio ? ". The line marks 1." : ", per source.");
  const known = values.filter(({ number }) => number !== null);
  return bars_figure(title, caption, [option, title], ratio,
    known.map(({ value, number }) => bar("", number, value, text(number))));
}

/** Returns the figure of the rounds of one row. Just-in-time control comes first: its rounds vary most. */
function rounds_figure(group) {
  const is_jit = row => /--filter jit/.test(row.parameters.axes);
  const [row] = group.rows.filter(row => is_finished(row) && row.each_round?.length > 1)
    .sort((a, b) => is_jit(b) - is_jit(a) || per_sweep(a) - per_sweep(b));
  if (!row) return null;
  const names = row.each_round.map(({ direction, filter }) =>
    direction + (filter === "none" ? "" : ", " + filter));
  const legend = [...new Set(names)].map((label, i) => ({ label, colour: palette[i % palette.length] }));
  const lines = [], cells = [];
  for (let first = 0, next = 0; first < names.length; first = next) {
    while (names[next] === names[first]) ++next;
    const rounds = row.each_round.slice(first, next), active = rounds.map(round => round.active ?? 0);
    const points = active.map((value, i) => [first + i + 1, Math.max(1, value)]);
    const sum = key => rounds.reduce((total, round) => total + (round[key] ?? NaN), 0);
    lines.at(-1)?.points.push(points[0]); // the lines meet
    const entry = legend.find(({ label }) => label === names[first]);
    lines.push({ ...entry, points, has_dots: names.length <= 100 });
    cells.push([`${first + 1}–${next}`, names[first], ...extent(active).map(whole), whole(sum("arcs")),
      duration(sum("seconds"))]);
  }
  const most = Math.max(...row.each_round.map(round => round.active), 1);
  return {
    title: "Active vertices and filters over the rounds", legend, lines,
    caption: `${group.app}, ${row.label}: the active vertices of each round of the first source. The ` +
      "colour shows which filter made the list of the next round.",
    x: { domain: [1, names.length], title: "round" }, y: { domain: [1, most * 1.5], is_log: true },
    header: ["rounds", "direction, filter", "fewest active", "most active", "arcs", "time"], left: [1],
    rows: cells,
  };
}

function group_section(group, i) {
  const rows = group.rows.filter(row => is_finished(row) && row.same_as === null && per_sweep(row) !== null)
    .sort((a, b) => per_sweep(a) - per_sweep(b));
  const figures = rows.length ? [time_figure(group, rows), stages_figure(rows), error_figure(group, rows),
    break_even_figure(group, rows), ...(group.comparisons ?? []).map(one => comparison_figure(group, one)),
    rounds_figure(group)] : [];
  const made = section(group.data, paragraph("facts", group.run_text),
    paragraph("facts", group.graph_text + " · graph ", element("code", {}, group.graph.hash)),
    ...group.headline.split("\n").filter(Boolean).map(text => paragraph("result", text)),
    ...group.notes.map(note => paragraph("note", note)), figures_element(figures),
    ...titled_tables(group.tables));
  made.id = `group-${i + 1}`;
  return made;
}

// The figures of several data sets, and of devices.
function geomean_figures() {
  const key = mean => [mean.app, mean.device, mean.rank, mean.input_class, mean.baseline].join();
  return [...Map.groupBy(report.geomeans, key).values()].map(means => {
    const [{ input_class, baseline, device, rank }] = means;
    const most = Math.max(...means.map(mean => mean.data_sets));
    const fewer = ({ data_sets }) => (data_sets < most ? ` · only ${data_sets} of ${most}` : "");
    const bars = means.map(mean =>
      bar(mean.kind, mean.geomean, mean.strategy + fewer(mean), whole(mean.data_sets), times(mean.geomean)));
    return bars_figure(`Geomean over ${plural(most, input_class + " data set")}`,
      `${device}, rank ${rank}. Time per sweep normalised to ${baseline}.`,
      ["strategy", "data sets", "normalised to " + baseline], true, bars);
  });
}

function hybrid_figures() {
  const hybrids = { "nl-el": "NL, then EL", "el-sgm": "hubs by EL, other edges by SGM" };
  const means = report.geomeans.filter(({ strategy, baseline, geomean }) =>
    strategy in hybrids && ["el", "el-shuffled"].includes(baseline) && geomean > 0);
  return means.slice(-1).map(({ baseline, device, rank }) => {
    const name = baseline === "el" ? "EL" : "shuffled EL";
    return bars_figure(`Hybrid schedules: speed-up over ${name}`,
      `${device}, rank ${rank}. Geomean of the time of ${name} over that of the hybrid, as figure 8 of ` +
      `Kaleem et al., whose EL is shuffled; longer is faster, the line marks ${name}.`,
      ["hybrid", "data sets", "speed-up"], true,
      means.map(({ strategy, input_class, geomean, data_sets }) => bar(hybrids[strategy], 1 / geomean,
        `${strategy}, ${input_class}`, whole(data_sets), times(1 / geomean))));
  });
}

function forecast_figures() {
  const found = report.groups.flatMap(({ data, rows }) => rows
    .filter(row => is_finished(row) && row.predicted_per_sweep !== null && per_sweep(row) > 0)
    .map(row => ({ data, ...row, predicted: row.predicted_per_sweep, measured: per_sweep(row) })));
  if (!found.length) return [];
  const near = found.filter(run => run.predicted <= 2 * run.measured && run.predicted >= run.measured / 2);
  const [least, most] = extent(found.flatMap(({ predicted, measured }) => [predicted, measured]));
  const low = least / 1.5, high = most * 1.5;
  const clouds = [...Map.groupBy(found, ({ kind }) => kind)].map(([label, runs]) => ({
    label, colour: colours[label], is_scattered: true, has_dots: true,
    points: runs.map(({ measured, predicted }) => [measured, predicted]),
  }));
  const bounds = [1, 2, 0.5].map(factor => ({
    colour: "ink", kind: factor === 1 ? "" : "racing",
    points: [Math.max(low, low / factor), Math.min(high, high / factor)].map(x => [x, x * factor]),
  }));
  const axis = { domain: [low, high], is_log: true, unit: "s", title: "measured time per sweep" };
  return [{
    title: "Predicted against measured", legend: clouds, lines: [...clouds, ...bounds], x: axis, y: axis,
    caption: "Time per sweep, predicted (up) against measured (right), one point per strategy and data " +
      "set. On the line, both are equal; the dotted lines mark a factor of 2: " +
      `${near.length} of ${found.length} points are between them.`,
    header: ["data", "strategy", "predicted", "measured", "predicted / measured"], left: [1],
    rows: found.map(({ data, label, predicted, measured }) =>
      [data, label, duration(predicted), duration(measured), fixed(predicted / measured, 2)]),
  }];
}

/** Returns a figure of curves on logarithmic axes. `curves` has [label, colour, xs, ys] of each. */
function curves_figure(title, caption, x_title, unit, curves) {
  const lines = curves.map(([label, colour, xs, ys]) =>
    ({ label, colour, points: xs.map((x, i) => [x, ys[i]]), has_dots: true }));
  const [xs, [low, high]] = [2, 3].map(i => extent(curves.flatMap(curve => curve[i])));
  return {
    title, caption, legend: lines, lines, header: [x_title, ...lines.map(line => line.label)],
    x: { domain: xs, is_log: true, title: x_title },
    y: { domain: [low / 1.5, high * 1.5], is_log: true, unit },
    rows: curves[0][2].map((x, i) =>
      [plain(x), ...curves.map(curve => quantity(rounded(curve[3][i]), unit))]),
  };
}

function probe_section(probe) {
  const [near, workers, barrier] = probe.kind === "cuda"
    ? ["shared memory", "thread blocks", "device-wide barrier"] : ["first-level cache", "threads", "barrier"];
  const { text, atomics_same: same, atomics_spread: spread, barrier_by_blocks: { blocks, seconds } } = probe;
  const updates = probe.updates.toSorted((a, b) => a.rank - b.rank), ranks = updates.map(({ rank }) => rank);
  const update_line = (label, colour, key) => [label, colour, ranks, updates.map(update => update[key])];
  return section(probe.device,
    paragraph("facts", `${text}, rank ${probe.rank}, measured ${probe.measured} by ${probe.program}`),
    figures_element([
      curves_figure("Atomic throughput",
        `Atomic exchanges per second by the number of threads, as figure 9 of Kaleem et al. ${text}.`,
        "threads", "/s", [["one address", "red", same.threads, same.per_second],
          ["many addresses", "blue", spread.threads, spread.per_second]]),
      blocks.length > 1 && curves_figure("Barrier",
        `Time of one barrier by the number of participants. ${text}.`, workers, "s",
        [[barrier, "blue", blocks, seconds]]),
      curves_figure("Dependent updates",
        `Time of an update of SGD that waits for the one before it: a hub's chain. ${text}.`, "rank", "s",
        [update_line(near, "green", "near"), update_line("through the shared cache", "blue", "shared"),
          update_line("under two locks", "red", "locked")]),
    ]));
}

// The page.
const hashes = new Set(report.groups.map(group => group.graph.hash));
const devices = [...new Set(report.groups.map(group => group.device_text))].sort();
const links = report.groups.map((group, i) =>
  element("li", {}, element("a", { href: `#group-${i + 1}` }, `${group.data} · ${group.run_text}`)));
const overall = [...geomean_figures(), ...hybrid_figures(), ...forecast_figures()];
const strategies = report.strategies.flatMap(({ name, kind, summary, source }) =>
  [element("dt", {}, name), element("dd", {}, `${kind}: ${summary} (${source})`)]);
const idle = report.idle_table, runs = details(plural(report.runs, "run"), table(report.run_table));
const content = element("div", {},
  paragraph("", [plural(report.runs, "run"), plural(hashes.size, "data set"), ...devices].join(" · ")),
  has_library ? null : paragraph("note", "The pictures are missing, because lockstep-report was built " +
    "without D3 (Debian packages node-d3-axis, node-d3-scale, node-d3-selection). The tables are complete."),
  links.length > 1 ? element("nav", { "aria-label": "Contents" }, element("ul", {}, ...links)) : null,
  overall.length ? section("Over all data sets", figures_element(overall)) : null,
  section("Over active vertices", ...titled_tables(report.comparison_tables)),
  ...report.probes.map(probe_section), ...report.groups.map(group_section),
  idle.rows.length ? section(idle.title, table(idle)) : null,
  strategies.length ? section("The strategies", element("dl", { class: "terms" }, ...strategies)) : null,
  report.runs ? section("Runs", paragraph("", "The source of every number. Hashes are shortened to eight " +
    "digits; CSV and JSON contain all digits."), runs) : null);
document.querySelector("h1").after(content);
document.querySelector("footer").append(report.program + " · ", element("code", {}, report.command_line));
draw_all();
addEventListener("resize", draw_all);
