import CampaignCore

/// What a device shows of a message at one moment.
struct PreviewMoment {
    enum Time {
        case atOnce
        case fetched
    }

    let time: Time
    let title: String?
    let text: String?

    /// In order; platforms draw them alike.
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
        // The app fetches a secure campaign's text.
        let text = kind == .secure ? message.fetchedText : appearance.message
        guard appearance.title != nil || text != nil else { return [first] }
        return [
            first, PreviewMoment(time: .fetched, title: appearance.title, text: text ?? ""),
        ]
    }

    static let silence = "nothing is shown until the app has fetched it"
}
