import CampaignCore

/// Previews as a pull request comment: a few lines each, and the rest folded.
///
/// Text from files stands only in code, so that it can neither format the comment nor mention
/// anybody.
struct PreviewMarkdown: Sendable {
    /// In bytes; GitHub allows 65,536 characters, which leaves room for additions.
    static let largest = 60_000
    private static let ending = "Nothing was sent and nothing was stored."
    private static let longestText = 1_000
    private static let mostMessages = 12
    private static let mostLines = 60

    private let entries: [PreviewEntry]
    private let showsRequests: Bool

    init(_ entries: [PreviewEntry], showsRequests: Bool) {
        self.entries = entries
        self.showsRequests = showsRequests
    }

    /// Fits a comment: if it is too long, campaigns lose their folded parts, then their rows.
    func text() -> String {
        let summaries = entries.map { describe($0, isWhole: false) }
        // Summaries come before anything folded.
        var reserved = summaries.reduce(0) { $0 + Self.size($1) }
        // Leaves room for the last lines, so that nothing else has to cut the text.
        let largest = Self.largest - Self.size([Self.rest(of: entries.count), "", Self.ending])
        var lines: [String] = []
        var size = 0
        var left = 0
        for (entry, summary) in zip(entries, summaries) {
            reserved -= Self.size(summary)
            guard left == 0, size + Self.size(summary) <= largest else {
                left += 1
                continue
            }
            let room = largest - size - reserved
            let whole = room > 0 ? describe(entry, isWhole: true) : summary
            let form = Self.size(whole) <= room ? whole : summary
            lines += form
            size += Self.size(form)
        }
        if left > 0 { lines += [Self.rest(of: left), ""] }
        return (lines + [Self.ending]).joined(separator: "\n") + "\n"
    }

    private static func rest(of left: Int) -> String {
        let campaigns = Figures.count(left, "more campaign is", "more campaigns are")
        return "\(campaigns) not shown here, since a comment has no room for more."
    }

    private static func size(_ lines: [String]) -> Int {
        lines.reduce(0) { $0 + $1.utf8.count + 1 }
    }

    private func describe(_ entry: PreviewEntry, isWhole: Bool) -> [String] {
        switch entry {
        case .campaign(let model):
            return summary(of: model)
                + (isWhole ? rest(of: model) : ["", "The rest did not fit."]) + [""]
        case .faults(let path, let findings):
            return describe(path, "has faults and sends nothing", findings, isWhole: isWhole)
        case .refused(let path, let why):
            return describe(path, "cannot be previewed here", why, isWhole: isWhole)
        }
    }

    private func describe(
        _ path: String, _ state: String, _ reason: String, isWhole: Bool
    ) -> [String] {
        let file = MarkdownCode.span(VisibleText.escape(path))
        let lines = MarkdownCode.block(Self.lines(reason, longest: 4 * Self.longestText))
        return ["### \(file) \(state)", ""] + (isWhole ? lines + [""] : [])
    }

    private func summary(of model: PreviewModel) -> [String] {
        var lines = ["### Campaign `\(model.campaign)`", ""]
        let headline = PreviewHeadline(model)
        let words = [headline.lead + ".", headline.figures].compactMap(\.self)
        lines += [Self.words(words.joined(separator: " ")), ""]
        for fact in PreviewFacts(model).list {
            lines.append("- **\(fact.label)**: \(Self.rendered(fact.phrase))")
        }
        if !model.remarks.isEmpty {
            lines += ["", "**Unusual**", ""]
            for remark in model.remarks {
                lines.append("- :warning: \(Self.rendered(remark.phrase))")
            }
        }
        return lines
    }

    private func rest(of model: PreviewModel) -> [String] {
        var lines: [String] = []
        if !model.messages.isEmpty {
            let messages = Figures.count(model.messages.count, "message", "messages")
            lines += details("What people read: \(messages)", messagesOf(model))
        }
        if let turns = PreviewTurns(model), !turns.rows.isEmpty {
            lines += details("When people's turns begin", Self.table(of: turns))
        }
        if !model.platforms.isEmpty { lines += details("Sizes", sizes(of: model)) }
        if !model.warnings.isEmpty {
            lines += details(
                "Warnings", MarkdownCode.block(Self.lines(model.warnings, longest: 8_000)))
        }
        if showsRequests { lines += details("Requests", requests(of: model)) }
        return lines
    }

    // MARK: Folded

    private func details(_ summary: String, _ content: [String]) -> [String] {
        ["", "<details><summary>\(summary)</summary>", ""] + content + ["", "</details>"]
    }

    private func messagesOf(_ model: PreviewModel) -> [String] {
        var lines: [String] = []
        for message in model.messages.prefix(Self.mostMessages) {
            if !lines.isEmpty { lines.append("") }
            lines.append("**\(Self.rendered(message.heading))**")
            lines += describe(message, of: model)
        }
        let left = model.messages.count - Self.mostMessages
        if left > 0 { lines += ["", "\(Figures.count(left)) more are not shown here."] }
        if model.isMasked, model.isPersonal || showsRequests {
            lines += ["", "Names and values of people are left out, since CI is set."]
        }
        return lines
    }

    private func describe(_ message: PreviewMessage, of model: PreviewModel) -> [String] {
        var lines: [String] = []
        for appearance in message.appearances {
            let platforms = appearance.platforms.map(\.rawValue).joined(separator: ", ")
            let moments = PreviewMoment.all(of: appearance, in: message, kind: model.kind)
            for moment in moments {
                let time = moment.time == .atOnce ? "at once" : "once the app has fetched it"
                guard let text = moment.text else {
                    lines += ["", "\(platforms), at once: \(PreviewMoment.silence)"]
                    continue
                }
                let title = moment.title.map { Self.lines($0, longest: Self.longestText) + [""] }
                lines += ["", "\(platforms), \(time):", ""]
                lines += MarkdownCode.block(
                    (title ?? []) + Self.lines(text, longest: Self.longestText))
            }
        }
        if case .text(let text) = message.content, model.kind == .rich {
            lines += ["", "what the app fetches:", ""]
            lines += MarkdownCode.block(Self.lines(text, longest: Self.longestText))
        }
        var facts: [String] = []
        if let link = message.link { facts.append("- opens \(Self.code(link))") }
        for (key, value) in message.data {
            facts.append("- data \(Self.code(key)): \(Self.code(value))")
        }
        switch message.content {
        case .url(let address): facts.append("- fetches \(Self.code(address))")
        case .file:
            facts += message.contentWords.map { ["- fetches \(Self.rendered($0))"] } ?? []
        case .text, nil: break
        }
        return facts.isEmpty ? lines : lines + [""] + facts
    }

    private static func table(of turns: PreviewTurns) -> [String] {
        ["| from | people | time zones |", "|---|--:|---|"]
            + turns.rows.map { "| \($0.moment) | \($0.people) | \(rendered($0.zones)) |" }
            + (turns.rest.map { ["", "\($0)."] } ?? [])
    }

    private func sizes(of model: PreviewModel) -> [String] {
        ["| platform | largest body | limit | |", "|---|--:|--:|--:|"]
            + model.platforms.map { platform in
                let share = Figures.share(
                    min(platform.worstBytes, platform.limit), of: platform.limit)
                return
                    "| \(platform.platform) | \(Figures.count(platform.worstBytes)) bytes "
                    + "| \(Figures.count(platform.limit)) bytes | \(share) |"
            }
    }

    private func requests(of model: PreviewModel) -> [String] {
        model.platforms.flatMap { platform -> [String] in
            guard let request = platform.request else { return [] }
            let parts = PreviewRequestParts(request)
            let head =
                ["\(request.method) \(request.url)"]
                + parts.headers.map { "\($0.key): \($0.value)" } + [""]
            return ["\(platform.platform):", ""]
                + MarkdownCode.block(
                    head.map(VisibleText.escape)
                        + Self.lines(parts.body, longest: 4 * Self.longestText)) + [""]
        }
    }

    // MARK: Words

    private static func rendered(_ phrase: Phrase) -> String {
        phrase.rendered(words: words, name: MarkdownCode.span, given: MarkdownCode.span)
    }

    private static func code(_ text: String) -> String {
        rendered("\(given: text)")
    }

    /// Our own words, with no `<` as markup.
    private static func words(_ text: String) -> String {
        text.replacingBytes("&", with: "&amp;").replacingBytes("<", with: "&lt;")
            .replacingBytes("_", with: "\\_").replacingBytes("*", with: "\\*")
    }

    /// Safe to show, with excess lines cut.
    private static func lines(_ text: String, longest: Int) -> [String] {
        let shown = VisibleText.lines(String(text.prefix(longest)))
        let all = shown.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        let isCut = all.count > mostLines || text.count > longest
        return all.prefix(mostLines) + (isCut ? ["…"] : [])
    }
}
