"use strict";

// The table of the report. Rows stand in the document as JSON, a page of people a script; they are shown a few at a time.
// What they say is only ever a text node.

const pageLength = 50;
/** The columns that are 0 where they are as in the row before: recipient, detail, payload. */
const repeated = [0, 3, 9];
/** The columns that are searched: recipient, detail, the hub's message and the payload. */
const searched = [0, 3, 8, 9];

const figures = new Intl.NumberFormat("en");
const part = (id) => document.getElementById(id);

const rows = readRows();
let found = rows;
let page = 0;

function readRows() {
    const all = [];
    for (const script of document.querySelectorAll("script[type='application/json']")) {
        let last = [];
        for (const row of JSON.parse(script.textContent)) {
            for (const column of repeated) if (row[column] === 0) row[column] = last[column];
            all.push(row);
            last = row;
        }
        script.remove();
    }
    return all;
}

/** The label of a filter's choice, which is the word for it in rows too. */
function word(filter, value) {
    return part(filter).querySelector(`option[value="${Number(value)}"]`)?.textContent ?? "";
}

function time(seconds) {
    if (seconds === null) return "";
    return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

function cell(name, text, kind) {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    element.textContent = text ?? "";
    return element;
}

function line(row) {
    const element = document.createElement("tr");
    const recipient = cell("th", row[0]);
    recipient.scope = "row";
    const outcome = word("outcome", row[2]);
    const state = cell("td", "", "word");
    const mark = cell("span", "", `mark ${outcome}`);
    mark.setAttribute("aria-hidden", "true");
    state.append(mark, outcome);
    const why = cell("td", row[3], "why");
    why.dir = "auto";
    element.append(
        recipient, cell("td", word("platform", row[1]), "word"), state, why,
        cell("td", figures.format(row[4]), "number"), cell("td", time(row[5]), "time"),
        cell("td", time(row[6]), "time"), cell("td", time(row[7]), "time"),
        cell("td", row[8], "id"), cell("td", row[9], "id"));
    return element;
}

function matches(row, words, platform, outcome, people) {
    if (platform >= 0 && row[1] !== platform) return false;
    if (outcome >= 0 && row[2] !== outcome) return false;
    if (people === "fetched" && row[6] === null || people === "not-fetched" && row[6] !== null) return false;
    if (people === "read" && row[7] === null || people === "not-read" && row[7] !== null) return false;
    return words === "" || searched.some((column) => row[column]?.toLowerCase().includes(words));
}

function choice(filter) {
    const value = part(filter).value;
    return value === "" ? -1 : Number(value);
}

function search() {
    const words = part("search").value.trim().toLowerCase();
    const platform = choice("platform");
    const outcome = choice("outcome");
    const people = part("people")?.value ?? "";
    const isAll = words === "" && platform < 0 && outcome < 0 && people === "";
    found = isAll ? rows : rows.filter((row) => matches(row, words, platform, outcome, people));
    show(0);
}

function show(wanted) {
    const pages = Math.max(1, Math.ceil(found.length / pageLength));
    page = Math.min(Math.max(0, wanted), pages - 1);
    const first = page * pageLength;
    const shown = found.slice(first, first + pageLength);
    part("body").replaceChildren(...shown.map(line));
    const all = found.length === rows.length ? "" : `, of ${figures.format(rows.length)} in all`;
    part("shown").textContent = shown.length === 0
        ? (rows.length === 0 ? "There are no rows." : `No row matches${all}.`)
        : `Rows ${figures.format(first + 1)} to ${figures.format(first + shown.length)} of ${figures.format(found.length)}${all}`;
    part("number").value = page + 1;
    part("number").max = pages;
    part("of").textContent = `of ${figures.format(pages)}`;
    // A button that is disabled would lose the focus of whoever pressed it.
    part("previous").setAttribute("aria-disabled", String(page === 0));
    part("next").setAttribute("aria-disabled", String(page >= pages - 1));
}

for (const filter of ["platform", "outcome", "people"]) part(filter)?.addEventListener("change", search);
part("search").addEventListener("input", search);
part("previous").addEventListener("click", () => show(page - 1));
part("next").addEventListener("click", () => show(page + 1));
part("number").addEventListener("change", () => show((Number(part("number").value) || 1) - 1));
part("controls").hidden = false;
search();
