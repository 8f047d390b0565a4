// The views: which lists are shown, and the state of search and filters.

fill(the("platform"), ["", ...knownPlatforms].map((name) => {
    const option = make("option", "", name === "" ? "All services" : platformName(name));
    option.value = name;
    return option;
}));

/** Updates search, filters and view links to match the place. */
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
    // Sends cannot be cleared.
    the("clear-open").hidden = view === "sends";
    // The hub can clear all messages or those of a user, but not those of one device.
    the("clear-open").disabled = registration !== "";
}

// This must run first, because the lists check whether they are visible.
onPlace(showPlace);
