package import CampaignCore
package import FoundationEssentials

extension LoadedCampaign {
    package func diagnostic(for problem: AudienceProblem) -> Diagnostic {
        diagnostic(for: problem, isFallback: false)
    }

    private func diagnostic(for problem: AudienceProblem, isFallback: Bool) -> Diagnostic {
        let fallback = place(of: "delivery.fallback.message")
        switch problem {
        case .empty(let excluded):
            let after =
                excluded == 0
                ? "" : " after \(Figures.count(excluded, "person was", "people were")) excluded"
            return finding(
                .emptyAudience, at: place(of: "audience"), isPersonal: true,
                "Nobody is left to send to\(after).",
                help: "An empty audience never means everybody; check the lists of people.")
        case .tooFew(let final, let minimum):
            return finding(
                .audienceSize, at: place(of: "audience.min_recipients", "audience"),
                isPersonal: true,
                "There \(final == 1 ? "is" : "are") \(Figures.count(final, "recipient", "recipients")); \"min_recipients\" requires at least \(Figures.count(minimum)).",
                help:
                    "Check whether an export was cut short; if the number is correct, lower \"min_recipients\"."
            )
        case .tooMany(let final, let maximum):
            let source = limit == nil ? "\"max_recipients\"" : "the config"
            return finding(
                .audienceSize, at: place(of: "audience.max_recipients", "audience"),
                isPersonal: true,
                "There are \(Figures.count(final)) recipients; \(source) allows at most \(Figures.count(maximum)).",
                help:
                    "Check whether the right people are listed; if the number is correct, raise \(limit == nil ? "\"max_recipients\"" : "the limit in the config").",
                notes: [limit].compactMap(\.self))
        case .caseConflict(let conflict):
            return finding(
                .caseConflict, at: conflict.second,
                "The usernames \"\(audience: conflict.first.username.text)\" and \"\(audience: conflict.second.username.text)\" differ only in case.",
                help: "One of the two is probably a typo; use the same spelling in both places.",
                related: ("The other username is here.", conflict.first))
        case .missingVariable(let name, let member):
            return finding(
                .variableWithoutValue, at: member,
                "\"\(audience: member.username.text)\" has no value for \"{{\(name)}}\".",
                help: "Fill in the column, or write a default: {{\(name)|default}}.")
        case .bodyTooLarge(let platform, let bytes, let limit, let language, let member):
            let which = language.map { " in \($0)" } ?? ""
            return finding(
                .bodyTooLarge,
                at: isFallback ? fallback : place(of: "payload.message", "payload.type", "payload"),
                "The \(isFallback ? "body of the fallback" : "push body") for \(platform)\(which) has \(Figures.count(bytes)) bytes; at most \(Figures.count(limit)) are allowed.",
                help: isFallback ? "Shorten its message." : "\(helpForLength)",
                related: member.map { ("This recipient has the largest body.", $0) })
        case .unwritable(let scalar, let platform, let member):
            return finding(
                .unwritableCharacter,
                at: isFallback ? fallback : place(of: "payload.message", "payload"),
                "The message\(isFallback ? " of the fallback" : "") contains the character \(VisibleText.codePoint(scalar)), which \(platform) cannot contain.",
                help: "Remove the character from the text or from the value that contains it.",
                related: member.map { ("The character comes from this recipient's values.", $0) })
        case .inFallback(let problem): return diagnostic(for: problem, isFallback: true)
        }
    }

    private var helpForLength: String {
        guard let campaign else { return "Shorten the message." }
        let payload = campaign.payload
        let isOpen =
            campaign.kind != .secure && !(campaign.kind == .rich && payload.isMessagePrivate)
        let isPlaced = campaign.kind != .alert && !payload.pushOptions.placeholders.isEmpty
        let heads = TextKey.heads.map { (isOpen && payload.texts[$0] != nil, $0.rawValue) }
        let parts =
            ([(isOpen, "message")] + heads + [
                (isPlaced, "placeholder"),
                (campaign.kind != .secure && payload.link != nil, "link"),
                (campaign.kind != .secure && !payload.data.isEmpty, "data"),
            ]).filter(\.0).map(\.1)
        let shorten = "Shorten the \(parts.isEmpty ? "type" : parts.joined(separator: ", "))"
        return campaign.kind == .rich && isOpen
            ? "\(shorten), or keep the message out of the push with \"private_message: true\"."
            : shorten + "."
    }

    package func path(of origin: AudienceOrigin) -> String {
        people?.file(number: origin.file)?.shownPath ?? path
    }

    /// This is a warning, not an error, because people may keep the file of a campaign that was
    /// sent.
    package func missedStart(at now: Date) -> Diagnostic? {
        guard let start, start.isOver(at: now) else { return nil }
        return finding(
            .invalidTime, .warning, at: start.place,
            "This start was \(Figures.duration(from: start.date, to: now)) ago. `run --due` skips a start that is more than \(Durations.written(start.deadline)) late; `run` sends the campaign immediately.",
            help: "Write the next start, or delete the schedule if the campaign was sent.")
    }

    /// The place of the first of these keys that is in the file.
    func place(of paths: String...) -> SourceRange {
        paths.lazy.compactMap { places[$0]?.mark }.first ?? SourceRange(start: .start, end: .start)
    }

    func finding(
        _ rule: Rule, _ severity: Diagnostic.Severity? = nil, at range: SourceRange,
        isPersonal: Bool = false, _ message: DiagnosticMessage, help: DiagnosticMessage,
        related: (DiagnosticMessage, AudienceMember)? = nil, notes: [Diagnostic.Related] = []
    ) -> Diagnostic {
        files.finding(
            rule, severity, at: range, isPersonal: isPersonal, message, help: help,
            related: notes + (related.map { [note($0, at: $1)] } ?? []))
    }

    func finding(
        _ rule: Rule, _ severity: Diagnostic.Severity? = nil,
        at member: AudienceMember, _ message: DiagnosticMessage,
        help: DiagnosticMessage, related: (DiagnosticMessage, AudienceMember)? = nil
    ) -> Diagnostic {
        let (file, range) = origin(of: member)
        let inline = inlinePlace(of: member)
        return Diagnostic(
            rule, severity, in: file, at: range, message, help: help,
            related: related.map { [note($0, at: $1)] } ?? [],
            excerpt: inline.map { files.excerpt(around: $0.start, isPersonal: true) })
    }

    /// The finding does not show the row itself.
    func finding(
        _ rule: Rule, _ severity: Diagnostic.Severity? = nil, at row: AudienceOrigin,
        _ message: DiagnosticMessage, help: DiagnosticMessage?
    ) -> Diagnostic {
        Diagnostic(
            rule, severity, in: path(of: row), at: TextRange(line: row.line, column: 1), message,
            help: help)
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

extension Diagnostic {
    /// Whether `preview` lists the finding as unusual.
    package var isUnusual: Bool {
        switch Rule.named(rule) {
        case Rule.missingValueWord, Rule.unmatchedExclusion: true
        case Rule.csvHeader: severity == .warning
        default: false
        }
    }
}
