import CampaignCore
import YAMLSyntax

struct FallbackDecoder {
    /// Earlier, no device had a chance to fetch.
    private static let soonest = Duration.seconds(60)

    private let fallback: MappingReader
    private let campaign: MappingReader
    private let kind: CampaignKind?
    private let payload: Payload?
    private var findings: Findings { fallback.findings }

    /// nil if there is no fallback, or if the kind cannot have one.
    init?(
        _ delivery: MappingReader, of campaign: MappingReader, kind: CampaignKind?,
        payload: Payload?
    ) {
        guard let fallback = delivery.mapping("fallback") else { return nil }
        if let kind, MappingShape.delivery["fallback"]?.kinds.contains(kind) == false {
            delivery.findings.error(
                .keyNotForKind, at: delivery.range(ofKey: "fallback"),
                "A campaign of kind \(kind.rawValue) has no \"\(delivery.name(of: "fallback"))\".",
                help: "It is visible already, and nothing is fetched; delete the key.")
            return nil
        }
        self.fallback = fallback
        self.campaign = campaign
        self.kind = kind
        self.payload = payload
    }

    /// The message is returned as far as it could be read.
    func decode() -> (fallback: Fallback?, message: LocatedTemplate?) {
        let errorsBefore = findings.errors
        let after = fallback.value("after", DurationText.parse)
        let message = fallback.template("message")
        if let after { check(after) }
        if let message { checkSecrecy(of: message) }
        guard let after, let message, findings.errors == errorsBefore else {
            return (nil, message)
        }
        return (Fallback(after: after.value, message: message.template), message)
    }

    private func check(_ after: Located<Duration>) {
        guard after.value >= Self.soonest else {
            findings.error(
                .outOfRange, at: after.range,
                "\"\(fallback.name(of: "after"))\" must be at least \(DurationText.text(of: Self.soonest))."
            )
            return
        }
        guard let life = payload?.expiresAfter, after.value >= life else { return }
        let place = campaign["payload"]?.entry(at: "expires_after")?.value.range
        findings.error(
            .conflictingKeys, at: after.range,
            "The payload has expired after \(DurationText.text(of: life)), before anybody would get the fallback.",
            help: "Write less than that, or a longer \"payload.expires_after\".",
            related: place.map { ("It expires after this.", $0) })
    }

    /// Locked screens and push services show a fallback; private content must stay out of it.
    private func checkSecrecy(of message: LocatedTemplate) {
        guard let variable = message.template.variables.first(where: { !$0.isEmpty }) else {
            return
        }
        let sentence: DiagnosticMessage
        switch kind {
        case .secure:
            sentence =
                "The fallback of a secure campaign would show \"{{\(variable)}}\" on the locked screen, and Apple, Google or Microsoft would carry it."
        case .rich
        where campaign["payload"]?.entry(at: "private_message")?.value.scalarText == "true":
            sentence =
                "The fallback would show \"{{\(variable)}}\" on the locked screen, and \"private_message: true\" keeps values out of pushes."
        case .rich, .alert, nil: return
        }
        findings.error(
            .secureLeak, at: message.range, sentence,
            help: "Write a text that is the same for all, such as \"You have a new message\".")
    }
}
