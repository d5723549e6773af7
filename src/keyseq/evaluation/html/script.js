"use strict";
// Orders and filters the documents; the page is whole without it.
(() => {
  const list = document.getElementById("documents");
  const order = document.getElementById("order");
  const filter = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const entries = [...list.children].map((element) => ({
    element,
    place: Number(element.dataset.place),
    values: JSON.parse(element.dataset.values),
    text: element.textContent.toLowerCase(),
  }));

  // A system's value, or how far it is from the first system; null where the document does not count.
  const key = (entry, by) => {
    if (by === "place") return entry.place;
    const [first, own] = [entry.values[0], entry.values[Number(by)]];
    if (by === "0") return first;
    return first === null || own === null ? null : own - first;
  };

  const sort = () => {
    const [by, sign] = order.value.split(" ");
    const keyed = entries.map((entry) => [key(entry, by), entry]);
    keyed.sort(([a, one], [b, other]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return Number(sign) * (a - b) || one.place - other.place;
    });
    list.append(...keyed.map(([, entry]) => entry.element));
  };

  const sift = () => {
    const wanted = filter.value.trim().toLowerCase();
    let count = 0;
    for (const entry of entries) {
      entry.element.hidden = !entry.text.includes(wanted);
      count += entry.element.hidden ? 0 : 1;
    }
    shown.value = `${count} shown`;
  };

  order.addEventListener("change", sort);
  filter.addEventListener("input", sift);
  const toolbar = document.querySelector(".toolbar");
  toolbar.addEventListener("submit", (event) => event.preventDefault());
  toolbar.hidden = false;
})();
