/// Continues after a syntax error: each top-level key is read separately, with its value.
///
/// As a result, one unclosed quote does not hide other mistakes. Errors before the syntax error are
/// not reported again.
struct SectionRecovery {
    struct Reading {
        let root: YAMLNode?
        /// The errors except the one that ended reading.
        let errors: [YAMLError]
        let ending: YAMLError?
    }

    /// A key that begins a line, with all lines up to the next one.
    private struct Section {
        let key: String
        let keyBytes: Range<Int>
        var bytes: Range<Int>
    }

    /// The size limit in bytes; larger files are not read again.
    private static let largest = 256 << 10
    /// Files with more top-level keys are not read again.
    private static let most = 64
    private static let longestKey = 64

    private let source: SourceText
    private let sections: [Section]

    /// Returns nil if there are too few or too many keys.
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

    /// The end of a word that is followed by a colon and then by a blank or the end of the line.
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

    /// Reads each key separately.
    ///
    /// Returns the errors after `ending`, and a mapping with the readable keys. The mapping is a
    /// placeholder, because keys may be missing; unreadable values are also placeholders.
    func run(after ending: YAMLError, read: (SourceText) -> Reading) -> (
        root: YAMLNode, errors: [YAMLError]
    ) {
        var entries: [YAMLNode.Entry] = []
        var errors: [YAMLError] = []
        for section in sections {
            let reading = read(SourceText(only(section.bytes)))
            if section.bytes.lowerBound > ending.range.start.offset {
                // The anchor of an alias may be in another part.
                errors += reading.errors.filter { $0.rule != .unknownAlias }
                if let problem = reading.ending { errors.append(problem) }
            }
            if reading.ending == nil, case .mapping(let found)? = reading.root?.content {
                entries += found
            } else {
                entries.append(placeholder(for: section))
            }
        }
        let range = source.range(ofBytes: source.contentStart..<source.bytes.count)
        return (YAMLNode(.mapping(entries), range: range, isPlaceholder: true), errors)
    }

    private func placeholder(for section: Section) -> YAMLNode.Entry {
        let range = source.range(ofBytes: section.keyBytes)
        return YAMLNode.Entry(
            key: YAMLNode(
                .scalar(YAMLScalar(text: section.key, style: .plain)), range: range),
            value: .placeholder(at: range))
    }

    /// A part of the file, with blanks before it, so that lines and columns stay the same.
    private func only(_ part: Range<Int>) -> [UInt8] {
        source.bytes[..<part.upperBound].enumerated().map { index, byte in
            let isKept = index >= part.lowerBound || index < source.contentStart
            return isKept || byte.isLineBreak ? byte : .space
        }
    }
}
