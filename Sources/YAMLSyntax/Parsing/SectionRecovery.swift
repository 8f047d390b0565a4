/// Reads on where a fault of syntax ended the reading of a file: each key at the top of the file is read alone, with its value.
///
/// So one unclosed quote does not hide what else is wrong. What stands in front of the fault was read once already, so that
/// nothing new is said about it.
struct SectionRecovery {
    /// What reading a text gave.
    struct Reading {
        let root: YAMLNode?
        /// What is wrong, without what ended the reading.
        let faults: [YAMLFault]
        /// What ended the reading.
        let ending: YAMLFault?
    }

    /// A key that begins a line, with all lines up to the next one.
    private struct Section {
        let key: String
        let keyBytes: Range<Int>
        var bytes: Range<Int>
    }

    /// Larger files are not read again.
    private static let largest = 256 << 10
    /// Files with more keys at the top are not read again.
    private static let most = 64
    private static let longestKey = 64

    private let source: SourceText
    private let sections: [Section]

    /// Finds the keys; nil where there are too few or too many of them.
    init?(_ source: SourceText) {
        guard source.bytes.count <= Self.largest else { return nil }
        self.source = source
        var sections: [Section] = []
        var start = source.contentStart
        while start < source.bytes.count {
            if let end = Self.endOfKey(at: start, in: source.bytes) {
                guard sections.count < Self.most else { return nil }
                let key = start..<end
                sections.append(
                    Section(
                        key: String(decoding: source.bytes[key], as: UTF8.self), keyBytes: key,
                        bytes: key))
            }
            start = Self.nextLine(after: source.endOfLine(at: start), in: source.bytes)
            if let last = sections.indices.last {
                sections[last].bytes = sections[last].bytes.lowerBound..<start
            }
        }
        guard sections.count > 1 else { return nil }
        self.sections = sections
    }

    /// The end of a word with a colon and a blank, or the end of the line, behind it.
    private static func endOfKey(at start: Int, in bytes: [UInt8]) -> Int? {
        var end = start
        while end < bytes.count, end - start <= longestKey, bytes[end].isNameCharacter { end += 1 }
        guard end > start, end - start <= longestKey, end < bytes.count, bytes[end].is(":") else {
            return nil
        }
        return end + 1 == bytes.count || bytes[end + 1].isWhitespace ? end : nil
    }

    private static func nextLine(after end: Int, in bytes: [UInt8]) -> Int {
        guard end < bytes.count else { return bytes.count }
        return end + (bytes[end] == .carriageReturn && bytes.has(.lineFeed, at: end + 1) ? 2 : 1)
    }

    /// Reads each key alone.
    ///
    /// - Parameters:
    ///   - ending: the fault that ended the reading of the whole.
    ///   - read: reads a text that has one of the keys, and blanks in front of it.
    /// - Returns: a mapping that is marked as a placeholder, since some of its keys may be missing, in which what cannot be read
    ///   is a placeholder too; and the faults behind the one that is known.
    func run(after ending: YAMLFault, read: (SourceText) -> Reading) -> (
        root: YAMLNode, faults: [YAMLFault]
    ) {
        var entries: [YAMLNode.Entry] = []
        var faults: [YAMLFault] = []
        for section in sections {
            let reading = read(SourceText(only(section.bytes)))
            if section.bytes.lowerBound > ending.range.start.offset {
                // Its anchor may stand in another part.
                faults += reading.faults.filter { $0.rule != .unknownAlias }
                if let fault = reading.ending { faults.append(fault) }
            }
            if reading.ending == nil, case .mapping(let found)? = reading.root?.content {
                entries += found
            } else {
                entries.append(placeholder(for: section))
            }
        }
        let range = source.range(ofBytes: source.contentStart..<source.bytes.count)
        return (YAMLNode(.mapping(entries), range: range, isPlaceholder: true), faults)
    }

    private func placeholder(for section: Section) -> YAMLNode.Entry {
        let range = source.range(ofBytes: section.keyBytes)
        return YAMLNode.Entry(
            key: YAMLNode(
                .scalar(YAMLScalar(text: section.key, style: .plain)), range: range),
            value: .placeholder(at: range))
    }

    /// A part of the file, with blanks for what stands in front of it, so that lines and columns stay what they are.
    private func only(_ part: Range<Int>) -> [UInt8] {
        source.bytes[..<part.upperBound].enumerated().map { index, byte in
            let isKept = index >= part.lowerBound || index < source.contentStart
            return isKept || byte.isLineBreak ? byte : .space
        }
    }
}
