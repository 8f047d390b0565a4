import CampaignCore

extension Rule {
    /// Viewers on phones run the scripts and references of SVG, or do not show it at all.
    static let svgImage = Rule(
        "svg-image", .error, "An SVG drawing as payload",
        """
        SVG can hold scripts and load what lies elsewhere, and phones have no viewer of their own for it: an app \
        that shows it in a web view would run what is in it.
        """,
        wrong: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.svg }
            """,
            beside: ["images/logo.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n"]),
        right: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.png }
            """, beside: ["images/logo.png": .picture]),
        check: drawings)

    private static func drawings(in document: LintDocument) -> [Remark] {
        guard document.kind == .rich, case .file(let file) = document.payload?.payload.content,
            let place = document.root.entry(at: "payload", "file")?.value,
            file.path.lowercased().hasSuffix(".svg") || MediaType.isDrawing(file.bytes)
        else { return [] }
        return [
            Remark(
                at: place.range,
                "\"\(path: file.path.shortened)\" is an SVG drawing, which can hold scripts.",
                help: "Export it as PNG, in the size in which it is shown.")
        ]
    }
}
