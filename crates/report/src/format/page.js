"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Every text goes in as text: nothing here makes markup of it.
function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function stack(shown) {
  const list = element("ol", "stack");
  for (const frame of shown.frames) list.append(element("li", frame.jdk ? "quiet" : "", frame.text));
  if (shown.rest) list.append(element("li", "rest quiet", shown.rest));
  return list;
}

function source(excerpt) {
  const box = element("div", "source");
  excerpt.lines.forEach((line, index) => {
    const number = excerpt.first + index;
    const row = element("div", number === excerpt.line ? "hit" : "");
    row.append(element("span", "", String(number)), element("code", "", line));
    box.append(row);
  });
  return box;
}

function side(access, title) {
  const column = element("div");
  column.append(element("h3", "", title + " by thread " + access.thread));
  const locks = access.locks.map((lock) => lock.class + " taken at " + lock.taken_at);
  if (!access.locksUnknown) {
    column.append(element("p", "quiet", locks.length ? "holding " + locks.join(", ") : "holding no lock"));
  }
  if (access.source) {
    column.append(element("p", "quiet", access.source.file + ":" + access.source.line), source(access.source));
  }
  column.append(stack(access.stack));
  if (access.started.frames.length) {
    column.append(element("h3", "", "The thread was started"), stack(access.started));
  }
  return column;
}

// Who did what in which order: a column for each thread, time goes down.
function interleaving(table) {
  const box = element("div", "interleaving");
  box.append(element("p", "quiet", table.caption));
  const grid = element("table");
  const head = element("tr");
  for (const thread of table.threads) head.append(element("th", "", thread));
  grid.append(head);
  for (const row of table.rows) {
    const line = element("tr", row.races ? "hit" : "");
    for (const cell of row.cells) {
      const made = element("td");
      if (cell) made.append(element("div", "", cell.does), element("code", "quiet", cell.at));
      line.append(made);
    }
    grid.append(line);
  }
  box.append(grid);
  return box;
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function body(race) {
  const box = element("div", "body");
  if (race.execution) box.append(element("p", "", capital(race.grade) + ": " + race.execution));
  if (race.explanation) box.append(element("p", "hint", race.explanation));
  if (race.test) box.append(element("p", "", "During test " + race.test));
  for (const annotation of race.annotations) box.append(element("p", "", "Declared " + annotation));
  if (race.because) box.append(element("p", "quiet", capital(race.status) + ": " + race.because));
  const threads = element("div", "threads");
  threads.append(side(race.earlier, "Earlier " + race.earlier.op), side(race.later, capital(race.later.op)));
  box.append(threads, element("h3", "", "Who did what in which order"), interleaving(race.interleaving));
  return box;
}

const rows = data.races.map((race) => {
  const row = element("details", "race");
  row.id = race.id;
  const head = element("summary");
  head.append(
    element("span", "badge " + race.status, race.status), element("code", "", race.id),
    element("span", "what", race.name), element("span", "where", race.place || ""),
    element("span", "where", race.pattern || ""), element("span", "count", race.count + " ×"));
  row.append(head);
  // What is inside is made when someone looks.
  row.addEventListener("toggle", () => {
    if (row.open && row.children.length === 1) row.append(body(race));
  });
  const frames = [race.earlier, race.later].flatMap((access) =>
    [access.thread, ...access.stack.frames.map((frame) => frame.text)]);
  const text = [race.id, race.name, race.test || "", race.pattern || "", ...frames].join("\n").toLowerCase();
  return { race, row, text };
});

function options(select, all, values) {
  select.append(new Option(all, ""));
  for (const value of new Set(values)) if (value) select.append(new Option(value, value));
}

function filter() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = byId("status").value;
  const kind = byId("pattern").value;
  let shown = 0;
  for (const { race, row, text } of rows) {
    const fits = words.every((word) => text.includes(word)) && (!status || race.status === status) &&
      (!kind || race.pattern === kind);
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  byId("shown").textContent = shown + " of " + rows.length + " shown";
}

function list(section, items) {
  section.hidden = items.length === 0;
  for (const item of items) section.querySelector("ul").append(element("li", "", item));
}

function watched(table) {
  const reasons = (skipped) => Object.entries(skipped || {}).map(([why, count]) => count + " because " + why).join(", ");
  const head = element("tr");
  const names = ["JVM", "JDK", "classes woven", "out of scope", "classes skipped", "methods skipped", "threads",
    "accesses decided", "without the detector"];
  for (const name of names) {
    head.append(element("th", "", name));
  }
  table.append(head);
  for (const jvm of data.jvms) {
    const row = element("tr");
    const cells = [String(jvm.pid), jvm.jdk, jvm.classes_woven, jvm.classes_out_of_scope || 0, reasons(jvm.classes_skipped) || 0,
      reasons(jvm.methods_skipped) || 0, jvm.threads, jvm.accesses.medium + jvm.accesses.slow, jvm.accesses.medium];
    for (const cell of cells) {
      const isNumber = typeof cell === "number";
      row.append(element("td", isNumber ? "number" : "", isNumber ? cell.toLocaleString("en") : cell));
    }
    table.append(row);
  }
}

// A row for each run: the bar shows in how many pairs of critical sections both orders were seen by then.
function hunted(table) {
  const head = element("tr");
  const names = ["run", "scheduler", "races", "new", "holds", "thrashings", "deadlocks", "seconds", "lock orders seen both ways"];
  for (const name of names) head.append(element("th", "", name));
  table.append(head);
  for (const run of data.hunted) {
    const row = element("tr");
    const numbers = [run.races, run.new, run.holds, run.thrashings, run.deadlocks, (run.milliseconds / 1000).toFixed(1)];
    row.append(element("td", "number", String(run.run)), element("td", "", run.scheduler));
    for (const number of numbers) row.append(element("td", "number", String(number)));
    const cell = element("td");
    const bar = element("meter");
    bar.max = run.pairs || 1;
    bar.value = run.reversed;
    cell.append(bar, " " + run.reversed + " of " + run.pairs);
    row.append(cell);
    table.append(row);
  }
}

byId("counts").textContent = data.counts;
byId("closing").textContent = data.closing;
options(byId("status"), "all statuses", data.races.map((race) => race.status));
options(byId("pattern"), "all patterns", data.races.map((race) => race.pattern).sort());
byId("races").append(...rows.map(({ row }) => row));
list(byId("fixed"), data.fixed.map((fixed) => fixed.id + " " + fixed.variable));
list(byId("notes"), data.notes);
byId("hunt").hidden = data.hunted.length === 0;
hunted(byId("hunted"));
byId("run").hidden = data.jvms.length === 0;
watched(byId("jvms"));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("input", filter);
filter();
// A link may name a race: page.html#R-01234567.
const named = rows.find(({ race }) => "#" + race.id === location.hash);
if (named) { named.row.open = true; named.row.scrollIntoView(); }
