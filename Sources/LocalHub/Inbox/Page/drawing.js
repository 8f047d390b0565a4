// A message as a phone would show it.

const longestInList = 280;
// Only these names may become part of a class.
const colouredPlatforms = new Set(["apns", "fcm", "gcm", "wns", "mpns", "adm", "browser"]);

/** The mark of a push service, in words and colour. */
function platformMark(platform) {
    const colour = colouredPlatforms.has(platform) ? `platform-${platform}` : "platform-other";
    return make("span", `platform ${colour}`, platformName(platform));
}

/** What the phone shows, or that it shows nothing. */
function appearanceParts(message, most) {
    const { kind, title, subtitle, text, lines, ids = [], ...beside } =
        message.appearance ?? { kind: "data" };
    const line = (classes, value) => value ? make("span", classes, shortened(value, most)) : null;
    // A toast has its lines one below the other; the first of several is the title.
    const rest = lines?.length > 1 ? lines.slice(1) : [text];
    const more = besideParts(beside, most);
    const marks = ids.map(({ name, value }) => make(
        "span", "id", make("span", "id-name", shortened(name, 40)), " ",
        make("code", "data", shortened(value, most))));
    switch (kind) {
    case "alert":
        return [
            line("card-title data", title), line("card-subtitle data", subtitle),
            ...rest.map((each) => line("card-text data", each)),
            title || subtitle || text
                ? null : make("span", "card-note", "An alert without words"),
            ...more, ...marks,
        ];
    case "silent":
        return [
            make(
                "span", "card-note",
                make("strong", "mark", "Silent"),
                more.length > 0 ? " No words show on the phone" : " Nothing shows on the phone"),
            ...more, ...marks,
        ];
    default:
        return [
            make("span", "card-note", make("strong", "mark", "Data"), " Only the app can read it"),
            line("card-text data code", message.body ?? "bytes that are no text"), ...more, ...marks,
        ];
    }
}

/** What comes with the words: the number on the icon, the sound, and the address of a picture, as text. */
function besideParts({ badge, sound, image }, most) {
    const named = [["Badge", badge], ["Sound", sound], ["Picture", image]];
    return named.filter(([, value]) => value).map(([name, value]) => make(
        "span", "beside", make("span", "id-name", name), " ",
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

/** A message on its phone, large, for the detail. */
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
    const caption = arrived ? null : make(
        "p", "phone-caption", "It never reached the phone. This is what was to come:");
    const clockLine = Number.isNaN(time.getTime()) ? [] : [
        make("p", "phone-clock", clockOfPhone.format(time)),
        make("p", "phone-day", dayOfPhone.format(time)),
    ];
    return make("div", arrived ? "phone" : "phone phone-refused", ...clockLine, caption, card);
}
