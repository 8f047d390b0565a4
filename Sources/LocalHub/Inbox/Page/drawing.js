// A message as a phone or a browser would show it.

const longestInList = 280;
// Only these names may become part of a class.
const colouredPlatforms = new Set(["apns", "fcm", "gcm", "wns", "mpns", "adm", "browser"]);

/** The mark of a push service, in words and colour. */
function platformMark(platform) {
    const colour = colouredPlatforms.has(platform) ? `platform-${platform}` : "platform-other";
    return make("span", `platform ${colour}`, platformName(platform));
}

/** What shows the pushes of a platform. */
function deviceWord({ platform }) {
    return platform === "browser" ? "browser" : "phone";
}

/** What the phone shows, or that it shows nothing. */
function appearanceParts(message, most) {
    const { kind, title, subtitle, text, placeholder, lines, ids = [], ...beside } =
        message.appearance ?? { kind: "data" };
    const line = (classes, value) => value ? make("span", classes, shortened(value, most)) : null;
    // A toast has its lines one below the other; the first of several is the title.
    const rest = lines?.length > 1 ? lines.slice(1) : [text];
    const words = [
        line("card-title data", title), line("card-subtitle data", subtitle),
        ...rest.map((each) => line("card-text data", each)),
    ];
    const more = besideParts(beside, most);
    const marks = ids.map(({ name, value }) => make(
        "span", "id", make("span", "id-name", shortened(name, 40)), " ",
        make("code", "data", shortened(value, most))));
    switch (kind) {
    case "alert":
        return [
            placeholder ? note("Placeholder", "until the app has fetched") : null, ...words,
            title || subtitle || text
                ? null : make("span", "card-note", "An alert without words"),
            ...more, ...marks,
        ];
    case "silent":
        return [...silentParts(message, words, line("card-text data", placeholder)), ...more, ...marks];
    default:
        return [
            note("Data", "Only the app can read it"),
            line("card-text data code", message.body ?? "bytes that are no text"), ...more, ...marks,
        ];
    }
}

/** A mark and what it means. */
function note(word, sentence) {
    return make("span", "card-note", make("strong", "mark", word), ` ${sentence}`);
}

/** A push that shows nothing by itself: what the app shows at first, and what after it has fetched. */
function silentParts(message, words, placeholder) {
    const known = words.filter((word) => word !== null);
    if (placeholder !== null) {
        return [
            note("Placeholder", "The app shows this until it has fetched"), placeholder,
            ...known.length > 0 ? [make("span", "card-note", "Then, with what it fetches:"), ...known] : [],
        ];
    }
    const device = deviceWord(message);
    const { badge, sound } = message.appearance;
    const silence = note(
        "Silent",
        badge || sound ? `No words show on the ${device}` : `Nothing shows on the ${device}`);
    return known.length === 0
        ? [silence]
        : [silence, make("span", "card-note", "The app shows, once it has fetched:"), ...known];
}

/**
 * What comes with the words: the number on the icon, the sound, the group, and what the app is told, as text;
 * addresses too, since nothing here may lead out of this page.
 */
function besideParts({ badge, sound, image, thread, link, data }, most) {
    const named = [
        ["Badge", badge], ["Sound", sound], ["Picture", image], ["Thread", thread], ["Opens", link],
        ...Object.entries(data ?? {}).sort(([one], [other]) => one < other ? -1 : 1),
    ];
    return named.filter(([, value]) => value).map(([name, value]) => make(
        "span", "beside", make("span", "id-name data", shortened(name, 60)), " ",
        make("span", "data", shortened(value, most))));
}

/** Why a push service refused a message, for the list. */
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

/** A message on its phone, or in its browser, large, for the detail. */
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
        "p", "phone-caption", `It never reached the ${device}. This is what was to come:`);
    // A browser's notification stands in a corner of a screen, without a clock of its own.
    const clockLine = Number.isNaN(time.getTime()) || device === "browser" ? [] : [
        make("p", "phone-clock", clockOfPhone.format(time)),
        make("p", "phone-day", dayOfPhone.format(time)),
    ];
    const classes = ["phone"];
    if (device === "browser") classes.push("phone-browser");
    if (!arrived) classes.push("phone-refused");
    return make("div", classes.join(" "), ...clockLine, caption, card);
}
