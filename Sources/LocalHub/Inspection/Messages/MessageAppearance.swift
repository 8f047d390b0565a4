/// What the owner of a device sees of a push.
///
/// It is read from the body as the device's system would read it, within bounds. It never fails: what cannot be read is
/// ``Kind/data``.
struct MessageAppearance: Encodable, Equatable {
    /// What a push is to the owner of the device.
    enum Kind: String, Encodable {
        /// Nothing shows; the app wakes and does what it wants.
        case silent
        /// Title and text show.
        case alert
        /// Neither: a tile, a badge, or what only the app can read.
        case data
    }

    /// A member of a push that names a payload, which the app then fetches.
    struct PayloadID: Encodable, Equatable {
        /// The member's name.
        let name: String
        /// The id.
        let value: String
    }

    /// The largest body that is looked into, in bytes; no push service takes as much.
    private static let largestBody = 8_192

    /// What it is to the owner of the device.
    var kind: Kind
    /// The title that shows, of a silent push once the app has fetched; nil when there is none.
    var title: String?
    /// The line between title and text; nil when there is none.
    var subtitle: String?
    /// The text that shows, of a silent push once the app has fetched; nil when there is none.
    var text: String?
    /// What shows until the app has fetched, of a visible push the same as the text; nil when there is no such thing.
    var placeholder: String?
    /// The lines of a toast, the title first; nil where there are no such lines.
    var lines: [String]?
    /// The number on the app's icon; nil when it stays as it is.
    var badge: String?
    /// The sound; nil when the push names none.
    var sound: String?
    /// The address of a picture that the device fetches; nil when there is none.
    var image: String?
    /// What it is grouped with; nil when the push does not say.
    var thread: String?
    /// What opening it opens; nil when the push does not say.
    var link: String?
    /// The app's own keys and their texts; nil when there are none.
    var data: [String: String]?
    /// The ids of payloads.
    var ids: [PayloadID] = []

    /// What is neither silent nor an alert.
    static let data = MessageAppearance(kind: .data)

    /// What shows nothing.
    static func silent(_ ids: [PayloadID] = []) -> MessageAppearance {
        MessageAppearance(kind: .silent, ids: ids)
    }

    /// What shows a title or a text; ``data`` when there is neither.
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

    /// Adds what is shown or heard beside title and text, as the body has it.
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

    private init(kind: Kind, title: String? = nil, text: String? = nil, ids: [PayloadID] = []) {
        self.kind = kind
        self.title = title
        self.text = text
        self.ids = ids
    }

    /// Finds out what a push looks like.
    init(of push: ReceivedPush) {
        guard push.body.count <= Self.largestBody else {
            self = .data
            return
        }
        switch push.platform {
        case .wns: self = Self.ofWNS(push)
        case .mpns: self = Self.ofMPNS(push)
        case .apns, .fcm, .gcm, .adm, .baidu, .browser, .xiaomi:
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

/// Text out of a push, made fit to be shown in a list.
enum ShownText {
    /// The most characters of a text.
    static let longest = 1_000

    /// The text without control characters, cut where it is too long; nil when nothing of it would show.
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

/// Finds the ids of payloads in a push.
enum PayloadIDs {
    /// The members that name a payload (reference on the app's backend, sections 4 and 5), in the order shown.
    private static let names = ["secureId", "richId"]
    /// The most characters of an id.
    private static let longest = 128
    /// How long the ids of hubsend are.
    private static let ownLength = 26

    /// The ids among the members of an object: texts of a sane length.
    static func ids(in object: JSONObject) -> [MessageAppearance.PayloadID] {
        names.compactMap { name in
            guard let value = object.string(name), isSane(value) else { return nil }
            return MessageAppearance.PayloadID(name: name, value: value)
        }
    }

    /// The id that is the whole body, as in the raw WNS push of a secure campaign; nil when the body is something else.
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
