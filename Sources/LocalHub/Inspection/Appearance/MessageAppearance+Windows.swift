extension MessageAppearance {
    /// The most lines of a toast that are told apart.
    private static let mostLines = 32

    /// What a Windows device shows: the texts of a toast; a raw push only reaches the app.
    static func ofWNS(_ push: ReceivedPush) -> MessageAppearance {
        let header = push.headers["x-wns-type"]?.lowercased()
        let type =
            header.map(WNSNotificationType.init(rawValue:))
            ?? WNSNotificationType(rootElementOf: push.body)
        switch type {
        case .toast: return ofToast(push.body)
        case .raw: return ofRaw(push.body)
        case .tile, .badge, nil: return .data
        }
    }

    /// What a Windows phone shows: the texts of a toast.
    static func ofMPNS(_ push: ReceivedPush) -> MessageAppearance {
        guard let root = read(push.body), let toast = root["Toast"] else { return .data }
        return alert(title: toast["Text1"]?.text, text: toast["Text2"]?.text)
    }

    /// A toast with one text shows that; of several the first is the title.
    private static func ofToast(_ body: [UInt8]) -> MessageAppearance {
        guard let root = read(body), root.name == "toast",
            let binding = root["visual"]?["binding"]
        else { return .data }
        let lines = binding.texts.compactMap(ShownText.make)
        guard let first = lines.first else { return .data }
        var toast =
            if lines.count > 1 {
                alert(title: first, text: lines.dropFirst().joined(separator: " "))
            } else {
                alert(title: nil, text: first)
            }
        toast.lines = Array(lines.prefix(mostLines))
        return toast
    }

    /// The raw pushes of hubsend: a bare id, or an object with one.
    private static func ofRaw(_ body: [UInt8]) -> MessageAppearance {
        if let id = PayloadIDs.id(of: body) { return .silent([id]) }
        let ids = JSONValue.read(body)?.members.map(PayloadIDs.ids) ?? []
        return ids.isEmpty ? .data : .silent(ids)
    }

    private static func read(_ body: [UInt8]) -> MarkupElement? {
        do {
            return try MarkupReader.read(body)
        } catch {
            // Whatever is wrong with it: nobody can show it.
            return nil
        }
    }
}

extension MarkupElement {
    /// The texts inside, those in groups and subgroups too, in their order.
    fileprivate var texts: [String] {
        children.flatMap { $0.name == "text" ? [$0.text] : $0.texts }
    }
}
