import CampaignCore

/// The key `delivery`, without parts that could not be read.
struct DeliverySection {
    /// The earliest time for a fallback; devices need some time to fetch first.
    private static let soonestFallback = Duration.seconds(60)

    private(set) var policy = DeliveryPolicy()
    /// The minute of the day at which each person gets the push; nil means immediately.
    private(set) var localTime: Located<Int>?
    /// Whether `local_time` is present, even if its value is invalid.
    private(set) var hasLocalTime = false
    private(set) var fallbackWait: Located<Duration>?
    private(set) var fallbackMessage: LocatedTemplate?
    private(set) var place: SourceRange?
    /// The place of the rate if it is valid.
    private(set) var ratePlace: SourceRange?
    private(set) var capPlace: SourceRange?

    init(_ campaign: MappingReader) {
        guard let delivery = campaign.mapping("delivery") else { return }
        place = delivery.keyRange
        policy = delivery.read(DeliveryPolicy.fields, into: policy) ?? policy
        ratePlace = delivery["rate"].flatMap {
            $0.scalarText.flatMap(RateText.parse) == nil ? nil : $0.range
        }
        capPlace = delivery["frequency_cap"]?.entry(at: "per")?.value.range
        localTime = delivery.timeOfDay("local_time", form: "09:00")
        hasLocalTime = delivery.has("local_time")
        guard let fallback = delivery.mapping("fallback") else { return }
        fallbackMessage = fallback.template("message")
        fallbackWait = fallback.value("after", DurationText.usual.parse)
        guard let wait = fallbackWait, wait.value < Self.soonestFallback else { return }
        fallbackWait = nil
        delivery.findings.error(
            .outOfRange, at: wait.range,
            "\"\(fallback.name(of: "after"))\" must be at least \(Durations.written(Self.soonestFallback))."
        )
    }

    var fallback: Fallback? {
        guard let fallbackWait, let fallbackMessage else { return nil }
        return Fallback(after: fallbackWait.value, message: fallbackMessage.template)
    }

    // MARK: Together with the payload

    /// The policy for a payload; people can share a push only if they get the same content.
    func policy(for payload: PayloadSection, findings: Findings) -> DeliveryPolicy {
        guard payload.payload.isPersonal, policy.recipientsPerPush > 1, let place else {
            return policy
        }
        findings.warning(
            .noEffect, at: place,
            "The payload has variables, so recipients cannot share a push.",
            help: "Delete \"recipients_per_push\"; each recipient needs a separate push.")
        var policy = policy
        policy.recipientsPerPush = 1
        return policy
    }

    /// - Parameter place: the place where the file sets the payload's lifetime.
    func checkFallback(
        of kind: CampaignKind?, _ payload: PayloadSection, expiring place: SourceRange?,
        findings: Findings
    ) {
        if let wait = fallbackWait, let life = payload.life, wait.value >= life {
            findings.error(
                .conflictingKeys, at: wait.range,
                "The payload expires after \(Durations.written(life)), before the fallback would be sent.",
                help: "Write a shorter time, or a longer \"payload.expires_after\".",
                related: place.map { ("The payload's lifetime is set here.", $0) })
        }
        // Locked screens show a fallback and push services can read it, so it must not contain
        // private content.
        guard let message = fallbackMessage,
            let variable = message.template.variables.first(where: { !$0.isEmpty })
        else { return }
        let sentence: DiagnosticMessage
        switch kind {
        case .secure:
            sentence =
                "The fallback of a secure campaign would show \"{{\(variable)}}\" on locked screens and send it through Apple, Google or Microsoft."
        case .rich where payload.isPrivate == true:
            sentence =
                "The fallback would show \"{{\(variable)}}\" on locked screens, but \"private_message: true\" keeps values out of pushes."
        case .rich, .alert, nil: return
        }
        findings.error(
            .secureLeak, at: message.range, sentence,
            help: "Write text that is the same for everybody, such as \"You have a new message\"."
        )
    }
}
