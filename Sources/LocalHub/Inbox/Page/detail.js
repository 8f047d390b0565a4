// The detail pane: an open message with its outcome and request, or an open send.

const detailPane = the("detail");
let detailShown = null;

/** A table of names and values; a value is a text or an element. */
function factTable(facts) {
    const rows = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
    return make("dl", "facts", ...rows.map(([name, value]) => make(
        "div", "", make("dt", "data", name), make("dd", "data", value))));
}

/** Headers, sorted by name. */
function headerTable(headers) {
    const names = Object.keys(headers ?? {}).sort();
    if (names.length === 0) return make("p", "hint", "No headers.");
    return factTable(names.map((name) => [name, headers[name]]));
}

/** A body: indented JSON, other text unchanged, or bytes as base64. */
function bodyParts({ body, body_base64: base64 }) {
    if (typeof body === "string") {
        if (body === "") return [make("p", "hint", "The body is empty.")];
        const lines = indentedJSON(body);
        const kind = lines === null ? "text" : "JSON";
        return [copyable(`${kind}, ${counted(byteCount(body), "byte")}`, body, lines ?? body)];
    }
    if (typeof base64 === "string") {
        return [copyable("Binary data, as base64", base64)];
    }
    return [make("p", "hint", "There is no body.")];
}

function outcomeBanner(message) {
    const service = pushServiceName(message.platform);
    if (hasArrived(message)) {
        return make(
            "div", "outcome outcome-arrived", make("h3", "", "Arrived"),
            make("p", "", `Accepted by ${service}, and received by the device.`));
    }
    return make(
        "div", "outcome outcome-refused",
        make("h3", "", `Refused by ${service}: ${message.outcome}`),
        make("p", "data", message.reason ?? "No reason was given."));
}

function userLinks(users) {
    return users?.length > 0
        ? users.map((user) => linkTo({ user, registration: "", search: "", ...nothingOpen }, "user data", user))
        : null;
}

function requestParts(incoming) {
    if (!incoming) {
        return [make("p", "hint", "The hub no longer has this request.")];
    }
    const parts = [
        make(
            "p", "request-line", make("strong", "data", incoming.method), " ",
            make("code", "data", incoming.path)),
        factTable([
            ["Time", incoming.time ? timeElement(incoming.time) : null],
            ["Tags", tagWords(incoming.tags, incoming.path)],
            ["Scheduled", incoming.scheduled ? "yes" : null],
        ]),
        make("h4", "", "Headers"),
        headerTable({ ...incoming.headers, authorization: "hidden; not stored by the hub" }),
    ];
    if (incoming.body !== undefined || incoming.body_base64 !== undefined) {
        parts.push(make("h4", "", "Body"), ...bodyParts(incoming));
    }
    return parts;
}

function detailHead(text) {
    const title = make("h2", "", text);
    title.id = "detail-title";
    title.tabIndex = -1;
    const close = button("", "quiet back", closeDetail);
    close.id = "detail-close";
    addTo(close, [make("span", "wide-only", "Close"), make("span", "narrow-only", "Back")]);
    return make("div", "detail-head", close, title);
}

function part(title, ...children) {
    return make("section", "part", make("h3", "", title), ...children);
}

function drawDetail(message) {
    fill(
        detailPane, detailHead(`Message ${message.sequence}`),
        outcomeBanner(message), drawPhone(message), payloadPart(message),
        part(
            "Device",
            factTable([
                ["User", userLinks(message.users)
                    ?? (isUnregistered(message) ? "unknown: the device was never registered" : null)],
                ["Push service", platformName(message.platform)],
                ["Tags", (message.tags ?? []).join(", ")],
                ["Handle", message.handle],
                ["Registration", message.registration],
                ["Installation", message.installation],
            ])),
        part(
            "Push",
            factTable([
                ["Time", timeElement(message.time)],
                ["Notification", sendLink(message)],
            ]),
            make("h4", "", "Headers"), headerTable(message.headers),
            make("h4", "", "Body"), ...bodyParts(message)),
        part("Request", ...requestParts(message.request)));
}

function drawNoDetail() {
    const isAmongSends = place.view === "sends";
    const title = make("h2", "", isAmongSends ? "No send open" : "No message open");
    title.id = "detail-title";
    fill(detailPane, make(
        "div", "nothing", title,
        make("p", "", isAmongSends
            ? "Select a send to see its request and the outcome at each device."
            : "Select a message to see how the phone showed it, and the request that sent it.")));
}

/** A unique name for the open message or send; null if nothing is open. */
function openedName({ message, send } = place) {
    if (message !== null) return `message ${message}`;
    return send === null ? null : `send ${send}`;
}

/** The path, title and drawing function of the open message or send, and the text if it is gone. */
function opened({ message, send }) {
    return message !== null ? {
        path: `/messages/${message}`, title: `Message ${message}`, draw: drawDetail,
        gone: "The hub no longer has this message: it was cleared or replaced by newer messages.",
    } : {
        path: `/sends/${encodeURIComponent(send)}`, title: "Send", draw: drawSent,
        gone: "The hub no longer has this send: newer sends replaced it, or the hub was restarted.",
    };
}

/** Shows the open message or send; moves the focus to it if `focusing` is set. */
async function showDetail({ focusing }) {
    const name = openedName();
    document.body.classList.toggle("is-open", name !== null);
    markOpened();
    markOpenedSend();
    if (name === null) {
        detailShown = null;
        drawNoDetail();
        return;
    }
    const { path, title, draw, gone } = opened(place);
    const isStill = () => openedName() === name;
    if (detailShown !== name) detailPane.setAttribute("aria-busy", "true");
    try {
        const answer = await ask(path);
        if (!isStill()) return;
        draw(answer);
    } catch (error) {
        if (!(error instanceof HubError)) throw error;
        if (!isStill()) return;
        if (error.status === 0 && detailShown === name) return;
        fill(
            detailPane, detailHead(title),
            make("p", "hint", error.status === 404 ? gone : error.message));
    } finally {
        if (isStill()) detailPane.setAttribute("aria-busy", "false");
    }
    const isNew = detailShown !== name;
    detailShown = name;
    if (isNew) detailPane.scrollTop = 0;
    if (focusing) the("detail-title")?.focus({ preventScroll: true });
}

/** Closes what is open. */
function closeDetail() {
    go(nothingOpen);
}

onPlace((now, old) => {
    const [name, was] = [openedName(now), openedName(old)];
    if (name === was && now.hub === old.hub) {
        if (name === null && now.view !== old.view) drawNoDetail();
        return;
    }
    const hadFocus = detailPane.contains(document.activeElement);
    showDetail({ focusing: true });
    if (name !== null || !hadFocus) return;
    if (old.message !== null) {
        focusMessage(old.message);
    } else {
        focusSend(old.send);
    }
});
