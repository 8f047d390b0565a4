extension MessageAppearance {
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
}
