import Foundation

/// The content of a push that is meant for the app, in addition to payload ids: text that the app
/// shows, and keys that only the app reads.
struct AppKeys {
    /// The keys that have a meaning for devices, operating systems or push services.
    private static let known: Set = [
        "aps", "secureId", "richId", "richType", "richMessage", "message", "title", "body",
        "placeholder", "link", "notification", "data",
    ]
    private static let mostData = 32
    /// The maximum length of toast arguments that are parsed, in characters.
    private static let longestLaunch = 4_096

    /// The text that the app shows until it has fetched the payload.
    let placeholder: String?
    let title: String?
    /// The text or, for a rich push, the message.
    let text: String?
    let link: String?
    let data: [String: String]?
    let ids: [MessageAppearance.PayloadID]

    init(_ object: JSONObject) {
        placeholder = object.string("placeholder")
        title = object.string("title")
        text = object.string("richMessage") ?? object.string("message")
        link = object.string("link")
        ids = PayloadIDs.ids(in: object)
        var data: [String: String] = [:]
        for (name, value) in object.sorted(by: { $0.key < $1.key })
        where !Self.known.contains(name) {
            guard let name = ShownText.make(name), let value = value.text.flatMap(ShownText.make)
            else { continue }
            data[name] = value
            guard data.count < Self.mostData else { break }
        }
        self.data = data.isEmpty ? nil : data
    }

    /// Reads the `launch` arguments of a toast: names and values, written like a URL query.
    init(launch: String?) {
        var object: JSONObject = [:]
        for part in (launch ?? "").prefix(Self.longestLaunch).split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = String(pair[0]).removingPercentEncoding,
                let value = String(pair[1]).removingPercentEncoding
            else { continue }
            object[name] = .string(value)
        }
        self.init(object)
    }
}

extension MessageAppearance {
    /// A push that shows nothing by itself; the app shows the title and text once it has fetched
    /// the payload.
    static func silent(_ keys: AppKeys) -> MessageAppearance {
        var appearance = MessageAppearance.silent(keys.ids).with(keys)
        appearance.title = keys.title.flatMap(ShownText.make)
        appearance.text = keys.text.flatMap(ShownText.make)
        appearance.placeholder = keys.placeholder.flatMap(ShownText.make)
        return appearance
    }

    func with(_ keys: AppKeys) -> MessageAppearance {
        var appearance = self
        appearance.link = keys.link.flatMap(ShownText.make)
        appearance.data = keys.data
        return appearance
    }
}
