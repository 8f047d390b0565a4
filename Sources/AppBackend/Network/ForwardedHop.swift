import CampaignCore
import HTTPTypes

/// What one proxy says about who spoke to it (RFC 7239, section 4).
struct ForwardedHop: Equatable, Sendable {
    /// The longest that the fields of one name may be together, in bytes.
    static let longest = 4_096
    /// The most proxies on the way.
    static let most = 32

    /// `for`; nil when it is missing or hidden.
    var address: IPAddress?
    /// `proto`; nil when it is missing or another.
    var scheme: WebScheme?
    /// `host`.
    var host: String?

    /// Reads `Forwarded`, the nearest proxy last; nil when it names nobody.
    ///
    /// Each field must be whole by itself: a quotation mark that somebody left open must not
    /// swallow what a proxy adds.
    ///
    /// - Throws: ``ForwardedFault``.
    static func chain(inForwarded fields: HTTPFields) throws(ForwardedFault) -> [ForwardedHop]? {
        guard let values = try values(of: "Forwarded", in: fields) else { return nil }
        var chain: [ForwardedHop] = []
        for value in values {
            var scanner = FieldScanner(value)
            while let pairs = try scanner.nextElement() {
                chain.append(try ForwardedHop(pairs))
            }
        }
        guard chain.count <= most else { throw .tooLong }
        return chain.isEmpty ? nil : chain
    }

    /// Reads `X-Forwarded-For`, with `X-Forwarded-Proto` and `-Host` for the client; nil when it
    /// names nobody.
    ///
    /// - Throws: ``ForwardedFault``.
    static func chain(inXForwarded fields: HTTPFields) throws(ForwardedFault) -> [ForwardedHop]? {
        guard let values = try values(of: "X-Forwarded-For", in: fields) else { return nil }
        // With several values it is not clear which hop each is of, and none counts.
        let scheme = try only("X-Forwarded-Proto", in: fields)
            .flatMap { WebScheme(rawValue: $0.lowercased()) }
        let host = try only("X-Forwarded-Host", in: fields)
        var chain: [ForwardedHop] = []
        for value in values {
            for part in value.split(separator: ",") {
                let text = part.trimmingSpaces
                if text.isEmpty { continue }
                guard let node = ForwardedNode(customary: text) else { throw .malformed }
                chain.append(ForwardedHop(address: node.address, scheme: scheme, host: host))
            }
        }
        guard chain.count <= most else { throw .tooLong }
        return chain.isEmpty ? nil : chain
    }

    private init(address: IPAddress?, scheme: WebScheme?, host: String?) {
        self.address = address
        self.scheme = scheme
        self.host = host
    }

    /// Reads the parameters of one element; those that are not known count for nothing.
    private init(_ pairs: [String: String]) throws(ForwardedFault) {
        if let text = pairs["for"] {
            guard let node = ForwardedNode(text[...]) else { throw .malformed }
            address = node.address
        }
        scheme = pairs["proto"].flatMap { WebScheme(rawValue: $0.lowercased()) }
        host = pairs["host"]
    }

    /// Whether another account of the same hop has the same client, and the same scheme and host
    /// where both name them.
    func agrees(with other: ForwardedHop) -> Bool {
        func isSame<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            left == nil || right == nil || left == right
        }
        return address == other.address && isSame(scheme, other.scheme)
            && isSame(host?.lowercased(), other.host?.lowercased())
    }

    private static func values(
        of name: String, in fields: HTTPFields
    ) throws(ForwardedFault) -> [String]? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = fields[values: name]
        guard values.reduce(0, { $0 + $1.utf8.count }) <= longest else { throw .tooLong }
        return values.isEmpty ? nil : values
    }

    private static func only(
        _ name: String, in fields: HTTPFields
    ) throws(ForwardedFault) -> String? {
        guard let values = try values(of: name, in: fields), values.count == 1,
            !values[0].contains(",")
        else { return nil }
        return String(values[0][...].trimmingSpaces)
    }
}

extension Substring {
    /// Without the spaces and tabs around it.
    fileprivate var trimmingSpaces: Substring {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return self[...last].drop(while: isSpace)
    }
}
