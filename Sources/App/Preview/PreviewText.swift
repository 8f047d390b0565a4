import CampaignCore

/// A preview for a terminal: a ten-second summary, the messages, the sizes.
struct PreviewText: Sendable {
    /// The most characters and lines of a text.
    private static let longestText = 4_000
    private static let mostLines = 40
    /// Width of labels.
    private static let labels = 12
    /// The limits of line width on any terminal.
    private static let widths = 40...120
    /// Wider than any line.
    private static let endless = 1 << 20

    private let model: PreviewModel
    private let style: TextStyle
    private let width: Int
    private let showsRequests: Bool

    /// - Parameter width: in columns; nil: lines are not broken, for programs that search them.
    init(_ model: PreviewModel, style: TextStyle, width: Int?, showsRequests: Bool) {
        self.model = model
        self.style = style
        self.width =
            width.map { min(max($0, Self.widths.lowerBound), Self.widths.upperBound) }
            ?? Self.endless
        self.showsRequests = showsRequests
    }

    func text() -> String {
        var lines = headline + [""]
        for fact in PreviewFacts(model).list {
            lines += labelled(fact.label, fact.phrase.text)
        }
        lines += turns
        if !model.remarks.isEmpty {
            lines += ["", heading("Unusual")]
            for remark in model.remarks { lines += bullet(remark.phrase.text) }
        }
        if !model.messages.isEmpty {
            lines += ["", heading("What people read")]
            for message in model.messages { lines += [""] + describe(message) }
        }
        if model.isMasked, model.isPersonal || showsRequests {
            lines += [""]
            lines += WrappedText.paragraph(
                "Names and values of people are left out, since CI is set; --user and --sample show some.",
                width: width)
        }
        if !model.platforms.isEmpty { lines += ["", heading("Largest body")] + sizes }
        if showsRequests {
            for platform in model.platforms {
                if let request = platform.request { lines += [""] + describe(request, platform) }
            }
        }
        lines += ["", "Nothing was sent and nothing was stored."]
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: The summary

    private var headline: [String] {
        let headline = PreviewHeadline(model)
        let words = headline.lead + (headline.figures.map { ". " + $0 } ?? ":")
        return WrappedText.paragraph(words, width: width).map {
            style.apply(.bold, to: $0)
        }
    }

    private var turns: [String] {
        guard let turns = PreviewTurns(model), !turns.rows.isEmpty else { return [] }
        let rows = turns.rows.map { "\($0.moment): \($0.people) (\($0.zones.text))" }
        return ["", heading("When people's turns begin")]
            + (rows + [turns.rest].compactMap(\.self)).flatMap { row in
                WrappedText.paragraph(row, width: width - 2).map { "  " + $0 }
            }
    }

    private func heading(_ words: String) -> String { style.apply(.bold, to: words) }

    private func labelled(_ label: String, _ text: String) -> [String] {
        let lines = WrappedText.paragraph(text, width: width - 2 - Self.labels)
        return lines.enumerated().map { number, line in
            "  " + VisibleText.padded(number == 0 ? label : "", to: Self.labels) + line
        }
    }

    private func bullet(_ text: String) -> [String] {
        WrappedText.paragraph(text, width: width - 4).enumerated().map { number, line in
            (number == 0 ? "  " + style.apply(.yellow, to: "!") + " " : "    ") + line
        }
    }

    // MARK: Messages

    private func describe(_ message: PreviewMessage) -> [String] {
        var lines = WrappedText.paragraph(
            message.heading.text, width: width - 2
        ).map { "  " + style.apply(.bold, to: $0) }
        for appearance in message.appearances {
            let platforms = appearance.platforms.map(\.rawValue).joined(separator: ", ")
            if message.appearances.count > 1 { lines.append("  on \(platforms):") }
            let moments = PreviewMoment.all(of: appearance, in: message, kind: model.kind)
            for moment in moments { lines += describe(moment) }
        }
        if let link = message.link { lines += quoted("opens", link) }
        for (key, value) in message.data {
            lines += quoted("data", "\(VisibleText.escape(key)): \(value)")
        }
        switch message.content {
        case .url(let address): lines += quoted("fetches", address)
        case .text(let text) where model.kind == .rich: lines += quoted("fetches", text)
        case .file:
            if let words = message.contentWords { lines += quoted("fetches", words.text) }
        case .text, nil: break
        }
        return lines
    }

    private func describe(_ moment: PreviewMoment) -> [String] {
        guard let text = moment.text else { return labelled("at once", PreviewMoment.silence) }
        let label =
            switch moment.time {
            case .fetched: "fetched"
            case .atOnce: model.kind.isSilent ? "at once" : "message"
            }
        guard let title = moment.title else { return quoted(label, text) }
        return quoted("title", title) + quoted(label, text)
    }

    /// A text from a file behind a bar.
    ///
    /// After blanks alone, a line could pass for a build-log command.
    private func quoted(_ label: String, _ text: String) -> [String] {
        let shown = VisibleText.lines(String(text.prefix(Self.longestText)))
        let all = WrappedText.lines(
            shown.replacing("\t", with: "    "), width: width - Self.labels - 4)
        var lines = Array(all.prefix(Self.mostLines))
        if all.count > lines.count || text.count > Self.longestText { lines.append("…") }
        return lines.enumerated().map { number, line in
            "  " + VisibleText.padded(number == 0 ? label : "", to: Self.labels) + "| " + line
        }
    }

    // MARK: Sizes and requests

    private var sizes: [String] {
        var table = TextTable([.left, .right, .left, .right], indent: 2)
        for platform in model.platforms {
            table.append([
                platform.platform.rawValue, Figures.count(platform.worstBytes),
                "of \(Figures.count(platform.limit)) bytes",
                Figures.share(min(platform.worstBytes, platform.limit), of: platform.limit),
            ])
        }
        return table.lines()
    }

    private func describe(_ request: PushRequest, _ platform: PreviewPlatform) -> [String] {
        var lines = [heading("\(platform.platform): the first request"), ""]
        lines.append("  \(request.method) \(request.url)")
        lines += PreviewRequestParts(request).headers.map { "  \($0.key): \($0.value)" }
        lines.append("")
        lines += PreviewRequestParts(request).body.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { "  | \($0)" }
        return lines
    }
}

struct PreviewRequestParts {
    /// A repeated name has both values.
    let headers: [(key: String, value: String)]
    let body: String

    init(_ request: PushRequest) {
        headers = Self.fields(of: request).sorted { $0.key < $1.key }
        body = String(decoding: request.body, as: UTF8.self)
    }

    static func fields(of request: PushRequest) -> [String: String] {
        Dictionary(request.headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
    }
}
