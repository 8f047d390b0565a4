import CampaignCore

/// Somebody on the way of a request (RFC 7239, section 6).
struct ForwardedNode: Equatable, Sendable {
    /// nil for one that is `unknown` or hidden behind a name (`_gazonk`).
    let address: IPAddress?

    /// Reads `192.0.2.43`, `[2001:db8::17]`, `unknown` or `_name`, each maybe with a port; nil for
    /// anything else.
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

    /// Reads what stands in `X-Forwarded-For`: the same, or an address of version 6 without
    /// brackets.
    init?(customary text: Substring) {
        // Brackets make it the standard's form.
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
                FieldScanner.isAlphanumeric(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "-")
            }
    }
}
