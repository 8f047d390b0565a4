// The opened message: as the phone shows it, what became of it, and the request that brought it.

const detailPane = the("detail");
let detailShown = null;

/** A table of names and values; each value a text or an element. */
function factTable(facts) {
    const rows = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
    return make("dl", "facts", ...rows.map(([name, value]) => make(
        "div", "", make("dt", "data", name), make("dd", "data", value))));
}

/** Headers, by name. */
function headerTable(headers) {
    const names = Object.keys(headers ?? {}).sort();
    if (names.length === 0) return make("p", "hint", "No headers.");
    return factTable(names.map((name) => [name, headers[name]]));
}

/** A body: JSON in lines, other text as it is, bytes as base64. */
function bodyParts({ body, body_base64: base64 }) {
    if (typeof body === "string") {
        if (body === "") return [make("p", "hint", "The body is empty.")];
        const lines = indentedJSON(body);
        const kind = lines === null ? "text" : "JSON";
        return [copyable(`${kind}, ${counted(byteCount(body), "byte")}`, body, lines ?? body)];
    }
    if (typeof base64 === "string") {
        return [copyable("Bytes that are no text, as base64", base64)];
    }
    return [make("p", "hint", "There is no body.")];
}

function outcomeBanner(message) {
    if (hasArrived(message)) {
        return make(
            "div", "outcome outcome-arrived", make("h3", "", "Arrived"),
            make("p", "", `${platformName(message.platform)} took it, and the device got it.`));
    }
    return make(
        "div", "outcome outcome-refused",
        make("h3", "", `Refused by ${platformName(message.platform)}: ${message.outcome}`),
        make("p", "data", message.reason ?? "It gave no reason."));
}

function userLinks(users) {
    return users?.length > 0
        ? users.map((user) => linkTo({ user, registration: "", search: "", message: null }, "user data", user))
        : null;
}

function requestParts(incoming) {
    if (!incoming) {
        return [make("p", "hint", "The hub does not keep this request any more.")];
    }
    const parts = [
        make(
            "p", "request-line", make("strong", "data", incoming.method), " ",
            make("code", "data", incoming.path)),
        factTable([
            ["Time", incoming.time ? timeElement(incoming.time) : null],
            ["Tags", tagWords(incoming.tags, incoming.path)],
            ["Scheduled", incoming.scheduled ? "yes: it waited for its time" : null],
        ]),
        make("h4", "", "Headers"), headerTable(incoming.headers),
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
        outcomeBanner(message), drawPhone(message),
        part(
            "Device",
            factTable([
                ["User", userLinks(message.users)],
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
                ["Notification", message.notification],
            ]),
            make("h4", "", "Headers"), headerTable(message.headers),
            make("h4", "", "Body"), ...bodyParts(message)),
        part("Request that brought it", ...requestParts(message.request)));
}

function drawNoDetail() {
    const title = make("h2", "", "No message open");
    title.id = "detail-title";
    fill(detailPane, make(
        "div", "nothing", title,
        make("p", "", "Choose one to see what the phone showed, and what brought it.")));
}

/** Shows the message that the place names; the focus follows when the reader asked for it. */
async function showDetail({ focusing }) {
    const { message: number } = place;
    document.body.classList.toggle("is-open", number !== null);
    markOpened();
    if (number === null) {
        detailShown = null;
        drawNoDetail();
        return;
    }
    const isStill = () => place.message === number;
    if (detailShown !== number) detailPane.setAttribute("aria-busy", "true");
    try {
        const message = await ask(`/messages/${number}`);
        if (!isStill()) return;
        drawDetail(message);
    } catch (error) {
        if (!(error instanceof HubError)) throw error;
        if (!isStill()) return;
        if (error.status === 0 && detailShown === number) return;
        const text = error.status === 404
            ? "The hub does not keep this message any more: it was cleared, or newer ones came."
            : error.message;
        fill(detailPane, detailHead(`Message ${number}`), make("p", "hint", text));
    } finally {
        if (isStill()) detailPane.setAttribute("aria-busy", "false");
    }
    const isNew = detailShown !== number;
    detailShown = number;
    if (isNew) detailPane.scrollTop = 0;
    if (focusing) the("detail-title")?.focus({ preventScroll: true });
}

/** Closes the message. */
function closeDetail() {
    go({ message: null });
}

onPlace((now, old) => {
    if (now.message === old.message && now.hub === old.hub) return;
    const hadFocus = detailPane.contains(document.activeElement);
    showDetail({ focusing: true });
    if (now.message === null && hadFocus) focusMessage(old.message);
});
