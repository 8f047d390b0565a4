// The list of devices, loaded page by page.

const devicesPane = the("devices");
const devicesList = the("devices-list");
const nextPages = new Map();
const earlierPages = new Map();
let devicesAsked = 0;
// Whether the hub can list the messages of one registration.
let knowsRegistrations = false;
let mustBeginDevices = false;

function askForDevices(from) {
    return ask("/devices", { search: place.search, limit: pageSize, from });
}

/** The values of a page; also records where the neighbouring pages begin. */
function devicePage(from, answer) {
    const next = answer.next ?? null;
    if (next === null) {
        nextPages.delete(from);
    } else {
        nextPages.set(from, next);
        earlierPages.set(next, from);
    }
    const values = answer.devices.map((device) => ({ ...device, page: from }));
    return { values, more: next !== null };
}

const devices = new WindowedList(devicesPane, devicesList, {
    keyOf: ({ registration, handle, tags, users }) =>
        JSON.stringify([registration, handle, tags, users]),
    draw: drawDevice,
    update: updateDevice,
    // Pages are requested by their start, so only whole pages may be removed.
    mayCut: (one, other) => one.page !== other.page,
    older: async ({ page }) => {
        const from = nextPages.get(page);
        return devicePage(from, await askForDevices(from));
    },
    newer: async ({ page }) => {
        const from = earlierPages.get(page);
        const { values } = devicePage(from, await askForDevices(from));
        return { values, more: from !== 0 };
    },
    failed: showFailure,
    shown: () => settleTabStop(devicesList),
});

function drawDevice(device) {
    const users = device.users ?? [];
    const names = make("span", "device-user", "No user");
    if (users.length > 0) {
        fill(names, users.map((user) => messagesLink(user, { user })));
    } else if (knowsRegistrations) {
        const [who, name] = isUnregistered(device)
            ? ["Unknown user", ownerOf(device)] : ["No user", `No user, ${ownerOf(device)}`];
        const link = messagesLink(who, { registration: device.registration });
        link.setAttribute("aria-label", name);
        fill(names, link);
    }
    // The hub's own tags and the user tags would only repeat what is already shown.
    const otherTags = (device.tags ?? []).filter(
        (tag) => !tag.startsWith("$") && !users.some((user) => tag === `username:${user}`));
    return make(
        "li", names.childElementCount === 1 ? "device device-link" : "device",
        make(
            "span", "device-line",
            platformMark(device.platform), names, make("span", "device-count")),
        otherTags.length === 0 ? null : make(
            "span", "device-tags data", shortened(otherTags.join(", "), longestInList)),
        make("span", "device-handle data", shortened(device.handle ?? "", 80)));
}

/** A link to the messages of a user or registration; `updateDevice` sets its address. */
function messagesLink(text, whose) {
    const link = make("a", "data", text);
    Object.assign(link.dataset, whose);
    link.tabIndex = -1;
    return link;
}

function updateDevice(row, device) {
    const count = row.querySelector(".device-count");
    setText(count, device.count === 0 ? "none" : figures.format(device.count));
    count.title = `${counted(device.count, "message")}`;
    for (const link of row.querySelectorAll("a")) {
        const { user = "", registration = "" } = link.dataset;
        const isShown = place.user === user && place.registration === registration;
        const whose = isShown ? { user: "", registration: "" } : { user, registration };
        // In the device view, the link opens the messages; in other views, it filters the list.
        const view = place.view === "devices" ? "messages" : place.view;
        link.href = addressOf({ ...place, ...whose, view, ...nothingOpen });
        if (isShown) {
            link.setAttribute("aria-current", "true");
        } else {
            link.removeAttribute("aria-current");
        }
    }
}

/** Fetches the page that the reader sees, and updates what is shown. */
async function refreshDevices({ beginning = false } = {}) {
    // This also holds if the list is hidden, or if a later request replaces this one.
    mustBeginDevices ||= beginning;
    if (!devicesPane.checkVisibility()) return;
    devicesAsked += 1;
    const asked = devicesAsked;
    const from = mustBeginDevices || devices.isAtStart ? 0 : pageInView();
    const answer = await askForDevices(from);
    if (asked !== devicesAsked) return;
    const begins = mustBeginDevices;
    mustBeginDevices = false;
    if (begins) {
        nextPages.clear();
        earlierPages.clear();
    }
    setText(the("devices-total"), figures.format(answer.total));
    const { values, more } = devicePage(from, answer);
    if (begins || devices.items.length === 0) {
        devices.reset(values, more);
    } else if (from === 0 && !devices.hasNewer) {
        devices.renew(values, more, ({ page }) => page > 0);
    } else {
        devices.update(values);
    }
    showDevicesEmpty();
}

function pageInView() {
    const top = devicesPane.getBoundingClientRect().top;
    const item = devices.items.find(({ node }) => node.getBoundingClientRect().bottom > top);
    return item?.value.page ?? 0;
}

function showDevicesEmpty() {
    const empty = the("devices-empty");
    empty.hidden = devices.items.length > 0;
    if (empty.hidden || !isOtherKind(empty, place.search !== "")) return;
    if (place.search) {
        fill(empty, make("h3", "", "No matching devices"));
    } else {
        fill(
            empty, make("h3", "", "No devices yet"),
            make("p", "", "Register one from your app, start the hub with "),
            make("pre", "", "hubsend hub --devices devices.yaml"),
            make("p", "", "or, while your app backend is running, start a simulated device:"),
            make("pre", "", "hubsend device --user alice --platform apns"));
    }
}

moveByArrows(devicesList);

onPlace((now, old) => {
    devices.update(devices.items.map(({ value }) => value));
    if (now.hub !== old.hub || now.search !== old.search) {
        attempt(() => refreshDevices({ beginning: true }));
    } else if (now.view !== old.view) {
        attempt(refreshDevices);
    }
});
