import Crypto
import Foundation

/// The frame of a self-contained document, which makes no requests and suits both colour schemes,
/// phones and paper.
struct HTMLPage {
    static let end = "</body>\n</html>\n"

    private let title: String
    private let maker: String
    private let allowances: [String]
    private let style: String

    /// `allowances` are policy directives (CSP Level 3); everything else is forbidden.
    init(title: String, maker: String, allowing allowances: [String], style: String) {
        self.title = title
        self.maker = maker
        self.allowances = allowances
        self.style = style
    }

    /// The hash of a page's own style or script, with which the page's policy allows it (CSP Level
    /// 3, section 2.3.1).
    static func digest(of text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
    }

    /// The common style, followed by the style of a page.
    static func style(_ own: [UInt8]) -> String {
        String(decoding: PackageResources.page_css + own, as: UTF8.self)
    }

    /// The title of a document with this frame; nil for other documents.
    static func title(of document: String, maker: String) -> Substring? {
        guard document.hasPrefix(beginning(maker: maker)) else { return nil }
        let lines = document.dropFirst(beginning(maker: maker).count).split(
            separator: "\n", maxSplits: 6, omittingEmptySubsequences: false)
        guard lines.count == 7, lines[0].hasPrefix(policy),
            lines[1...3].map(String.init) == metas,
            let title = lines[4].wholeMatch(of: /<title>(.*)<\/title>/),
            lines[5].hasPrefix("<style>")
        else { return nil }
        return title.1
    }

    private static let policy =
        #"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; "#
    private static let metas = [
        #"<meta name="viewport" content="width=device-width, initial-scale=1">"#,
        #"<meta name="color-scheme" content="light dark">"#,
        #"<meta name="referrer" content="no-referrer">"#,
    ]

    private static func beginning(maker: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="\(HTMLText.escape(maker))">

        """
    }

    var head: String {
        let policy = allowances + ["base-uri 'none'", "form-action 'none'"]
        return Self.beginning(maker: maker) + """
            \(Self.policy)\(policy.joined(separator: "; "))">
            \(Self.metas.joined(separator: "\n"))
            <title>\(HTMLText.escape(title))</title>
            <style>\(style)</style>
            </head>
            <body>

            """
    }
}
