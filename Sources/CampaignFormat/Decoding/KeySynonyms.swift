import CampaignCore

/// Words from other tools that people write for a key of a campaign.
///
/// A word under `exclude` only leads to keys under `exclude`, because the help must never turn
/// excluded people into recipients.
enum KeySynonyms {
    enum Meaning: Equatable {
        case key(String)
        /// No such key exists; the text says what to use instead.
        case nothing(String)
    }

    /// nil for a word that is in none of the tables; case, hyphens and underscores are ignored.
    static func meaning(of key: String, under path: String, kind: CampaignKind?) -> Meaning? {
        let word = key.lowercased().filter { !"-_ ".contains($0) }
        if let advice = adviceInEntry(word, under: path) { return .nothing(advice) }
        if isExclusion(path) || path.hasSuffix(".runs") {
            let rows = path.hasSuffix(".runs") ? selections : excluded
            return rows.first { $0.words.contains(word) }.map { .key("\(path).\($0.key)") }
                ?? absence(of: word)
        }
        if exclusionPlaces.contains(path), let key = excludedKey(word) {
            return .key("audience.exclude.\(key)")
        }
        let rows = meanings.filter { row in
            row.words.contains(word) && row.places?.contains(path) != false
                && (kind.map { isKey(row.key, of: $0) && row.kinds?.contains($0) != false }
                    ?? (row.kinds == nil))
        }
        let near = rows.first { section(of: $0.key) == path }
        return (near ?? rows.first).map { .key($0.key) } ?? absence(of: word)
    }

    /// Finds the key under `exclude` for words such as `exclude_runs`, `not_users` or
    /// `users_except`.
    private static func excludedKey(_ word: String) -> String? {
        for negation in negations {
            let rest =
                word.hasPrefix(negation)
                ? word.dropFirst(negation.count)
                : word.hasSuffix(negation) ? word.dropLast(negation.count) : ""
            if let row = excluded.first(where: { $0.key == rest || $0.words.contains(String(rest)) }
            ) {
                return row.key
            }
        }
        return nil
    }

    /// Advice for a word in an entry of `files` or `runs` that would exclude its people or make it
    /// optional.
    private static func adviceInEntry(_ word: String, under path: String) -> String? {
        let isRun = path.hasSuffix(".runs")
        guard isRun || path.hasSuffix(".files") else { return nil }
        let (isLeftOut, mayBeMissing) = (leftOut.contains(word), optional.contains(word))
        switch (isExclusion(path), isRun) {
        case (true, _) where isLeftOut:
            return "Everybody under \"exclude\" is excluded anyway; this key is not needed."
        case (true, false) where mayBeMissing:
            return
                "If these files may be missing or empty, write \"allow_empty: true\" next to \"files\"."
        case (false, true) where isLeftOut:
            return
                "The campaign is sent to these people. To exclude them, list the campaign under \"audience.exclude\": exclude: { runs: [{ campaign: … }] }"
        case (false, false) where isLeftOut:
            return
                "The campaign is sent to these people. To exclude them, list the file under \"audience.exclude\": exclude: { files: […] }"
        case (false, _) where mayBeMissing:
            return
                "Only exclusions can be optional; without these people, the campaign would reach fewer people than it lists."
        default: return nil
        }
    }

    static func isExclusion(_ path: String) -> Bool {
        path.split(separator: ".").contains("exclude")
    }

    static func section(of key: String) -> Substring {
        key.lastIndex(of: ".").map { key[..<$0] } ?? ""
    }

    private static func absence(of word: String) -> Meaning? {
        absent.first { $0.words.contains(word) }.map { .nothing($0.instead) }
    }

    private static func isKey(_ path: String, of kind: CampaignKind) -> Bool {
        let keys = path.split(separator: ".").map(String.init)
        guard keys.count == 2 else { return true }
        return MappingShape.campaign[keys[0]]?.value.keyed?[keys[1]]?.kinds.contains(kind) ?? true
    }

    // MARK: The tables

    struct Row {
        let key: String
        let words: Set<String>
        /// The sections in which the words are recognised; nil means all except `exclude`.
        let places: Set<String>?
        /// nil means all kinds that have the key.
        let kinds: Set<CampaignKind>?

        init(
            _ key: String, _ words: String, in places: Set<String>? = nil,
            of kinds: Set<CampaignKind>? = nil
        ) {
            self.init(key, KeySynonyms.words(words), in: places, of: kinds)
        }

        init(
            _ key: String, _ words: Set<String>, in places: Set<String>?,
            of kinds: Set<CampaignKind>? = nil
        ) {
            self.key = key
            self.words = words
            self.places = places
            self.kinds = kinds
        }
    }

    private static let people =
        "users user usernames username people person persons recipients recipient receivers receiver members customers contacts subscribers names name who to ids userids"
    private static let tables =
        "csv csvs list lists file filename path paths table tables export exports audiences source"

    private static let exclusionPlaces: Set = ["", "audience", "delivery"]
    /// The words for a negation, longest first.
    private static let negations = words(
        "excluding excluded exclude without except ignore omit skip not no"
    ).sorted { $0.count > $1.count }
    private static let leftOut = words(
        "exclude except without not skip ignore omit excluded excluding exclusion exclusions leaveout minus blocklist blacklist denylist suppress suppression suppressions suppressionlist optout optouts optedout unsubscribed unsubscribes"
    )
    private static let optional = words(
        "optional allowempty emptyok allowmissing missingok ignoremissing maybeempty allownone")

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }

    private static let platforms = Platform.allCases.map { platform in
        Row(
            "payload.\(platform)",
            Set(platform.facts.otherNames + [platform.facts.oldName].compactMap(\.self)),
            in: ["payload"])
    }

    /// The first match wins, but keys of the section in which the word was written are tried first.
    static let meanings = platforms + others

    private static let others = [
        Row("campaign", "name campaignname campaignid id slug", in: [""]),
        Row("description", "note notes comment comments about summary desc", in: [""]),
        Row("kind", "pushtype notificationtype campaigntype", in: ["", "payload", "delivery"]),
        Row(
            "platforms",
            "os oses services providers targets ios android iphone apple google windows",
            in: ["", "audience", "delivery"]),
        Row("payload", "notification push aps alert", in: [""]),
        Row("audience.usernames", people, in: ["", "audience", "payload", "delivery"]),
        Row("audience.usernames", "include included only", in: ["audience"]),
        Row("audience.files", tables, in: ["audience"]),
        Row("audience.files", "csv csvs list lists", in: ["", "payload"]),
        Row("audience.runs", "previous earlier campaigns lastrun", in: ["audience"]),
        Row("audience.exclude", leftOut.subtracting(["exclude"]), in: exclusionPlaces),
        Row("audience.min_recipients", "min minimum atleast minsize minpeople minusers"),
        Row("audience.max_recipients", "max maximum atmost maxsize maxpeople maxusers"),
        Row("audience.language_column", "language languages lang locale locales"),
        Row("payload.title", "subject headline heading header titletext"),
        Row("payload.message", "body msg content contents alert bodytext messagebody messagetext"),
        Row("payload.message", "text", in: [""], of: [.alert]),
        Row("payload.text", "body msg content contents bodytext messagebody messagetext"),
        Row("payload.link", "deeplink clickaction onclick launchurl href uri clickurl weburl"),
        Row(
            "payload.expires_after",
            "expires expire expiry expiration expireat expiresat expiresin ttl timetolive lifetime validfor validuntil keepfor"
        ),
        Row("payload.sound", "ringtone tone chime soundname"),
        Row("payload.badge", "badgecount badgenumber"),
        Row("payload.thread", "threadid group groupid"),
        Row(
            "payload.data",
            "custom customdata extra extras userinfo meta params parameters keyvalues"),
        Row("payload.placeholder", "preview previewtext visibletext"),
        Row("payload.private_message", "private hidemessage"),
        Row("payload.type", "richtype contenttype payloadtype"),
        Row("payload.file", "attachment attachments document"),
        Row(
            "schedule.at",
            "when date time datetime start starts startat starttime startdate sendat sendtime senddate sendon scheduled scheduledfor scheduledat scheduledtime",
            in: ["", "payload", "delivery", "schedule", "audience"]),
        Row("schedule.cron", "repeat repeats recurring recurrence interval every crontab rrule"),
        Row("schedule.time_zone", "timezone tz zone timezoneid"),
        Row("schedule.quiet_hours", "quiet silence donotdisturb dnd nightmode sleephours"),
        Row("schedule.start_deadline", "deadline grace graceperiod"),
        Row("schedule.time_zone_column", "timezonecolumn tzcolumn zonecolumn"),
        Row("delivery.rate", "ratelimit limitrate throttle throttling speed pace rps tps maxrate"),
        Row(
            "delivery.concurrency", "parallel parallelism workers threads connections concurrent",
            in: ["", "delivery"]),
        Row("delivery.recipients_per_push", "batch batchsize chunk chunksize batches"),
        Row("delivery.retry", "retries maxretries retrycount retrypolicy"),
        Row("delivery.finish_within", "timeout maxduration finishby"),
        Row("delivery.frequency_cap", "cap caps capping frequencycapping maxpushes"),
        Row("delivery.stop_when", "abort abortwhen failfast circuitbreaker"),
        Row("delivery.local_time", "userlocaltime localhour"),
        Row("delivery.fallback", "reminder followup"),
    ]

    static let excluded = [
        Row("usernames", people + " include"),
        Row("files", tables + " optout optouts optedout unsubscribed suppressionlist"),
        Row(
            "runs",
            "run campaign campaigns previous earlier lastrun sent sentto received alreadysent gotalready"
        ),
        Row("allow_empty", optional.subtracting(["optional"]), in: nil),
    ]

    static let selections = [
        Row("campaign", "name campaigns run slug"),
        Row("outcomes", "status statuses state outcome result results"),
        Row("fetched", "opened read seen"),
        Row("optional", optional, in: nil),
    ]

    static let absent: [(words: Set<String>, instead: String)] = [
        ("all everyone everybody anybody anyone broadcast", RightForm.noBroadcast),
        (
            "optional",
            "If files may be missing or empty, write \"allow_empty: true\" next to them; if a campaign may not have run yet, write \"optional: true\" in its entry under \"runs\"."
        ),
        (
            "image images imageurl picture pictures photo img bigpicture largeicon media",
            "hubsend does not have this key. The app of a rich campaign can fetch a picture: payload: { type: img, file: images/logo.png }"
        ),
        (
            "channel channels channelid androidchannelid icon icons smallicon color colour label labels analyticslabel",
            "hubsend does not have this key; the app chooses how Android shows a push."
        ),
        (
            "subtitle category categories categoryid relevance relevancescore targetcontentid",
            "hubsend does not have this key; delete it."
        ),
        (
            "urgency priority importance interruptionlevel timesensitive critical",
            "hubsend does not have this key: an alert is sent with high priority, and a silent push with the priority that its platform requires."
        ),
        (
            "collapse collapsekey collapseid apnscollapseid replace",
            "hubsend does not have this key: a push does not replace earlier ones on the device."
        ),
        (
            "segment segments where filter filters condition conditions query cohort cohorts",
            "hubsend does not have this key. Export the people you want to reach to a file, and list it under \"files\"."
        ),
        (
            "tag tags topic topics tagexpression",
            "hubsend does not have this key: list people one by one, under \"usernames\" or in \"files\"."
        ),
        (
            "token tokens devicetoken devicetokens handle handles deviceid deviceids",
            "hubsend does not have this key: it sends to users, and the hub finds their devices."
        ),
        (
            "email emails mail phone phones phonenumber phonenumbers sms address addresses",
            "hubsend does not have this key: it only sends pushes, and addresses users by name."
        ),
        (
            "variant variants abtest ab split experiment experiments",
            "hubsend does not have this key: everybody gets the same text."
        ),
        (
            "holdout controlgroup control",
            "hubsend does not have this key. To exclude people, list them under \"audience.exclude\"."
        ),
        (
            "stage stages rollout ramp rampup waves",
            "hubsend does not have this key: it sends to everybody as fast as \"delivery.rate\" allows."
        ),
        (
            "from sender sentfrom fromname author",
            "hubsend does not have this key: a push has no sender, and phones show the app's name."
        ),
        (
            "actions action buttons button",
            "hubsend does not have this key; \"payload.link\" sets the address that opens when a person taps the push."
        ),
    ].map { (words($0.0), $0.1) }
}
