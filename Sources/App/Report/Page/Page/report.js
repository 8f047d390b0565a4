"use strict";

// Shows the rows of the report in a table, page by page. The document contains them as JSON, in one script element per page of
// people. Their values are inserted only as text nodes, never as markup.

const pageLength = 50;
/** The text columns, which the search covers. A value of 0 repeats the text of the previous row. */
const texts = ["recipient", "detail", "hub_message", "notification"];

const figures = new Intl.NumberFormat("en");
const part = (id) => document.getElementById(id);
/** The names of the columns, in the order of a row's values. */
const columns = Array.from(document.querySelectorAll("#controls th"), (head) => head.dataset.column);
/** The index of each column in a row. */
const at = Object.fromEntries(columns.map((name, index) => [name, index]));

const rows = readRows();
let found = rows;
let page = 0;

function readRows() {
    const all = [];
    for (const script of document.querySelectorAll("script[type='application/json']")) {
        let last = [];
        for (const row of JSON.parse(script.textContent)) {
            for (const name of texts) if (row[at[name]] === 0) row[at[name]] = last[at[name]];
            all.push(row);
            last = row;
        }
        script.remove();
    }
    return all;
}

/** Returns the label of a filter's choice, which rows show too. */
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

const instant = (seconds) => cell("td", time(seconds), "time");
const id = (text) => cell("td", text, "id");

/** Functions that create the table cell for a value, by column. */
const cells = {
    recipient(text) {
        const head = cell("th", text);
        head.scope = "row";
        return head;
    },
    platform: (value) => cell("td", word("platform", value), "word"),
    outcome(value) {
        const outcome = word("outcome", value);
        const state = cell("td", "", "word");
        const mark = cell("span", "", `mark ${outcome}`);
        mark.setAttribute("aria-hidden", "true");
        state.append(mark, outcome);
        return state;
    },
    detail(text) {
        const why = cell("td", text, "why");
        why.dir = "auto";
        return why;
    },
    attempts: (number) => cell("td", figures.format(number), "number"),
    recorded_at: instant, fetched_at: instant, read_at: instant, hub_message: id, notification: id,
};

function line(row) {
    const element = document.createElement("tr");
    element.append(...columns.map((name, index) => cells[name](row[index])));
    return element;
}

function matches(row, words, platform, outcome, people) {
    if (platform >= 0 && row[at.platform] !== platform) return false;
    if (outcome >= 0 && row[at.outcome] !== outcome) return false;
    const isFetched = row[at.fetched_at] !== null;
    const isRead = row[at.read_at] !== null;
    if (people === "fetched" && !isFetched || people === "not-fetched" && isFetched) return false;
    if (people === "read" && !isRead || people === "not-read" && isRead) return false;
    return words === "" || texts.some((name) => row[at[name]]?.toLowerCase().includes(words));
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
    const all = found.length === rows.length ? "" : ` (${figures.format(rows.length)} in total)`;
    part("shown").textContent = shown.length === 0
        ? (rows.length === 0 ? "There are no rows." : `No row matches${all}.`)
        : `Rows ${figures.format(first + 1)} to ${figures.format(first + shown.length)} of ${figures.format(found.length)}${all}`;
    part("number").value = page + 1;
    part("number").max = pages;
    part("of").textContent = `of ${figures.format(pages)}`;
    // `disabled` would take the keyboard focus from the button that was just pressed.
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
