// What the page says by itself: failures, and news for who does not see the list.

const announceEvery = 5_000;
const announceAfter = 100;
let lastAnnounced = 0;
let unannounced = 0;
let newestOwner = "";
let announceTimer = null;
let failedPath = null;

/** Shows what went wrong; that the hub is gone, or is not looked at any more, is said elsewhere. */
function showFailure(error) {
    if (!(error instanceof HubError)) throw error;
    if (error.status === 0 || error.hub !== place.hub) return;
    showNotice(error.message);
    failedPath = error.path;
}

/** Shows a sentence until the reader takes it away. */
function showNotice(sentence) {
    setText(the("failure-text"), sentence);
    the("failure").hidden = false;
    failedPath = null;
}

/** Takes a failure away, since what failed goes well again. */
function endFailure(path) {
    if (path === failedPath) the("failure").hidden = true;
}

/** Does something, and shows the hub's sentence when it does not go well. */
async function attempt(work) {
    try {
        await work();
    } catch (error) {
        showFailure(error);
    }
}

/** Tells screen readers of new messages, in one sentence for all that come within a few seconds. */
function announce(fresh) {
    const unheard = fresh.filter(({ sequence }) => sequence > lastAnnounced);
    if (unheard.length === 0) return;
    lastAnnounced = unheard[0].sequence;
    unannounced += unheard.length;
    newestOwner = ownerOf(unheard[0]);
    if (announceTimer === null) sayNews();
}

/** Forgets which messages were told of: the hub counts from the start again. */
function forgetNews() {
    lastAnnounced = 0;
}

function sayNews() {
    const owner = shortened(newestOwner, 60);
    const text = `${counted(unannounced, "new message")}, the newest for ${owner}.`;
    unannounced = 0;
    // What is set to the same text again is not spoken; what was empty for a moment is.
    setText(the("announcement"), "");
    setTimeout(() => setText(the("announcement"), text), announceAfter);
    announceTimer = setTimeout(() => {
        announceTimer = null;
        if (unannounced > 0) sayNews();
    }, announceEvery);
}

the("failure-close").addEventListener("click", () => {
    the("failure").hidden = true;
});
