// Keeping up with the hub: its stream of changes, and what is fetched after each.

const firstRetry = 1_000;
const longestRetry = 10_000;
const devicesEvery = 1_000;

/** Does something whenever it is wished for: one at a time, at most so often, never a queue of it. */
class Coalesced {
    #isRunning = false;
    #isWished = false;

    constructor(every, work) {
        this.every = every;
        this.work = work;
    }

    async wish() {
        this.#isWished = true;
        if (this.#isRunning) return;
        this.#isRunning = true;
        try {
            while (this.#isWished) {
                this.#isWished = false;
                try {
                    await attempt(this.work);
                } catch (error) {
                    // A mistake of the page's own: the next wish is carried out all the same.
                    reportError(error);
                }
                if (this.every > 0) await new Promise((done) => setTimeout(done, this.every));
            }
        } finally {
            this.#isRunning = false;
        }
    }
}

const renewals = [
    new Coalesced(0, () => refreshMessages({ beginning: isBehindRestart() })),
    new Coalesced(devicesEvery, () => refreshDevices()),
    new Coalesced(devicesEvery, () => refreshSends()),
    new Coalesced(0, () => refreshFaults()),
];

let stream = null;
let retryTimer = null;
let retryAfter = firstRetry;
let wasGone = false;
// Each stream has a number, so that what is heard of an old one does nothing to the next.
let streamNumber = 0;

/** Whether the list is to begin again, since the hub may be another one now. */
function isBehindRestart() {
    const was = wasGone;
    wasGone = false;
    return was && !isReading();
}

function connect() {
    disconnect();
    streamNumber += 1;
    if (document.hidden) return;
    stream = new EventSource(addressBelow("/changes"));
    stream.addEventListener("change", (event) => {
        showConnection(true);
        showSummary(JSON.parse(event.data));
        for (const renewal of renewals) renewal.wish();
    });
    // Browsers differ in when they try again, and how often; so the page does it.
    stream.addEventListener("error", () => {
        disconnect();
        retryOrMove(streamNumber);
    });
}

/** Why there is no stream, since an EventSource does not say. */
async function whyNoStream() {
    try {
        // The stream's own address, since a hub that has no more streams answers all others.
        await request(addressBelow("/changes"), (answer) => answer.body.cancel());
        return new HubError("The stream of changes broke off.", 200, addressBelow("/changes"));
    } catch (error) {
        if (!(error instanceof HubError)) throw error;
        return error;
    }
}

/** After the end of a stream: goes to the first hub when this one is no more, else tries again later. */
async function retryOrMove(number) {
    const why = await whyNoStream();
    if (number !== streamNumber) return;
    if (why.status === 404 && place.hub !== "") {
        showNotice(`${why.message} This is the first hub.`);
        go({ hub: "", user: "", registration: "", ...nothingOpen }, { replacing: true });
        return;
    }
    showConnection(false, why.message);
    retryTimer = setTimeout(connect, retryAfter);
    retryAfter = Math.min(retryAfter * 2, longestRetry);
}

function disconnect() {
    stream?.close();
    stream = null;
    clearTimeout(retryTimer);
}

function showConnection(isThere, why = "") {
    const state = the("connection");
    if (isThere) {
        retryAfter = firstRetry;
        if (state.dataset.state === "gone") {
            wasGone = true;
            forgetNews();
            if (openedName() !== null) showDetail({ focusing: false });
        }
    }
    state.dataset.state = isThere ? "live" : "gone";
    setText(state, isThere ? "Live" : "Not connected");
    the("gone").hidden = isThere;
    setText(the("gone"), isThere ? "" : `${why} This page goes on by itself as soon as it can.`);
}

/** Shows the hub's name and what it has counted. */
function showSummary({ hub, hubs = [], devices: deviceCount, counts, faults, ...more }) {
    publishedKeys = more.published_keys;
    showBackend(more.backend ?? null);
    // Both came with the same version.
    knowsRegistrations = more.kept !== undefined;
    // The last hub may have been deleted.
    setText(the("hub-name"), hub ?? "no hub");
    showHubs(hub, hubs);
    setText(the("messages-count"), figures.format(
        more.kept ?? counts.arrived + counts.refused - (counts.cleared ?? 0)));
    setText(the("devices-count"), figures.format(deviceCount));
    setText(the("sends-count"), figures.format(counts.sends));
    document.body.classList.toggle("has-devices", deviceCount > 0);
    showNobody(counts.without_target);
    showFaultSummary(faults);
}

function showHubs(hub, hubs) {
    const select = the("hub-select");
    the("hub-choice").hidden = hubs.length < 2;
    the("hub-name").hidden = hubs.length > 1;
    const shown = [...select.options].map(({ value }) => value);
    if (JSON.stringify(shown) !== JSON.stringify(hubs)) {
        fill(select, hubs.map((name) => new Option(name, name)));
    }
    select.value = hub ?? "";
}

the("hub-select").addEventListener("change", () => {
    go({ hub: the("hub-select").value, user: "", registration: "", ...nothingOpen });
});

// A browser has few connections for one address; a page that nobody sees takes none of them.
document.addEventListener("visibilitychange", connect);
addEventListener("online", connect);

onPlace((now, old) => {
    if (now.hub !== old.hub) {
        forgetNews();
        connect();
    }
});
