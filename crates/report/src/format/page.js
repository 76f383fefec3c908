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

const KEYWORDS = new Set(("abstract assert boolean break byte case catch char class const continue default do double else enum extends " +
  "final finally float for fun goto if implements import instanceof int interface long native new null package private protected " +
  "public record return sealed short static super switch synchronized this throw throws transient true try val var void volatile " +
  "while yield false").split(" "));
const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*.*)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(@?[A-Za-z_$][\w$]*)|(\d[\w.]*)|([^])/g;

// A line of source, coloured by what its parts are; it stays text.
function coloured(line) {
  const code = element("code");
  for (const [text, comment, string, word, number] of line.matchAll(TOKEN)) {
    const kind = comment ? "comment" : string ? "string" : number ? "number" : word && KEYWORDS.has(word) ? "keyword" :
      word && word.startsWith("@") ? "annotation" : "";
    code.append(kind ? element("span", kind, text) : text);
  }
  return code;
}

function source(excerpt) {
  const box = element("div", "source");
  box.tabIndex = 0;
  excerpt.lines.forEach((line, index) => {
    const number = excerpt.first + index;
    const row = element("div", number === excerpt.line ? "hit" : "");
    row.append(element("span", "line", String(number)), coloured(line));
    box.append(row);
  });
  return box;
}

// A command to be copied, with a button.
function command(text) {
  const box = element("p", "command");
  const button = element("button", "", "copy");
  button.type = "button";
  const code = element("code", "", text);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      // The browser does not let a page write: the text is selected instead.
      getSelection().selectAllChildren(code);
      button.textContent = "selected";
    }
  });
  box.append(code, button);
  return box;
}

function side(access, title) {
  const column = element("div");
  column.append(element("h3", "", title + " by thread " + access.thread));
  const locks = access.locks.map((lock, index) =>
    (access.lockNames[index] ? access.lockNames[index] + " " : "") + lock.class + " taken at " + lock.taken_at);
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
  if (race.locks) box.append(element("p", "hint", race.locks));
  if (race.test) box.append(element("p", "", "During test " + race.test));
  if (race.code) box.append(element("p", "quiet", race.code === "test" ? "Both accesses are in test code" : "In main code"));
  for (const annotation of race.annotations) box.append(element("p", "", "Declared " + annotation));
  if (race.because) box.append(element("p", "quiet", capital(race.status) + ": " + race.because));
  const threads = element("div", "threads");
  threads.append(side(race.earlier, "Earlier " + race.earlier.op), side(race.later, capital(race.later.op)));
  box.append(threads, element("h3", "", "Who did what in which order"), interleaving(race.interleaving));
  box.append(element("h3", "", "If it is meant to be so"), command("autodrome suppress " + race.id + ' --reason "..."'));
  return box;
}

const rows = data.races.map((race) => {
  const row = element("details", "race");
  row.id = race.id;
  const head = element("summary");
  head.append(
    element("span", "badge " + race.status, race.status), element("code", "", race.id),
    element("span", "grade", race.grade), element("span", "what", race.name), element("span", "where", race.place || ""),
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
  for (const group of groups) group.hidden = [...group.querySelectorAll(".race")].every((row) => row.hidden);
  byId("shown").textContent = shown + " of " + rows.length + " shown";
}

// What is filtered stands in the address, so that a link shows the same.
const FILTERS = ["search", "status", "pattern"];

function keep() {
  const set = new URLSearchParams(FILTERS.map((name) => [name, byId(name).value]).filter(([, value]) => value));
  history.replaceState(null, "", "#" + set);
}

function recall() {
  const set = new URLSearchParams(location.hash.slice(1));
  for (const name of FILTERS) if (set.has(name)) byId(name).value = set.get(name);
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

// Races on one variable stand together, under its name if they are several.
const groups = [];
function grouped() {
  const byKey = new Map();
  for (const made of rows) {
    const key = made.race.key || made.race.id;
    if (!byKey.has(key)) byKey.set(key, []);
    byKey.get(key).push(made);
  }
  return [...byKey.values()].map((members) => {
    if (members.length === 1) return members[0].row;
    const group = element("section", "variable");
    group.append(element("h2", "", members[0].race.name), element("p", "quiet", members.length + " pairs of accesses"),
      ...members.map(({ row }) => row));
    groups.push(group);
    return group;
  });
}

byId("counts").textContent = data.counts;
byId("closing").textContent = data.closing;
list(byId("origin"), data.provenance.map((run) =>
  [run.date, "autodrome " + run.version, run.command, run.commit && "commit " + run.commit].filter(Boolean).join(" · ")));
options(byId("status"), "all statuses", data.races.map((race) => race.status));
options(byId("pattern"), "all patterns", data.races.map((race) => race.pattern).sort());
byId("races").append(...grouped());
list(byId("fixed"), data.fixed.map((fixed) => fixed.id + " " + fixed.variable));
list(byId("notes"), data.notes);
byId("hunt").hidden = data.hunted.length === 0;
hunted(byId("hunted"));
byId("jvms").hidden = data.jvms.length === 0;
watched(byId("jvms"));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("input", () => { filter(); keep(); });
recall();
filter();
// Few races show themselves.
if (rows.length <= 3) for (const { row } of rows) row.open = true;
// A link may name a race: page.html#R-01234567.
const named = rows.find(({ race }) => "#" + race.id === location.hash);
if (named) { named.row.open = true; named.row.scrollIntoView(); }
