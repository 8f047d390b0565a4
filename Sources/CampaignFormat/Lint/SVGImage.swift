import CampaignCore

extension Rule {
    /// Viewers on phones run an SVG's scripts and load its references, or do not show it at all.
    static let svgImage = Rule(
        "svg-image", .error, "An SVG drawing as the payload",
        """
        SVG can contain scripts and load content from elsewhere, and phones have no built-in \
        viewer for it: an app that shows it in a web view would run its scripts.
        """,
        wrong: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.svg }
            """,
            with: ["images/logo.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n"]),
        right: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.png }
            """, with: ["images/logo.png": .picture]),
        check: drawings)

    private static func drawings(in document: LintDocument) -> [Remark] {
        guard document.kind == .rich, case .file(let file) = document.payload?.payload.content,
            let place = document.root.entry(at: "payload", "file")?.value,
            file.path.lowercased().hasSuffix(".svg") || MediaType.isDrawing(file.bytes)
        else { return [] }
        return [
            Remark(
                at: place.range,
                "\"\(path: file.path.shortened)\" is an SVG drawing, which can contain scripts.",
                help: "Export it as PNG, at the size at which it is shown.")
        ]
    }
}
