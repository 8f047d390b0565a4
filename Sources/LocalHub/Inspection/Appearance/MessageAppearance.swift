/// What the owner of a device sees of a push, and what a person who looks for it would search it by.
///
/// It is read out of the body as the device's system would, within bounds, and never fails: what cannot be read is ``Kind/data``.
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
    static let largestBody = 8_192

    /// What it is to the owner of the device.
    var kind: Kind
    /// The title that shows; nil when there is none.
    var title: String?
    /// The line between title and text; nil when there is none.
    var subtitle: String?
    /// The text that shows; nil when there is none.
    var text: String?
    /// The lines of a toast, the title first; nil where there are no such lines.
    var lines: [String]?
    /// The number on the app's icon; nil when it stays as it is.
    var badge: String?
    /// The sound; nil when the push names none.
    var sound: String?
    /// The address of a picture that the device fetches; nil when there is none.
    var image: String?
    /// The ids of payloads.
    var ids: [PayloadID] = []

    /// What is neither silent nor an alert.
    static let data = MessageAppearance(kind: .data)

    /// What shows nothing.
    ///
    /// - Parameter ids: the ids of payloads.
    /// - Returns: the appearance.
    static func silent(_ ids: [PayloadID] = []) -> MessageAppearance {
        MessageAppearance(kind: .silent, ids: ids)
    }

    /// What shows a title or a text; ``data`` when there is neither.
    ///
    /// - Parameters:
    ///   - title: the title as the body has it.
    ///   - subtitle: the line below it.
    ///   - text: the text as the body has it.
    ///   - ids: the ids of payloads.
    /// - Returns: the appearance.
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
    ///
    /// - Parameters:
    ///   - badge: the number on the app's icon.
    ///   - sound: the sound.
    ///   - image: the address of a picture.
    /// - Returns: the appearance with them.
    func with(
        badge: String? = nil, sound: String? = nil, image: String? = nil
    ) -> MessageAppearance {
        var appearance = self
        appearance.badge = badge.flatMap(ShownText.make)
        appearance.sound = sound.flatMap(ShownText.make)
        appearance.image = image.flatMap(ShownText.make)
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
        case .gcm, .adm: ofGoogleLegacy(object)
        case .browser: ofBrowser(object)
        case .baidu: ofBaidu(object, headers: headers)
        case .xiaomi: ofXiaomi(object)
        case .wns, .mpns: .data
        }
    }
}
