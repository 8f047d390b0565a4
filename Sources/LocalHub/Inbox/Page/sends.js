// The requests that sent, so that it can be seen when one reached nobody.

const sendsPane = the("sends");
const sendsShown = 100;
let sendsAsked = 0;

const sends = new WindowedList(sendsPane, the("sends-list"), {
    keyOf: ({ notification, time }) => `${notification} ${time}`,
    draw: drawSend,
    update: updateSend,
    mayCut: () => true,
});

function drawSend({ time, method, path, tags, platform }) {
    return make(
        "li", "send",
        make(
            "span", "card-head",
            platform ? platformMark(platform) : make("span", "platform", "Template"),
            make("span", "send-tags data", shortened(tagWords(tags, path), longestInList)),
            timeElement(time)),
        // A send out of a state file has no request any more.
        method ? make(
            "span", "send-request data", `${method} ${shortened(path, longestInList)}`) : null,
        make("span", "send-result"), make("span", "send-why"));
}

function updateSend(row, send) {
    const reachedNobody = send.arrived === 0 && send.refused === 0;
    row.classList.toggle("send-nobody", reachedNobody);
    row.classList.toggle("send-refused", send.refused > 0);
    const result = reachedNobody
        ? "Reached nobody"
        : [
            send.arrived > 0 ? `${figures.format(send.arrived)} arrived` : null,
            send.refused > 0 ? `${figures.format(send.refused)} refused` : null,
        ].filter((part) => part !== null).join(", ");
    setText(row.querySelector(".send-result"), result);
    setText(row.querySelector(".send-why"), reachedNobody ? whyNobody(send) : whyRefused(send));
}

/** Why pushes did not reach their devices, each reason once. */
function whyRefused({ outcomes }) {
    return [...new Set((outcomes ?? []).map(({ reason }) => reason ?? ""))].join(" ").trim();
}

function whyNobody({ tags, platform }) {
    const where = platform ? ` for ${platformName(platform)}` : "";
    return tags
        ? `No device${where} had tags that fit when it was sent. Compare them with the tags under `
            + "Devices; upper and lower case differ there."
        : `No device${where} was there when it was sent. Let one register first, or see Devices.`;
}

/** Fetches the newest sends. */
async function refreshSends() {
    if (!sendsPane.checkVisibility()) return;
    sendsAsked += 1;
    const asked = sendsAsked;
    const answer = await ask("/sends", { limit: sendsShown });
    if (asked !== sendsAsked) return;
    sends.renew(answer.sends, false, () => false);
    const empty = the("sends-empty");
    empty.hidden = answer.sends.length > 0;
    if (!empty.hidden && empty.childElementCount === 0) {
        fill(
            empty, make("h3", "", "Nothing has been sent yet"),
            make("p", "", "When you did send: was it to this hub, and what did it answer? "
                + "A request that was refused, such as one with a wrong key, sends nothing."));
    }
}

onPlace((now, old) => {
    if (now.view !== old.view || now.hub !== old.hub) attempt(refreshSends);
});
