import CampaignCore
import Delivery

/// One message in one language, filled in for one person if it has variables.
struct PreviewMessage: Sendable {
    /// nil: `default`.
    var language: LanguageTag?
    /// How many people read this message or a similar one; nil if the user asked for a person.
    var people: Int?
    /// The person whose values are shown; nil if everybody reads the same message or values are
    /// hidden.
    var person: Username?
    /// Variables without a value, for which the default text is shown.
    var defaults: [String] = []
    /// One entry per group of platforms with equal texts.
    var appearances: [PreviewAppearance]
    /// The type and content of a rich push.
    var type: String?
    var link: String?
    /// The data, in the order of the file.
    var data: [(key: String, value: String)] = []
    /// The content that the app fetches; nil for an alert.
    var content: PreviewContent?
}

struct PreviewAppearance: Hashable, Sendable {
    var platforms: [Platform]
    var texts: Texts<String>
    /// Whether the placeholder already has the title.
    var isTitleEarly = false
}

enum PreviewContent: Sendable {
    case text(String)
    case url(String)
    case file(PayloadFile)
}

extension PreviewMessage {
    /// - Parameter people: how many people read this message or a similar one; nil if the user
    ///   asked for `member`.
    init(_ sample: SampleMessage, of campaign: Campaign, to member: AudienceMember?, people: Int?) {
        let rendered = sample.notification
        // Name a person only if others read a different text.
        let isNamed = campaign.payload.isPersonal || people == nil
        self.init(
            language: rendered.language, people: people,
            person: isNamed ? member?.username : nil, defaults: isNamed ? sample.unset : [],
            appearances: PreviewAppearance.all(of: sample), type: rendered.type,
            link: rendered.link,
            data: campaign.payload.data.compactMap { key, _ in
                rendered.data[key].map { (key, $0) }
            }, content: PreviewContent(rendered.content))
    }
}

extension PreviewAppearance {
    /// Groups the platforms whose devices show the same text.
    fileprivate static func all(of sample: SampleMessage) -> [PreviewAppearance] {
        sample.pushes.reduce(into: []) { all, push in
            let (pushed, fetched) = (push.content, sample.notification)
            let appearance = PreviewAppearance(
                platforms: [push.platform],
                texts: pushed.texts.over(fetched.texts.filter { !$0.isPlaceholder }),
                isTitleEarly: pushed.texts.title != nil && pushed.texts.placeholder != nil)
            if let same = all.firstIndex(where: { $0.shows(what: appearance) }) {
                all[same].platforms.append(push.platform)
            } else {
                all.append(appearance)
            }
        }
    }

    private func shows(what other: PreviewAppearance) -> Bool {
        var same = other
        same.platforms = platforms
        return self == same
    }
}

extension PreviewContent {
    fileprivate init?(_ content: StoredContent) {
        switch content {
        case .none: return nil
        case .text(let text, mediaType: "text/uri-list"): self = .url(text)
        case .text(let text, mediaType: _): self = .text(text)
        case .file(let file): self = .file(file)
        }
    }
}

extension PreviewMessage {
    /// The length at which a text is cut, in bytes.
    private static let longestText = 16_000

    /// Returns a title such as `German (de), 300 people, as bob reads it, without a value for
    /// "first_name"`.
    var heading: Phrase {
        var parts: [Phrase] = []
        if let language { parts.append("\(LanguageNames.phrase(language))") }
        if let people { parts.append(Phrase(Figures.count(people, "person", "people"))) }
        if let person { parts.append("as \(name: person.text) reads it") }
        if !defaults.isEmpty {
            let variables = defaults.map { variable -> Phrase in "\(given: variable)" }
            parts.append("without a value for \(Phrase.list(variables))")
        }
        return .list(parts)
    }

    /// The beginning of a secure campaign's text.
    var fetchedText: String? {
        switch content {
        case .text(let text): text
        case .file(let file):
            String(decoding: file.bytes.prefix(Self.longestText), as: UTF8.self)
        case .url, nil: nil
        }
    }

    /// The content in words, with its size.
    var contentWords: Phrase? {
        switch content {
        case nil: nil
        case .text(let text): "a text of \(Figures.size(text.utf8.count))"
        case .url: "a link"
        case .file(let file):
            "\(given: file.path) (\(name: file.mediaType), \(Figures.size(file.bytes.count)))"
        }
    }
}
