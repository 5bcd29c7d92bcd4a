// Steps through recorded rounds. All that is shown stands in the figure's data, which
// crossover.show.commits writes; without this script the picture stays.
function crossoverCommits(figure, report = () => {}) {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const now = { trace: data.traces[0], run: "rollback", round: data.start };
  const caches = data.rows.slice(2);

  function make(tag, settings = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(settings)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  const hidden = (words) => make("span", { class: "commits-hidden" }, words);

  // The same as mark() in crossover.show.still_round.
  function mark(code, position, last) {
    if ("cbn".includes(code)) return { c: "c", b: "b", n: "t" }[code];
    if (code === "." || position < last) return "";
    return position === last ? "×" : String(position - last);
  }

  function setCell(box, code, position, last) {
    const [state, words] = data.states[code];
    const text = mark(code, position, last);
    if (box.textContent !== text) box.textContent = text;
    if (box.dataset.state !== state) box.dataset.state = state;
    box.dataset.position = position;
    const label = code === "." ? "" : `${words}${Number(text) ? ` ${text}` : ""}`;
    if (label) box.setAttribute("aria-label", label);
    else box.removeAttribute("aria-label");
  }

  function emptyTable(name, width) {
    const cells = (tag, settings) => Array.from({ length: width }, () => make(tag, settings));
    return make("table", {},
      make("caption", { class: "commits-hidden" }, `Sequence ${name}, by position`),
      make("thead", {}, make("tr", {},
        make("th", { scope: "col" }, hidden("row")), ...cells("th", { scope: "col" }))),
      make("tbody", {}, ...data.rows.map((row) =>
        make("tr", {}, make("th", { scope: "row" }, row), ...cells("td")))));
  }

  // One table a sequence and width, filled anew for each round: that is faster than a new one.
  const tables = {};
  function table(name, position, first, rows) {
    const width = rows[0].length;
    const found = tables[name + width] ??= emptyTable(name, width);
    [...found.tHead.rows[0].cells].slice(1).forEach((head, i) => { head.textContent = first + i; });
    rows.forEach((codes, i) => [...codes].forEach((code, j) =>
      setCell(found.tBodies[0].rows[i].cells[j + 1], code, first + j, position)));
    return found;
  }

  function blockTable(label, [entries, blocks, fresh]) {
    const chips = blocks.map((block, i) => {
      const isNew = i >= blocks.length - fresh;
      const chip = make("li", isNew ? { "data-new": "" } : {}, String(block));
      if (isNew) chip.append(hidden(" new"));
      return chip;
    });
    return make("div", { class: "commits-blocks" },
      make("span", {}, `${label}: ${entries} entries, blocks`), make("ol", {}, ...chips));
  }

  function chip([text, code]) {
    const [state, words] = data.states[code];
    return make("span", { class: "commits-token", "data-state": state },
      hidden(` ${words}: `), text);
  }

  function card(name, [status, title, before = "", tokens = [], position, first, rows, kept]) {
    const box = make("section", { class: "commits-card", "data-name": name, "data-status": status,
      "aria-label": `Sequence ${name}` },
      make("p", { class: "commits-title" }, make("strong", {}, name), ` ${title}`));
    const text = make("p", { class: "commits-text" }, make("span", {}, before));
    if (before) box.append(text);
    if (!rows) return box;
    const wrong = tokens.filter(([, code]) => code === "r");
    text.append(...tokens.filter((each) => !wrong.includes(each)).map(chip));
    if (wrong.length) text.append(make("span", { class: "commits-not" }, " not "), ...wrong.map(chip));
    box.append(table(name, position, first, rows),
      ...kept.map((each, i) => blockTable(caches[i], each)));
    return box;
  }

  // Controls, made once.
  const traces = make("select", {},
    ...data.traces.map(({ name, label }) => make("option", { value: name }, label)));
  const group = `${figure.id}-${Math.random().toString(36).slice(2)}`;
  const runs = Object.entries(data.rollback).map(([value, words]) => make("label", {},
    make("input", { type: "radio", name: group, value }), words));
  const slider = make("input", { type: "range", min: 1, step: 1, "aria-label": "Round" });
  const count = make("span");
  const back = make("button", { type: "button" }, "Back");
  const next = make("button", { type: "button" }, "Next");
  const facts = make("p");
  const words = make("p", { class: "commits-words" });
  const verdict = make("p");
  const live = make("p", { class: "commits-hidden", role: "status" });
  const cards = make("div", { class: "commits-cards" });
  const legend = make("ul", { class: "commits-legend", "aria-label": "Key" });
  const view = make("div", { class: "commits-view" },
    make("div", { class: "commits-controls" },
      make("label", {}, make("span", {}, "Recorded trace"), traces),
      make("fieldset", {}, make("legend", {}, "Rollback"), ...runs)),
    make("div", { class: "commits-step" }, back,
      make("label", {}, make("span", {}, "Round ", count), slider), next),
    words, cards, verdict, facts, legend, live);

  // Heard at most once a second, and not while the hand still moves.
  let timer, heard = -Infinity;
  function say(text) {
    clearTimeout(timer);
    timer = setTimeout(() => { heard = performance.now(); live.textContent = text; },
      Math.max(300, heard + 1000 - performance.now()));
  }

  function show(changed = {}) {
    Object.assign(now, changed);
    const run = now.trace.runs[now.run];
    now.round = Math.max(0, Math.min(now.round, run.rounds.length - 1));
    const [sentence, all] = run.rounds[now.round];
    traces.value = now.trace.name;
    for (const { firstChild } of runs) firstChild.checked = firstChild.value === now.run;
    slider.max = run.rounds.length;
    slider.value = now.round + 1;
    count.textContent = `${now.round + 1} of ${run.rounds.length}`;
    slider.setAttribute("aria-valuetext", count.textContent);
    back.setAttribute("aria-disabled", now.round === 0);
    next.setAttribute("aria-disabled", now.round === run.rounds.length - 1);
    facts.textContent = `This trace: ${now.trace.facts}.`;
    words.textContent = sentence;
    verdict.textContent = `The whole run: ${run.verdict}`;
    cards.replaceChildren(...all.map((each, i) => card(data.names[i], each)));
    view.dataset.run = now.run;
    report({ trace: now.trace.name, run: now.run, round: now.round });
    return "trace" in changed || "run" in changed ? `${run.verdict} ${sentence}` : sentence;
  }

  for (const [name, [state, text]] of Object.entries(data.states)) {
    if (name !== ".") {
      legend.append(make("li", { "data-for": state },
        make("span", { class: "commits-swatch", "data-state": state, "aria-hidden": "true" },
          mark(name, 0, 1)), text));
    }
  }
  const byName = (name) => data.traces.find((each) => each.name === name);
  traces.addEventListener("change", () => say(show({ trace: byName(traces.value) })));
  for (const { firstChild } of runs) {
    firstChild.addEventListener("change", () => say(show({ run: firstChild.value })));
  }
  slider.addEventListener("input", () => say(show({ round: slider.value - 1 })));
  back.addEventListener("click", () => say(show({ round: now.round - 1 })));
  next.addEventListener("click", () => say(show({ round: now.round + 1 })));
  show();
  const picture = figure.querySelector(":scope > img");
  picture.after(view);
  figure.dataset.live = "";
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("figure.recorded-explorable").forEach((each) => crossoverCommits(each));
});
