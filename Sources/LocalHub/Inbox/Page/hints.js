// How to send something to this hub.

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
}));
const tokenLasts = 86_400;

/** A shared access signature for this hub, as any client makes it. */
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

/** The hub's name, where it may stand in a command line as it is. */
function hubInCommands() {
    const name = the("hub-name").textContent;
    return /^[\w.-]+$/.test(name) ? name : "HUB";
}

async function curlLine() {
    const { devices: [device] } = await ask("/devices", { limit: 1 });
    const tag = device?.tags?.find((each) => /^[\w@#.:-]+$/.test(each)) ?? "username:alice";
    const [format, body] = samplePushes.get(device?.platform) ?? samplePushes.get("apns");
    const certificate = location.protocol === "https:" ? " --cacert ca.pem" : "";
    const address = `${location.origin}/${hubInCommands()}/messages?api-version=2020-06`;
    return [
        `curl -i${certificate} '${address}' \\`,
        `  -H 'Authorization: ${await sharedAccessSignature(developmentSend)}' \\`,
        `  -H 'ServiceBusNotification-Format: ${format}' \\`,
        `  -H 'ServiceBusNotification-Tags: ${tag}' \\`,
        `  -H 'Content-Type: application/json' -d '${body}'`,
    ].join("\n");
}

function settingLines() {
    const { name, key } = developmentFull;
    return [
        "export HUBSEND_HUB_CONNECTION_STRING="
            + `'Endpoint=${location.origin}/;SharedAccessKeyName=${name};SharedAccessKey=${key}'`,
        `export HUBSEND_HUB_NAME=${hubInCommands()}`,
        "hubsend run CAMPAIGN.yaml",
    ].join("\n");
}

/** The two ways to send: curl with a signature for a day, and a campaign. */
function sendingHints() {
    const line = make("div", "", make("p", "hint", "The line is being signed."));
    const show = async () => {
        // Browsers sign for this machine and over TLS only.
        if (!globalThis.isSecureContext) {
            line.replaceChildren();
            return;
        }
        fill(line, copyable("One push with curl", await curlLine()));
    };
    attempt(show);
    return make(
        "div", "hints", line, copyable("A campaign", settingLines()),
        make(
            "p", "hint", "Both use the published development keys. If you gave the hub keys of its "
                + "own, put in one of those. A push reaches the devices with its tag; see Devices."));
}
