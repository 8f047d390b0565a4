/// The frame of a document that needs nothing but itself: no request, both schemes, phones and paper.
struct HTMLPage {
    /// What closes the document behind its content.
    static let end = "</body>\n</html>\n"

    private let title: String
    private let maker: String
    private let allowances: [String]
    private let style: String

    /// - Parameters:
    ///   - title: plain text.
    ///   - maker: the command that made it.
    ///   - allowances: directives of its policy (CSP Level 3); whatever they do not name is forbidden.
    ///   - style: its style sheet, as ``style(_:)`` gives it.
    init(title: String, maker: String, allowing allowances: [String], style: String) {
        self.title = title
        self.maker = maker
        self.allowances = allowances
        self.style = style
    }

    /// What all pages have, and what one has of its own.
    static func style(_ own: [UInt8]) -> String {
        String(decoding: PackageResources.page_css + own, as: UTF8.self)
    }

    /// How a document of a command begins, by which it is known again.
    static func beginning(maker: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="\(HTMLText.escape(maker))">

        """
    }

    /// All that stands before the content.
    var head: String {
        let policy =
            ["default-src 'none'"] + allowances + ["base-uri 'none'", "form-action 'none'"]
        return Self.beginning(maker: maker) + """
            <meta http-equiv="Content-Security-Policy" content="\(policy.joined(separator: "; "))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(HTMLText.escape(title))</title>
            <style>\(style)</style>
            </head>
            <body>

            """
    }
}
