/// Finds the secrets that stand behind a name: `DB_PASSWORD=x`, `"token": "x"`, `Authorization: Bearer x`.
///
/// One walk from left to right; nothing is looked at more than a few times, whatever the text.
struct SecretAssignments {
    private let text: [Unicode.Scalar]
    private var index = 0
    /// Whether nothing but an indent, dashes or `export` stands before in the line, so that the value is all of its rest.
    private var isLineStart = true
    private var ranges: [Range<Int>] = []

    private init(_ text: [Unicode.Scalar]) {
        self.text = text
    }

    /// Where the secrets are.
    static func ranges(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var walk = SecretAssignments(text)
        while walk.index < text.count { walk.step() }
        return walk.ranges
    }

    private mutating func step() {
        guard Self.isName(text[index]) else {
            switch text[index] {
            case "\n", "\r": isLineStart = true
            case " ", "\t", "\"", "'": break
            default: isLineStart = false
            }
            index += 1
            return
        }
        let start = index
        while index < text.count, Self.isName(text[index]) { index += 1 }
        let name = text[start..<index]
        if let kind = SecretName(name), let value = value(of: kind, nameAt: start) {
            if !value.isEmpty { ranges.append(value) }
            index = max(index, value.upperBound)
            isLineStart = false
        } else if !name.allSatisfy({ $0 == "-" }), !name.elementsEqual("export".unicodeScalars) {
            isLineStart = false
        }
    }

    /// The value behind the name that ends at ``index``; nil: nothing is assigned.
    private func value(of kind: SecretName, nameAt start: Int) -> Range<Int>? {
        var place = index
        while has("\\", at: place) { place += 1 }
        let isQuoted = start > 0 && Self.isQuote(text[start - 1]) && has(text[start - 1], at: place)
        place = isQuoted ? place + 1 : index
        let end = place
        place = skipBlanks(from: place)
        if has("=", at: place) {
            place += 1
            if has(">", at: place) || has("=", at: place) { place += 1 }
        } else if has(":", at: place), kind != .key {
            place += has("=", at: place + 1) ? 2 : 1
        } else if !kind.needsNoSign || place == end {
            return nil
        }
        return extent(of: kind, from: skipBlanks(from: place))
    }

    private func extent(of kind: SecretName, from start: Int) -> Range<Int> {
        var start = start
        let isEscaped = has("\\", at: start)
        while isEscaped, has("\\", at: start) { start += 1 }
        if start < text.count, Self.isQuote(text[start]) {
            let quote = text[start]
            let first = kind == .authorization ? afterScheme(from: start + 1) : start + 1
            return first..<max(first, closing(quote, from: first, isEscaped: isEscaped))
        }
        if kind == .authorization {
            let first = afterScheme(from: start)
            return first..<max(first, end(from: first) { "\n\r\"'".unicodeScalars.contains($0) })
        }
        let holdsSpaces = kind == .secret && isColon(before: start)
        let stop = end(from: start) { scalar in
            switch scalar {
            case "\n", "\r": true
            case _ where isLineStart: false
            case "\"", "'", ",", "}": true
            case " ": !holdsSpaces
            case "\t", ";", "&", "]", ")": kind != .connectionString
            default: false
            }
        }
        return start..<max(start, endOfText(before: stop, downTo: start))
    }

    /// Behind `Bearer`, `Basic` and the like, where something follows.
    private func afterScheme(from start: Int) -> Int {
        var place = start
        while place < text.count, Self.isName(text[place]) { place += 1 }
        let next = skipBlanks(from: place)
        return next > place && next < text.count && text[next] != "\n" ? next : start
    }

    /// The quote that ends a value; the end of the text where none does.
    private func closing(_ quote: Unicode.Scalar, from start: Int, isEscaped: Bool) -> Int {
        var place = start
        while place < text.count {
            if text[place] == quote {
                // Twice it is one that belongs to the value.
                guard quote == "'", has(quote, at: place + 1) else { return place }
                place += 2
            } else if text[place] == "\\" {
                if isEscaped, has(quote, at: place + 1) { return place }
                place += 2
            } else {
                place += 1
            }
        }
        return min(place, text.count)
    }

    /// Whether a value stands behind a colon: only then it may hold spaces.
    private func isColon(before start: Int) -> Bool {
        text[endOfText(before: start, downTo: 0) - 1] == ":"
    }

    private func end(from start: Int, where stops: (Unicode.Scalar) -> Bool) -> Int {
        text[min(start, text.count)...].firstIndex(where: stops) ?? text.count
    }

    private func skipBlanks(from start: Int) -> Int {
        end(from: start) { $0 != " " && $0 != "\t" }
    }

    private func endOfText(before end: Int, downTo start: Int) -> Int {
        var end = end
        while end > start, text[end - 1] == " " || text[end - 1] == "\t" { end -= 1 }
        return end
    }

    private func has(_ scalar: Unicode.Scalar, at place: Int) -> Bool {
        place < text.count && text[place] == scalar
    }

    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "'"
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
        default: false
        }
    }
}
