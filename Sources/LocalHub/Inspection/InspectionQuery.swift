import HTTPServing

struct InspectionQuery {
    private static let mostDigits = 18
    /// The maximum length of a search text in bytes; no user name is longer.
    private static let longestSearch = 120

    let parameters: QueryParameters

    /// The maximum length of a list: 1 to 100, 50 by default.
    func limit() throws(HubFailure) -> Int {
        guard let text = parameters["limit"] else { return 50 }
        guard let limit = Self.number(text), (1...100).contains(limit) else {
            throw .badRequest("limit must be a whole number from 1 to 100; the default is 50.")
        }
        return limit
    }

    /// The sequence number of a push; throws a 400 if it is not a whole number.
    func sequence(_ name: String) throws(HubFailure) -> Int? {
        try parameters[name].map { text throws(HubFailure) in try Self.sequence(text, name) }
    }

    /// The sequence number of the last push that the client has seen; `now` means the newest.
    func after(in hub: HubStore) throws(HubFailure) -> Int? {
        guard parameters["after"] != "now" else { return hub.update { $0.devices.newestSequence } }
        return try parameters["after"].map { text throws(HubFailure) in
            try Self.sequence(text, "after", orElse: ", or now")
        }
    }

    func revision() throws(HubFailure) -> Int? {
        guard let text = parameters["revision"] else { return nil }
        guard let revision = Self.number(text) else {
            throw .badRequest(
                "revision must be a whole number; use the revision from the last response.")
        }
        return revision
    }

    /// The position where a page of a list begins, 0 by default.
    func from() throws(HubFailure) -> Int {
        guard let text = parameters["from"] else { return 0 }
        guard let from = Self.number(text) else {
            throw .badRequest("from must be a whole number; use next from the previous page.")
        }
        return from
    }

    /// How long to wait for a message: 1 second to 10 minutes, such as `30s` or `2m`; 30 seconds by
    /// default.
    func timeout() throws(HubFailure) -> Duration {
        guard let text = parameters["timeout"] else { return .seconds(30) }
        guard let number = Self.number(String(text.dropLast())), (1...600).contains(number),
            let unit = ["s": 1, "m": 60][text.suffix(1)], number * unit <= 600
        else { throw .badRequest("timeout must be a time from 1s to 10m, such as 30s or 2m.") }
        return .seconds(number * unit)
    }

    /// The name of a user, which is compared exactly.
    ///
    /// An empty name is refused, because it most likely comes from an unset variable in a script.
    func user() throws(HubFailure) -> String? {
        try name("user")
    }

    func registration() throws(HubFailure) -> String? {
        try name("registration")
    }

    private func name(_ parameter: String) throws(HubFailure) -> String? {
        guard parameters[parameter] != "" else {
            throw .badRequest("\(parameter) is empty; set it, or omit it to select all.")
        }
        return parameters[parameter]
    }

    func outcome() throws(HubFailure) -> MessageOutcome? {
        guard let text = parameters["outcome"], !text.isEmpty else { return nil }
        guard let outcome = MessageOutcome(rawValue: text) else {
            throw .badRequest("outcome must be arrived or refused; omit it to select both.")
        }
        return outcome
    }

    func platform() throws(HubFailure) -> LocalHubPlatform? {
        guard let text = parameters["platform"], !text.isEmpty else { return nil }
        guard let platform = LocalHubPlatform(name: text) else {
            let names = LocalHubPlatform.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("platform must be one of \(names); omit it to select all.")
        }
        return platform
    }

    /// The text to search for; nil if it is missing or empty.
    func text(_ name: String) throws(HubFailure) -> TextSearch? {
        guard let text = parameters[name], !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.longestSearch else {
            throw .badRequest(
                "\(name) is longer than \(Self.longestSearch) bytes; shorten it.")
        }
        return TextSearch(text)
    }

    /// Reads a whole number; the error message names the value and what else is allowed.
    static func sequence(
        _ text: String, _ what: String, orElse alternative: String = ""
    ) throws(HubFailure) -> Int {
        guard let sequence = number(text) else {
            throw .badRequest("\(what) must be a whole number\(alternative).")
        }
        return sequence
    }

    private static func number(_ text: String) -> Int? {
        guard (1...mostDigits).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }
}
