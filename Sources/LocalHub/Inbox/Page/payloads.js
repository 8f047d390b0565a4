// Payloads that an app fetches by id: their address, and their content if the hub may fetch it.

let backend = null;

/** Sets the app backend that the hub may ask; null if there is none. */
function showBackend(named) {
    const isOther = JSON.stringify(named) !== JSON.stringify(backend);
    backend = named;
    if (isOther && place.message !== null && detailShown !== null) showDetail({ focusing: false });
}

/** The path where the app fetches an id. */
function payloadPath(id) {
    return `/api/notifications/${encodeURIComponent(id)}`;
}

/** The section about the payloads that a message names; null if it names none. */
function payloadPart(message) {
    const ids = message.appearance?.ids ?? [];
    if (ids.length === 0) return null;
    return part("What the app fetches", ...ids.flatMap(({ value }) => payloadParts(message, value)));
}

function payloadParts({ sequence, users }, id) {
    if (backend === null) {
        return [
            make("p", "", "The app fetches it from your backend:"),
            make("p", "request-line", make("strong", "", "GET"), " ",
                make("code", "data", payloadPath(id))),
            make("p", "hint", "To see it here, run ", make("code", "", "hubsend serve"),
                " and restart the hub with --backend URL and --user NAME, where URL is the address of ",
                make("code", "", "hubsend serve"),
                ". Restarting the hub empties this inbox."),
        ];
    }
    const { url, user } = backend;
    const address = make("p", "request-line", make("strong", "", "GET"), " ",
        make("code", "data", `${url}${payloadPath(id)}`));
    // The backend gives each user only their own payloads.
    if (!(users ?? []).includes(user)) {
        return [address, make("p", "hint", "The hub can show only the payloads of ",
            make("bdi", "data", user), ", the user given by --user.")];
    }
    const shown = make("div", "payload");
    shown.setAttribute("aria-live", "polite");
    const show = button("Show the payload", "", async () => {
        show.disabled = true;
        fill(shown, make("p", "hint", "Fetching…"));
        try {
            const path = `/messages/${sequence}/payloads/${encodeURIComponent(id)}`;
            fill(shown, ...payloadBody(await change("POST", path)));
        } catch (error) {
            if (!(error instanceof HubError)) throw error;
            fill(shown, make("p", "wrong data", error.message));
        }
        show.disabled = false;
    });
    return [
        address,
        make("p", "hint", "The hub fetches it as ", make("bdi", "data", user),
            ", and the backend records it as fetched. The hub does not store it."),
        make("div", "", show), shown,
    ];
}

// Pictures that cannot contain text or links.
const drawnTypes = /^image\/(png|jpeg|gif|webp)$/i;

/** The whole payload as a picture; null if it is something else. */
function payloadPicture({ media_type: type, cut, body_base64: base64 }) {
    if (cut || typeof base64 !== "string" || !drawnTypes.test(type ?? "")) return null;
    const picture = make("img", "payload-picture");
    picture.alt = "The payload";
    picture.src = `data:${type};base64,${base64}`;
    return picture;
}

function payloadBody({ media_type: type, bytes, cut, ...content }) {
    const picture = payloadPicture({ media_type: type, cut, ...content });
    return [
        make("p", "", make("span", "data", type ?? "of unknown type"), `, ${counted(bytes, "byte")}`),
        cut ? make("p", "hint", "Only the beginning is shown.") : null,
        ...picture === null ? bodyParts(content) : [picture],
    ];
}
