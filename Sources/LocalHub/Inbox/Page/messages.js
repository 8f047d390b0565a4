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

/** Whether new rows would move what the reader looks at or holds the focus on. */
function isReading() {
    return !messages.isAtStart || messagesList.querySelector(":focus-visible") !== null;
}

/**
 * Fetches the newest page, and shows it unless the reader reads further down: then a button says how
 * many there are. The work is the same however many came.
 */
async function refreshMessages({ beginning = false } = {}) {
    // A later request may take this one's place, and then has to begin for it.
    mustBegin ||= beginning;
    messagesAsked += 1;
    const asked = messagesAsked;
    const answer = await ask("/messages", messageQuery());
    if (asked !== messagesAsked) return;
    const begins = mustBegin;
    mustBegin = false;
    const values = answer.messages;
    const newest = values[0]?.sequence ?? 0;
    const keys = new Set(values.map(messages.source.keyOf));
    const fresh = values.filter(({ sequence }) => sequence > newestSeen);
    // What stands in the page's stretch but not in the page was cleared, or is of an earlier hub.
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

/** Says how many messages wait above those that are shown. */
function showFresh(fresh) {
    unseen = fresh.filter(({ sequence }) => sequence > newestSeen);
    freshButton.hidden = unseen.length === 0;
    const amount = unseen.length >= pageSize ? `${pageSize} or more` : unseen.length;
    setText(freshButton, `${amount} new`);
}

function showMessagesEnd() {
    const end = the("messages-end");
    end.hidden = messages.items.length === 0 || messages.hasOlder;
    setText(end, "That is all the hub keeps.");
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

/** Moves the focus to a message's row, or to the head of the list. */
function focusMessage(number) {
    const item = messages.items.find(({ value }) => value.sequence === number);
    const target = item?.node.firstElementChild ?? the("messages-title");
    target.focus({ preventScroll: true });
    item?.node.scrollIntoView({ block: "nearest" });
}

/** Opens the next older message than the opened one, or with -1 the next newer. */
function openNeighbour(step) {
    // The opened one may be shown no longer, or not yet; the newest come first.
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
            empty, make("h3", "", "No message matches"),
            make("p", "", "A message that matches appears here by itself."),
            linkTo(all, "button", "Show all messages"));
        return;
    }
    const asked = messagesAsked;
    const target = await sampleTarget();
    if (asked !== messagesAsked) return;
    const hasDevices = document.body.classList.contains("has-devices");
    if (!isOtherKind(empty, "first", hasDevices, hubInCommands(), publishedKeys, target)) return;
    const noDevice = hasDevices ? null : make(
        "p", "", "There is no device yet, so a push would reach nobody: ",
        linkTo({ view: "devices" }, "", "how to get one"), ".");
    fill(
        empty, make("h3", "", "No message yet"),
        make("p", "", "What the hub delivers to a device appears here at once."), noDevice,
        make("p", "", "To send something:"), sendingHints(target));
}

/** Whether a place that may be read or copied from is to say something else than it does. */
function isOtherKind(element, ...facts) {
    const kind = JSON.stringify(facts);
    const isOther = element.dataset.kind !== kind;
    element.dataset.kind = kind;
    return isOther;
}

/** Says how many sends reached nobody, until the reader has looked. */
function showNobody(number) {
    nobodyReached = number;
    if (place.view === "sends" || number < nobodySeen) nobodySeen = number;
    const missing = number - nobodySeen;
    the("nobody").hidden = missing === 0;
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
