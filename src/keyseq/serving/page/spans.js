// Places in a text. The server counts characters, JavaScript counts UTF-16 units: these differ behind an emoji.

// Half a pair of UTF-16 units is no character, and no JSON: it becomes one that stands for it, of the same length.
export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

// A function from an offset in characters to one in UTF-16 units.
export function toUnits(text) {
  const wide = [];
  let characters = 0;
  for (const character of text) {
    if (character.length === 2) wide.push(characters);
    characters++;
  }
  return (offset) => offset + countBelow(wide, offset);
}

function countBelow(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Cut a text at the ends of all marks, so that overlapping ones are each shown where they are:
// marks are {start, end, list, phrase}, pieces {text, marks}.
export function pieces(text, marks) {
  const cuts = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const opening = [...marks].sort((a, b) => a.start - b.start);
  const found = [];
  let open = [];
  for (let index = 0; index + 1 < cuts.length; index++) {
    const [start, end] = [cuts[index], cuts[index + 1]];
    open = open.filter((mark) => mark.end > start);
    while (opening.length && opening[0].start <= start) open.push(opening.shift());
    found.push({ text: text.slice(start, end), marks: open });
  }
  return found;
}

// The marks that an edit left whole, moved to where they are now: those before the first change and after the last.
export function moved(marks, before, after) {
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) suffix++;
  const shift = after.length - before.length;
  return marks
    .filter(({ start, end }) => end <= prefix || start >= before.length - suffix)
    .map((mark) => (mark.end <= prefix ? mark : { ...mark, start: mark.start + shift, end: mark.end + shift }));
}
