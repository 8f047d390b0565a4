import TestSupport

/// Generates documents with difficult YAML, together with their meaning; the same seed gives the
/// same document.
///
/// For each choice, the text and the value are generated together, without a parser. The
/// indentation is the column of a value's collection.
struct DocumentGrammar {
    typealias Written = (text: String, value: YAMLValue)
    private typealias Scalar = (text: String, value: String)

    private(set) var corners: Set<Corner> = []
    /// Whether block text was written last, to which blank lines after it would belong.
    private(set) var endsInBlockText = false
    private var random: SeededGenerator
    private var anchors: [(name: String, value: YAMLValue)] = []
    private var names = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: Chance

    mutating func chance(_ percent: Int) -> Bool { number(0, 99) < percent }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[number(0, choices.count - 1)]
    }

    mutating func number(_ least: Int, _ most: Int) -> Int {
        Int.random(in: least...most, using: &random)
    }

    private mutating func newName() -> String {
        names += 1
        return "n\(names)"
    }

    /// Words that need no quotes anywhere, and words that cannot begin a text or be in brackets.
    private static let starts = [
        "alpha", "Größe", "日本", "007", "1e3", "no", "~x", "x-ray", "9:30", "50%", "it's", "a\\b",
        "_", "<p>",
    ]
    private static let more = [
        "beta", "c#d", "e\"f", "{g}", "[h]", "i,j", "&k", "*l", "!m", "%n", "@o", "-", "🎉", "->",
        "true",
    ]
    private static let flowStarts = [
        "alpha", "Größe", "日本", "007", "no", "x-ray", "it's", "1e3",
    ]
    private static let flowMore = ["beta", "gamma", "c#d", "🎉", "true"]

    private mutating func words(inFlow isFlow: Bool = false) -> String {
        let starts = isFlow ? Self.flowStarts : Self.starts
        let more = isFlow ? Self.flowMore : Self.more
        var words = [pick(starts)]
        for _ in 0..<number(0, 2) { words.append(pick(chance(50) ? more : starts)) }
        return words.joined(separator: " ")
    }

    // MARK: Texts

    /// Text on several lines, which are folded as in plain and quoted text.
    private mutating func lines(_ indent: Int, inFlow isFlow: Bool) -> Scalar {
        corners.insert(.severalLines)
        var text = words(inFlow: isFlow)
        var value = text
        for _ in 0..<number(1, 2) {
            let empty = chance(40) ? number(0, 2) : 0
            let next = words(inFlow: isFlow)
            text +=
                String(repeating: "\n", count: empty + 1) + blanks(indent + number(1, 4)) + next
            value += (empty == 0 ? " " : String(repeating: "\n", count: empty)) + next
        }
        return (text, value)
    }

    private mutating func oneOrSeveralLines(_ indent: Int) -> Scalar {
        if chance(40) { return lines(indent, inFlow: false) }
        let text = words()
        return (text, text)
    }

    private mutating func scalar(_ indent: Int, inFlow isFlow: Bool) -> Scalar {
        switch number(0, 5) {
        case 0:
            let text = words(inFlow: isFlow)
            return (text, text)
        case 1:
            return lines(indent, inFlow: isFlow)
        case 2:
            corners.insert(.singleQuotes)
            // A blank before the closing quote is part of the text.
            let (text, value) = oneOrSeveralLines(indent)
            return ("'" + text.replacing("'", with: "''") + " '", value + " ")
        case 3:
            corners.insert(.doubleQuotes)
            let (text, value) = oneOrSeveralLines(indent)
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return ("\"" + escaped + "\"", value)
        case 4:
            return escapes()
        default:
            corners.insert(.escapedLineBreak)
            let (start, end) = (pick(Self.flowStarts), pick(Self.flowStarts))
            let text = "\"\(start)\\\n\(blanks(indent + number(1, 4)))\(end)\""
            return (text, start + end)
        }
    }

    private static let escapes: [Scalar] = [
        ("\\n", "\n"), ("\\t", "\t"), ("\\x41", "A"), ("\\u00e9", "é"), ("\\U0001F389", "🎉"),
        ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("\\0", "\0"), ("\\e", "\u{1B}"),
        ("\\ ", " "), ("\\N", "\u{85}"), ("\\_", "\u{A0}"), ("\\L", "\u{2028}"), ("w", "w"),
        ("{{x}}", "{{x}}"),
    ]

    private mutating func escapes() -> Scalar {
        corners.insert(.escapes)
        var chosen: [Scalar] = []
        for _ in 0..<number(1, 5) { chosen.append(pick(Self.escapes)) }
        return ("\"" + chosen.map(\.text).joined() + "\"", chosen.map(\.value).joined())
    }

    mutating func blockText(_ indent: Int, isTop: Bool = false) -> Written {
        let isFolded = chance(50)
        let chomping = pick(["", "-", "+"])
        let depth = number(1, 4)
        let hasDigit = !isTop && chance(40)
        var rows: [String] = chance(20) ? [""] : []
        for row in 0..<number(1, 4) {
            // If the first row begins with a blank, the digit is required, because the first row
            // sets the indentation.
            let mayBeDeeper = hasDigit || row > 0
            let deeper = mayBeDeeper && chance(25) ? blanks(number(1, 2)) : ""
            rows.append(deeper + words())
            if chance(25) { rows += Array(repeating: "", count: number(1, 2)) }
        }
        while rows.last == "" { rows.removeLast() }
        let emptyBelow = number(0, 2)
        let digit = hasDigit ? String(depth) : ""
        let header = chance(50) ? digit + chomping : chomping + digit
        let comment = chance(20) ? " # text below" : ""
        let body = rows.map { ($0.isEmpty ? "" : blanks(indent + depth) + $0) + "\n" }.joined()
        let ending =
            switch chomping {
            case "-": ""
            case "+": String(repeating: "\n", count: emptyBelow + 1)
            default: "\n"
            }
        endsInBlockText = true
        corners.insert(isFolded ? .folded : .literal)
        if hasDigit { corners.insert(.indentationIndicator) }
        if !chomping.isEmpty { corners.insert(.chomping) }
        return (
            (isFolded ? ">" : "|") + header + comment + "\n" + body
                + String(repeating: "\n", count: emptyBelow),
            .text((isFolded ? Self.folded(rows) : rows.joined(separator: "\n")) + ending)
        )
    }

    /// The meaning of the rows below `>`: breaks become blanks, except next to empty or deeper
    /// rows.
    private static func folded(_ rows: [String]) -> String {
        var text = ""
        var previous: String?
        var empty = 0
        for row in rows {
            guard !row.isEmpty else {
                empty += 1
                continue
            }
            let isDeeper = row.hasPrefix(" ") || previous?.hasPrefix(" ") == true
            let breaks = previous != nil && isDeeper ? empty + 1 : empty
            text +=
                previous != nil && breaks == 0 ? " " : String(repeating: "\n", count: breaks)
            text += row
            (previous, empty) = (row, 0)
        }
        return text
    }

    // MARK: In brackets and braces

    private mutating func gap(_ indent: Int) -> String {
        if chance(20) {
            corners.insert(.comment)
            return " # note\n" + blanks(indent + 2)
        }
        if chance(20) { return "\n" + blanks(indent + number(1, 4)) }
        return pick(["", " ", "  "])
    }

    private mutating func alias() -> Written {
        corners.insert(.alias)
        let (name, value) = pick(anchors)
        return ("*" + name, value)
    }

    mutating func flow(_ indent: Int, depth: Int, mayHaveAnchor: Bool = true) -> Written {
        if mayHaveAnchor, !anchors.isEmpty, chance(10) {
            let (text, value) = alias()
            return (text + " ", value)
        }
        var anchor: String?
        if mayHaveAnchor, chance(10) {
            corners.insert(.anchor)
            anchor = newName()
        }
        let (text, value) =
            switch number(0, depth > 0 ? 9 : 5) {
            case 0...5: flowScalar(indent)
            case 6, 7: flowList(indent, depth: depth)
            default: flowMapping(indent, depth: depth)
            }
        guard let anchor else { return (text, value) }
        anchors.append((anchor, value))
        return ("&\(anchor) " + text, value)
    }

    /// Occasionally, a tag and a blank.
    private mutating func tag(_ tags: [String], _ percent: Int) -> String {
        guard chance(percent) else { return "" }
        corners.insert(.tag)
        return pick(tags) + " "
    }

    private static let textTags = ["!!str", "!<tag:yaml.org,2002:str>"]

    private mutating func flowScalar(_ indent: Int) -> Written {
        let (text, value) = scalar(indent, inFlow: true)
        return (tag(Self.textTags, 10) + text, .text(value))
    }

    private mutating func flowList(_ indent: Int, depth: Int) -> Written {
        corners.insert(.flowInBlock)
        var text = tag(["!!seq"], 10) + "[" + gap(indent)
        var values: [YAMLValue] = []
        let count = number(0, 3)
        for item in 0..<count {
            if item > 0 { text += "," + pick([" ", ""]) }
            if chance(20) {
                corners.insert(.pairInList)
                let key = pick(Self.flowStarts) + String(number(0, 9))
                let (part, value) = flow(indent, depth: depth - 1)
                text += key + ": " + part
                values.append(.mapping([YAMLValue.Entry(key: key, value: value)]))
            } else {
                let (part, value) = flow(indent, depth: depth - 1)
                text += part
                values.append(value)
            }
            text += gap(indent)
        }
        return (text + lastComma(count) + gap(indent) + "]", .list(values))
    }

    private mutating func lastComma(_ count: Int) -> String {
        guard count > 0, chance(20) else { return "" }
        corners.insert(.commaAtEnd)
        return ","
    }

    private mutating func flowMapping(_ indent: Int, depth: Int) -> Written {
        corners.insert(.flowInBlock)
        var text = tag(["!!map"], 10) + "{" + gap(indent)
        var entries: [YAMLValue.Entry] = []
        let count = number(0, 3)
        for entry in 0..<count {
            let key = pick(Self.flowStarts) + String(entry)
            if entry > 0 { text += ", " }
            var (part, value): Written = ("", .text(""))
            let form = number(0, 5)
            if form > 1 { (part, value) = flow(indent, depth: depth - 1) }
            switch form {
            case 0, 1:
                corners.insert(.keyAlone)
                text += key + (form == 0 ? "" : ": ")
            case 2:
                corners.insert(.asJSON)
                text += "\"\(key)\":" + part
            case 3:
                corners.insert(.explicitKey)
                text += "? \(key) : " + part
            default:
                text += key + ": " + part
            }
            text += gap(indent)
            entries.append(YAMLValue.Entry(key: key, value: value))
        }
        return (text + lastComma(count) + gap(indent) + "}", .mapping(entries))
    }

    // MARK: By indentation

    private mutating func lineEnd() -> String {
        if chance(15) {
            corners.insert(.comment)
            return " # note\n"
        }
        return pick(["\n", "\n", " \n"])
    }

    /// Comments and blank lines.
    private mutating func between() -> String {
        guard !endsInBlockText else { return "" }
        if chance(10) {
            corners.insert(.comment)
            return blanks(number(0, 6)) + "# a line of its own\n"
        }
        return chance(10) ? "\n" : ""
    }

    /// The part after `-`, `key:` or an explicit key's `:`; a collection may begin in the same line
    /// after `- ` and `: `.
    private mutating func value(_ indent: Int, depth: Int, isInLine: Bool) -> Written {
        endsInBlockText = false
        if !anchors.isEmpty, chance(8) {
            let (text, value) = alias()
            return (" " + text + lineEnd(), value)
        }
        var anchor: String?
        if chance(12) {
            corners.insert(.anchor)
            anchor = newName()
        }
        let (text, value) = unnamedValue(
            indent, depth: depth, isInLine: isInLine, hasAnchor: anchor != nil)
        guard let anchor else { return (text, value) }
        anchors.append((anchor, value))
        return (" &" + anchor + text, value)
    }

    private mutating func unnamedValue(
        _ indent: Int, depth: Int, isInLine: Bool, hasAnchor: Bool
    ) -> Written {
        switch number(0, depth > 0 ? 11 : 7) {
        case 0 where !hasAnchor:
            corners.insert(.noValue)
            return (lineEnd(), .text(""))
        case 0...3:
            let tag = tag(Self.textTags, 15)
            let (text, value) = scalar(indent, inFlow: false)
            var blank = " "
            if tag.isEmpty, !hasAnchor, !isInLine, chance(10) {
                corners.insert(.tabBehindColon)
                blank = "\t"
            }
            return (blank + tag + text + lineEnd(), .text(value))
        case 4, 5:
            let tag = tag(["!!str"], 15)
            let (text, value) = blockText(indent)
            return (" " + tag + text, value)
        case 6, 7:
            let (text, value) = flow(indent, depth: min(depth, 2), mayHaveAnchor: !hasAnchor)
            return (" " + text + lineEnd(), value)
        case 8, 9:
            if isInLine, !hasAnchor, chance(60) {
                corners.insert(.compact)
                let (text, value) = mapping(indent + 2, depth: depth - 1)
                return (" " + text.dropFirst(indent + 2), value)
            }
            let start = (chance(15) ? " !!map" : "") + lineEnd()
            let (text, value) = mapping(indent + number(1, 4), depth: depth - 1)
            return (start + text, value)
        default:
            if isInLine, !hasAnchor, chance(60) {
                corners.insert(.compact)
                let (text, value) = sequence(indent + 2, depth: depth - 1)
                return (" " + text.dropFirst(indent + 2), value)
            }
            let start = (chance(15) ? " !!seq" : "") + lineEnd()
            // The hyphens of a list may be directly below the key.
            let (text, value) = sequence(
                indent + number(isInLine ? 1 : 0, 3), depth: depth - 1)
            return (start + text, value)
        }
    }

    mutating func mapping(_ indent: Int, depth: Int) -> Written {
        var text = ""
        var entries: [YAMLValue.Entry] = []
        for entry in 0..<number(1, 4) {
            let key = pick(Self.flowStarts) + String(entry)
            let quoted = "'" + key.replacing("'", with: "''") + "'"
            let written = pick([key, key, key, quoted, "\"\(key)\""])
            if entry > 0 { text += between() }
            let isExplicit = chance(12)
            let (part, value) = value(indent, depth: depth, isInLine: isExplicit)
            if isExplicit {
                corners.insert(.explicitKey)
                text += blanks(indent) + "? " + written + "\n" + blanks(indent) + ":" + part
            } else {
                text += blanks(indent) + written + ":" + part
            }
            entries.append(YAMLValue.Entry(key: key, value: value))
        }
        return (text, .mapping(entries))
    }

    mutating func sequence(_ indent: Int, depth: Int) -> Written {
        var text = ""
        var values: [YAMLValue] = []
        for item in 0..<number(1, 4) {
            if item > 0 { text += between() }
            let (part, value) = value(indent, depth: depth, isInLine: true)
            text += blanks(indent) + "-" + part
            values.append(value)
        }
        return (text, .list(values))
    }

    mutating func lonelyText() -> Written {
        let (text, value) = scalar(0, inFlow: false)
        return (text + "\n", .text(value))
    }
}

enum Corner: CaseIterable {
    case alias, anchor, asJSON, byteOrderMark, chomping, comment, commaAtEnd, compact
    case documentEnd, documentStart, doubleQuotes, escapedLineBreak, escapes, explicitKey
    case flowInBlock, folded, indentationIndicator, keyAlone, literal, noFinalLineBreak, noValue
    case pairInList, severalLines, singleQuotes, tabBehindColon, tag, windowsLineEnds
}

private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
