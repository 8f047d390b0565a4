// Hints on how to send to this hub.

// The hub's published development keys; they protect nothing.
const developmentSend = {
    name: "DefaultSendSharedAccessSignature", key: "aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=",
};
const developmentFull = {
    name: "DefaultFullSharedAccessSignature", key: "aHVic2VuZCBsb2NhbCBodWI6IGZ1bGwgYWNjZXNzLi4=",
};
const samplePushes = new Map(Object.entries({
    apns: ["apple", `{"aps":{"alert":"Hello"}}`],
    fcm: ["fcmv1", `{"message":{"notification":{"body":"Hello"}}}`],
    adm: ["adm", `{"data":{"message":"Hello"}}`],
    browser: ["browser", `{"message":"Hello"}`],
}));
const tokenLasts = 86_400;
const devicesLookedAt = 100;
// Whether the hub accepts the published keys; undefined if it does not report it.
let publishedKeys;

/** Makes a shared access signature for this hub. */
async function sharedAccessSignature({ name, key }) {
    const audience = encodeURIComponent(`${location.origin}/`.toLowerCase());
    const expiry = Math.floor(Date.now() / 1_000) + tokenLasts;
    const bytes = (text) => new TextEncoder().encode(text);
    const secret = await crypto.subtle.importKey(
        "raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const signature = await crypto.subtle.sign("HMAC", secret, bytes(`${audience}\n${expiry}`));
    const base64 = encodeURIComponent(btoa(String.fromCharCode(...new Uint8Array(signature))));
    return `SharedAccessSignature sr=${audience}&sig=${base64}&se=${expiry}&skn=${name}`;
}

/** The hub's name, or HUB if the name needs quoting in a shell. */
function hubInCommands() {
    const name = the("hub-name").textContent;
    return /^[\w.-]+$/.test(name) ? name : "HUB";
}

/**
 * The platform and tag of a known device for the sample push; null if no device can receive a sample.
 *
 * The tag is null if every tag would need quoting in a shell.
 */
async function sampleTarget() {
    const { devices: known } = await ask("/devices", { limit: devicesLookedAt });
    if (known.length === 0) return { platform: "apns", tag: "username:alice" };
    const targets = known.filter(({ platform }) => samplePushes.has(platform)).map(
        ({ platform, tags }) => ({
            platform, tag: tags?.find((each) => /^[\w@#.:-]+$/.test(each)) ?? null,
        }));
    return targets.find(({ tag }) => tag !== null) ?? targets[0] ?? null;
}

async function curlLine({ platform, tag }) {
    const [format, body] = samplePushes.get(platform);
    const certificate = location.protocol === "https:" ? " --cacert ca.pem" : "";
    const address = `${location.origin}/${hubInCommands()}/messages?api-version=2020-06`;
    return [
        `curl -i${certificate} '${address}' \\`,
        `  -H 'Authorization: ${await sharedAccessSignature(developmentSend)}' \\`,
        `  -H 'ServiceBusNotification-Format: ${format}' \\`,
        // Without a tag, the push goes to every device of the platform.
        tag === null ? null : `  -H 'ServiceBusNotification-Tags: ${tag}' \\`,
        `  -H 'Content-Type: application/json' -d '${body}'`,
    ].filter((line) => line !== null).join("\n");
}

function settingLines() {
    const { name, key } = publishedKeys === false
        ? { name: "KEY_NAME", key: "KEY" } : developmentFull;
    return [
        "export HUBSEND_HUB_CONNECTION_STRING="
            + `'Endpoint=${location.origin}/;SharedAccessKeyName=${name};SharedAccessKey=${key}'`,
        `export HUBSEND_HUB_NAME=${hubInCommands()}`,
        "hubsend run CAMPAIGN.yaml",
    ].join("\n");
}

/** The curl command for one push; empty if the page cannot sign it. */
async function curlParts(known) {
    // Browsers sign only on this machine or over TLS, and the page does not know a hub's own keys.
    if (!globalThis.isSecureContext || publishedKeys === false) return [];
    const target = known === undefined ? await sampleTarget() : known;
    if (target === null) {
        return [make(
            "p", "hint", "There is no sample push for the platforms of these devices; send one in "
                + "their native format, or with a template.")];
    }
    return [copyable("A push with curl", await curlLine(target))];
}

function wordsOnKeys() {
    switch (publishedKeys) {
    case true: return "This uses the hub's published development keys.";
    case false: return "This hub has its own keys: insert the name and value of a key.";
    default:
        return "This uses the published development keys. If the hub has its own keys, use one "
            + "of them instead.";
    }
}

/** The two ways to send: curl, with a signature valid for a day, and a campaign. */
function sendingHints(target) {
    const line = make("div", "");
    attempt(async () => fill(line, ...await curlParts(target)));
    return make(
        "div", "hints", line, copyable("A campaign", settingLines()),
        make(
            "p", "hint", `${wordsOnKeys()} A push reaches the devices that have its tag; see Devices.`));
}
