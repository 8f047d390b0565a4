import CampaignCore
import HTTPServing
import HTTPTypes

/// A client as named by trusted proxies (RFC 7239, section 4).
///
/// Proxies append to the fields of their clients, so they are read from the end, up to the first
/// address that is not a trusted proxy. Anything before that address comes from the client.
struct ForwardedHop: Equatable, Sendable {
    /// `for`; nil if it is missing or hidden.
    let address: IPAddress?
    /// `proto`; nil if it is missing or unknown.
    let scheme: WebScheme?
    let host: String?

    /// Reads `Forwarded`; nil if it does not name a client.
    ///
    /// Each field is read separately, so a quotation mark that a client leaves open cannot swallow
    /// what the proxy adds.
    static func client(
        inForwarded fields: HTTPFields, isProxy: (IPAddress) -> Bool
    ) throws(ForwardedError) -> ForwardedHop? {
        guard let name = HTTPField.Name("Forwarded") else { return nil }
        var hop: ForwardedHop?
        for value in fields[values: name].reversed() {
            var scanner = FieldScanner(value)
            while let pairs = try scanner.lastElement() {
                let next = try ForwardedHop(pairs, in: value)
                hop = next
                guard let address = next.address, isProxy(address) else { return next }
            }
        }
        return hop
    }

    /// Reads `X-Forwarded-For`, `-Proto` and `-Host`; nil if the first does not name a client.
    static func client(
        inXForwarded fields: HTTPFields, isProxy: (IPAddress) -> Bool
    ) throws(ForwardedError) -> ForwardedHop? {
        var address: IPAddress?
        var count = 0
        for text in items("X-Forwarded-For", in: fields).reversed() {
            guard let node = ForwardedNode(customary: text) else {
                throw .malformed(field: "X-Forwarded-For", value: String(text))
            }
            address = node.address
            count += 1
            guard let address, isProxy(address) else { break }
        }
        guard count > 0 else { return nil }
        // Each proxy may have added a value. The client used https only if every value is `https`.
        let schemes = items("X-Forwarded-Proto", in: fields).suffix(count)
        let known = schemes.compactMap { WebScheme(rawValue: $0.lowercased()) }
        return ForwardedHop(
            address: address,
            scheme: known.count == schemes.count && Set(known).count == 1 ? known.first : nil,
            host: items("X-Forwarded-Host", in: fields).suffix(count).first.map { String($0) })
    }

    private init(address: IPAddress?, scheme: WebScheme?, host: String?) {
        self.address = address
        self.scheme = scheme
        self.host = host
    }

    /// Ignores unknown parameters.
    private init(_ pairs: [String: String], in value: String) throws(ForwardedError) {
        if let text = pairs["for"] {
            guard let node = ForwardedNode(text[...]) else {
                throw .malformed(field: "Forwarded", value: value)
            }
            address = node.address
        } else {
            address = nil
        }
        scheme = pairs["proto"].flatMap { WebScheme(rawValue: $0.lowercased()) }
        host = pairs["host"]
    }

    /// Whether both kinds of fields name the same client and, if present, the same scheme and host.
    func agrees(with other: ForwardedHop) -> Bool {
        func isSame<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            left == nil || right == nil || left == right
        }
        return address == other.address && isSame(scheme, other.scheme)
            && isSame(host?.lowercased(), other.host?.lowercased())
    }

    /// The items of a list, which may be spread over several fields.
    private static func items(_ name: String, in fields: HTTPFields) -> [Substring] {
        guard let name = HTTPField.Name(name) else { return [] }
        return fields[values: name].flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingSpaces }
                .filter { !$0.isEmpty }
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return self[...last].drop(while: isSpace)
    }
}

/// A client or proxy as it is named in a forwarding field (RFC 7239, section 6).
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
        guard rest.isEmpty || rest.first == ":" && Self.isPort(rest.dropFirst()) else { return nil }
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

    /// Parses an `X-Forwarded-For` value, which may be an IPv6 address without brackets.
    init?(customary text: Substring) {
        // An address with brackets has the standard form.
        self.init(text.contains(":") && IPAddress(String(text)) != nil ? "[\(text)]" : text)
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

/// A problem with a proxy's forwarding fields.
enum ForwardedError: Error, Hashable, Sendable {
    case malformed(field: String, value: String)
    /// The values of `Forwarded` and of the other fields, as they were sent.
    case contradiction(String, String)

    /// The message for the client and the person who configures the proxy.
    var message: String {
        switch self {
        case .malformed: "The proxy sent a malformed Forwarded or X-Forwarded-For field."
        case .contradiction:
            "The proxy sent Forwarded and X-Forwarded fields that disagree."
        }
    }

    /// The reason for the audit.
    var reason: String {
        switch self {
        case .malformed(let field, let value): "\(field) is \(ClientText.quoted(value))"
        case .contradiction(let standard, let customary):
            "Forwarded is \(ClientText.quoted(standard)), but X-Forwarded-For, -Proto and -Host "
                + "are \(ClientText.quoted(customary))"
        }
    }
}
