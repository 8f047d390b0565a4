import CampaignCore
import FoundationEssentials

/// Previews as one self-contained HTML file without a script.
struct PreviewPage: Sendable {
    /// In bytes.
    private static let largestPicture = 512 << 10
    /// Formats that browsers draw without running code.
    private static let pictures: Set = ["image/png", "image/jpeg", "image/gif", "image/webp"]
    /// In characters.
    private static let longestText = 20_000

    private let entries: [PreviewEntry]
    private let made: Date

    init(_ entries: [PreviewEntry], made: Date) {
        self.entries = entries
        self.made = made
    }

    func html() -> String {
        let page = HTMLPage(
            title: title, maker: "hubsend preview",
            allowing: ["style-src 'unsafe-inline'", "img-src data:"],
            style: HTMLPage.style(PackageResources.preview_css))
        return """
            \(page.head)<main>
            \(contents)\(entries.enumerated().map { section($0.offset, $0.element) }.joined())</main>
            <footer>Nothing was sent and nothing was stored. Made by hubsend at \(UTCTime.readable(made)).</footer>
            \(HTMLPage.end)
            """
    }

    private var title: String {
        if entries.count == 1, case .campaign(let model) = entries[0] {
            return "Preview of \(model.campaign)"
        }
        return "Preview of \(Figures.count(entries.count, "campaign", "campaigns"))"
    }

    /// Links to the campaigns, if there are several.
    private var contents: String {
        guard entries.count > 1 else { return "" }
        let items = entries.enumerated().map { number, entry in
            let words =
                switch entry {
                case .campaign(let model):
                    "<b>\(HTMLText.escape(model.campaign))</b> "
                        + "\(Figures.count(model.audience.final, "person", "people"))"
                case .faults(let path, _): "<b>\(HTMLText.escape(path))</b> has faults"
                case .refused(let path, _):
                    "<b>\(HTMLText.escape(path))</b> cannot be previewed here"
                }
            return ##"<li><a href="#c\##(number + 1)">\##(words)</a></li>"##
        }
        return "<nav><ol>\(items.joined())</ol></nav>\n"
    }

    private func section(_ number: Int, _ entry: PreviewEntry) -> String {
        let content =
            switch entry {
            case .campaign(let model): section(model)
            case .faults(let path, let findings):
                Self.section(path, "This file has faults and sends nothing.", findings)
            case .refused(let path, let why):
                Self.section(path, "This file cannot be previewed here.", why)
            }
        return "<article id=\"c\(number + 1)\">\n\(content)</article>\n"
    }

    private static func section(_ path: String, _ state: String, _ reason: String) -> String {
        """
        <header><h1>\(HTMLText.escape(path))</h1>
        <p class="lead">\(state)</p></header>
        <pre>\(cut(reason))</pre>

        """
    }

    // MARK: A campaign

    private func section(_ model: PreviewModel) -> String {
        let headline = PreviewHeadline(model)
        let facts = PreviewFacts(model).list.map {
            "<div><dt>\($0.label)</dt><dd>\(HTMLText.phrase($0.phrase))</dd></div>"
        }
        let figures =
            headline.figures.map { "<p class=\"lead\">\(HTMLText.escape($0))</p>\n" } ?? ""
        return """
            <header><h1>\(HTMLText.escape(model.campaign)) <span class="kind">\(model.kind.rawValue)</span></h1>
            <p class="lead">\(HTMLText.escape(headline.lead)).</p></header>
            \(remarks(of: model))\(figures)<dl class="facts">\(facts.joined())</dl>
            <section class="audience"><h2>Audience</h2>
            \(AudienceBar(model.audience).html())</section>
            \(turns(of: model))\(messages(of: model))\(picture(of: model))\(sizes(of: model))\(warnings(of: model))\(requests(of: model))
            """
    }

    private func remarks(of model: PreviewModel) -> String {
        guard !model.remarks.isEmpty else { return "" }
        let items = model.remarks.map { "<li>\(HTMLText.phrase($0.phrase))</li>" }
        return "<aside><h2>Unusual</h2><ul>\(items.joined())</ul></aside>\n"
    }

    private func turns(of model: PreviewModel) -> String {
        guard let turns = PreviewTurns(model), !turns.rows.isEmpty else { return "" }
        let rows = turns.rows.map { row in
            "<tr><th scope=\"row\">\(row.moment)</th><td>\(row.people)</td><td>\(HTMLText.phrase(row.zones))</td></tr>"
        }
        let rest = turns.rest.map { "<p class=\"note\">\($0).</p>\n" } ?? ""
        return """
            <section class="turns"><h2>When people's turns begin</h2>
            <table>\(rows.joined())</table>
            \(rest)</section>

            """
    }

    private func messages(of model: PreviewModel) -> String {
        guard !model.messages.isEmpty else { return "" }
        return """
            <section class="read"><h2>What people read</h2>
            \(model.messages.map { message($0, of: model) }.joined())\(maskNote(of: model))</section>

            """
    }

    private func message(_ message: PreviewMessage, of model: PreviewModel) -> String {
        let devices = message.appearances.flatMap { appearance in
            appearance.platforms.map { platform in
                DeviceDrawing(platform, showing: appearance, of: message, in: model).html()
            }
        }
        var facts: [String] = []
        if let link = message.link { facts.append("opens \(HTMLText.phrase("\(given: link)"))") }
        for (key, value) in message.data {
            facts.append("data \(HTMLText.phrase("\(given: key): \(given: value)"))")
        }
        switch message.content {
        case .url(let address): facts.append("fetches \(HTMLText.phrase("\(given: address)"))")
        case .file:
            facts += message.contentWords.map { ["fetches \(HTMLText.phrase($0))"] } ?? []
        case .text(let text) where model.kind == .rich:
            facts.append("fetches \(HTMLText.phrase("\(given: text)"))")
        case .text, nil: break
        }
        let list =
            facts.isEmpty
            ? "" : "<ul class=\"extra\"><li>\(facts.joined(separator: "</li><li>"))</li></ul>\n"
        return """
            <section class="message"><h3>\(HTMLText.phrase(message.heading))</h3>
            <div class="devices">
            \(devices.joined())</div>
            \(list)</section>

            """
    }

    private func maskNote(of model: PreviewModel) -> String {
        model.isMasked
            ? "<p class=\"note\">Names and values of people are left out, since CI was set.</p>\n"
            : ""
    }

    /// The picture that the app fetches, if browsers can draw it.
    private func picture(of model: PreviewModel) -> String {
        guard case .file(let file) = model.messages.first?.content,
            Self.pictures.contains(file.mediaType), file.bytes.count <= Self.largestPicture
        else { return "" }
        let data = Data(file.bytes).base64EncodedString()
        let name = HTMLText.escape(file.path)
        return """
            <section class="picture"><h2>What the app fetches</h2>
            <figure><img alt="\(name)" src="data:\(file.mediaType);base64,\(data)"><figcaption>\(name)</figcaption></figure></section>

            """
    }

    private func sizes(of model: PreviewModel) -> String {
        guard !model.platforms.isEmpty else { return "" }
        let rows = model.platforms.map { platform in
            let share = min(100, platform.worstBytes * 100 / max(1, platform.limit))
            let level = share >= 90 ? " full" : ""
            return """
                <tr><th scope="row">\(platform.platform)</th><td class="meter\(level)"><i style="width:\(max(1, share))%"></i></td>\
                <td>\(Figures.count(platform.worstBytes)) of \(Figures.count(platform.limit)) bytes</td></tr>
                """
        }
        return """
            <section class="sizes"><h2>Largest body</h2>
            <table>\(rows.joined())</table>
            </section>

            """
    }

    private func warnings(of model: PreviewModel) -> String {
        guard !model.warnings.isEmpty else { return "" }
        return
            "<details><summary>Warnings</summary><pre>\(Self.cut(model.warnings))</pre></details>\n"
    }

    private func requests(of model: PreviewModel) -> String {
        let blocks = model.platforms.compactMap { platform in
            platform.request.map { request in
                let parts = PreviewRequestParts(request)
                let lines =
                    ["\(request.method) \(request.url)"]
                    + parts.headers.map { "\($0.key): \($0.value)" } + ["", parts.body]
                return
                    "<h3>\(platform.platform)</h3><pre>\(Self.cut(lines.joined(separator: "\n")))</pre>"
            }
        }
        guard !blocks.isEmpty else { return "" }
        return "<details><summary>Requests</summary>\(blocks.joined())</details>\n"
    }

    /// Escapes a text, and cuts it if it is very long.
    private static func cut(_ text: String) -> String {
        let shown = HTMLText.escape(String(text.prefix(longestText)))
        return text.count > longestText ? shown + "…" : shown
    }
}
