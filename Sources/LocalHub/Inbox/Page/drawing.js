// Draws a message the way a phone or browser would show it.

const longestInList = 280;
// Only these names may become part of a class.
const colouredPlatforms = new Set(["apns", "fcm", "gcm", "wns", "mpns", "adm", "browser"]);

/** The name of a push service in its colour. */
function platformMark(platform) {
    const colour = colouredPlatforms.has(platform) ? `platform-${platform}` : "platform-other";
    return make("span", `platform ${colour}`, platformName(platform));
}

/** The word for the device that shows the pushes of a platform. */
function deviceWord({ platform }) {
    return platform === "browser" ? "browser" : "phone";
}

/** What the phone shows, or a note that it shows nothing. */
function appearanceParts(message, most) {
    const { kind, title, subtitle, text, placeholder, lines, ids = [], ...extras } =
        message.appearance ?? { kind: "data" };
    const line = (classes, value) => value ? make("span", classes, shortened(value, most)) : null;
    // If a toast has several lines, the first one is the title.
    const rest = lines?.length > 1 ? lines.slice(1) : [text];
    const words = [
        line("card-title data", title), line("card-subtitle data", subtitle),
        ...rest.map((each) => line("card-text data", each)),
    ];
    const more = extraParts(extras, most);
    const marks = ids.map(({ name, value }) => make(
        "span", "id", make("span", "id-name", shortened(name, 40)), " ",
        make("code", "data", shortened(value, most))));
    switch (kind) {
    case "alert":
        return [
            placeholder ? note("Placeholder", "until the app has fetched the message") : null, ...words,
            title || subtitle || text
                ? null : make("span", "card-note", "An alert without text"),
            ...more, ...marks,
        ];
    case "silent":
        return [...silentParts(message, words, line("card-text data", placeholder)), ...more, ...marks];
    default:
        return [
            note("Data", "Only the app can read it"),
            line("card-text data code", message.body ?? "binary data"), ...more, ...marks,
        ];
    }
}

/** A mark and what it means. */
function note(word, sentence) {
    return make("span", "card-note", make("strong", "mark", word), ` ${sentence}`);
}

/** A silent push: what the app shows at first, and after it has fetched. */
function silentParts(message, words, placeholder) {
    const known = words.filter((word) => word !== null);
    if (placeholder !== null) {
        return [
            note("Placeholder", "The app shows this until it has fetched the message"), placeholder,
            ...known.length > 0 ? [make("span", "card-note", "After fetching, it shows:"), ...known] : [],
        ];
    }
    const device = deviceWord(message);
    const { badge, sound } = message.appearance;
    const silence = note(
        "Silent",
        badge || sound ? `The ${device} shows no text` : `The ${device} shows nothing`);
    return known.length === 0
        ? [silence]
        : [silence, make("span", "card-note", "After fetching, the app shows:"), ...known];
}

/**
 * What comes with the text: badge, sound, picture, thread, link and data.
 *
 * Links are shown as text, because nothing on this page may lead out of it.
 */
function extraParts({ badge, sound, image, thread, link, data }, most) {
    const named = [
        ["Badge", badge], ["Sound", sound], ["Picture", image], ["Thread", thread], ["Opens", link],
        ...Object.entries(data ?? {}).sort(([one], [other]) => one < other ? -1 : 1),
    ];
    return named.filter(([, value]) => value).map(([name, value]) => make(
        "span", "beside", make("span", "id-name data", shortened(name, 60)), " ",
        make("span", "data", shortened(value, most))));
}

/** Why a push service refused a message, for the message's row. */
function refusalLine(message) {
    if (hasArrived(message)) return null;
    return make(
        "span", "refusal", make("strong", "", `Refused: ${message.outcome}. `),
        make("span", "data", shortened(message.reason ?? "", longestInList)));
}

/** A message's row in the list. */
function drawMessageRow(message) {
    const { kind } = message.appearance ?? {};
    const classes = ["card", kind === "alert" ? "card-alert" : "card-quiet"];
    if (!hasArrived(message)) classes.push("card-refused");
    const link = linkTo(
        { message: message.sequence, send: null }, classes.join(" "),
        make(
            "span", "card-head", platformMark(message.platform),
            make("bdi", "card-owner data", shortened(ownerOf(message), 120)),
            timeElement(message.time)),
        ...appearanceParts(message, longestInList), refusalLine(message));
    link.tabIndex = -1;
    return make("li", "", link);
}

/** A message on a large phone or browser, for the detail pane. */
function drawPhone(message) {
    const time = new Date(message.time);
    const isQuiet = message.appearance?.kind !== "alert";
    const arrived = hasArrived(message);
    const card = make(
        "div", isQuiet || !arrived ? "card card-quiet" : "card card-alert",
        make(
            "span", "card-head", platformMark(message.platform),
            make("bdi", "card-owner data", ownerOf(message)),
            arrived ? make("span", "time", "now") : null),
        ...appearanceParts(message, 2_000));
    const device = deviceWord(message);
    const caption = arrived ? null : make(
        "p", "phone-caption", `The message did not reach the ${device}, which would have shown:`);
    // A browser shows a notification in a corner of the screen, without a clock.
    const clockLine = Number.isNaN(time.getTime()) || device === "browser" ? [] : [
        make("p", "phone-clock", clockOfPhone.format(time)),
        make("p", "phone-day", dayOfPhone.format(time)),
    ];
    const classes = ["phone"];
    if (device === "browser") classes.push("phone-browser");
    if (!arrived) classes.push("phone-refused");
    return make("div", classes.join(" "), ...clockLine, caption, card);
}
