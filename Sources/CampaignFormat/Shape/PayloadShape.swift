import CampaignCore

extension MappingShape {
    static let payload = MappingShape(
        TextKey.allCases.map(\.shape) + payloadKeys + Platform.allCases.map(texts),
        relations: [.exactlyOne(["text", "file", "url"])],
        choiceRule: .payloadContent)

    private static let payloadKeys: [KeyShape] = [
        KeyShape(
            "type", .text(.word), examples: ["img", "url", "text", "sound"], kinds: [.rich],
            requiringKinds: [.rich],
            "A word that tells the app what it fetches; it is sent unchanged. May have variables."
        ),
        KeyShape(
            "file", title: "Payload file", .text(.file), examples: ["images/logo.png"],
            kinds: [.secure, .rich], isCampaignsOwn: true,
            "A file that the device fetches, with its media type; at most 4 MiB, without variables."
        ),
        KeyShape(
            "text", .texts,
            examples: [
                "Your statement is ready.", "{ default: It is ready., de: Es ist fertig. }",
            ], kinds: [.secure, .rich], isCampaignsOwn: true,
            "Text that the device fetches. May have variables, and can be given in several languages."
        ),
        KeyShape(
            "url", title: "Address", .text(.address),
            examples: ["https://shop.example/sale"], kinds: [.rich], isCampaignsOwn: true,
            "An address that the device opens. It must begin with https://, or with a scheme that is listed in limits.url_schemes of the config. The host is fixed; the rest may have variables."
        ),
        KeyShape(
            "private_message", .boolean, examples: ["true"], kinds: [.rich],
            "Whether the message stays out of the push, so that no push service can read it; the device fetches it with the content. This is the default if message, title, link or data have a variable."
        ),
        KeyShape(
            "link", .text(.address), examples: ["https://shop.example/sale"],
            "The address that opens when a person taps the notification; the same rules apply as for url. May have variables, but not together with the file of a secure campaign."
        ),
        KeyShape(
            "data", title: "Further keys for the app",
            .dictionary(names: .dataKey, values: .template, atMost: DataDecoder.most),
            examples: ["{ campaign: spring }"],
            "Keys and values for the app. May have variables, but not for secure campaigns."),
        KeyShape(
            "badge", .integer(0...99_999), examples: ["1"],
            "The number on the app's icon. Only for visible pushes on apns."),
        KeyShape(
            "sound", .text(.fixed), examples: ["default"],
            "The sound that is played, without variables. Only for visible pushes on apns."),
        KeyShape(
            "thread", .text(.fixed), examples: ["sale"],
            "The group of the notification, without variables. Only for visible pushes on apns."
        ),
        KeyShape(
            "expires_after", .duration(), standard: "7d",
            "How long the payload can be fetched, from the run's start. After that, push services stop trying; adm tries for at least a minute."
        ),
    ]

    private static func texts(for platform: Platform) -> KeyShape {
        KeyShape(
            platform.rawValue, title: "Texts for \(platform)", .mapping(platformTexts),
            examples: ["{ message: Short }"], isCampaignsOwn: true,
            bare: { node, _ in
                RightForm.text(of: node).map { "{ message: \(RightForm.quoted($0)) }" }
            },
            "Texts for this platform that replace the common texts. \(platform.facts.summary)")
    }

    static let platformTexts = MappingShape(TextKey.allCases.map(\.platformShape))
}

extension TextKey {
    fileprivate var shape: KeyShape {
        switch self {
        case .title:
            KeyShape(
                rawValue, .texts, examples: ["Spring sale"], kinds: kinds,
                "The text that the device shows above the message. May have variables.")
        case .message:
            KeyShape(
                rawValue, .texts,
                examples: [
                    "\"Hi {{first_name|there}}, check this out!\"",
                    "{ default: \"Hi!\", de: \"Hallo!\", pt-BR: \"Oi!\" }",
                ], kinds: kinds, requiringKinds: kinds, isCampaignsOwn: true,
                "The text that the device shows. May have variables: {{column}}, or {{column|default}}."
            )
        case .placeholder:
            KeyShape(
                rawValue, .texts, examples: ["You have a new message"], kinds: kinds,
                "Makes the push visible with this text; apart from that, the push still contains only the id. The app's notification service extension fetches the text and shows it instead."
            )
        }
    }

    /// The keys that are allowed under a platform's key.
    fileprivate var platformShape: KeyShape {
        let (example, summary): (String, String) =
            switch self {
            case .title: ("Sale", "The text above the message on this platform.")
            case .message: ("Short", "The text of the message on this platform.")
            case .placeholder:
                (
                    "New message",
                    "The text that this platform shows until the app has fetched the message."
                )
            }
        return KeyShape(rawValue, .texts, examples: [example], kinds: kinds, "\(summary)")
    }
}
