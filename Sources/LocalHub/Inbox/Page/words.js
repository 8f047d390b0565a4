// Words and figures, as the page writes them.

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

/** The names of the push services in addresses, as the hub's JSON has them. */
const knownPlatforms = [...platformNames.keys()];

/** A push service's usual name. */
function platformName(platform) {
    return platformNames.get(platform) ?? String(platform);
}

/** A number with its noun: 1 rule, 1,200 rules. */
function counted(number, one, many = `${one}s`) {
    return `${figures.format(number)} ${number === 1 ? one : many}`;
}

/** The time of day, with the date in front when that is not today. */
function shortTime(text) {
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) return String(text);
    const isToday = time.toDateString() === new Date().toDateString();
    return isToday ? clock.format(time) : `${day.format(time)}, ${clock.format(time)}`;
}

/** A text of at most so many characters. */
function shortened(text, most) {
    const whole = String(text);
    return whole.length > most ? `${whole.slice(0, most)}…` : whole;
}

/** Whose device it is: its users, else the device by its handle. */
function ownerOf(device) {
    if (device.users?.length > 0) return device.users.join(", ");
    const name = `device ${shortened(device.handle ?? "", 12)}`;
    return isNobodys(device) ? `unknown user, ${name}` : name;
}

/** Whether only direct sends know a device: nobody has registered it, and something stands in for that. */
function isNobodys({ registration, users }) {
    return !(users?.length > 0) && /^nobody-\d+$/.test(registration ?? "");
}

/** Whether a message reached its device. */
function hasArrived(message) {
    return message.outcome === "Success";
}

/** The tags that a send was for; a broadcast has none, and neither has a send to handles. */
function tagWords(tags, path) {
    if (tags) return tags;
    const query = new URLSearchParams(path?.split("?")[1]);
    // As the hub reads a flag.
    const isDirect = (query.get("direct") ?? "false").toLowerCase() !== "false";
    return isDirect ? "no tags: straight to handles" : "no tags: every device";
}

/** How many bytes a text has. */
function byteCount(text) {
    return new TextEncoder().encode(text).length;
}

/**
 * Breaks JSON into lines without changing a value in it: numbers keep their digits, and a name that
 * comes twice stays twice, as parsing and writing again would not.
 */
function indentedJSON(text) {
    try {
        JSON.parse(text);
    } catch {
        return null;
    }
    let lines = "";
    let depth = 0;
    // Beyond the deepest step all lines begin alike, or a text that only nests would become a huge one.
    const newLine = () => `\n${"  ".repeat(Math.min(depth, deepestIndent))}`;
    // A text, an empty list or object, a mark, or a number or word.
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
