// Requests to the hub below /.hubsend.

/** An error with the hub's own sentence; status 0 means that it did not answer. */
class HubError extends Error {
    constructor(sentence, status, address) {
        super(sentence);
        this.status = status;
        this.path = address.pathname;
        this.hub = address.searchParams.get("hub") ?? "";
    }
}

const answerWithin = 20_000;
let token = null;

/** The address of a path below /.hubsend, for the shown hub. */
function addressBelow(path, parameters = {}) {
    const address = new URL(`/.hubsend${path}`, location.origin);
    for (const [name, value] of Object.entries({ hub: place.hub, ...parameters })) {
        if (value !== "" && value !== null && value !== undefined) {
            address.searchParams.set(name, value);
        }
    }
    return address;
}

/** Makes a request and reads its answer; throws the hub's error if it fails. */
async function request(address, read, options = {}) {
    const path = address.pathname;
    let answer;
    let content;
    try {
        answer = await fetch(address, {
            cache: "no-store", credentials: "omit", redirect: "error",
            signal: AbortSignal.timeout(answerWithin), ...options,
        });
        // The hub may stop in the middle of its response.
        content = await (answer.ok ? read(answer) : sentenceOf(answer));
    } catch (error) {
        if (error instanceof SyntaxError) {
            throw new HubError(`The hub's response from ${path} is not JSON.`, answer.status, address);
        }
        throw new HubError("The hub is not responding; check that it is still running.", 0, address);
    }
    if (!answer.ok) throw new HubError(content, answer.status, address);
    endFailure(path);
    return content;
}

const asJSON = (answer) => answer.json();
const asText = (answer) => answer.text();

async function sentenceOf(answer) {
    try {
        const { error } = await answer.json();
        if (typeof error === "string" && error !== "") return error;
    } catch {
        // A response that is not JSON has no error message.
    }
    return `The hub returned status ${answer.status} without a reason.`;
}

/** Fetches JSON from a path below /.hubsend. */
async function ask(path, parameters) {
    return request(addressBelow(path, parameters), asJSON);
}

/** Makes a change, with the token of the running hub. */
async function change(method, path, { parameters, body } = {}) {
    const attempt = async () => {
        token ??= await request(addressBelow("/token"), asText);
        const headers = { "Hubsend-Token": token.trim() };
        if (body !== undefined) headers["Content-Type"] = "text/plain; charset=utf-8";
        return request(addressBelow(path, parameters), asJSON, { method, headers, body });
    };
    const known = token;
    try {
        return await attempt();
    } catch (error) {
        // A restarted hub has another token.
        if (known === null || ![401, 403].includes(error.status)) throw error;
        token = null;
        return attempt();
    }
}
