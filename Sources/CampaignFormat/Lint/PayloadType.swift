import CampaignCore

extension Rule {
    static let payloadType = Rule(
        "payload-type", .warning, "The type does not match the content",
        """
        The app uses "type" to decide how to show a rich payload. hubsend checks the content for these common words: \
        img, image, picture, photo, gif, sound, audio, video, pdf, html, json, text, url and link.
        """,
        wrong: """
            kind: rich
            payload: { message: Look, type: img, text: Hello }
            """,
        right: """
            kind: rich
            payload: { message: Look, type: text, text: Hello }
            """,
        check: types)

    /// The media types that common words stand for; the app defines the meaning of other words.
    private static let promises: [String: [String]] = [
        "img": ["image/"], "image": ["image/"], "picture": ["image/"], "photo": ["image/"],
        "gif": ["image/gif"], "sound": ["audio/"], "audio": ["audio/"], "video": ["video/"],
        "pdf": ["application/pdf"], "html": ["text/html"], "json": ["application/json"],
        "text": ["text/", "application/json"],
    ]
    private static let unknown = "application/octet-stream"

    private static func types(in document: LintDocument) -> [Remark] {
        guard document.kind == .rich, let content = document.payload?.payload.content,
            let place = document.root.entry(at: "payload", "type")?.value,
            let word = place.scalarText?.lowercased()
        else { return [] }
        let isAddress = ["url", "link"].contains(word)
        let promised = promises[word]
        switch content {
        case .file(let file)
        where isAddress || promised?.contains(where: file.mediaType.hasPrefix) == false:
            let content =
                file.mediaType == unknown
                ? "whose kind is unknown" : "which is \(file.mediaType)"
            return [
                Remark(
                    at: place.range,
                    "The type is \"\(word)\", but the payload is the file \"\(path: file.path.shortened)\", \(content).",
                    help: isAddress
                        ? "Set \"url\" to the address, or write the type that the app uses for such files."
                        : "Write the type that the app uses for such files, or choose another file."
                )
            ]
        case .text where isAddress || promised?.contains(where: canBeText) == false:
            return [
                Remark(
                    at: place.range, "The type is \"\(word)\", but the payload is text.",
                    help: isAddress
                        ? "Use \"url\" instead of \"text\" for the address."
                        : "Write \"type: text\", or use \"file\" or \"url\" for the content.")
            ]
        case .file, .text, .url: return []
        }
    }

    private static func canBeText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type == "application/json"
    }
}
