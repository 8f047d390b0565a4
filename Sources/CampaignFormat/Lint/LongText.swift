import CampaignCore

extension Rule {
    static let longText = Rule(
        "long-text", .hint, "Text that is longer than phones show",
        """
        Until it is opened, a notification shows only a few lines: about 178 characters of a \
        message on iPhones, 240 on Android, 140 on Windows and 120 in browsers, and 50 to 65 of a \
        title. Push services publish no limits; these numbers come from the guides of push tools.
        """,
        wrong: RuleExample(
            "kind: alert\npayload: { message: \""
                + String(repeating: "Come in and look around! ", count: 12) + "\" }"),
        right: """
            kind: alert
            payload: { message: "Come in and look around!" }
            """,
        check: longTexts)

    private static func longTexts(in document: LintDocument) -> [Remark] {
        guard let kind = document.kind else { return [] }
        var texts = [(["delivery", "fallback", "message"], TextKey.message, document.platforms)]
        let visible = document.platforms.filter(\.facts.showsPlaceholders)
        for text in TextKey.all where text.isPart(of: kind) {
            let key = text.rawValue
            let platforms = text.isPlaceholder ? visible : document.platforms
            let own = platforms.filter {
                document.root.entry(at: "payload", $0.rawValue, key) != nil
            }
            texts.append((["payload", key], text, platforms.filter { !own.contains($0) }))
            texts += own.map { (["payload", $0.rawValue, key], text, [$0]) }
        }
        return texts.compactMap { path, text, platforms in
            document.root.entry(at: path).flatMap {
                remark(on: $0.value, path.joined(separator: "."), of: text, on: platforms)
            }
        }
    }

    private static func remark(
        on node: YAMLNode, _ key: String, of text: TextKey, on platforms: [Platform]
    ) -> Remark? {
        guard let longest = longest(in: node) else { return nil }
        let isTitle = text == .title
        let cut = platforms.map(\.facts.room).compactMap { room -> String? in
            let shown = isTitle ? room.title : room.message
            guard longest.length > shown else { return nil }
            let lines = isTitle ? "about one line" : room.lines
            return
                "\(room.devices) show \(lines) (\(shown) characters), and \(Figures.count(longest.length - shown)) more are cut off"
        }
        guard !cut.isEmpty else { return nil }
        return Remark(
            at: longest.range,
            "\"\(key)\" has \(Figures.count(longest.length)) characters: \(cut.joined(separator: "; ")).",
            help: "Put the most important part first, or shorten the text.")
    }

    /// The longest text, counted in characters, with each variable replaced by its default.
    private static func longest(in node: YAMLNode) -> (length: Int, range: SourceRange)? {
        if case .mapping(let entries) = node.content {
            return entries.compactMap { longest(in: $0.value) }.max { $0.length < $1.length }
        }
        guard let text = node.scalarText else { return nil }
        let length = MessageTemplateReading(text).template.segments.reduce(0) { length, segment in
            switch segment {
            case .literal(let text): length + text.count
            case .variable(_, let fallback): length + (fallback ?? "").count
            }
        }
        return (length, node.range)
    }
}
