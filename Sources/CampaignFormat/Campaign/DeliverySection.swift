import CampaignCore

/// The key `delivery`, as far as it could be read.
struct DeliverySection {
    /// Earlier, no device had a chance to fetch.
    private static let soonestFallback = Duration.seconds(60)

    private(set) var policy = DeliveryPolicy()
    /// The minute of the day at which each person is sent to; nil: at once.
    private(set) var localTime: Located<Int>?
    /// True also if it is wrong.
    private(set) var hasLocalTime = false
    private(set) var fallbackWait: Located<Duration>?
    private(set) var fallbackMessage: LocatedTemplate?
    private(set) var place: SourceRange?
    /// Where a good rate is named.
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

    // MARK: Beside the payload

    /// The policy for a payload: only people who get the same can share a push.
    func policy(for payload: PayloadSection, findings: Findings) -> DeliveryPolicy {
        guard payload.payload.isPersonal, policy.recipientsPerPush > 1, let place else {
            return policy
        }
        findings.warning(
            .noEffect, at: place,
            "The payload has variables, so nobody shares a push with others.",
            help: "Delete \"recipients_per_push\"; each recipient gets a request of their own.")
        var policy = policy
        policy.recipientsPerPush = 1
        return policy
    }

    /// - Parameter place: where the file says when the payload expires.
    func checkFallback(
        of kind: CampaignKind?, _ payload: PayloadSection, expiring place: SourceRange?,
        findings: Findings
    ) {
        if let wait = fallbackWait, let life = payload.life, wait.value >= life {
            findings.error(
                .conflictingKeys, at: wait.range,
                "The payload has expired after \(Durations.written(life)), before anybody would get the fallback.",
                help: "Write less than that, or a longer \"payload.expires_after\".",
                related: place.map { ("It expires after this.", $0) })
        }
        // Locked screens and push services show a fallback; private content must stay out of it.
        guard let message = fallbackMessage,
            let variable = message.template.variables.first(where: { !$0.isEmpty })
        else { return }
        let sentence: DiagnosticMessage
        switch kind {
        case .secure:
            sentence =
                "The fallback of a secure campaign would show \"{{\(variable)}}\" on the locked screen, and Apple, Google or Microsoft would carry it."
        case .rich where payload.isPrivate == true:
            sentence =
                "The fallback would show \"{{\(variable)}}\" on the locked screen, and \"private_message: true\" keeps values out of pushes."
        case .rich, .alert, nil: return
        }
        findings.error(
            .secureLeak, at: message.range, sentence,
            help: "Write a text that is the same for all, such as \"You have a new message\".")
    }
}
