package import CampaignCore
package import FoundationEssentials
import YAMLSyntax

package struct LoadedCampaign: Sendable {
    /// Places that later findings refer to; nil if the file does not have them.
    struct Places {
        var name: SourceRange?
        var audience: SourceRange?
        var minimum: SourceRange?
        var maximum: SourceRange?
        /// The config's limit, if the campaign sets none.
        var limit: Diagnostic.Related?
        var payload: SourceRange?
        var message: SourceRange?
        var type: SourceRange?
        var rate: SourceRange?
        var life: SourceRange?
        var finishWithin: SourceRange?
        var fallback: SourceRange?
        /// nil if it starts more than once.
        var start: ScheduledStart?
    }

    /// `-` for standard input.
    package var path: String { files.file }
    package let kind: FileKind
    /// nil if anything is wrong.
    package let campaign: Campaign?
    /// Set if only files are missing here; enough only to continue a staged run.
    package let withoutFiles: Campaign?
    package let audience: (any AudienceSource)?
    /// From the campaign file and the beginnings of its audience files, in order.
    package let diagnostics: [Diagnostic]
    package let conditions: AudienceConditions?
    package let lint: CampaignLint
    /// For a plan: the file's keys and those of the config's `defaults`, without people's names.
    package let outline: [KeyText]

    private let people: AudienceFiles?
    /// Those that could be opened.
    private let readable: [AudienceFile]
    private let files: SourceFiles
    private let places: Places

    init(
        files: SourceFiles, kind: FileKind = .campaign, diagnostics: [Diagnostic],
        campaign: Campaign? = nil, withoutFiles: Campaign? = nil,
        people: AudienceFiles? = nil, readable: [AudienceFile] = [],
        conditions: AudienceConditions? = nil,
        lint: CampaignLint = .none,
        outline: [KeyText] = [],
        places: Places = Places()
    ) {
        self.files = files
        self.kind = kind
        self.diagnostics = diagnostics
        self.campaign = campaign
        self.withoutFiles = withoutFiles
        self.people = people
        self.audience = campaign == nil ? nil : people
        self.readable = readable
        self.conditions = conditions
        self.lint = lint
        self.outline = outline
        self.places = places
    }

    /// Checks files while a plan reads them, once; nil if ``campaign`` is.
    package func checkedAudience(isLinting: Bool = false) -> CheckedAudience? {
        campaign == nil ? nil : people.map { CheckedAudience($0, isLinting: isLinting) }
    }

    /// Beyond ``diagnostics``: at most 20 findings a file, and how many more there are.
    package func checkAudienceFiles() -> [Diagnostic] {
        guard let people else { return [] }
        let known = Set(diagnostics)
        let checks = readable.map {
            AudienceFileCheck($0, in: people.folders, zones: people.zones).diagnostics
        }
        return checks.flatMap(\.self).filter { !known.contains($0) }.sorted()
    }
}

extension LoadedCampaign {
    /// Adds where the campaign or its config names the audience file of each finding.
    package func naming(_ findings: [Diagnostic]) -> [Diagnostic] {
        let named = ((people?.named.files ?? []) + (people?.excluded.files ?? []))
        let entries = Dictionary(
            named.map { ($0.shownPath, $0) }, uniquingKeysWith: { first, _ in first })
        return findings.map { finding in
            guard let file = entries[finding.file], let entry = file.entry else { return finding }
            let place = files.place(of: entry)
            var naming = finding
            naming.namings = [Diagnostic.Naming(file.path, in: place.file, at: place.range)]
            return naming
        }
    }
}

extension LoadedCampaign {
    package func duplicateName(with other: String) -> Diagnostic {
        let range = places.name ?? SourceRange(start: .start, end: .start)
        return Diagnostic(
            file: path, range: TextRange(range), severity: .error,
            rule: DiagnosticRule.duplicateName.rawValue,
            message: "The file \(file: other) has the same campaign name.",
            help: "Names are unique in a store, so one campaign would be taken for the other.",
            excerpt: files.excerpt(around: range.start))
    }
}

extension LoadedCampaign {
    package func diagnostic(for fault: AudienceFault) -> Diagnostic {
        switch fault {
        case .empty(let excluded):
            let after = excluded == 0 ? "" : " after \(Figures.count(excluded)) were excluded"
            return place(
                .emptyAudience, at: [places.audience], isPersonal: true,
                "Nobody is left to send to\(after).",
                help: "An empty audience is never a broadcast.")
        case .tooFew(let final, let minimum):
            return place(
                .audienceSize, at: [places.minimum, places.audience], isPersonal: true,
                "There \(final == 1 ? "is" : "are") \(Figures.count(final, "recipient", "recipients")); \"min_recipients\" asks for at least \(Figures.count(minimum)).",
                help:
                    "Check whether an export was cut short; if so few are right, lower \"min_recipients\"."
            )
        case .tooMany(let final, let maximum):
            let source = places.limit == nil ? "\"max_recipients\"" : "the config"
            return place(
                .audienceSize, at: [places.maximum, places.audience], isPersonal: true,
                "There are \(Figures.count(final)) recipients; \(source) allows at most \(Figures.count(maximum)).",
                help:
                    "Check whether the right people are named; if so many are right, raise \(places.limit == nil ? "\"max_recipients\"" : "the limit in the config").",
                notes: [places.limit])
        case .caseConflict(let conflict):
            return place(
                .caseConflict, at: conflict.second,
                "The usernames \"\(audience: conflict.first.username.text)\" and \"\(audience: conflict.second.username.text)\" differ only in case.",
                help: "One of them is a mistake; write them alike.",
                related: ("The other is here.", conflict.first))
        case .missingVariable(let name, let member):
            return place(
                .variableWithoutValue, at: member,
                "\"\(audience: member.username.text)\" has no value for \"{{\(name)}}\".",
                help: "Fill in the column, or write a default: {{\(name)|default}}.")
        case .bodyTooLarge(let platform, let bytes, let limit, let language, let member):
            let which = language.map { " in \($0)" } ?? ""
            return place(
                .bodyTooLarge, at: [places.message, places.type, places.payload],
                "The push body for \(platform)\(which) has \(Figures.count(bytes)) bytes; at most \(Figures.count(limit)) are allowed.",
                help: "\(helpForLength)",
                related: member.map { ("This recipient has the largest.", $0) })
        case .unwritable(let scalar, let platform, let member):
            let name = VisibleText.codePoint(scalar)
            return place(
                .unwritableCharacter, at: [places.message, places.payload],
                "The message has the character \(name), which \(platform) cannot carry.",
                help: "Take it out of the text, or out of the value that it comes from.",
                related: member.map { ("It comes from this recipient's values.", $0) })
        case .inFallback(let fault): return diagnostic(forFallback: fault)
        }
    }

    /// For the push to people who have not fetched.
    private func diagnostic(forFallback fault: AudienceFault) -> Diagnostic {
        switch fault {
        case .bodyTooLarge(let platform, let bytes, let limit, _, let member):
            place(
                .bodyTooLarge, at: [places.fallback],
                "The body of the fallback for \(platform) has \(Figures.count(bytes)) bytes; at most \(Figures.count(limit)) are allowed.",
                help: "Shorten its message.",
                related: member.map { ("This recipient has the largest.", $0) })
        case .unwritable(let scalar, let platform, let member):
            place(
                .unwritableCharacter, at: [places.fallback],
                "The message of the fallback has the character \(VisibleText.codePoint(scalar)), which \(platform) cannot carry.",
                help: "Take it out of the text, or out of the value that it comes from.",
                related: member.map { ("It comes from this recipient's values.", $0) })
        case .empty, .tooFew, .tooMany, .caseConflict, .missingVariable, .inFallback:
            diagnostic(for: fault)
        }
    }

    private var helpForLength: String {
        guard let campaign else { return "Shorten the message." }
        let payload = campaign.payload
        let isOpen =
            campaign.kind != .secure && !(campaign.kind == .rich && payload.isMessagePrivate)
        let isPlaced = campaign.kind != .alert && !payload.pushOptions.placeholders.isEmpty
        let parts = [
            (isOpen, "message"), (isOpen && payload.title != nil, "title"),
            (isPlaced, "placeholder"), (campaign.kind != .secure && payload.link != nil, "link"),
            (campaign.kind != .secure && !payload.data.isEmpty, "data"),
        ].filter(\.0).map(\.1)
        let shorten = "Shorten the \(parts.isEmpty ? "type" : parts.joined(separator: ", "))"
        return campaign.kind == .rich && isOpen
            ? "\(shorten), or keep the message out of the push with \"private_message: true\"."
            : shorten + "."
    }

    /// A warning for each of a few people, at the row that does not count, and one for the rest.
    package func diagnostics(for conflicts: ValueConflicts) -> [Diagnostic] {
        let shown = conflicts.examples.map { example in
            place(
                .conflictingValues, .warning, at: example.other,
                "\"\(audience: example.other.username.text)\" is named again with other values, which do not count.",
                help:
                    "The row that comes first counts, in the order of the files; delete the wrong one.",
                related: ("These values count.", example.first))
        }
        let left = conflicts.count - shown.count
        guard left > 0 else { return shown }
        let people = left == 1 ? "One more person is" : "\(Figures.count(left)) more people are"
        let rest = place(
            .conflictingValues, .warning, at: [places.audience], isPersonal: true,
            "\(people) named again with other values, which do not count.",
            help: "The row that comes first counts, in the order of the files.")
        return shown + [rest]
    }

    /// A warning for each column and each file with repeated headings, at the first row.
    package func diagnostics(for rows: [UnusualRows]) -> [Diagnostic] {
        rows.map { rows in
            let count = Figures.count(rows.count, "row has", "rows have")
            switch rows.kind {
            case .missingValues(CSVHeader.usernameColumn, let words):
                return place(
                    .missingValueWord, .warning, at: rows.first,
                    "\(count) the username \(Self.list(words)), which is hardly anybody's name.",
                    help:
                        "Correct the export: a device that is registered under this name gets the pushes."
                )
            case .missingValues(let column, let words):
                return place(
                    .missingValueWord, .warning, at: rows.first,
                    "\(count) \(Self.list(words)) in the column \"\(column)\", and people would read that.",
                    help: words.first.flatMap(MissingValueWord.init)?.help(
                        in: column, hasDefault: hasDefault(column)))
            case .header, .heading:
                let lines =
                    rows.kind == .header
                    ? Figures.count(
                        rows.count, "row repeats the header, and is",
                        "rows repeat the header, and are")
                    : Figures.count(
                        rows.count, "line is a heading, and is", "lines are headings, and are")
                return place(
                    .csvHeader, .warning, at: rows.first, "\(lines) skipped.",
                    help: "Delete \(rows.count == 1 ? "it" : "them").")
            }
        }
    }

    /// Whether all texts that use a variable have a default for it.
    private func hasDefault(_ variable: String) -> Bool {
        guard let payload = campaign?.payload else { return false }
        return ([nil] + payload.languages).flatMap(payload.templates).allSatisfy {
            !$0.segments.contains(.variable(name: variable, fallback: nil))
        }
    }

    private static func list(_ words: [String]) -> String {
        let quoted = words.map { "\"\($0)\"" }
        let last = quoted.last ?? ""
        return quoted.count < 2
            ? last : "\(quoted.dropLast().joined(separator: ", ")) or \(last)"
    }

    /// Exclusions that match nobody; `unmatched` has people by number.
    package func exclusions(
        _ unmatched: [Int: Int]
    ) -> [(exclusion: Exclusion, people: Int, diagnostic: Diagnostic)] {
        (people?.exclusions ?? []).compactMap { part in
            guard let count = unmatched[part.number] else { return nil }
            let subject: DiagnosticMessage =
                switch part.exclusion {
                case .file(let path): "\"\(path: path)\""
                case .usernames: "\"exclude.usernames\""
                case .run(let campaign): "\"\(campaign)\" under \"exclude.runs\""
                }
            // Exclusions of the config's `defaults` need not match in each audience.
            let isOwn = files.place(of: part.place).file == path
            let diagnostic = place(
                .unmatchedExclusion, isOwn ? .warning : .hint, at: [part.place],
                "\(subject) names \(Figures.count(count, "person, who is not", "people, none of them")) in the audience.",
                help:
                    "Check whether it names people in the same way as the audience, such as by id or by address: it leaves nobody out."
            )
            return (part.exclusion, count, diagnostic)
        }
    }

    package func path(of origin: AudienceOrigin) -> String {
        people?.file(number: origin.file)?.shownPath ?? path
    }

    /// A hint for each file that names people by e-mail address or phone number.
    ///
    /// Leaves out exports, which are outside the repository, and files of the config's `defaults`.
    package func personalNames(in audience: CheckedAudience) -> [Diagnostic] {
        audience.personalNames.compactMap { found in
            guard let file = people?.file(number: found.first.origin.file),
                file.exportPath == nil, let entry = file.entry,
                files.place(of: entry).file == path
            else { return nil }
            let name = file.path.shortened
            let message: DiagnosticMessage =
                found.count == 1
                ? "One username of \"\(path: name)\" looks like an e-mail address or a phone number."
                : "\(found.isCut ? "At least " : "")\(Figures.count(found.count)) usernames of \"\(path: name)\" look like e-mail addresses or phone numbers."
            return place(
                .personalUsername, .hint, at: [entry], message,
                help:
                    "Everybody who can read the repository can read them; name people by an id of your own, or keep the file in the folder of exports.",
                related: ("The first is here.", found.first))
        }
    }

    /// A warning if sending takes too long; a nil duration means that there is no rate.
    package func lateness(of requests: Int, taking duration: Duration?) -> Diagnostic? {
        guard let campaign, let duration else { return nil }
        let life = campaign.payload.expiresAfter
        let isPayload = campaign.kind.isSilent && life < campaign.delivery.finishWithin
        let bound = isPayload ? life : campaign.delivery.finishWithin
        guard duration > bound else { return nil }
        let late = Int((Double(requests) * (1 - bound / duration)).rounded(.up))
        let (what, key) =
            isPayload ? ("the payload expires", "expires_after") : ("the run ends", "finish_within")
        return place(
            .tooSlow, .warning,
            at: [places.rate, isPayload ? places.life : places.finishWithin, places.name],
            "At this rate \(Figures.count(requests)) requests take \(Self.hours(duration)), and \(what) after \(Self.hours(bound)): about \(Figures.count(late)) would be skipped as too late.",
            help: "Raise \"delivery.rate\", or lengthen \"\(key)\".")
    }

    /// A warning, not an error: a campaign that was sent may stay where it is.
    package func missedStart(at now: Date) -> Diagnostic? {
        guard let start = places.start, start.isOver(at: now) else { return nil }
        return place(
            .invalidTime, .warning, at: [start.place],
            "This start is \(Figures.duration(from: start.date, to: now)) ago; one that was missed by more than \(DurationText.text(of: start.deadline)) is skipped by `run --due`, and `run` sends it at once.",
            help: "Write the next start, or delete the schedule of a campaign that was sent.")
    }

    /// In the two largest units, such as `2d 3h`.
    private static func hours(_ duration: Duration) -> String {
        let seconds = Int((duration / .seconds(1)).rounded(.up))
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "m"),
            (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }
        return shown.isEmpty ? "0s" : shown.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    }

    private func place(
        _ rule: DiagnosticRule, _ severity: Diagnostic.Severity = .error,
        at ranges: [SourceRange?], isPersonal: Bool = false, _ message: DiagnosticMessage,
        help: DiagnosticMessage,
        related: (DiagnosticMessage, AudienceMember)? = nil, notes: [Diagnostic.Related?] = []
    ) -> Diagnostic {
        let start = SourceRange(start: .start, end: .start)
        let range = ranges.lazy.compactMap(\.self).first ?? start
        let (file, place) = files.place(of: range)
        return Diagnostic(
            file: file, range: place, severity: severity, rule: rule.rawValue,
            message: message, help: help,
            related: notes.compactMap(\.self) + (related.map { [note($0, at: $1)] } ?? []),
            excerpt: files.excerpt(around: range.start, isPersonal: isPersonal))
    }

    private func place(
        _ rule: DiagnosticRule, _ severity: Diagnostic.Severity = .error,
        at member: AudienceMember, _ message: DiagnosticMessage,
        help: DiagnosticMessage, related: (DiagnosticMessage, AudienceMember)? = nil
    ) -> Diagnostic {
        let (file, range) = origin(of: member)
        let inline = inlinePlace(of: member)
        return Diagnostic(
            file: file, range: range, severity: severity, rule: rule.rawValue, message: message,
            help: help, related: related.map { [note($0, at: $1)] } ?? [],
            excerpt: inline.map { files.excerpt(around: $0.start, isPersonal: true) })
    }

    /// The row itself is not shown.
    private func place(
        _ rule: DiagnosticRule, _ severity: Diagnostic.Severity, at row: AudienceOrigin,
        _ message: DiagnosticMessage, help: DiagnosticMessage?
    ) -> Diagnostic {
        Diagnostic(
            file: path(of: row), range: TextRange(line: row.line, column: 1), severity: severity,
            rule: rule.rawValue, message: message, help: help)
    }

    private func note(_ message: DiagnosticMessage, at member: AudienceMember)
        -> Diagnostic.Related
    {
        let (file, range) = origin(of: member)
        return Diagnostic.Related(message: message, file: file, range: range)
    }

    private func origin(of member: AudienceMember) -> (file: String, range: TextRange) {
        if let range = inlinePlace(of: member) { return files.place(of: range) }
        return (path(of: member.origin), TextRange(line: member.origin.line, column: 1))
    }

    /// nil unless the campaign file itself names the person.
    private func inlinePlace(of member: AudienceMember) -> SourceRange? {
        guard member.origin.file == 0 else { return nil }
        return people?.named.usernames.first {
            $0.range.start.line == member.origin.line && $0.value == member.username
        }?.range
    }
}

extension MissingValueWord {
    fileprivate func help(in column: String, hasDefault: Bool) -> DiagnosticMessage {
        let empty: DiagnosticMessage =
            hasDefault
            ? "leave it empty: people then read the default of the text"
            : "leave it empty and write a default in the text: {{\(column)|default}}"
        return switch self {
        case .spreadsheetError: "Correct the formula in the cell, or \(empty)."
        case .tooNarrow: "Widen the column in the spreadsheet, and export it again."
        case .nothing, .notAvailable: "Fill in the cell, or \(empty)."
        case .rounded:
            "The last digits are lost: format the column as text before it is filled, and export it again."
        case .date: "Format the column as text before it is filled, and export it again."
        case .mergeField: "Fill in the cell where the table is made, or \(empty)."
        case .lost: "Export the table as UTF-8; if nothing is known, fill in the cell, or \(empty)."
        }
    }
}

extension Diagnostic {
    /// Whether `preview` lists it under what is unusual.
    package var isUnusual: Bool {
        switch DiagnosticRule(rawValue: rule) {
        case .missingValueWord, .unmatchedExclusion: true
        case .csvHeader: severity == .warning
        default: false
        }
    }
}
