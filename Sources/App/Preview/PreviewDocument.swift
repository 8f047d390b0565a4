import CampaignCore
import FoundationEssentials

/// The preview of one campaign as a document, for a terminal, a comment or a page.
struct PreviewDocument {
    typealias Block = Document.Block

    /// The minimum and maximum widths to which text is wrapped, regardless of the terminal's width.
    private static let widths = 40...120
    /// The maximum number of messages in a comment.
    private static let mostMessages = 12
    /// The maximum size of a picture that is shown, in bytes.
    private static let largestPicture = 512 << 10
    /// Formats that browsers draw without running code.
    private static let pictures: Set = ["image/png", "image/jpeg", "image/gif", "image/webp"]
    static let ending = "Nothing was sent and nothing was stored."

    let model: PreviewModel
    var showsRequests = false

    /// The ten-second summary, then the messages and the sizes.
    func text(_ style: TextStyle = .plain, width: Int? = nil) -> String {
        let headline = PreviewHeadline(model)
        let words = headline.lead + (headline.figures.map { ". " + $0 } ?? ":")
        var blocks: [Block] = [.paragraph(Phrase(words), .bold), .facts(facts)]
        blocks += waves + remarks
        if !messages.isEmpty { blocks.append(.section("What people read", [])) }
        blocks += messages + hidden
        if let sizes { blocks.append(.section("Largest body", [sizes])) }
        if showsRequests { blocks += requests.joined() }
        blocks.append(.paragraph(Phrase(Self.ending)))
        let width = width.map { min(max($0, Self.widths.lowerBound), Self.widths.upperBound) }
        return DocumentText(style: style, width: width, keepsWords: false).text(of: blocks)
    }

    /// The part of a comment that is always visible.
    var summary: [Block] {
        let headline = PreviewHeadline(model)
        let words = [headline.lead + ".", headline.figures].compactMap(\.self)
        let blocks: [Block] = [
            .title("Campaign \(name: model.campaign)"),
            .paragraph(Phrase(words.joined(separator: " "))), .facts(facts),
        ]
        return blocks + remarks
    }

    /// The part of a comment that is folded away.
    var folded: [Block] {
        var blocks: [Block] = []
        if !messages.isEmpty {
            var read = Array(messages.prefix(Self.mostMessages))
            let left = messages.count - read.count
            if left > 0 {
                read.append(
                    .paragraph(
                        "\(Figures.count(left, "more message is", "more messages are")) not shown here."
                    ))
            }
            let count = Figures.count(messages.count, "message", "messages")
            blocks.append(.fold("What people read: \(count)", read + hidden))
        }
        blocks += waves
        if let sizes { blocks.append(.fold("Largest body", [sizes])) }
        blocks += warnings
        if showsRequests, !requests.isEmpty {
            blocks.append(.fold("Requests", Array(requests.joined())))
        }
        return blocks
    }

    var page: [Block] {
        let headline = PreviewHeadline(model)
        let name = HTMLText.escape(model.campaign)
        let lead =
            """
            <header><h1>\(name) <span class="kind">\(model.kind.rawValue)</span></h1>
            <p class="lead">\(HTMLText.escape(headline.lead)).</p></header>

            """
        var blocks: [Block] = [.drawing(lead)]
        blocks += remarks
        if let figures = headline.figures {
            blocks.append(.drawing("<p class=\"lead\">\(HTMLText.escape(figures))</p>\n"))
        }
        let bar = Block.drawing(
            AudienceBar(counts: model.audience, skippedRows: model.skippedRows).html())
        blocks += [.facts(facts), .section("Audience", name: "audience", [bar])]
        blocks += wavesTable
        if !model.messages.isEmpty {
            let drawn = model.messages.map { Block.drawing(drawing(of: $0)) }
            let note = model.isMasked ? [masking] : []
            blocks.append(.section("What people read", name: "read", drawn + note))
        }
        blocks += picture + meters + warnings
        if !requests.isEmpty {
            let texts = requests.map { Block.code(DocumentText().separated($0)) }
            blocks.append(.fold("Requests", texts))
        }
        return blocks
    }

    // MARK: Summary

    private var facts: [Document.Fact] { PreviewFacts(model: model).list }

    private var remarks: [Block] {
        model.remarks.isEmpty ? [] : [.remarks("Unusual", model.remarks.map(\.phrase))]
    }

    private var waves: [Block] {
        guard let waves = WaveText(model), !waves.rows.isEmpty else { return [] }
        let lines = waves.rows.map { row -> Phrase in "\(row.moment): \(row.people) (\(row.zones))"
        }
        let rest = waves.rest.map { [Phrase($0)] } ?? []
        return [.fold("Waves", [.lines(lines + rest)])]
    }

    private var wavesTable: [Block] {
        guard let waves = WaveText(model), !waves.rows.isEmpty else { return [] }
        var table = Document.Table(
            columns: ["from", "people", "time zones"].map { .init(head: $0) })
        for row in waves.rows { table.append([Phrase(row.moment), Phrase(row.people), row.zones]) }
        let rest = waves.rest.map { [Block.paragraph("\($0).")] } ?? []
        return [.section("Waves", name: "turns", [.table(table)] + rest)]
    }

    private var warnings: [Block] {
        model.warnings.isEmpty ? [] : [.fold("Warnings", [.code(of: model.warnings)])]
    }

    // MARK: Messages

    private var messages: [Block] { model.messages.map(block) }

    private func block(of message: PreviewMessage) -> Block {
        var blocks: [Block] = [.lines([message.heading], .bold)]
        for appearance in message.appearances {
            let platforms = appearance.platforms.map(\.rawValue).joined(separator: ", ")
            if message.appearances.count > 1 { blocks.append(.lines(["on \(platforms):"])) }
            let moments = PreviewMoment.all(of: appearance, in: message, kind: model.kind)
            for moment in moments { blocks += self.blocks(of: moment) }
        }
        for extra in extras(of: message) { blocks.append(.quote(extra.label, extra.text)) }
        return .group(blocks)
    }

    private func blocks(of moment: PreviewMoment) -> [Block] {
        guard let text = moment.text else {
            return [.facts([Document.Fact("at first", PreviewMoment.silence)])]
        }
        let label =
            switch moment.time {
            case .fetched: "fetched"
            case .atOnce: model.kind.isSilent ? "at first" : "message"
            }
        let heads = TextKey.heads.compactMap { key in
            moment.heads[key].map { Block.quote(key.rawValue, $0) }
        }
        return heads + [.quote(label, text)]
    }

    private typealias Extra = (label: String, phrase: Phrase, text: String)

    /// A message's link, data and content, each as a short phrase and in full.
    private func extras(of message: PreviewMessage) -> [Extra] {
        var extras: [Extra] = []
        if let link = message.link { extras.append(("opens", "\(given: link)", link)) }
        for (key, value) in message.data {
            let text = "\(VisibleText.escape(key)): \(value)"
            extras.append(("data", "\(given: key): \(given: value)", text))
        }
        switch message.content {
        case .url(let text): extras.append(("fetches", "\(given: text)", text))
        case .text(let text) where model.kind == .rich:
            extras.append(("fetches", "\(given: text)", text))
        case .file:
            if let words = message.contentWords { extras.append(("fetches", words, words.text)) }
        case .text, nil: break
        }
        return extras
    }

    private func drawing(of message: PreviewMessage) -> String {
        let devices = message.appearances.flatMap { appearance in
            appearance.platforms.map { platform in
                DeviceDrawing(
                    platform: platform, model: model, message: message, appearance: appearance
                ).html()
            }
        }
        let list = extras(of: message).map { extra -> Phrase in "\(extra.label) \(extra.phrase)" }
        return """
            <section class="message"><h3>\(HTMLText.phrase(message.heading))</h3>
            <div class="devices">
            \(devices.joined())</div>
            \(list.isEmpty ? "" : DocumentHTML.list(list, kind: "extra") + "\n")</section>

            """
    }

    private var hidden: [Block] {
        model.isMasked && (model.isPersonal || showsRequests) ? [masking] : []
    }

    private var masking: Block {
        .paragraph(
            "People's names and values are hidden because CI is set. To show some, use --user or --sample."
        )
    }

    /// The picture that the app fetches, if browsers can show it.
    private var picture: [Block] {
        guard case .file(let file) = model.messages.first?.content,
            Self.pictures.contains(file.mediaType), file.bytes.count <= Self.largestPicture
        else { return [] }
        let data = Data(file.bytes).base64EncodedString()
        let name = HTMLText.escape(file.path)
        let figure =
            #"<figure><img alt="\#(name)" src="data:\#(file.mediaType);base64,\#(data)"><figcaption>\#(name)</figcaption></figure>"#
        return [.section("What the app fetches", name: "picture", [.drawing(figure)])]
    }

    // MARK: Sizes and requests

    /// Returns nil if there are no recipients.
    private var sizes: Block? {
        guard !model.platforms.isEmpty else { return nil }
        var table = Document.Table(headless: .left, .right, .left, .right)
        for platform in model.platforms {
            table.append(words: [
                platform.platform.rawValue, Figures.count(platform.worstBytes),
                "of \(Figures.count(platform.limit)) bytes",
                Figures.share(min(platform.worstBytes, platform.limit), of: platform.limit),
            ])
        }
        return .table(table)
    }

    private var meters: [Block] {
        guard !model.platforms.isEmpty else { return [] }
        let rows = model.platforms.map { platform in
            let share = min(100, platform.worstBytes * 100 / max(1, platform.limit))
            let level = share >= 90 ? " full" : ""
            return """
                <tr><th scope="row">\(platform.platform)</th><td class="meter\(level)"><i style="width:\(max(1, share))%"></i></td>\
                <td>\(Figures.count(platform.worstBytes)) of \(Figures.count(platform.limit)) bytes</td></tr>
                """
        }
        let table = Block.drawing("<table>\(rows.joined())</table>\n")
        return [.section("Largest body", name: "sizes", [table])]
    }

    /// The first request to each platform.
    private var requests: [[Block]] {
        model.platforms.compactMap { platform in
            platform.request.map { request in
                let parts = PreviewRequestParts(request)
                let head = parts.headers.map { "  \($0.key): \($0.value)" }
                let body = parts.body.split(separator: "\n", omittingEmptySubsequences: false)
                return [
                    .section("First request to \(platform.platform)", []),
                    .code(["  \(request.method) \(request.url)"] + head),
                    .code(body.map { "  | \($0)" }),
                ]
            }
        }
    }
}

struct PreviewRequestParts {
    /// The values of a repeated name are joined by commas.
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
