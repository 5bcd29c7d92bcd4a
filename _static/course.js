// Brings the live charts of a page to life. Without it, the pictures stay.
(() => {
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--chart-${name}`).trim();

  // The same settings as configuration() in crossover.show.explorables, in the
  // colours of the theme the reader has chosen.
  function themed(config) {
    const ink = colour("ink");
    const text = { labelColor: ink, titleColor: ink };
    return {
      ...config,
      background: "transparent",
      axis: { ...config.axis, ...text, gridColor: colour("grid"), domainColor: ink, tickColor: ink },
      legend: { ...config.legend, ...text },
      mark: { ...config.mark, color: colour(1) },
      rule: { ...config.rule, color: ink },
      point: { ...config.point, color: ink },
      text: { ...config.text, color: ink },
      range: { ...config.range, category: [1, 2, 3, 4].map(colour) },
    };
  }

  // Words for a screen reader once the reader's hand rests, not at each step of a drag.
  function speak(view, box) {
    let timer;
    box.setAttribute("role", "status");
    box.removeAttribute("aria-hidden");
    const say = () => { box.textContent = view.signal("words"); };
    say();
    view.addSignalListener("words", () => {
      clearTimeout(timer);
      timer = setTimeout(say, 300);
    });
  }

  async function draw(figure, values = {}) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const picture = figure.querySelector(":scope > img");
    spec.config = themed(spec.config);
    spec.width = "container";
    spec.autosize = { type: "fit-x", contains: "padding" };
    spec.description = picture.alt;
    for (const param of spec.params ?? []) {
      if (param.name in values) param.value = values[param.name];
    }
    const box = document.createElement("div");
    box.className = "explorable-view";
    const old = figure.querySelector(".explorable-view");
    if (old) old.replaceWith(box);
    else picture.after(box);
    // Errors only: a mark without a row, such as a crossing that is not there, is no fault.
    const options = { actions: false, renderer: "svg", tooltip: false, logLevel: 1 };
    const result = await vegaEmbed(box, spec, options);
    picture.hidden = true;
    figure.view = result.view;
    const words = figure.querySelector(".explorable-words");
    if (spec.params?.some(({ name }) => name === "words")) speak(result.view, words);
    else words.hidden = true;   // the sentence tells of the picture, not of a moved slider
    return result;
  }

  async function enliven(figure) {
    const params = JSON.parse(figure.querySelector("script").textContent).params ?? [];
    let chart = await draw(figure);
    new MutationObserver(async () => {
      const sliders = params.filter((param) => param.bind);
      const values = Object.fromEntries(sliders.map(({ name }) => [name, chart.view.signal(name)]));
      chart.finalize();
      chart = await draw(figure, values);
    }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  // Vega's script, a module, has run by then.
  document.addEventListener("DOMContentLoaded", () => {
    for (const figure of document.querySelectorAll("figure.explorable")) enliven(figure);
  });
})();
