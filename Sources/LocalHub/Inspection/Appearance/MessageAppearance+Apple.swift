extension MessageAppearance {
    /// What an Apple device shows: `aps.alert`, a text or an object; with `content-available` alone, nothing.
    ///
    /// What the app looks up in its own language shows by the key.
    static func ofAPNs(_ object: JSONObject) -> MessageAppearance {
        let ids = PayloadIDs.ids(in: object)
        guard let aps = object.object("aps") else { return MessageAppearance(data: ids) }
        let sound = aps.string("sound") ?? aps.object("sound")?.string("name")
        return words(of: aps, ids).with(
            badge: aps.integer("badge").map(String.init), sound: sound)
    }

    private static func words(of aps: JSONObject, _ ids: [PayloadID]) -> MessageAppearance {
        if let text = aps.string("alert") {
            let alert = alert(title: nil, text: text, ids: ids)
            if alert.kind == .alert { return alert }
        }
        if let object = aps.object("alert") {
            let subtitle = object.string("subtitle") ?? object.string("subtitle-loc-key")
            let alert = alert(
                title: object.string("title") ?? object.string("title-loc-key"),
                subtitle: subtitle,
                text: object.string("body") ?? object.string("loc-key"), ids: ids)
            if alert.kind == .alert { return alert }
        }
        let isSilent = aps.integer("content-available") == 1
        return isSilent ? .silent(ids) : MessageAppearance(data: ids)
    }

    /// What is neither silent nor an alert, but may name a payload.
    private init(data ids: [PayloadID]) {
        self = .data
        self.ids = ids
    }
}
