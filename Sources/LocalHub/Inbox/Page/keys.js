// Keyboard shortcuts, and the help that lists them.

const helpDialog = the("help");

function openHelp() {
    fill(the("help-send"), sendingHints());
    helpDialog.showModal();
}

/** Opens the next or previous message or send; if none is open, moves the focus in the list. */
function step(by) {
    if (place.message !== null) {
        openNeighbour(by);
    } else if (place.send !== null) {
        openNeighbourSend(by);
    } else {
        moveFocus(place.view === "sends" ? sendsList : messagesList, by);
    }
}

/** The action of a single key; null if it has none. */
function singleKey(key) {
    switch (key) {
    case "j": return () => step(1);
    case "k": return () => step(-1);
    case "/": return () => the("search").select();
    case "?": return openHelp;
    default: return null;
    }
}

function escape(event) {
    const search = the("search");
    if (event.target === search && search.value !== "") {
        event.preventDefault();
        search.value = "";
        search.dispatchEvent(new Event("input"));
    } else if (openedName() !== null) {
        closeDetail();
    }
}

addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    // Dialogs handle their own keys.
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
        escape(event);
        return;
    }
    if (event.target.closest("input, select, textarea") || !the("keys-on").checked) return;
    const action = singleKey(event.key);
    if (!action) return;
    event.preventDefault();
    action();
});

the("help-open").addEventListener("click", openHelp);
the("help-close").addEventListener("click", () => helpDialog.close());
