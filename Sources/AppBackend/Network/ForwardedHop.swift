import CampaignCore
import HTTPServing
import HTTPTypes

/// What one proxy says about its client (RFC 7239, section 4).
struct ForwardedHop: Equatable, Sendable {
    /// The longest total of the fields with one name, in bytes.
    static let longest = 4_096
    /// The most proxies on the way.
    static let most = 32

    /// `for`; nil when it is missing or hidden.
    let address: IPAddress?
    /// `proto`; nil when it is missing or unknown.
    let scheme: WebScheme?
    let host: String?

    /// Reads `Forwarded`, the nearest proxy last; nil when it names nobody.
    ///
    /// Each field is parsed separately, so that a quotation mark which a client leaves open does
    /// not swallow what the proxy adds.
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

    /// Reads `X-Forwarded-For`, and `-Proto` and `-Host` for the client; nil when it names nobody.
    static func chain(inXForwarded fields: HTTPFields) throws(ForwardedFault) -> [ForwardedHop]? {
        guard let values = try values(of: "X-Forwarded-For", in: fields) else { return nil }
        // With several values it is unclear which hop each belongs to, so none counts.
        let scheme = try only("X-Forwarded-Proto", in: fields)
            .flatMap { WebScheme(rawValue: $0.lowercased()) }
        let host = try only("X-Forwarded-Host", in: fields)
        var chain: [ForwardedHop] = []
        for value in values {
            for part in value.utf8.split(separator: UInt8(ascii: ",")) {
                let text = Substring(part).trimmingSpaces
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

    /// Ignores unknown parameters.
    private init(_ pairs: [String: String]) throws(ForwardedFault) {
        if let text = pairs["for"] {
            guard let node = ForwardedNode(text[...]) else { throw .malformed }
            address = node.address
        } else {
            address = nil
        }
        scheme = pairs["proto"].flatMap { WebScheme(rawValue: $0.lowercased()) }
        host = pairs["host"]
    }

    /// Whether both kinds of fields name the same client, and the same scheme and host if given.
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
            !values[0].utf8.contains(UInt8(ascii: ","))
        else { return nil }
        return String(values[0][...].trimmingSpaces)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return self[...last].drop(while: isSpace)
    }
}

/// A client or proxy as a forwarding field names it (RFC 7239, section 6).
private struct ForwardedNode: Equatable, Sendable {
    /// Nil for `unknown` or an obfuscated name (`_gazonk`).
    let address: IPAddress?

    /// Parses `192.0.2.43`, `[2001:db8::17]`, `unknown` or `_name`, each with an optional port.
    init?(_ text: Substring) {
        let isBracketed = text.first == "["
        let nameEnd =
            isBracketed
            ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
        let name = text[..<(nameEnd ?? text.endIndex)]
        let rest = text[name.endIndex...]
        guard rest.isEmpty || rest.first == ":" && Self.isPort(rest.dropFirst()) else {
            return nil
        }
        if name.lowercased() == "unknown" || Self.isHidden(name) {
            address = nil
        } else if isBracketed {
            guard name.last == "]", name.contains(":"),
                let address = IPAddress(String(name.dropFirst().dropLast()))
            else { return nil }
            self.address = address
        } else {
            guard let address = IPAddress(String(name)) else { return nil }
            self.address = address
        }
    }

    /// Parses an `X-Forwarded-For` value: also accepts an IPv6 address without brackets.
    init?(customary text: Substring) {
        // Brackets make it the standard form.
        self.init(IPAddress(String(text))?.bytes.count == 16 ? "[\(text)]" : text)
    }

    private static func isPort(_ text: Substring) -> Bool {
        if isHidden(text) { return true }
        return 1...5 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            && UInt16(text) != nil
    }

    private static func isHidden(_ text: Substring) -> Bool {
        text.first == "_" && text.utf8.count >= 2
            && text.utf8.dropFirst().allSatisfy { byte in
                byte.isASCIIAlphanumeric || "._-".utf8.contains(byte)
            }
    }
}

/// A fault in a proxy's forwarding fields, for the audit.
enum ForwardedFault: String, Error, Hashable, Sendable {
    case tooLong = "Forwarded or X-Forwarded-For is too long"
    case malformed = "Forwarded or X-Forwarded-For is malformed"
    case contradiction = "Forwarded and X-Forwarded-For disagree about the client"

    /// For the client, and for the person who sets up the proxy.
    var message: String {
        switch self {
        case .tooLong:
            "The proxy in front sent a Forwarded or X-Forwarded-For that is too long."
        case .malformed: "The proxy in front sent a malformed Forwarded or X-Forwarded-For."
        case .contradiction:
            "The proxy in front sent Forwarded and X-Forwarded fields that disagree."
        }
    }
}
