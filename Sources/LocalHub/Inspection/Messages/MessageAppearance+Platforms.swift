extension MessageAppearance {
    /// The appearance on an Apple device: `aps.alert`, a string or an object; with only
    /// `content-available`, nothing.
    ///
    /// Localised text is shown as its key. With `mutable-content`, an alert that refers to a
    /// payload is a placeholder, which the app's notification service extension replaces.
    static func ofAPNs(_ object: JSONObject) -> MessageAppearance {
        let keys = AppKeys(object)
        guard let aps = object.object("aps") else {
            return MessageAppearance(data: keys.ids).with(keys)
        }
        let sound = aps.string("sound") ?? aps.object("sound")?.string("name")
        var appearance = words(of: aps, keys)
        if appearance.kind == .alert, !keys.ids.isEmpty, aps.integer("mutable-content") == 1 {
            appearance.placeholder = appearance.text
        }
        return appearance.with(
            badge: aps.integer("badge").map(String.init), sound: sound,
            thread: aps.string("thread-id"))
    }

    private static func words(of aps: JSONObject, _ keys: AppKeys) -> MessageAppearance {
        if let text = aps.string("alert") {
            let alert = alert(title: nil, text: text, ids: keys.ids)
            if alert.kind == .alert { return alert.with(keys) }
        }
        if let object = aps.object("alert") {
            let subtitle = object.string("subtitle") ?? object.string("subtitle-loc-key")
            let alert = alert(
                title: object.string("title") ?? object.string("title-loc-key"),
                subtitle: subtitle,
                text: object.string("body") ?? object.string("loc-key"), ids: keys.ids)
            if alert.kind == .alert { return alert.with(keys) }
        }
        let isSilent = aps.integer("content-available") == 1
        return isSilent ? .silent(keys) : MessageAppearance(data: keys.ids).with(keys)
    }

    /// The push is neither silent nor an alert, but it may refer to a payload.
    private init(data ids: [PayloadID]) {
        self = .data
        self.ids = ids
    }

    /// The appearance of an FCM v1 message on an Android device: `notification`, unless
    /// `android.notification` overrides it.
    static func ofFCM(_ object: JSONObject) -> MessageAppearance {
        guard let message = object.object("message") else { return .data }
        let general = message.object("notification")
        let own = message.object("android")?.object("notification")
        let data = message.object("data") ?? message.object("android")?.object("data")
        let keys = AppKeys(data ?? [:])
        guard general != nil || own != nil else { return data == nil ? .data : .silent(keys) }
        func word(_ name: String, _ key: String) -> String? {
            own?.string(name) ?? own?.string(key) ?? general?.string(name)
        }
        return alert(
            title: word("title", "title_loc_key"), text: word("body", "body_loc_key"),
            ids: keys.ids
        ).with(keys).with(
            badge: own?.integer("notification_count").map(String.init),
            sound: own?.string("sound"),
            image: own?.string("image") ?? general?.string("image"))
    }

    static func ofGoogleLegacy(_ object: JSONObject) -> MessageAppearance {
        let data = object.object("data")
        let keys = AppKeys(data ?? [:])
        guard let notification = object.object("notification") else {
            return data == nil ? .data : .silent(keys)
        }
        return alert(
            title: notification.string("title") ?? notification.string("title_loc_key"),
            text: notification.string("body") ?? notification.string("body_loc_key"), ids: keys.ids
        ).with(keys).with(
            sound: notification.string("sound"), image: notification.string("image"))
    }

    /// The appearance on an Amazon device: the text in `notification`, or what its app shows for
    /// `message` in `data`.
    static func ofADM(_ object: JSONObject) -> MessageAppearance {
        guard !object.has("notification"), let data = object.object("data") else {
            return ofGoogleLegacy(object)
        }
        return ofAppKeys(AppKeys(data))
    }

    /// The appearance in an app that receives the whole push: text that it shows immediately, or a
    /// payload that it fetches.
    private static func ofAppKeys(_ keys: AppKeys) -> MessageAppearance {
        guard keys.ids.isEmpty, keys.text != nil else { return .silent(keys) }
        let alert = alert(title: keys.title, text: keys.text)
        return alert.kind == .alert ? alert.with(keys) : .silent(keys)
    }

    private static let mostLines = 32

    /// The appearance on a Windows device: the text of a toast; a raw push reaches only the app.
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

    static func ofMPNS(_ push: ReceivedPush) -> MessageAppearance {
        guard let root = read(push.body), let toast = root["Toast"] else { return .data }
        return alert(title: toast["Text1"]?.text, text: toast["Text2"]?.text)
    }

    /// The text lines of a toast; if there are several lines, the first is the title.
    ///
    /// The payloads whose ids are in `launch` are fetched when the toast is opened.
    private static func ofToast(_ body: [UInt8]) -> MessageAppearance {
        guard let root = read(body), root.name == "toast",
            let binding = root["visual"]?["binding"]
        else { return .data }
        let lines = binding.texts.compactMap(ShownText.make)
        guard let first = lines.first else { return .data }
        let keys = AppKeys(launch: root.attributes["launch"])
        let hasTitle = lines.count > 1
        var toast = alert(
            title: hasTitle ? first : nil,
            text: hasTitle ? lines.dropFirst().joined(separator: " ") : first, ids: keys.ids
        ).with(keys)
        toast.lines = Array(lines.prefix(mostLines))
        if !keys.ids.isEmpty { toast.placeholder = toast.text }
        return toast
    }

    /// The raw pushes of hubsend, which are an id or an object with an id.
    private static func ofRaw(_ body: [UInt8]) -> MessageAppearance {
        if let id = PayloadIDs.id(of: body) { return .silent([id]) }
        let keys = AppKeys(JSONValue.read(body)?.members ?? [:])
        return keys.ids.isEmpty ? .data : .silent(keys)
    }

    private static func read(_ body: [UInt8]) -> MarkupElement? {
        do {
            return try MarkupReader.read(body)
        } catch {
            // A device could not show this push either.
            return nil
        }
    }

    /// The page's service worker decides what a browser shows.
    ///
    /// A worker for hubsend shows `message` or the payload that it fetches; most others show
    /// `title` and `body`, at the top level or in `notification`.
    static func ofBrowser(_ object: JSONObject) -> MessageAppearance {
        let keys = AppKeys(object.object("data") ?? object)
        let notification = object.object("notification") ?? object
        guard notification.has("body") || object.has("notification") || keys.ids.isEmpty else {
            return .silent(keys)
        }
        return alert(
            title: notification.string("title"),
            text: notification.string("body") ?? object.string("message"), ids: keys.ids
        ).with(keys)
    }

    /// The appearance on a device with Baidu's service: `title` and `description`, unless the
    /// message is only for the app.
    static func ofBaidu(_ object: JSONObject, headers: [String: String]) -> MessageAppearance {
        let ids = PayloadIDs.ids(in: object.object("custom_content") ?? object)
        // Baidu's message type: 0 is for the app, 1 is a notification.
        guard headers["x-baidu-message-type"] != "0" else { return MessageAppearance.silent(ids) }
        return alert(
            title: object.string("title"), text: object.string("description"), ids: ids)
    }

    /// The appearance on a device with Xiaomi's service: `title` and `description`, unless the
    /// message is only for the app.
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
    /// The text elements inside, in order, including those in groups.
    fileprivate var texts: [String] {
        children.flatMap { $0.name == "text" ? [$0.text] : $0.texts }
    }
}
