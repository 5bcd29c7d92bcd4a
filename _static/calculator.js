// Brings the calculator to life: its form, its address, its results. Without it, the
// worked table stays. What is computed and how it is written comes from the page's own
// view (crossover.show.calculator); nothing here knows a formula.
(() => {
  const LONGEST = 2000;     // characters of an address that are read
  const REST = 300;         // ms without a change until the address follows a moved slider

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  }

  const shortened = (text) => (text.length > 30 ? text.slice(0, 30) + "…" : text);

  // A text as the input's value, or the words that refuse it.
  function parsed(input, text) {
    if (input.choices) {
      return Object.hasOwn(input.choices, text) ? { value: text } : { refused: "expected one of the list" };
    }
    const kind = input.whole ? "a whole number" : "a number";
    const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
    const inside = number >= input.low && number <= input.high && (!input.whole || Number.isInteger(number));
    return inside ? { value: number } : { refused: `expected ${kind} from ${input.low} to ${input.high}` };
  }

  class Calculator {
    constructor(box, view, page) {
      this.box = box;
      this.view = view;
      this.inputs = page.inputs;
      this.start = page.start;
      this.values = { ...page.start };
      this.controls = {};
      this.touched = null;      // the control that the newest entry of the history is of
      this.words = box.querySelector(".calculator-words");
      this.lines = box.querySelector("pre");
      box.querySelector(".calculator-still").hidden = true;
      this.places = [
        [this.words, "words"],
        [box.querySelector("caption"), "caption"],
        [box.querySelector(".calculator-basis"), "basis"],
        [this.lines, "python"],
        ...[...box.querySelectorAll("[data-result]")].map((cell) => [cell, `text_${cell.dataset.result}`]),
        ...[...box.querySelectorAll("[data-measured]")].map((cell) => [cell, `measured_text_${cell.dataset.measured}`]),
      ];
      this.refusals = element("div", { class: "calculator-refusals", role: "alert" });
      this.words.before(this.refusals, this.form());
      this.words.after(this.buttons());
      const heard = element("p", { class: "heard-only" });
      this.words.after(heard);
      this.announce = announcer(heard);   // of course.js: at rest, at most once a second
      this.lines.setAttribute("tabindex", "0");
      // A link to a heading moves in the history too, with the same inputs.
      addEventListener("popstate", () => location.search !== this.address && this.read());
    }

    // -- the form

    form() {
      const form = element("form", { class: "calculator-form", "aria-label": "Inputs" });
      for (const group of new Set(this.inputs.map((input) => input.group))) {
        const inputs = this.inputs.filter((input) => input.group === group);
        const fields = inputs.map((input) => this.field(input));
        form.append(element("fieldset", {}, element("legend", {}, group), ...fields));
      }
      form.addEventListener("submit", (event) => event.preventDefault());
      return form;
    }

    field(input) {
      const id = `calculator-${input.name}`;
      const unit = input.unit ? ` (${input.unit})` : "";
      const label = element("label", { for: id, id: `${id}-label` }, input.label + unit);
      const fault = element("p", { class: "calculator-fault", id: `${id}-fault`, role: "alert" });
      const control = input.choices ? this.list(input, id) : this.number(input, id);
      control.addEventListener("input", () => this.change(input, control.value, control));
      const parts = [label, control];
      const own = { control, fault };
      if (input.slides) {
        const range = { min: input.low, max: input.slides, step: input.step };
        own.slider = element("input", { type: "range", "aria-labelledby": `${id}-label`, ...range });
        own.slider.addEventListener("input", () => this.change(input, own.slider.value, own.slider));
        parts.push(own.slider);
      }
      own.field = element("div", { class: "calculator-field" }, ...parts, fault);
      this.controls[input.name] = own;
      return own.field;
    }

    list(input, id) {
      const options = Object.entries(input.choices).map(([key, label]) => element("option", { value: key }, label));
      return element("select", { id }, ...options);
    }

    number(input, id) {
      const { low: min, high: max, step } = input;
      return element("input", { id, type: "number", min, max, step, autocomplete: "off",
        inputmode: input.whole ? "numeric" : "decimal", "aria-describedby": `${id}-fault` });
    }

    change(input, text, source) {
      const { value, refused } = parsed(input, text);
      this.fault(input, refused && `${refused}; ${this.values[input.name]} is used`);
      if (refused) return;
      this.refusals.replaceChildren();
      this.values[input.name] = value;
      this.mend();
      this.fill(source);
      this.write(input.name);
      this.show();
    }

    fault(input, words = "") {
      const { control, fault } = this.controls[input.name];
      fault.textContent = words;
      control.setAttribute("aria-invalid", String(words !== ""));
    }

    // A precision that the chip has no rate for gives way to fp16, which all have.
    mend() {
      const rates = this.view.signal("chips")[this.values.chip]?.rates;
      const precisions = this.view.signal("precisions");
      for (const name of ["target_precision", "draft_precision"]) {
        const lacks = (key) => rates !== undefined && !(precisions[key].arithmetic in rates);
        for (const option of this.controls[name].control.options) option.disabled = lacks(option.value);
        if (lacks(this.values[name])) {
          const input = this.inputs.find((each) => each.name === name);
          this.refuse(`${input.label} = ${this.values[name]}: ${this.values.chip} has no such rate in the table; fp16 is used.`);
          this.values[name] = "fp16";
        }
      }
    }

    // Everything but the control under the reader's hand shows the values.
    fill(source) {
      for (const input of this.inputs) {
        const { control, slider, field } = this.controls[input.name];
        const value = String(this.values[input.name]);
        if (control !== source) {
          control.value = value;
          this.fault(input);
        }
        if (slider && slider !== source) slider.value = value;
        field.hidden = !this.counts(input);
      }
    }

    // Whether an input counts: what is custom, where it is; a rate, where a precision uses it.
    counts({ custom, rate }) {
      const precisions = this.view.signal("precisions");
      const used = ["target_precision", "draft_precision"].map((name) => precisions[this.values[name]].arithmetic);
      return (!custom || this.values[custom] === "custom") && (!rate || used.includes(rate));
    }

    refuse(words) {
      this.refusals.append(element("p", {}, words));
    }

    // -- the address

    query() {
      const counting = this.inputs.filter((input) => this.counts(input));
      return "?" + new URLSearchParams(counting.map(({ name }) => [name, this.values[name]]));
    }

    // One entry in the history for each control touched, however often it moves.
    write(name) {
      if (name !== this.touched) {
        this.settle();
        this.enter("pushState", this.query());
        this.touched = name;
      }
      this.due = this.query();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.settle(), REST);
    }

    settle() {
      clearTimeout(this.timer);
      if (this.due && this.due !== location.search) this.enter("replaceState", this.due);
      this.due = null;
    }

    enter(how, query) {
      history[how](null, "", location.pathname + query + location.hash);
      this.address = location.search;
    }

    read(search = location.search) {
      clearTimeout(this.timer);
      this.due = this.touched = null;
      this.address = search;
      this.values = { ...this.start };
      this.refusals.replaceChildren();
      if (search.length > LONGEST) {
        this.refuse(`The address has ${search.length} characters after the ?; at most ${LONGEST} are read. The defaults are used.`);
      } else {
        this.take(new URLSearchParams(search));
      }
      this.mend();
      this.fill();
      return this.show();
    }

    take(query) {
      for (const name of new Set(query.keys())) {
        const input = this.inputs.find((each) => each.name === name);
        const texts = query.getAll(name);
        if (!input) {
          this.refuse(`${shortened(name)}: no input has this name; it is left out.`);
          continue;
        }
        const { value, refused } = texts.length > 1 ? { refused: "given more than once" } : parsed(input, texts[0]);
        if (refused) {
          this.refuse(`${input.label} = ${shortened(texts[0])}: ${refused}; ${this.values[name]} is used.`);
        } else {
          this.values[name] = value;
        }
      }
    }

    // -- the results

    async show() {
      for (const [name, value] of Object.entries(this.values)) this.view.signal(name, value);
      await this.view.runAsync();
      const [found] = this.view.data("results");
      if (this.words.textContent !== found.words) this.announce(found.words);
      for (const [place, field] of this.places) {
        if (field in found && place.textContent !== found[field]) place.textContent = found[field];
      }
    }

    // -- what can be taken away

    buttons() {
      const done = element("span", { role: "status" });
      const button = (label, act) => {
        const made = element("button", { type: "button" }, label);
        made.addEventListener("click", act);
        return made;
      };
      const copy = async (what, text) => {
        try {
          await navigator.clipboard.writeText(text);
          done.textContent = `${what} copied`;
        } catch {
          done.textContent = `No access to the clipboard: mark the ${what} and copy by hand`;
        }
      };
      return element("div", { class: "calculator-buttons" },
        button("Copy as Python", () => copy("lines", this.lines.textContent)),
        button("Copy the address", () => copy("address", location.origin + location.pathname + this.query())),
        button("Back to the defaults", () => this.reset()),
        done);
    }

    reset() {
      this.settle();
      this.enter("pushState", "");
      this.read();
    }
  }

  async function enliven(box) {
    const page = JSON.parse(box.querySelector("script").textContent);
    const nowhere = document.createElement("div");
    const options = { mode: "vega", renderer: "none", actions: false, logLevel: 1 };
    const { view } = await vegaEmbed(nowhere, page.view, options);
    const calculator = new Calculator(box, view, page);
    await calculator.read();
    box.calculator = calculator;
  }

  // Vega's script, a module, has run by then.
  document.addEventListener("DOMContentLoaded", () => {
    for (const box of document.querySelectorAll(".calculator")) enliven(box);
  });
})();
