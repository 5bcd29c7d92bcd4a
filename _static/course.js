// Brings the live charts of a page to life. Without it, the pictures stay.
(() => {
  const colour = (name) => `var(--chart-${name})`;

  // The same settings as configuration() in crossover.show.explorables, in colours that
  // the stylesheet gives: another theme recolours a chart without drawing it again.
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

  // A function that says texts through a live region `box`: the last of several, once the
  // reader's hand rests, and never more than one a second.
  function announcer(box) {
    let earliest = 0, timer;
    box.setAttribute("role", "status");
    return (text) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        earliest = Date.now() + 1000;
        box.textContent = text;
      }, Math.max(300, earliest - Date.now()));
    };
  }
  window.announcer = announcer;

  // The chart's sentence: seen at once, read out at rest.
  function speak(view, words) {
    const heard = document.createElement("p");
    heard.className = "heard-only";
    words.after(heard);
    const announce = announcer(heard);
    words.textContent = view.signal("words");
    view.addSignalListener("words", (_, text) => {
      words.textContent = text;
      announce(text);
    });
  }

  async function enliven(figure) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const picture = figure.querySelector(":scope > img");
    const words = figure.querySelector(".explorable-words");
    spec.config = themed(spec.config);
    spec.width = "container";
    spec.autosize = { type: "fit-x", contains: "padding" };
    spec.description = picture.alt;
    const box = document.createElement("div");
    box.className = "explorable-view";
    picture.after(box);
    // Errors only: a mark without a row, such as a crossing that is not there, is no fault.
    const options = { actions: false, renderer: "svg", tooltip: false, logLevel: 1 };
    const { view } = await vegaEmbed(box, spec, options);
    picture.hidden = true;
    if (spec.params?.some(({ name }) => name === "words")) speak(view, words);
    else words.hidden = true;   // the sentence tells of the picture, not of a moved control
    figure.view = view;
    figure.dispatchEvent(new Event("live"));
  }

  // Vega's script, a module, has run by then.
  document.addEventListener("DOMContentLoaded", () => {
    for (const figure of document.querySelectorAll("figure.explorable")) enliven(figure);
  });
})();
