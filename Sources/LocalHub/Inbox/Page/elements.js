// Elements. What comes from the hub only ever becomes a text node.

/** The page's own element of an id. */
function the(id) {
    return document.getElementById(id);
}

/**
 * Makes an element.
 *
 * `classes` never holds anything that came from outside; of the children, whatever is no node becomes a
 * text node, and what is null is left out.
 */
function make(name, classes, ...children) {
    const element = document.createElement(name);
    if (classes) element.className = classes;
    addTo(element, children);
    return element;
}

/** Puts children behind those that are there. */
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

/** Sets a text where it differs, so that nothing is announced or drawn again for nothing. */
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

/** A time that says its date and offset too. */
function timeElement(text, shown = shortTime(text)) {
    const element = make("time", "time", shown);
    const time = new Date(text);
    if (!Number.isNaN(time.getTime())) {
        element.dateTime = time.toISOString();
        element.title = time.toLocaleString("en", { dateStyle: "medium", timeStyle: "long" });
    }
    return element;
}

/** Text to copy under its caption, with a button that does. */
function copyable(caption, text, shown = text) {
    const copy = button("Copy", "quiet copy", async () => {
        try {
            await navigator.clipboard.writeText(text);
            setText(copy, "Copied");
        } catch {
            setText(copy, "Select and copy by hand");
        }
    });
    copy.addEventListener("blur", () => setText(copy, "Copy"));
    return make("div", "copyable", make("p", "hint", caption), copy, make("pre", "", shown));
}
