// Notices: failures, and announcements of new messages for screen readers.

const announceEvery = 5_000;
const announceAfter = 100;
let lastAnnounced = 0;
let unannounced = 0;
let newestOwner = "";
let announceTimer = null;
let failedPath = null;

/** Shows an error of the shown hub; a lost connection is shown elsewhere. */
function showFailure(error) {
    if (!(error instanceof HubError)) throw error;
    if (error.status === 0 || error.hub !== place.hub) return;
    showNotice(error.message);
    failedPath = error.path;
}

/** Shows a sentence until the reader dismisses it. */
function showNotice(sentence) {
    setText(the("failure-text"), sentence);
    the("failure").hidden = false;
    failedPath = null;
}

/** Hides the failure of a path that works again. */
function endFailure(path) {
    if (path === failedPath) the("failure").hidden = true;
}

/** Does something, and shows the hub's error if it fails. */
async function attempt(work) {
    try {
        await work();
    } catch (error) {
        showFailure(error);
    }
}

/** Announces new messages to screen readers, at most one sentence every few seconds. */
function announce(fresh) {
    const unheard = fresh.filter(({ sequence }) => sequence > lastAnnounced);
    if (unheard.length === 0) return;
    lastAnnounced = unheard[0].sequence;
    unannounced += unheard.length;
    newestOwner = ownerOf(unheard[0]);
    if (announceTimer === null) sayNews();
}

/** Forgets which messages were announced, because the hub counts from 1 again. */
function forgetNews() {
    lastAnnounced = 0;
}

function sayNews() {
    const owner = shortened(newestOwner, 60);
    const text = `${counted(unannounced, "new message")}, the newest for ${owner}.`;
    unannounced = 0;
    // Setting the same text again is not announced unless the text was empty in between.
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
