/// The query of a request; names are compared without case, as the tutorials' backend does.
struct QueryParameters: Equatable {
    /// The most parameters; no request has half as many.
    static let most = 16

    private var values: [(name: String, value: String)] = []

    /// Reads a query.
    ///
    /// - Parameter query: the text after `?`.
    /// - Throws: when there are too many, a name or value is no percent-encoding, or a name stands
    ///   there twice.
    init(_ query: Substring) throws(BackendFailure) {
        let pairs = query.split(separator: "&", maxSplits: Self.most)
        guard pairs.count <= Self.most else {
            throw .malformed(
                reason: "The address's query has more than \(Self.most) parameters.")
        }
        for pair in pairs {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            guard let name = PercentEncoding.decode(pair[..<equals])?.lowercased(),
                let value = PercentEncoding.decode(pair[equals...].dropFirst())
            else {
                throw .malformed(reason: "The address's query is malformed; percent-encode it.")
            }
            guard self[name] == nil else {
                throw .malformed(
                    reason: "The parameter \(ClientText.quoted(name)) stands there twice.")
            }
            values.append((name, value))
        }
    }

    /// The decoded value of a parameter.
    ///
    /// - Parameter name: the parameter's name in lower case.
    subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    static func == (left: QueryParameters, right: QueryParameters) -> Bool {
        left.values.elementsEqual(right.values, by: ==)
    }
}
