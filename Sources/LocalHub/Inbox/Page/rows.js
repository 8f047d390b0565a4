// Moving through a list by keys: one stop for the tab key, arrows and j and k within.

/** The links of a list that keys move through. */
function rowLinks(list) {
    return [...list.querySelectorAll("a")];
}

/** Leaves exactly one link of a list in the order of the tab key. */
function settleTabStop(list, wanted = null) {
    const links = rowLinks(list);
    const stop = wanted ?? links.find((link) => link.tabIndex === 0) ?? links[0];
    for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}

/** Moves the focus by so many links; without a focus in the list, to its tab stop. */
function moveFocus(list, step) {
    const links = rowLinks(list);
    const at = links.indexOf(document.activeElement);
    const link = at < 0 ? links.find((each) => each.tabIndex === 0) : links[at + step];
    if (!link) return;
    settleTabStop(list, link);
    link.focus({ preventScroll: true });
    link.closest("li").scrollIntoView({ block: "nearest" });
}

/** Lets the arrow keys move through a list. */
function moveByArrows(list) {
    list.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        moveFocus(list, step);
    });
    list.addEventListener("focusin", (event) => {
        const link = event.target.closest("a");
        if (link) settleTabStop(list, link);
    });
}
