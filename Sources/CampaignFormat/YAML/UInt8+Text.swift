import CampaignCore

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }

    var isLineBreak: Bool { self == .lineFeed || self == .carriageReturn }

    var isBlank: Bool { self == .space || self == .tab }

    var isWhitespace: Bool { isBlank || isLineBreak }

    /// An ASCII letter or digit, `_` or `-`, as libyaml allows in an anchor.
    var isNameCharacter: Bool {
        isAlphanumeric(or: "_-")
    }

    func `is`(_ character: Unicode.Scalar) -> Bool { UInt32(self) == character.value }
}

extension [UInt8] {
    func has(_ byte: UInt8, at index: Int) -> Bool {
        indices.contains(index) && self[index] == byte
    }

    func has(_ text: StaticString, at index: Int) -> Bool {
        let expected = text.description.utf8
        return index >= 0 && index + expected.count <= count
            && self[index..<index + expected.count].elementsEqual(expected)
    }
}
