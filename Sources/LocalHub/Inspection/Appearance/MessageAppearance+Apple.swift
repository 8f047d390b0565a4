extension MessageAppearance {
    /// What an Apple device shows: `aps.alert`, a text or an object; with `content-available` alone, nothing.
    ///
    /// What the app looks up in its own language shows by the key.
    static func ofAPNs(_ object: JSONObject) -> MessageAppearance {
        let ids = PayloadIDs.ids(in: object)
        guard let aps = object.object("aps") else { return MessageAppearance(data: ids) }
        if let text = aps.string("alert") {
            let alert = alert(title: nil, text: text, ids: ids)
            if alert.kind == .alert { return alert }
        }
        if let object = aps.object("alert") {
            let alert = alert(
                title: object.string("title") ?? object.string("title-loc-key"),
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
