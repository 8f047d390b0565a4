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

    /// What an Android device shows of an FCM v1 message: `notification`, where Android's own words win.
    static func ofFCM(_ object: JSONObject) -> MessageAppearance {
        guard let message = object.object("message") else { return .data }
        let general = message.object("notification")
        let own = message.object("android")?.object("notification")
        let data = message.object("data") ?? message.object("android")?.object("data")
        let ids = data.map(PayloadIDs.ids) ?? []
        guard general != nil || own != nil else {
            return data == nil ? .data : .silent(ids)
        }
        func word(_ name: String, _ key: String) -> String? {
            own?.string(name) ?? own?.string(key) ?? general?.string(name)
        }
        return alert(
            title: word("title", "title_loc_key"), text: word("body", "body_loc_key"), ids: ids
        ).with(
            badge: own?.integer("notification_count").map(String.init),
            sound: own?.string("sound"),
            image: own?.string("image") ?? general?.string("image"))
    }

    /// What a device shows of a legacy Google message, or of one of Amazon's, which has the same form.
    static func ofGoogleLegacy(_ object: JSONObject) -> MessageAppearance {
        let data = object.object("data")
        let ids = data.map(PayloadIDs.ids) ?? []
        guard let notification = object.object("notification") else {
            return data == nil ? .data : .silent(ids)
        }
        return alert(
            title: notification.string("title") ?? notification.string("title_loc_key"),
            text: notification.string("body") ?? notification.string("body_loc_key"), ids: ids
        ).with(sound: notification.string("sound"), image: notification.string("image"))
    }

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
            // A device could not show it either.
            return nil
        }
    }

    /// What a browser shows is up to the page's worker; most take `title` and `body`, or the same in `notification`.
    static func ofBrowser(_ object: JSONObject) -> MessageAppearance {
        let notification = object.object("notification") ?? object
        let data = object.object("data") ?? object
        return alert(
            title: notification.string("title"), text: notification.string("body"),
            ids: PayloadIDs.ids(in: data))
    }

    /// What a device with Baidu's service shows: `title` and `description`, unless the message is for the app alone.
    static func ofBaidu(_ object: JSONObject, headers: [String: String]) -> MessageAppearance {
        let ids = PayloadIDs.ids(in: object.object("custom_content") ?? object)
        // Baidu's message type: 0 is for the app, 1 is a notification.
        guard headers["x-baidu-message-type"] != "0" else {
            return MessageAppearance.silent(ids)
        }
        return alert(
            title: object.string("title"), text: object.string("description"), ids: ids)
    }

    /// What a device with Xiaomi's service shows: `title` and `description`, unless the message is for the app alone.
    static func ofXiaomi(_ object: JSONObject) -> MessageAppearance {
        let ids = PayloadIDs.ids(in: object)
        let passesThrough =
            object.integer("pass_through") == 1 || object.string("pass_through") == "1"
        guard !passesThrough else { return .silent(ids) }
        return alert(
            title: object.string("title"), text: object.string("description"), ids: ids)
    }
}

extension MarkupElement {
    /// The texts inside, those in groups and subgroups too, in their order.
    fileprivate var texts: [String] {
        children.flatMap { $0.name == "text" ? [$0.text] : $0.texts }
    }
}
