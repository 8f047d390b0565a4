// Formats names, numbers and times for the page.

const platformNames = new Map(Object.entries({
    apns: "APNs", fcm: "FCM", gcm: "GCM", wns: "WNS", mpns: "MPNS", adm: "ADM",
    baidu: "Baidu", browser: "Browser", xiaomi: "Xiaomi",
}));

const deepestIndent = 20;
const figures = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en", {
    hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});
const clockOfPhone = new Intl.DateTimeFormat("en", {
    hour: "numeric", minute: "2-digit", hourCycle: "h23",
});
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const dayOfPhone = new Intl.DateTimeFormat("en", {
    weekday: "long", day: "numeric", month: "long",
});

/** The names of the push services in the page's address and the hub's JSON. */
const knownPlatforms = [...platformNames.keys()];

/** A push service's usual name. */
function platformName(platform) {
    return platformNames.get(platform) ?? String(platform);
}

/** Who accepts or refuses the pushes of a platform; each browser has its own push service. */
function pushServiceName(platform) {
    return platform === "browser" ? "the push service" : platformName(platform);
}

/** A number with its noun: 1 rule, 1,200 rules. */
function counted(number, one, many = `${one}s`) {
    return `${figures.format(number)} ${number === 1 ? one : many}`;
}

/** The time of day; the date comes first unless it is today. */
function shortTime(text) {
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) return String(text);
    const isToday = time.toDateString() === new Date().toDateString();
    return isToday ? clock.format(time) : `${day.format(time)}, ${clock.format(time)}`;
}

/** The text, cut to a number of characters. */
function shortened(text, most) {
    const whole = String(text);
    return whole.length > most ? `${whole.slice(0, most)}…` : whole;
}

/** The device's users, or the beginning of its handle if it has none. */
function ownerOf(device) {
    if (device.users?.length > 0) return device.users.join(", ");
    const name = `device ${shortened(device.handle ?? "", 12)}`;
    return isUnregistered(device) ? `unknown user, ${name}` : name;
}

/** Whether the device is known from direct sends only and was never registered. */
function isUnregistered({ registration, users }) {
    return !(users?.length > 0) && /^nobody-\d+$/.test(registration ?? "");
}

/** Whether a message reached its device. */
function hasArrived(message) {
    return message.outcome === "Success";
}

/** A send's tags; broadcasts and sends to handles have none. */
function tagWords(tags, path) {
    if (tags) return tags;
    const query = new URLSearchParams(path?.split("?")[1]);
    // The hub reads the flag the same way.
    const isDirect = (query.get("direct") ?? "false").toLowerCase() !== "false";
    return isDirect ? "none: sent to handles" : "none: sent to every device";
}

/** The length of a text in UTF-8 bytes. */
function byteCount(text) {
    return new TextEncoder().encode(text).length;
}

/**
 * Breaks JSON into lines without changing any value.
 *
 * Numbers keep their digits and duplicate names are kept; parsing and serialising again would lose both.
 */
function indentedJSON(text) {
    try {
        JSON.parse(text);
    } catch {
        return null;
    }
    let lines = "";
    let depth = 0;
    // The indent is limited, because deeply nested JSON would otherwise become huge.
    const newLine = () => `\n${"  ".repeat(Math.min(depth, deepestIndent))}`;
    // A string, an empty list or object, punctuation, or a number or word.
    const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]\s*[\]}]|[{}[\],:]|[^\s{}[\],:"]+/g;
    for (const [token] of text.matchAll(tokens)) {
        if (token === "{" || token === "[") {
            depth += 1;
            lines += token + newLine();
        } else if (token === "}" || token === "]") {
            depth -= 1;
            lines += newLine() + token;
        } else if (token === ",") {
            lines += token + newLine();
        } else {
            lines += token === ":" ? ": " : token.replace(/^([[{])\s+/, "$1");
        }
    }
    return lines;
}
