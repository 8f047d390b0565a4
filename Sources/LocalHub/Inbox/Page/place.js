// The place: what the page shows, kept in the address after # so that reloads and links return to it.

const viewNames = ["messages", "devices", "sends"];
const outcomeNames = ["", "arrived", "refused"];
// The members of a place in which neither a message nor a send is open.
const nothingOpen = { message: null, send: null };
const longestSendID = 200;

/** Reads the place from the address. */
function readPlace() {
    const values = new URLSearchParams(location.hash.slice(1));
    const message = Number(values.get("message"));
    const among = (names, value) => names.includes(value) ? value : names[0];
    return {
        hub: values.get("hub") ?? "",
        view: among(viewNames, values.get("view")),
        user: values.get("user") ?? "",
        registration: values.get("registration") ?? "",
        search: values.get("search") ?? "",
        platform: among(["", ...knownPlatforms], values.get("platform")),
        outcome: among(outcomeNames, values.get("outcome")),
        message: Number.isSafeInteger(message) && message > 0 ? message : null,
        send: values.get("send")?.slice(0, longestSendID) || null,
    };
}

/** The address of a place, from # on. */
function addressOf(where) {
    const values = new URLSearchParams();
    for (const [name, value] of Object.entries(where)) {
        if (value && !(name === "view" && value === viewNames[0])) values.set(name, value);
    }
    return `#${values}`;
}

let place = readPlace();
const followers = [];

/** Registers a function to be called after each change, with the new and the old place. */
function onPlace(follower) {
    followers.push(follower);
}

/** Changes some members of the place. */
function go(change, { replacing = false } = {}) {
    const address = addressOf({ ...place, ...change });
    if (address === addressOf(place)) return;
    if (replacing) {
        history.replaceState(null, "", address);
    } else {
        history.pushState(null, "", address);
    }
    followPlace();
}

function followPlace() {
    const old = place;
    place = readPlace();
    if (addressOf(old) === addressOf(place)) return;
    for (const follower of followers) follower(place, old);
}

addEventListener("popstate", followPlace);
addEventListener("hashchange", followPlace);
