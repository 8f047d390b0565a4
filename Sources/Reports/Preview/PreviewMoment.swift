import CampaignCore

/// What a device shows of a message at one moment.
struct PreviewMoment {
    enum Time {
        /// When the push arrives.
        case atOnce
        /// When the app has fetched what the push names.
        case fetched
    }

    let time: Time
    let title: String?
    /// nil: nothing is shown.
    let text: String?

    /// The moments of a message, in order; platforms draw them alike.
    ///
    /// - Parameters:
    ///   - appearance: what it says.
    ///   - message: the message.
    ///   - kind: the campaign's kind.
    static func all(
        of appearance: PreviewAppearance, in message: PreviewMessage, kind: CampaignKind
    ) -> [PreviewMoment] {
        guard kind.isSilent else {
            return [
                PreviewMoment(
                    time: .atOnce, title: appearance.title, text: appearance.message ?? "")
            ]
        }
        let first = PreviewMoment(
            time: .atOnce, title: appearance.isTitleEarly ? appearance.title : nil,
            text: appearance.placeholder)
        // A secure campaign's text is what the app fetches.
        let text = kind == .secure ? message.fetchedText : appearance.message
        guard appearance.title != nil || text != nil else { return [first] }
        return [
            first, PreviewMoment(time: .fetched, title: appearance.title, text: text ?? ""),
        ]
    }

    /// What is said in place of a text where there is none.
    static let silence = "nothing is shown until the app has fetched it"
}
