/// The appearance of a push on a device.
///
/// The body is read as the device would read it, within limits; an unreadable body becomes
/// ``Kind/data``.
struct MessageAppearance: Encodable, Equatable {
    enum Kind: String, Encodable {
        /// The device shows nothing; the app wakes up and decides what to do.
        case silent
        /// The device shows a title and text.
        case alert
        /// A tile, a badge, or data that only the app can read.
        case data
    }

    /// A member of a push that contains the id of a payload, which the app fetches.
    struct PayloadID: Encodable, Equatable {
        let name: String
        let value: String
    }

    /// The largest body that is parsed, in bytes; no push service accepts a larger one.
    private static let largestBody = 8_192

    var kind: Kind
    /// The title; for a silent push, it is shown after the app has fetched the payload.
    var title: String?
    /// The line between title and text.
    var subtitle: String?
    /// The text; for a silent push, it is shown after the app has fetched the payload.
    var text: String?
    /// The text that is shown until the app has fetched the payload.
    var placeholder: String?
    /// The lines of a toast, title first.
    var lines: [String]?
    /// The number on the app's icon; nil leaves it unchanged.
    var badge: String?
    var sound: String?
    var image: String?
    var thread: String?
    var link: String?
    var data: [String: String]?
    var ids: [PayloadID] = []

    /// An appearance that is neither silent nor an alert.
    static let data = MessageAppearance(kind: .data)

    static func silent(_ ids: [PayloadID] = []) -> MessageAppearance {
        MessageAppearance(kind: .silent, ids: ids)
    }

    /// Shows a title or text; ``data`` if there is neither.
    static func alert(
        title: String?, subtitle: String? = nil, text: String?, ids: [PayloadID] = []
    ) -> MessageAppearance {
        let title = title.flatMap(ShownText.make)
        let subtitle = subtitle.flatMap(ShownText.make)
        let text = text.flatMap(ShownText.make)
        let isShown = title != nil || subtitle != nil || text != nil
        var appearance = MessageAppearance(
            kind: isShown ? .alert : .data, title: title, text: text, ids: ids)
        appearance.subtitle = subtitle
        return appearance
    }

    func with(
        badge: String? = nil, sound: String? = nil, image: String? = nil, thread: String? = nil
    ) -> MessageAppearance {
        var appearance = self
        appearance.badge = badge.flatMap(ShownText.make)
        appearance.sound = sound.flatMap(ShownText.make)
        appearance.image = image.flatMap(ShownText.make)
        appearance.thread = thread.flatMap(ShownText.make)
        return appearance
    }
}

extension MessageAppearance {
    init(of push: ReceivedPush) {
        guard push.body.count <= Self.largestBody else {
            self = .data
            return
        }
        switch push.platform {
        case .wns: self = Self.ofWNS(push)
        case .mpns: self = Self.ofMPNS(push)
        default:
            let object = JSONValue.read(push.body)?.members
            self = object.map { Self.of($0, on: push.platform, headers: push.headers) } ?? .data
        }
    }

    private static func of(
        _ object: JSONObject, on platform: LocalHubPlatform, headers: [String: String]
    ) -> MessageAppearance {
        switch platform {
        case .apns: ofAPNs(object)
        case .fcm: ofFCM(object)
        case .gcm: ofGoogleLegacy(object)
        case .adm: ofADM(object)
        case .browser: ofBrowser(object)
        case .baidu: ofBaidu(object, headers: headers)
        case .xiaomi: ofXiaomi(object)
        case .wns, .mpns: .data
        }
    }
}

/// Text from a push, made safe to show in a list.
enum ShownText {
    static let longest = 1_000

    /// The text without control characters, truncated at the limit; nil if nothing would be
    /// visible.
    static func make(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        var shown = String.UnicodeScalarView()
        for scalar in scalars.prefix(longest) {
            shown.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        guard shown.contains(where: { !$0.properties.isWhitespace }) else { return nil }
        return String(shown) + (scalars.dropFirst(longest).isEmpty ? "" : "…")
    }
}

enum PayloadIDs {
    /// The members that contain the id of a payload, in the order in which they are shown.
    private static let names = ["secureId", "richId"]
    private static let longest = 128
    private static let ownLength = 26

    static func ids(in object: JSONObject) -> [MessageAppearance.PayloadID] {
        names.compactMap { name in
            guard let value = object.string(name), isSane(value) else { return nil }
            return MessageAppearance.PayloadID(name: name, value: value)
        }
    }

    static func id(of body: [UInt8]) -> MessageAppearance.PayloadID? {
        let isOwn =
            body.count == ownLength
            && body.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
        guard isOwn else { return nil }
        return MessageAppearance.PayloadID(
            name: names[0], value: String(decoding: body, as: UTF8.self))
    }

    private static func isSane(_ value: String) -> Bool {
        (1...longest).contains(value.utf8.count)
            && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
