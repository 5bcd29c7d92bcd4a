// Asks for a prediction before a live chart is shown. Without it, the picture is there.
(() => {
  const stay = 0.02;   // a change of less than this share is none
  const way = (before, after) =>
    Math.abs(after / before - 1) < stay ? "stays" : after > before ? "rises" : "falls";

  function outcome(said, value, before, after) {
    const right = way(before, after);
    const off = value - after;
    const digits = Math.abs(off).toFixed(2);
    return `It ${right}: from ${before.toFixed(3)} to ${after.toFixed(3)}. `
      + `You said it ${said}, to ${value.toFixed(2)}: `
      + (said === right ? "the direction is right" : "the other direction")
      + (digits === "0.00" ? ", and so is the value." : `, the value ${digits} too ${off > 0 ? "high" : "low"}.`);
  }

  const live = (figure) => figure.view
    ? Promise.resolve()
    : new Promise((done) => figure.addEventListener("live", done, { once: true }));

  document.addEventListener("DOMContentLoaded", () => {
    if (!window.vegaEmbed) return;   // no chart will come: the picture stays
    for (const form of document.querySelectorAll("form.prediction")) {
      const figure = form.closest("figure");
      const told = figure.querySelector(".prediction-outcome");
      form.hidden = false;
      figure.classList.add("asks");
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        await live(figure);
        const said = form.querySelector("input:checked").value;
        const value = form.querySelector("input[type=number]").valueAsNumber;
        const after = figure.view.signal(form.dataset.signal);
        figure.classList.remove("asks");
        form.hidden = true;
        told.hidden = false;
        told.textContent = outcome(said, value, Number(form.dataset.before), after);
        told.focus();
      });
    }
  });
})();
