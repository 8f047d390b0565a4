import CampaignCore

extension FileShape {
    package static let devices = FileShape(
        "devices", title: "Devices of hubsend's local hub",
        "Lists the devices that the local hub knows.",
        root: MappingShape([
            KeyShape(
                "devices", .list(of: .mapping(.device), ListBounds()), isRequired: true,
                examples: ["[{ user: alice, platform: apns }]"], "The devices.")
        ]))

    package static let faults = FileShape(
        "faults", title: "Faults of hubsend's local hub",
        "Makes the local hub fail, to test how senders and devices react.",
        root: MappingShape([
            KeyShape(
                "faults",
                .list(of: .mapping(.fault), ListBounds(atMost: 100)),
                isRequired: true, examples: ["[{ status: 500, share: 5% }]"], "The faults.")
        ]))
}

extension MappingShape {
    fileprivate static let device = MappingShape([
        KeyShape(
            "user", .text(.username), isRequired: true, examples: ["alice"],
            "The user of the device."),
        KeyShape(
            "platform", .choice(.all(Platform.self, \.facts.summary)), isRequired: true,
            "The push service that reaches it."),
        KeyShape(
            "handle", .text(.handle), examples: ["abcd"],
            "The handle that the push service uses for the device; by default, the hub generates one. On apns, it must be an even number of hexadecimal digits."
        ),
    ])

    /// A fault in a faults file, or a single fault on the command line.
    static let fault = MappingShape(effects + companions + conditions, relations: faultRelations)

    private static let faultRelations: [Relation] = [
        .exactlyOne(effects.map(\.name)), .needs("retry_after", "status"),
        .needs("jitter", "latency"),
        .atMostOne(["wrong_tokens", "share"]), .atMostOne(["wrong_tokens", "on"]),
        .atMostOne(["wrong_tokens", "first"]), .atMostOne(["wrong_tokens", "last"]),
        .atMostOne(["wrong_tokens", "every"]),
    ]

    private static let companions: [KeyShape] = [
        KeyShape(
            "retry_after", .integer(0...3_600), examples: ["30"],
            "The Retry-After header of the response, in seconds."),
        KeyShape(
            "jitter", .text(.latency), examples: ["20ms"],
            "How much the latency varies."),
    ]

    private static let most = 1_000_000_000

    private static let effects: [KeyShape] = [
        KeyShape(
            "status", .integer(400...599), examples: ["500"],
            "Responds with this status instead of the usual one."),
        KeyShape("drop", .choice(moments), examples: ["before"], "Closes the connection."),
        KeyShape("hang", .choice(moments), examples: ["after"], "Never answers."),
        KeyShape(
            "latency", .text(.latency), examples: ["50ms"], "Delays the response by this much."),
        KeyShape(
            "slow", title: "Slow answer", .integer(1...1_000_000), examples: ["100"],
            "Sends the response slowly, at this many bytes a second."),
        KeyShape(
            "wrong_tokens", .text(.share), examples: ["1%"],
            "The share of devices whose handles the push service does not know."),
    ]

    private static let moments: [Choice] = [
        Choice("before", "Before the request takes effect."),
        Choice("after", "After the request has taken effect."),
    ]

    private static let conditions: [KeyShape] = [
        KeyShape(
            "share", .text(.share), standard: "100%", examples: ["5%", "0.5%"],
            "The share of requests that fail, above 0% and up to 100%."),
        KeyShape(
            "on", title: "Requests", .choice(.all(Fault.Operations.self, \.summary)),
            standard: "sends", "The requests that the fault applies to."),
        KeyShape(
            "platform", .choice(.all(Platform.self, \.facts.summary)),
            "Only pushes through this push service."),
        KeyShape(
            "first", .integer(1...most), examples: ["3"],
            "The first request that the fault applies to, counted from 1."),
        KeyShape(
            "last", .integer(1...most), examples: ["10"],
            "The last request that the fault applies to; by default, there is no last request."
        ),
        KeyShape(
            "every", .integer(1...most), standard: "1",
            "Only one in this many requests, starting with the first."),
        KeyShape(
            "after", title: "Begin", .duration(), examples: ["10s"],
            "The time from the hub's start until the fault begins."),
        KeyShape(
            "until", title: "End", .duration(), examples: ["1m"],
            "The time from the hub's start until the fault ends."),
    ]
}

extension Fault.Operations {
    fileprivate var summary: String {
        switch self {
        case .sends: "Sends of pushes."
        case .registrations: "Requests for registrations."
        case .installations: "Requests for installations."
        case .telemetry: "Requests for the details of a sent push."
        case .all: "All requests."
        }
    }
}
