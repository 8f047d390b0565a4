/// Text that a push shows to people.
///
/// CONTRIBUTING.md describes how to add a case.
package enum TextKey: String, CaseIterable, Hashable, Sendable {
    case title
    case message
    /// Shown until the device has fetched the payload; without it, the push of a silent campaign
    /// shows nothing.
    case placeholder

    package static let all = allCases
    /// Texts that devices fetch with the payload if they are private.
    package static let fetched = allCases.filter { !$0.isPlaceholder }
    /// Texts that are shown above a message.
    package static let heads = fetched.filter { $0 != .message }

    package var isPlaceholder: Bool { self == .placeholder }

    /// The kinds of campaigns that have this text.
    package var kinds: Set<CampaignKind> { Set(CampaignKind.allCases.filter(isPart)) }

    package func isPart(of kind: CampaignKind) -> Bool {
        isPlaceholder ? kind.isSilent : kind != .secure
    }
}

/// One optional value for each text.
package struct Texts<Value> {
    package var title: Value?
    package var message: Value?
    package var placeholder: Value?

    package init(title: Value? = nil, message: Value? = nil, placeholder: Value? = nil) {
        self.title = title
        self.message = message
        self.placeholder = placeholder
    }

    package subscript(key: TextKey) -> Value? {
        get {
            switch key {
            case .title: title
            case .message: message
            case .placeholder: placeholder
            }
        }
        set {
            switch key {
            case .title: title = newValue
            case .message: message = newValue
            case .placeholder: placeholder = newValue
            }
        }
    }

    /// All values in the order of the keys.
    package var all: [Value] { TextKey.all.compactMap { self[$0] } }

    package var isEmpty: Bool { TextKey.all.allSatisfy { self[$0] == nil } }

    package func map<Other, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other?
    ) throws(Failure) -> Texts<Other> {
        var others = Texts<Other>()
        for key in TextKey.all {
            if let value = self[key] { others[key] = try transform(value) }
        }
        return others
    }

    package func filter(_ isKept: (TextKey) -> Bool) -> Texts {
        var kept = self
        for key in TextKey.all where !isKept(key) { kept[key] = nil }
        return kept
    }

    /// Returns these texts, in which missing texts are taken from `others`.
    package func over(_ others: Texts) -> Texts {
        var texts = others
        for key in TextKey.all { texts[key] = self[key] ?? others[key] }
        return texts
    }
}

extension Texts: Equatable where Value: Equatable {}
extension Texts: Hashable where Value: Hashable {}
extension Texts: Sendable where Value: Sendable {}
