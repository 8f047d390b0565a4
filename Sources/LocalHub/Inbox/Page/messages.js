// The list of messages, newest first and live.

const messagesPane = the("messages");
const messagesList = the("messages-list");
const freshButton = the("fresh");
let messagesAsked = 0;
let mustBegin = false;
let newestSeen = 0;
let unseen = [];
let isFirstPageShown = false;
let nobodyReached = 0;
let nobodySeen = 0;

the("messages-loading").hidden = false;

function messageQuery(more = {}) {
    const { user, registration, search, platform, outcome } = place;
    return { user, registration, find: search, platform, outcome, limit: pageSize, ...more };
}

const messages = new WindowedList(messagesPane, messagesList, {
    keyOf: ({ sequence, notification }) => `${sequence} ${notification}`,
    draw: drawMessageRow,
    update: (row, { sequence }) => {
        row.firstElementChild.href = addressOf({ ...place, message: sequence, send: null });
    },
    mayCut: () => true,
    older: async ({ sequence }) => {
        const answer = await ask("/messages", messageQuery({ before: sequence }));
        return { values: answer.messages, more: answer.older };
    },
    newer: async ({ sequence }) => {
        const answer = await ask("/messages", messageQuery({ after: sequence }));
        return { values: answer.messages, more: answer.messages.length === pageSize };
    },
    failed: showFailure,
    shown: () => {
        newestSeen = Math.max(newestSeen, messages.items[0]?.value.sequence ?? 0);
        showFresh(unseen);
        settleTabStop(messagesList);
        markOpened();
        showMessagesEnd();
    },
});

/** Whether new rows would move what the reader is reading or has focused. */
function isReading() {
    return !messages.isAtStart || messagesList.querySelector(":focus-visible") !== null;
}

/**
 * Fetches the newest page and shows it; if the reader is further down, a button shows the number of
 * new messages instead.
 *
 * The work does not depend on how many messages arrived.
 */
async function refreshMessages({ beginning = false } = {}) {
    // A later request may replace this one, and must then start over on its behalf.
    mustBegin ||= beginning;
    messagesAsked += 1;
    const asked = messagesAsked;
    const answer = await ask("/messages", messageQuery());
    if (asked !== messagesAsked) return;
    the("messages-loading").hidden = true;
    const begins = mustBegin;
    mustBegin = false;
    const values = answer.messages;
    const newest = values[0]?.sequence ?? 0;
    const keys = new Set(values.map(messages.source.keyOf));
    const fresh = values.filter(({ sequence }) => sequence > newestSeen);
    // Rows in the range of the page that the page does not contain were cleared, or are from an earlier hub.
    const last = answer.older ? values.at(-1).sequence : 0;
    const gone = messages.items.filter(
        ({ key, value }) => (value.sequence >= last || !answer.older) && !keys.has(key));
    const hasOpenedGone = gone.some(({ value }) => value.sequence === place.message);
    const isWithoutGap = messages.items.some(({ key }) => keys.has(key));
    newestSeen = Math.min(newestSeen, newest);
    if (begins || messages.items.length === gone.length) {
        messages.reset(values, answer.older);
        newestSeen = newest;
        showFresh([]);
    } else if (isReading()) {
        if (gone.length > 0) messages.remove(new Set(gone.map(({ key }) => key)));
        showFresh(fresh);
    } else {
        messages.renew(values, answer.older, ({ sequence }) => isWithoutGap && sequence < last);
        showFresh([]);
    }
    if (isFirstPageShown && !begins) announce(fresh);
    isFirstPageShown = true;
    if (hasOpenedGone) showDetail({ focusing: false });
    await showMessagesEmpty();
}

/** Shows how many new messages are above the shown ones. */
function showFresh(fresh) {
    unseen = fresh.filter(({ sequence }) => sequence > newestSeen);
    freshButton.hidden = unseen.length === 0;
    const amount = unseen.length >= pageSize ? `${pageSize} or more` : unseen.length;
    setText(freshButton, `${amount} new`);
}

function showMessagesEnd() {
    const end = the("messages-end");
    end.hidden = messages.items.length === 0 || messages.hasOlder;
    setText(end, "The hub has no older messages.");
}

/** Marks the row of the opened message. */
function markOpened() {
    for (const { value, node } of messages.items) {
        const link = node.firstElementChild;
        if (value.sequence === place.message) {
            link.setAttribute("aria-current", "true");
        } else {
            link.removeAttribute("aria-current");
        }
    }
}

/** Moves the focus to a message's row, or to the title of the list. */
function focusMessage(number) {
    const item = messages.items.find(({ value }) => value.sequence === number);
    const target = item?.node.firstElementChild ?? the("messages-title");
    target.focus({ preventScroll: true });
    item?.node.scrollIntoView({ block: "nearest" });
}

/** Opens the next older message, or the next newer one with -1. */
function openNeighbour(step) {
    // The opened message may not be in the list. The newest come first.
    const item = step > 0
        ? messages.items.find(({ value }) => value.sequence < place.message)
        : messages.items.findLast(({ value }) => value.sequence > place.message);
    if (!item) return;
    go({ message: item.value.sequence, send: null }, { replacing: true });
    item.node.scrollIntoView({ block: "nearest" });
}

async function showMessagesEmpty() {
    const empty = the("messages-empty");
    empty.hidden = messages.items.length > 0;
    if (empty.hidden) return;
    const all = { user: "", registration: "", search: "", platform: "", outcome: "" };
    if (Object.keys(all).some((name) => place[name] !== "")) {
        if (!isOtherKind(empty, "filtered", addressOf({ ...place, ...all }))) return;
        fill(
            empty, make("h3", "", "No matching messages"),
            make("p", "", "New messages that match appear here automatically."),
            linkTo(all, "button", "Show all messages"));
        return;
    }
    const asked = messagesAsked;
    const target = await sampleTarget();
    if (asked !== messagesAsked) return;
    const hasDevices = document.body.classList.contains("has-devices");
    if (!isOtherKind(empty, "first", hasDevices, hubInCommands(), publishedKeys, target)) return;
    const noDevice = hasDevices ? null : make(
        "p", "", "There are no devices yet, so a push would reach nobody. ",
        linkTo({ view: "devices" }, "", "Add a device"));
    fill(
        empty, make("h3", "", "No messages yet"),
        make("p", "", "Messages appear here as soon as the hub delivers them to a device."), noDevice,
        make("p", "", "To send one:"), sendingHints(target));
}

/** Whether an element must be redrawn; redrawing needlessly would disturb reading and copying. */
function isOtherKind(element, ...facts) {
    const kind = JSON.stringify(facts);
    const isOther = element.dataset.kind !== kind;
    element.dataset.kind = kind;
    return isOther;
}

/**
 * Shows how many sends reached nobody, until the reader opens the sends.
 *
 * The number is for all users, so it is hidden while the list shows one user or device.
 */
function showNobody(number) {
    nobodyReached = number;
    if (place.view === "sends" || number < nobodySeen) nobodySeen = number;
    const missing = number - nobodySeen;
    the("nobody").hidden = missing === 0 || place.user !== "" || place.registration !== "";
    setText(the("nobody-text"), `${counted(missing, "send")} reached nobody.`);
}

freshButton.addEventListener("click", async () => {
    await attempt(() => refreshMessages({ beginning: true }));
    const first = messagesList.querySelector("a");
    if (first) first.focus({ preventScroll: true });
});

moveByArrows(messagesList);

onPlace((now, old) => {
    showNobody(now.hub === old.hub ? nobodyReached : 0);
    messages.update(messages.items.map(({ value }) => value));
    const names = ["hub", "user", "registration", "search", "platform", "outcome"];
    if (names.some((name) => now[name] !== old[name])) {
        isFirstPageShown = false;
        attempt(() => refreshMessages({ beginning: true }));
    }
});
