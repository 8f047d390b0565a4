// Makes elements. Data from the hub only ever becomes a text node.

/** The element with an id. */
function the(id) {
    return document.getElementById(id);
}

/**
 * Makes an element.
 *
 * `classes` never contains data from outside. Children that are not nodes become text nodes; null is
 * skipped.
 */
function make(name, classes, ...children) {
    const element = document.createElement(name);
    if (classes) element.className = classes;
    addTo(element, children);
    return element;
}

/** Appends children. */
function addTo(element, children) {
    for (const child of children.flat()) {
        if (child === null || child === undefined) continue;
        element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
}

/** Replaces all children. */
function fill(element, ...children) {
    element.replaceChildren();
    addTo(element, children);
}

/** Sets a text only if it differs, to avoid needless redraws and announcements. */
function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/** A button that does something. */
function button(text, classes, action) {
    const element = make("button", classes, text);
    element.type = "button";
    element.addEventListener("click", action);
    return element;
}

/** A link to another view of this page. */
function linkTo(change, classes, ...children) {
    const element = make("a", classes, ...children);
    element.href = addressOf({ ...place, ...change });
    return element;
}

/** A time whose tooltip has the date and offset. */
function timeElement(text, shown = shortTime(text)) {
    const element = make("time", "time", shown);
    const time = new Date(text);
    if (!Number.isNaN(time.getTime())) {
        element.dateTime = time.toISOString();
        element.title = time.toLocaleString("en", { dateStyle: "medium", timeStyle: "long" });
    }
    return element;
}

/** Text under a caption, with a button that copies it. */
function copyable(caption, text, shown = text) {
    const copy = button("Copy", "quiet copy", async () => {
        try {
            await navigator.clipboard.writeText(text);
            setText(copy, "Copied");
        } catch {
            setText(copy, "Select and copy the text");
        }
    });
    copy.addEventListener("blur", () => setText(copy, "Copy"));
    return make("div", "copyable", make("p", "hint", caption), copy, make("pre", "", shown));
}
