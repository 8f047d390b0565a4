/// The query of a request: names compared without case, values as sent.
struct QueryParameters: Equatable {
    private let values: [String: String]

    /// Reads a query; nil when a name or value is no percent-encoding.
    ///
    /// Of a name that stands twice the first counts. Names may be percent-encoded.
    ///
    /// - Parameter query: the text after `?`.
    init?(_ query: Substring) {
        var values: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            guard let name = PercentEncoding.decode(pair[..<equals]),
                // .NET writes the spaces of a filter as plus signs (reference, section 6.5).
                let value = PercentEncoding.decode(
                    pair[equals...].dropFirst().replacing("+", with: " "))
            else { return nil }
            values[name.lowercased()] = values[name.lowercased()] ?? value
        }
        self.values = values
    }

    /// The decoded value of a parameter.
    ///
    /// - Parameter name: the parameter's name in lower case.
    subscript(name: String) -> String? {
        values[name]
    }

    /// Whether a flag is set: it stands there bare, empty, or with anything but `false`.
    ///
    /// - Parameter name: the flag's name in lower case.
    /// - Returns: whether it is set.
    func hasFlag(_ name: String) -> Bool {
        values[name].map { $0.lowercased() != "false" } ?? false
    }
}
