import CampaignCore
import FoundationEssentials

/// Writes previews as one self-contained HTML file without a script.
struct PreviewPage {
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
        let articles = entries.enumerated().map { number, entry in
            "<article id=\"c\(number + 1)\">\n\(Self.content(of: entry))</article>\n"
        }
        return """
            \(page.head)<main>
            \(contents)\(articles.joined())</main>
            <footer>\(PreviewDocument.ending) Made by hubsend at \(UTCTime.readable(made)).</footer>
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
                case .invalid(let path, _): "<b>\(HTMLText.escape(path))</b> has errors"
                case .refused(let path, _):
                    "<b>\(HTMLText.escape(path))</b> cannot be previewed here"
                }
            return ##"<li><a href="#c\##(number + 1)">\##(words)</a></li>"##
        }
        return "<nav><ol>\(items.joined())</ol></nav>\n"
    }

    private static func content(of entry: PreviewEntry) -> String {
        let blocks: [Document.Block] =
            switch entry {
            case .campaign(let model): PreviewDocument(model: model).page
            case .invalid(let path, let findings):
                blocks(path, "This file has errors and will not be sent.", findings)
            case .refused(let path, let why):
                blocks(path, "This file cannot be previewed here.", why)
            }
        return DocumentHTML(hasIDs: false).html(of: blocks)
    }

    private static func blocks(
        _ path: String, _ state: String, _ reason: String
    ) -> [Document.Block] {
        let head =
            """
            <header><h1>\(HTMLText.escape(path))</h1>
            <p class="lead">\(state)</p></header>

            """
        return [.drawing(head), .code([reason])]
    }
}
