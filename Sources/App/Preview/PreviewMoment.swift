import CampaignCore

/// The part of a message that a device shows at first, or after the app has fetched the content.
struct PreviewMoment {
    enum Time {
        case atOnce
        case fetched
    }

    let time: Time
    let heads: Texts<String>
    let text: String?

    /// Returns the moments in order.
    static func all(
        of appearance: PreviewAppearance, in message: PreviewMessage, kind: CampaignKind
    ) -> [PreviewMoment] {
        let texts = appearance.texts
        let heads = texts.filter(TextKey.heads.contains)
        guard kind.isSilent else {
            return [PreviewMoment(time: .atOnce, heads: heads, text: texts.message ?? "")]
        }
        let first = PreviewMoment(
            time: .atOnce, heads: appearance.isTitleEarly ? heads : Texts(),
            text: texts.placeholder)
        // In a secure campaign, the text is the fetched content.
        let text = kind == .secure ? message.fetchedText : texts.message
        guard !heads.isEmpty || text != nil else { return [first] }
        return [first, PreviewMoment(time: .fetched, heads: heads, text: text ?? "")]
    }

    static let silence = "nothing is shown until the app has fetched it"
}
