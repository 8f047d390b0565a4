// The hub's JSON below /.hubsend.

/** What the hub said no to, as its own sentence; status 0: it did not answer. */
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

/** The address of a path below /.hubsend, for the hub that is shown. */
function addressBelow(path, parameters = {}) {
    const address = new URL(`/.hubsend${path}`, location.origin);
    for (const [name, value] of Object.entries({ hub: place.hub, ...parameters })) {
        if (value !== "" && value !== null && value !== undefined) {
            address.searchParams.set(name, value);
        }
    }
    return address;
}

/** Makes a request, reads its answer, and throws the hub's sentence unless it went well. */
async function request(address, read, options = {}) {
    const path = address.pathname;
    let answer;
    let content;
    try {
        answer = await fetch(address, {
            cache: "no-store", credentials: "omit", redirect: "error",
            signal: AbortSignal.timeout(answerWithin), ...options,
        });
        // A hub can also be gone in the middle of its answer.
        content = await (answer.ok ? read(answer) : sentenceOf(answer));
    } catch (error) {
        if (error instanceof SyntaxError) {
            throw new HubError(`The hub's answer at ${path} is no JSON.`, answer.status, address);
        }
        throw new HubError("The hub does not answer; see whether it still runs.", 0, address);
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
        // What is no JSON has no sentence for us.
    }
    return `The hub answered ${answer.status}, and did not say why.`;
}

/** Asks for something. */
async function ask(path, parameters) {
    return request(addressBelow(path, parameters), asJSON);
}

/** Changes something, with the token of the hub's start. */
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
        // A hub that was started again has another token.
        if (known === null || ![401, 403].includes(error.status)) throw error;
        token = null;
        return attempt();
    }
}
