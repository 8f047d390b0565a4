// The open send: its request, and the outcome at each device.

const devicesOfSend = 50;

/** A link to the send of a message. */
function sendLink({ notification }) {
    return linkTo({ message: null, send: notification }, "data", notification);
}

function sentBanner(send) {
    const title = sendResult(send);
    const isGood = !hasReachedNobody(send) && send.refused === 0;
    const classes = isGood ? "outcome-arrived"
        : hasReachedNobody(send) ? "outcome-nobody" : "outcome-refused";
    return make(
        "div", `outcome ${classes}`, make("h3", "", title),
        isGood ? null : make("p", "data", whySend(send)));
}

/** The number of pushes with each outcome. */
function outcomeRows({ outcomes = [] }) {
    return outcomes.map(({ platform, outcome, count, reason }) => [
        `${platformName(platform)}, ${outcome}`,
        `${figures.format(count)}${reason ? `: ${reason}` : ""}`,
    ]);
}

/** The outcome of a send at a device; the row links to the message. */
function drawOutcome(at) {
    const arrived = hasArrived(at);
    return make(
        "li", "", linkTo(
            { message: at.sequence }, arrived ? "card card-alert" : "card card-refused",
            make(
                "span", "card-head", platformMark(at.platform),
                make("bdi", "card-owner data", shortened(ownerOf(at), 120)),
                make("span", "time", arrived ? "arrived" : at.outcome)),
            arrived ? null : make("span", "refusal data", at.reason ?? "No reason was given.")));
}

/** The devices of a send, page by page. */
function devicesPart(send) {
    const list = make("ol", "rows");
    list.setAttribute("aria-label", "Devices of this send");
    const words = make("p", "hint");
    words.tabIndex = -1;
    const starts = [0];
    const earlier = button("Earlier devices", "", () => turn(-1));
    const later = button("More devices", "", () => turn(1));
    let next = null;
    const show = ({ devices, total, next: following }) => {
        next = following;
        fill(list, devices.map(drawOutcome));
        const from = starts.at(-1);
        setText(words, wordsOnDevices(from, following ?? total, devices.length, total));
        earlier.hidden = starts.length === 1;
        later.hidden = following === null;
    };
    const turn = (by) => attempt(async () => {
        const from = by > 0 ? next : starts.at(-2);
        const answer = await ask(
            `/sends/${encodeURIComponent(send.notification)}`, { from, limit: devicesOfSend });
        if (by > 0) {
            starts.push(from);
        } else {
            starts.pop();
        }
        show(answer);
        // The pressed button may be hidden now.
        words.focus();
    });
    show(send);
    return part("Devices", words, list, make("div", "end-buttons", earlier, later));
}

function wordsOnDevices(from, to, shown, total) {
    if (total === 0) return "It reached no devices.";
    const kept = shown < to - from
        ? ` The hub still has the messages of ${figures.format(shown)} of them.` : "";
    return total === to - from
        ? `${counted(total, "device")}.${kept}`
        : `${figures.format(from + 1)} to ${figures.format(to)} of ${figures.format(total)} `
            + `devices.${kept}`;
}

/** The targets of a send. */
function targetRows({ tags, path, platform, request: incoming, notification }) {
    return [
        ["Tags", tagWords(tags, path)],
        ["Handle", incoming?.headers?.["servicebusnotification-devicehandle"]],
        ["Push service", platform ? platformName(platform) : "all, with templates"],
        ["Notification", notification],
    ];
}

function drawSent(send) {
    fill(
        detailPane, detailHead("Send"), sentBanner(send),
        part("Targets", factTable([...targetRows(send), ...outcomeRows(send)])),
        devicesPart(send),
        part("Request", ...requestParts(send.request)));
}
