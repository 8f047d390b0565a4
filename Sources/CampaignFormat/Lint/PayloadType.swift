import CampaignCore
import YAMLSyntax

/// Compares `payload.type` of a rich campaign with its content.
struct PayloadTypeCheck {
    /// Media types that common words promise; other words are the app's own.
    private static let promises: [String: [String]] = [
        "img": ["image/"], "image": ["image/"], "picture": ["image/"], "photo": ["image/"],
        "gif": ["image/gif"], "sound": ["audio/"], "audio": ["audio/"], "video": ["video/"],
        "pdf": ["application/pdf"], "html": ["text/html"], "json": ["application/json"],
        "text": ["text/", "application/json"],
    ]
    private static let addresses: Set<String> = ["url", "link"]
    private static let unknown = "application/octet-stream"

    private let root: YAMLNode
    private let payload: Payload?
    private let kind: CampaignKind?

    init(_ root: YAMLNode, _ payload: Payload?, kind: CampaignKind?) {
        self.root = root
        self.payload = payload
        self.kind = kind
    }

    func run(_ remarks: inout Remarks) {
        guard kind == .rich, let payload else { return }
        refuseDrawing(payload, &remarks)
        guard let place = root.entry(at: "payload", "type")?.value,
            let word = place.scalarText?.lowercased()
        else { return }
        switch payload.content {
        case .file(let file): check(word, file, at: place.range, &remarks)
        case .text: checkText(word, at: place.range, &remarks)
        case .url, nil: break
        }
    }

    /// Viewers on phones run the scripts and references of SVG, or do not show it at all.
    private func refuseDrawing(_ payload: Payload, _ remarks: inout Remarks) {
        guard case .file(let file) = payload.content,
            let place = root.entry(at: "payload", "file")?.value,
            file.path.lowercased().hasSuffix(".svg") || MediaType.isDrawing(file.bytes)
        else { return }
        remarks.add(
            .svgImage, at: place.range,
            "\"\(path: file.path.shortened)\" is an SVG drawing, which can hold scripts.",
            help: "Export it as PNG, in the size in which it is shown.")
    }

    private func check(
        _ word: String, _ file: PayloadFile, at range: SourceRange, _ remarks: inout Remarks
    ) {
        let isAddress = Self.addresses.contains(word)
        let promised = Self.promises[word]
        guard isAddress || promised?.contains(where: file.mediaType.hasPrefix) == false else {
            return
        }
        let content =
            file.mediaType == Self.unknown
            ? "whose kind is unknown" : "which is \(file.mediaType)"
        remarks.add(
            .payloadType, at: range,
            "The type is \"\(word)\", but the payload is the file \"\(path: file.path.shortened)\", \(content).",
            help: isAddress
                ? "Name the address with \"url\", or write the type that the app has for such files."
                : "Write the type that the app has for such files, or name another file.")
    }

    private func checkText(_ word: String, at range: SourceRange, _ remarks: inout Remarks) {
        let isAddress = Self.addresses.contains(word)
        guard isAddress || Self.promises[word]?.contains(where: Self.canBeText) == false else {
            return
        }
        remarks.add(
            .payloadType, at: range, "The type is \"\(word)\", but the payload is a text.",
            help: isAddress
                ? "Name the address with \"url\" instead of \"text\"."
                : "Write \"type: text\", or name the content with \"file\" or \"url\".")
    }

    private static func canBeText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type == "application/json"
    }
}
