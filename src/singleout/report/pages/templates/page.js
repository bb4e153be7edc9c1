// Every chart came drawn; this draws it again as wide as its place, with tooltips: those in view first, the others while nothing else is to be done, so that a long page
// opens at once and all of it is there when it is printed. Colours are the style sheet's and need no new drawing.
const options = {
  actions: false,
  ast: true, // interpret expressions: the page allows no eval
  defaultStyle: false,
  logLevel: 1, // errors only
  mode: "vega-lite",
  renderer: "svg",
  tooltip: { disableDefaultStyle: true },
};

async function draw(chart) {
  if (chart.dataset.drawn) return;
  chart.dataset.drawn = "begun";
  try {
    await window.vegaEmbed(chart, JSON.parse(chart.nextElementSibling.textContent), options);
    chart.dataset.drawn = "done";
  } catch (error) {
    chart.dataset.drawn = "failed"; // the drawing that came with the page stays
    console.error(error);
  }
}

const charts = [...document.querySelectorAll(".chart")];
const seen = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)),
  { rootMargin: "200px" },
);
charts.forEach((chart) => seen.observe(chart));

const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
async function drawRest(rest) {
  if (rest.length === 0) return;
  await draw(rest[0]);
  whenIdle(() => drawRest(rest.slice(1)));
}
whenIdle(() => drawRest(charts));
