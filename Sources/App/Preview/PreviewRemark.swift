import CampaignCore
import FoundationEssentials

/// Something unusual that a reviewer should know.
enum PreviewRemark: Hashable, Sendable {
    /// The file has changed since the run was staged, so people get the earlier version.
    case changedSince(RunID, keys: [String], isFinished: Bool)
    case firstSending(hub: HubIdentity)
    case fewerPeople(by: Int, than: EarlierRun)
    case morePeople(by: Int, than: EarlierRun)
    /// A large share of the people is excluded, or many more people than last time.
    case manyExcluded(Int, of: Int, last: Int?)
    /// An exclusion that matches nobody in the audience.
    case unmatchedExclusion(Exclusion, people: Int)
    /// An optional exclusion of a campaign without a finished run; `near` is a similar name.
    case unknownRun(of: String, near: String?)
    case unusualRows(UnusualRows, in: String)
    case manyDuplicates(Int, of: Int)
    /// Rows with errors, which `on_bad_row: skip` skips.
    case skippedRows(Int)
    case unusedLanguage(LanguageTag, texts: [String])
    case missingLanguage(LanguageTag, people: Int)
    /// `text` is nil if the variable has several defaults.
    case defaultRead(variable: String, people: Int, of: Int, text: String? = nil)
    case withoutDevice(ReachEstimate)
    case capped(Int, of: Int, cap: FrequencyCap)
    case waveTooLate(Int, of: Int)
    case almostFull(Platform, bytes: Int, limit: Int)
    /// People who have used up the silent pushes that iOS allows per hour.
    case silentBudgetUsed(Int, of: Int)

    /// An earlier run that this one is compared with.
    struct EarlierRun: Hashable, Sendable {
        var id: RunID
        var started: Date

        fileprivate var words: String { "the run of \(UTCTime.text(started).prefix(10))" }
    }

    /// A stable word for scripts.
    var id: String {
        switch self {
        case .changedSince: "changed_since"
        case .firstSending: "first_sending"
        case .fewerPeople: "fewer_people"
        case .morePeople: "more_people"
        case .manyExcluded: "many_excluded"
        case .unmatchedExclusion: "unmatched_exclusion"
        case .unknownRun: "unknown_run"
        case .unusualRows(let rows, _):
            if case .missingValues = rows.kind { "missing_value_word" } else { "repeated_header" }
        case .manyDuplicates: "many_duplicates"
        case .skippedRows: "skipped_rows"
        case .unusedLanguage: "unused_language"
        case .missingLanguage: "missing_language"
        case .defaultRead: "default_read"
        case .withoutDevice: "without_device"
        case .capped: "capped"
        case .waveTooLate: "turn_too_late"
        case .almostFull: "almost_full"
        case .silentBudgetUsed: "silent_budget_used"
        }
    }

    var phrase: Phrase {
        switch self {
        case .changedSince(let run, let keys, let isFinished):
            let names = Phrase.list(keys.map { key -> Phrase in "\(given: key)" })
            let effect =
                isFinished
                ? "people got the version staged then, not this one"
                : "the version staged then goes out, not this one"
            return "the file has changed since run \(run.text) was staged (\(names)): \(effect)"
        case .firstSending(let hub):
            return "first sending of this campaign to this hub (\(name: hub.description))"
        case .fewerPeople(let difference, let run):
            return "\(Self.people(difference, "fewer")) than in \(run.words)"
        case .morePeople(let difference, let run):
            return "\(Self.people(difference, "more")) than in \(run.words)"
        case .manyExcluded(let count, let all, let last):
            let before = last.map { "; the previous run excluded \(Figures.count($0))" } ?? ""
            return
                "\(Figures.count(count, "person is", "people are")) excluded, \(Figures.share(count, of: all)) of the list\(before)"
        case .unmatchedExclusion(let exclusion, let people):
            let subject: Phrase =
                switch exclusion {
                case .file(let path): "\(given: path)"
                case .usernames: "\(given: "exclude.usernames")"
                case .run(let campaign): "\(given: campaign) under \(given: "exclude.runs")"
                }
            return
                "\(subject) lists \(Figures.count(people, "person, who is not", "people, none of them")) in the audience"
        case .unknownRun(let campaign, let near):
            let question: Phrase = near.map { ". Did you mean \(name: $0)?" } ?? ""
            return
                "campaign \(name: campaign) has no finished run, so it excludes nobody\(question)"
        case .unusualRows(let rows, let file):
            let isOne = rows.count == 1
            let count: Phrase =
                "\(Figures.count(rows.count, "row", "rows")) of \(given: file) (\(isOne ? "" : "first in ")line \(rows.first.line))"
            switch rows.kind {
            case .missingValues(let column, let words):
                let names = Phrase.list(words.map { word -> Phrase in "\(given: word)" })
                return "\(count) \(isOne ? "has" : "have") \(names) in the column \(given: column)"
            case .header:
                return isOne
                    ? "\(count) repeats the header, and is skipped"
                    : "\(count) repeat the header, and are skipped"
            case .heading:
                return isOne
                    ? "\(count) is a heading, and is skipped"
                    : "\(count) are headings, and are skipped"
            }
        case .manyDuplicates(let count, let all):
            return
                "\(Figures.count(count, "name is a duplicate", "names are duplicates")), \(Figures.share(count, of: all)) of the list"
        case .skippedRows(let count):
            return
                "\(Figures.count(count, "row of the audience files has an error and is", "rows of the audience files have errors and are")) skipped"
        case .unusedLanguage(let tag, let texts):
            let names = texts.map { text -> Phrase in "\(given: text)" }
            let verb = texts.count == 1 ? "has a text" : "have texts"
            return
                "nobody reads \(LanguageNames.phrase(tag)), although \(Phrase.list(names)) \(verb) in it"
        case .missingLanguage(let tag, let people):
            return
                "\(Figures.count(people, "person reads", "people read")) \(LanguageNames.phrase(tag)), but there is no text in it: they will see \(name: "default")"
        case .defaultRead(let variable, let people, let all, let text):
            let verb = people == 1 ? "has" : "have"
            let read: Phrase =
                text.map { $0.isEmpty ? "nothing instead" : "\(given: $0) instead" }
                ?? "its default"
            return
                "\(Figures.count(people, "person", "people")) (\(Figures.share(people, of: all))) \(verb) no \(given: variable) and will read \(read)"
        case .withoutDevice(let reach):
            return "\(ReachText(reach).withoutDevice)"
        case .capped(let count, let all, let cap):
            return
                "\(given: "frequency_cap") (\(cap.description)) would skip \(count) of \(Figures.count(all, "push", "pushes")) now"
        case .waveTooLate(let count, let all):
            return
                "\(count) of \(Figures.count(all, "person", "people")) would be skipped as too late: their turn comes after \(given: "finish_within") ends or after the payload expires"
        case .almostFull(let platform, let bytes, let limit):
            return
                "the largest body for \(platform.rawValue) is \(bytes) bytes, of at most \(limit) allowed"
        case .silentBudgetUsed(let count, let all):
            return
                "\(count) of \(Figures.count(all, "person", "people")) have had two pushes on apns in the last hour; iOS may hold back silent pushes beyond two or three an hour"
        }
    }

    private static func people(_ count: Int, _ word: String) -> String {
        "\(Figures.count(count)) \(word) \(count == 1 ? "person" : "people")"
    }
}
