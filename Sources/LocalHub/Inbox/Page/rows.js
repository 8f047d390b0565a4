// Keyboard navigation in a list: one tab stop; arrow keys, j and k move within it.

/** The links of a list, in order. */
function rowLinks(list) {
    return [...list.querySelectorAll("a")];
}

/** Makes exactly one link of a list reachable with the tab key. */
function settleTabStop(list, wanted = null) {
    const links = rowLinks(list);
    const stop = wanted ?? links.find((link) => link.tabIndex === 0) ?? links[0];
    for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}

/** Moves the focus by a number of links, or to the tab stop if the focus is elsewhere. */
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
