// The views: which lists are shown, and what search and filters say.

fill(the("platform"), ["", ...knownPlatforms].map((name) => {
    const option = make("option", "", name === "" ? "All services" : platformName(name));
    option.value = name;
    return option;
}));

/** Brings search, filters and the marks of the views in line with the place. */
function showPlace() {
    const { user, registration, search, platform, outcome, view } = place;
    document.body.dataset.view = view;
    document.title = user === "" ? "hubsend inbox" : `${user} · hubsend inbox`;
    for (const name of viewNames) {
        const link = the(`view-${name}`);
        link.href = addressOf({ ...place, view: name, ...nothingOpen });
        if (name === view) {
            link.setAttribute("aria-current", "page");
        } else {
            link.removeAttribute("aria-current");
        }
    }
    the("nobody-open").href = addressOf({ ...place, view: "sends", ...nothingOpen });
    if (document.activeElement !== the("search")) the("search").value = search;
    the("platform").value = platform;
    the("outcome").value = outcome;
    for (const list of ["", "sends-"]) {
        the(`${list}only`).hidden = user === "" && registration === "";
        setText(
            the(`${list}only-user`), user || `the device of registration ${registration}`);
    }
    // There is nothing to clear among the sends.
    the("clear-open").hidden = view === "sends";
    // The hub clears a user's messages or all, and not those of one device.
    the("clear-open").disabled = registration !== "";
}

// Before all others: the lists look whether they can be seen.
onPlace(showPlace);
