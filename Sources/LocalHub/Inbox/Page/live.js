// Keeps the page up to date: follows the stream of changes, and fetches after each.

const firstRetry = 1_000;
const longestRetry = 10_000;
const devicesEvery = 1_000;

/** Runs work on request: one run at a time, limited in frequency, with at most one waiting. */
class Coalesced {
    #isRunning = false;
    #isRequested = false;

    constructor(every, work) {
        this.every = every;
        this.work = work;
    }

    async request() {
        this.#isRequested = true;
        if (this.#isRunning) return;
        this.#isRunning = true;
        try {
            while (this.#isRequested) {
                this.#isRequested = false;
                try {
                    await attempt(this.work);
                } catch (error) {
                    // This is a bug in the page; later requests still run.
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
    new Coalesced(0, () => refreshMessages({ beginning: mustStartOver() })),
    new Coalesced(devicesEvery, () => refreshDevices()),
    new Coalesced(devicesEvery, () => refreshSends()),
    new Coalesced(0, () => refreshFaults()),
];

let stream = null;
let retryTimer = null;
let retryAfter = firstRetry;
let wasGone = false;
// Each stream has a number, so that events of an old stream do not affect the next one.
let streamNumber = 0;

/** Whether the list must start over, because the hub may have been restarted. */
function mustStartOver() {
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
        for (const renewal of renewals) renewal.request();
    });
    // Browsers differ in when and how often they retry, so the page does it.
    stream.addEventListener("error", () => {
        disconnect();
        retryOrMove(streamNumber);
    });
}

/** Finds out why the stream failed, because an EventSource does not say. */
async function whyNoStream() {
    try {
        // Asks at the stream's address: a hub without free streams still answers all others.
        await request(addressBelow("/changes"), (answer) => answer.body.cancel());
        return new HubError("The connection to the hub was lost.", 200, addressBelow("/changes"));
    } catch (error) {
        if (!(error instanceof HubError)) throw error;
        return error;
    }
}

/** After a stream ends: goes to the first hub if this one was deleted, otherwise retries later. */
async function retryOrMove(number) {
    const why = await whyNoStream();
    if (number !== streamNumber) return;
    if (why.status === 404 && place.hub !== "") {
        showNotice(`${why.message} The page now shows the first hub.`);
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
    setText(the("gone"), isThere ? "" : `${why} This page reconnects automatically.`);
}

/** Shows the hub's name and counts. */
function showSummary({ hub, hubs = [], devices: deviceCount, counts, faults, ...more }) {
    publishedKeys = more.published_keys;
    showBackend(more.backend ?? null);
    // Both members were added in the same version.
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

// Browsers allow few connections per address, so a hidden page uses none.
document.addEventListener("visibilitychange", connect);
addEventListener("online", connect);

onPlace((now, old) => {
    if (now.hub !== old.hub) {
        forgetNews();
        connect();
    }
});
