extension MessageAppearance {
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
