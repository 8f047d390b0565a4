@testable import CampaignFormat

struct Invariants {
    private let document: YAMLDocument
    private var bytes: [UInt8] { document.source.bytes }

    init(_ document: YAMLDocument) { self.document = document }

    func firstViolation() -> String? {
        for problem in document.errors {
            for range in [problem.range] + (problem.related.map { [$0.range] } ?? []) {
                guard exists(range) else { return "problem at no place: \(problem)" }
            }
            guard problem.message.hasSuffix("."), problem.help?.hasSuffix(".") != false else {
                return "no sentence: \(problem)"
            }
        }
        let starts = document.errors.map(\.range.start)
        guard starts == starts.sorted() else { return "errors out of order" }
        guard let root = document.root else { return nil }
        return violation(in: root, isAliased: false)
    }

    private func violation(in node: YAMLNode, isAliased: Bool) -> String? {
        guard exists(node.range) else { return "node at no place: \(node.outline)" }
        let text = bytes[node.range.start.offset..<node.range.end.offset]
        let isAlias = text.first == UInt8(ascii: "*")
        switch node.content {
        case .scalar(let scalar):
            guard !isAlias, !node.isPlaceholder else { return nil }
            return violation(in: scalar, spelled: text) ?? misplacedText(of: scalar, in: node)
        case .sequence(let items):
            return firstViolation(among: items, of: node, isAliased: isAlias)
        case .mapping(let entries):
            return firstViolation(
                among: entries.flatMap { [$0.key, $0.value] }, of: node, isAliased: isAlias)
        }
    }

    private func firstViolation(among parts: [YAMLNode], of node: YAMLNode, isAliased: Bool)
        -> String?
    {
        var end = node.range.start
        for part in parts {
            if let complaint = violation(in: part, isAliased: isAliased) { return complaint }
            guard !isAliased else { continue }
            guard part.range.start >= end, part.range.end <= node.range.end else {
                return "part outside of its place: \(part.outline)"
            }
            end = part.range.end
        }
        return nil
    }

    private func violation(in scalar: YAMLScalar, spelled text: ArraySlice<UInt8>) -> String? {
        let spelling = String(decoding: text, as: UTF8.self)
        let isRight =
            switch scalar.style {
            case .plain:
                spelling == scalar.text
                    || (spelling.contains(where: \.isNewline)
                        && spelling.first == scalar.text.first
                        && spelling.last == scalar.text.last)
            case .singleQuoted: text.count > 1 && text.first == 39 && text.last == 39
            case .doubleQuoted: text.count > 1 && text.first == 34 && text.last == 34
            case .literal: text.first == UInt8(ascii: "|") && spelling.last?.isNewline == false
            case .folded: text.first == UInt8(ascii: ">") && spelling.last?.isNewline == false
            }
        return isRight ? nil : "not the spelling of \(scalar): \(spelling)"
    }

    /// The text of a quoted or block scalar must come after its quote or header.
    private func misplacedText(of scalar: YAMLScalar, in node: YAMLNode) -> String? {
        let hasCharacters = scalar.text.unicodeScalars.contains {
            !["\t", "\n", "\r", " "].contains($0)
        }
        guard hasCharacters else { return nil }
        let place = ScalarPlaces(of: node, in: document.source)
            .range(ofText: 0..<scalar.text.utf8.count)
        let isInside =
            scalar.style == .plain
            ? place == node.range
            : place.start > node.range.start && place.end <= node.range.end
        return exists(place) && isInside ? nil : "text at no place: \(scalar)"
    }

    private func exists(_ range: SourceRange) -> Bool {
        range.start <= range.end
            && document.source.position(atByte: range.start.offset) == range.start
            && document.source.position(atByte: range.end.offset) == range.end
    }
}
