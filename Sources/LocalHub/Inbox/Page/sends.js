// The list of sends, which also shows sends that reached nobody.

const sendsPane = the("sends");
const sendsList = the("sends-list");
const sendsShown = 100;
let sendsAsked = 0;

const sends = new WindowedList(sendsPane, sendsList, {
    keyOf: ({ notification, time }) => `${notification} ${time}`,
    draw: drawSend,
    update: updateSend,
    mayCut: () => true,
    shown: () => {
        settleTabStop(sendsList);
        markOpenedSend();
    },
});

function drawSend({ time, method, path, tags, platform }) {
    const link = make(
        "a", "send",
        make(
            "span", "card-head",
            platform ? platformMark(platform) : make("span", "platform", "Template"),
            make("span", "send-tags data", shortened(tagWords(tags, path), longestInList)),
            timeElement(time)),
        // A send restored from a state file has no request.
        method ? make(
            "span", "send-request data", `${method} ${shortened(path, longestInList)}`) : null,
        make("span", "send-result"), make("span", "send-why"));
    link.tabIndex = -1;
    return make("li", "", link);
}

function updateSend(row, send) {
    const link = row.firstElementChild;
    link.href = addressOf({ ...place, message: null, send: send.notification });
    link.classList.toggle("send-nobody", hasReachedNobody(send));
    link.classList.toggle("send-refused", send.refused > 0);
    setText(row.querySelector(".send-result"), sendResult(send));
    setText(row.querySelector(".send-why"), whySend(send));
}

function hasReachedNobody({ arrived, refused }) {
    return arrived === 0 && refused === 0;
}

/** The outcome of a send in a few words. */
function sendResult(send) {
    if (hasReachedNobody(send)) return "Reached nobody";
    return [
        send.arrived > 0 ? `${figures.format(send.arrived)} arrived` : null,
        send.refused > 0 ? `${figures.format(send.refused)} refused` : null,
    ].filter((part) => part !== null).join(", ");
}

/** Why pushes did not reach their devices, each reason once, or why nobody was reached. */
function whySend(send) {
    if (hasReachedNobody(send)) return whyNobody(send);
    return [...new Set((send.outcomes ?? []).map(({ reason }) => reason ?? ""))].join(" ").trim();
}

function whyNobody({ tags, platform }) {
    const where = platform ? ` for ${platformName(platform)}` : "";
    return tags
        ? `No device${where} was registered for these tags at the time. The list of devices `
            + "shows each device's tags. Tags are case-sensitive."
        : `No device${where} was registered at the time. Register one first, or see Devices.`;
}

/** Fetches the newest sends that match. */
async function refreshSends() {
    if (!sendsPane.checkVisibility()) return;
    sendsAsked += 1;
    const asked = sendsAsked;
    const { user, registration, search, platform, outcome } = place;
    const answer = await ask(
        "/sends", { user, registration, find: search, platform, outcome, limit: sendsShown });
    if (asked !== sendsAsked) return;
    sends.renew(answer.sends, false, () => false);
    const end = the("sends-end");
    end.hidden = answer.sends.length < sendsShown;
    setText(end, `These are the newest ${sendsShown} sends. Search to find older ones.`);
    showSendsEmpty();
}

function showSendsEmpty() {
    const empty = the("sends-empty");
    empty.hidden = sends.items.length > 0;
    if (empty.hidden) return;
    const all = { user: "", registration: "", search: "", platform: "", outcome: "" };
    if (Object.keys(all).some((name) => place[name] !== "")) {
        if (!isOtherKind(empty, "filtered", addressOf({ ...place, ...all }))) return;
        fill(
            empty, make("h3", "", "No matching sends"),
            make("p", "", "New sends that match appear here automatically."),
            linkTo(all, "button", "Show all sends"));
        return;
    }
    if (!isOtherKind(empty, "first")) return;
    fill(
        empty, make("h3", "", "Nothing has been sent yet"),
        make("p", "", "If you have sent something, check that it was sent to this hub, and check the hub's "
            + "response. A refused request, for example with a wrong key, sends nothing."));
}

/** Marks the row of the opened send. */
function markOpenedSend() {
    for (const { value, node } of sends.items) {
        const link = node.firstElementChild;
        if (place.message === null && value.notification === place.send) {
            link.setAttribute("aria-current", "true");
        } else {
            link.removeAttribute("aria-current");
        }
    }
}

/** Moves the focus to a send's row, or to the title of the list. */
function focusSend(id) {
    const item = sends.items.find(({ value }) => value.notification === id);
    const target = item?.node.firstElementChild ?? the("sends-title");
    target.focus({ preventScroll: true });
    item?.node.scrollIntoView({ block: "nearest" });
}

/** Opens the next send in the list, or the previous one with -1. */
function openNeighbourSend(step) {
    const at = sends.items.findIndex(({ value }) => value.notification === place.send);
    const item = at < 0 ? undefined : sends.items[at + step];
    if (!item) return;
    go({ message: null, send: item.value.notification }, { replacing: true });
    item.node.scrollIntoView({ block: "nearest" });
}

moveByArrows(sendsList);

onPlace((now, old) => {
    sends.update(sends.items.map(({ value }) => value));
    const names = ["view", "hub", "user", "registration", "search", "platform", "outcome"];
    if (names.some((name) => now[name] !== old[name])) attempt(refreshSends);
});
