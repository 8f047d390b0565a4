// The devices, a page at a time.

const devicesPane = the("devices");
const devicesList = the("devices-list");
const nextPages = new Map();
const earlierPages = new Map();
let devicesAsked = 0;

async function devicePage(from) {
    const answer = await ask("/devices", { search: place.search, limit: pageSize, from });
    const next = answer.next ?? null;
    if (next === null) {
        nextPages.delete(from);
    } else {
        nextPages.set(from, next);
        earlierPages.set(next, from);
    }
    setText(the("devices-total"), figures.format(answer.total));
    const values = answer.devices.map((device) => ({ ...device, page: from }));
    return { values, more: next !== null };
}

const devices = new WindowedList(devicesPane, devicesList, {
    keyOf: ({ registration, handle, tags, users }) =>
        JSON.stringify([registration, handle, tags, users]),
    draw: drawDevice,
    update: updateDevice,
    // Pages are asked for by where they begin, so that only whole ones may go.
    mayCut: (one, other) => one.page !== other.page,
    older: ({ page }) => devicePage(nextPages.get(page)),
    newer: async ({ page }) => {
        const from = earlierPages.get(page);
        const { values } = await devicePage(from);
        return { values, more: from !== 0 };
    },
    failed: showFailure,
    shown: () => settleTabStop(devicesList),
});

function drawDevice(device) {
    const users = device.users ?? [];
    const names = users.length > 0
        ? make("span", "device-user", users.map((user) => userLink(user)))
        : make("span", "device-user", "No user");
    // Those that the hub gives by itself, and those of the users, tell nothing that is not there already.
    const otherTags = (device.tags ?? []).filter(
        (tag) => !tag.startsWith("$") && !users.some((user) => tag === `username:${user}`));
    return make(
        "li", users.length === 1 ? "device device-link" : "device",
        make(
            "span", "device-line",
            platformMark(device.platform), names, make("span", "device-count")),
        otherTags.length === 0 ? null : make(
            "span", "device-tags data", shortened(otherTags.join(", "), longestInList)),
        make("span", "device-handle data", shortened(device.handle ?? "", 80)));
}

function userLink(user) {
    const link = make("a", "data", user);
    link.dataset.user = user;
    link.tabIndex = -1;
    return link;
}

function updateDevice(row, device) {
    const count = row.querySelector(".device-count");
    setText(count, device.count === 0 ? "none" : figures.format(device.count));
    count.title = `${counted(device.count, "message")}`;
    for (const link of row.querySelectorAll("a")) {
        const { user } = link.dataset;
        link.href = addressOf({
            ...place, user: place.user === user ? "" : user, view: "messages", message: null,
        });
        if (place.user === user) {
            link.setAttribute("aria-current", "true");
        } else {
            link.removeAttribute("aria-current");
        }
    }
}

/** Fetches the page that the reader sees, and brings what is shown up to date. */
async function refreshDevices({ beginning = false } = {}) {
    if (!devicesPane.checkVisibility()) return;
    devicesAsked += 1;
    const asked = devicesAsked;
    if (beginning) {
        nextPages.clear();
        earlierPages.clear();
    }
    const from = beginning || devices.isAtStart ? 0 : pageInView();
    const { values, more } = await devicePage(from);
    if (asked !== devicesAsked) return;
    if (beginning || devices.items.length === 0) {
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
    if (empty.hidden) return;
    if (place.search) {
        fill(empty, make("h3", "", "No user of this name"));
    } else {
        fill(
            empty, make("h3", "", "No device yet"),
            make("p", "", "Let your app register, begin the hub with "),
            make("pre", "", "hubsend hub --devices devices.yaml"),
            make("p", "", "or start a simulated one, with your app backend running:"),
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
