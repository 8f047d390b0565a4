import HTTPServing

/// The query of a request below `/.hubsend`, within bounds.
struct InspectionQuery {
    /// The most digits of a number.
    private static let mostDigits = 18
    /// The longest text to search for, in bytes; a user's name is no longer.
    private static let longestSearch = 120

    /// The parameters as sent.
    let parameters: QueryParameters

    /// The most elements of a list: 1 to 100, 50 unless the query says otherwise.
    ///
    /// - Throws: a 400 for anything else.
    func limit() throws(HubFailure) -> Int {
        guard let text = parameters["limit"] else { return 50 }
        guard let limit = Self.number(text), (1...100).contains(limit) else {
            throw .badRequest("limit must be a number from 1 to 100; leave it out for 50.")
        }
        return limit
    }

    /// The number of a push; nil when the query has none.
    ///
    /// - Parameter name: the parameter's name.
    /// - Throws: a 400 when it is not a whole number from 0.
    func sequence(_ name: String) throws(HubFailure) -> Int? {
        try parameters[name].map { text throws(HubFailure) in try Self.sequence(text, name) }
    }

    /// The number of the last push that the client knows, `now` for the newest there is; nil when the query has none.
    ///
    /// - Parameter hub: the hub whose newest push counts.
    /// - Throws: a 400 when it is not a whole number from 0.
    func after(in hub: HubStore) throws(HubFailure) -> Int? {
        guard parameters["after"] != "now" else { return hub.update { $0.devices.newestSequence } }
        return try parameters["after"].map { text throws(HubFailure) in
            try Self.sequence(text, "after", orElse: ", or now")
        }
    }

    /// The revision that a change relies on; nil when the query has none.
    ///
    /// - Throws: a 400 when it is not a whole number from 0.
    func revision() throws(HubFailure) -> Int? {
        guard let text = parameters["revision"] else { return nil }
        guard let revision = Self.number(text) else {
            throw .badRequest(
                "revision must be a whole number from 0; use that of the last answer.")
        }
        return revision
    }

    /// Where a page of a list begins: 0 unless the query says otherwise.
    ///
    /// - Throws: a 400 when it is not a whole number from 0.
    func from() throws(HubFailure) -> Int {
        guard let text = parameters["from"] else { return 0 }
        guard let from = Self.number(text) else {
            throw .badRequest("from must be a whole number from 0; use next of the page before.")
        }
        return from
    }

    /// How long to wait for a message: 1 second to 10 minutes, such as `30s` or `2m`; 30 seconds unless the query says
    /// otherwise.
    ///
    /// - Throws: a 400 for anything else.
    func timeout() throws(HubFailure) -> Duration {
        guard let text = parameters["timeout"] else { return .seconds(30) }
        guard let number = Self.number(String(text.dropLast())), (1...600).contains(number),
            let unit = ["s": 1, "m": 60][text.suffix(1)], number * unit <= 600
        else {
            throw .badRequest("timeout must be a time from 1s to 10m, such as 30s or 2m.")
        }
        return .seconds(number * unit)
    }

    /// A user's name to be compared exactly; nil when the query has none.
    ///
    /// An empty name is refused and does not mean all: it is most likely a script's variable that is not set.
    ///
    /// - Throws: a 400 when it is empty.
    func user() throws(HubFailure) -> String? {
        try name("user")
    }

    /// The id of a registration; nil when the query has none.
    ///
    /// - Throws: a 400 when it is empty.
    func registration() throws(HubFailure) -> String? {
        try name("registration")
    }

    private func name(_ parameter: String) throws(HubFailure) -> String? {
        guard parameters[parameter] != "" else {
            throw .badRequest("\(parameter) is empty; name one, or leave it out for all.")
        }
        return parameters[parameter]
    }

    /// What became of what is listed; nil when the query does not say.
    ///
    /// - Throws: a 400 when it is neither of the two.
    func outcome() throws(HubFailure) -> MessageOutcome? {
        guard let text = parameters["outcome"], !text.isEmpty else { return nil }
        guard let outcome = MessageOutcome(rawValue: text) else {
            throw .badRequest("outcome must be arrived or refused; leave it out for both.")
        }
        return outcome
    }

    /// The push service of what is listed; nil when the query does not say.
    ///
    /// - Throws: a 400 when there is no such platform.
    func platform() throws(HubFailure) -> LocalHubPlatform? {
        guard let text = parameters["platform"], !text.isEmpty else { return nil }
        guard let platform = LocalHubPlatform(name: text) else {
            let names = LocalHubPlatform.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("platform must be one of \(names); leave it out for all.")
        }
        return platform
    }

    /// A text to search for; nil when the query has none, or an empty one.
    ///
    /// - Parameter name: the parameter's name.
    /// - Throws: a 400 when it is too long.
    func text(_ name: String) throws(HubFailure) -> TextSearch? {
        guard let text = parameters[name], !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.longestSearch else {
            throw .badRequest("\(name) is longer than \(Self.longestSearch) bytes; use fewer.")
        }
        return TextSearch(text)
    }

    /// The number that a text is.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - what: what the text is, as the subject of a sentence.
    ///   - alternative: what else it may be, as the end of a sentence.
    /// - Throws: a 400 when it is not a whole number from 0.
    static func sequence(
        _ text: String, _ what: String, orElse alternative: String = ""
    ) throws(HubFailure) -> Int {
        guard let sequence = number(text) else {
            throw .badRequest(
                "\(what) is not a sequence; use a whole number from 0\(alternative).")
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
