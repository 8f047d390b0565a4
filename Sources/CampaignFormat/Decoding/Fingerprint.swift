/// An FNV-1a hash (64 bits) that detects changes; not safe against attackers.
struct Fingerprint {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Comments and formatting are ignored.
    static func of(_ node: YAMLNode) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(node)
        return fingerprint.digits
    }

    static func of(_ texts: String...) -> String {
        var fingerprint = Fingerprint()
        for text in texts { fingerprint.add("s\(text.utf8.count):\(text)") }
        return fingerprint.digits
    }

    static func of(_ bytes: [UInt8]) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(bytes)
        return fingerprint.digits
    }

    private var digits: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func add(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            add("s\(scalar.text.utf8.count):\(scalar.text)")
        case .sequence(let items):
            add("l\(items.count):")
            for item in items { add(item) }
        case .mapping(let entries):
            add("m\(entries.count):")
            for entry in entries {
                add(entry.key)
                add(entry.value)
            }
        }
    }

    private mutating func add(_ text: String) { add(text.utf8) }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
