/// Finds secrets assigned to a name, such as `DB_PASSWORD=x` or `Authorization: Bearer x`.
///
/// Also finds pairs such as `{ name: DB_PASSWORD, value: x }`. Each byte is read only a few times,
/// so the search is fast for any text.
struct SecretAssignments {
    /// The part of a pair `name: …, value: …` that has been read so far.
    private struct Pair {
        /// nil if there is no name yet.
        var isSecret: Bool?
        /// The start of a value that precedes its name.
        var value: Int?
    }

    /// Deeper mappings are treated as part of the outer one.
    private static let deepest = 32

    /// How far to search for the `;` that ends a value.
    private static let reach = 500

    private let text: [Unicode.Scalar]
    private var index = 0
    /// Open mappings, outermost first; never empty.
    private var pairs = [Pair()]
    /// Whether only an indent, dashes or `export` came before, so that the value extends to the end
    /// of the line.
    private var isLineStart = true
    private var ranges: [Range<Int>] = []

    static func ranges(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var walk = SecretAssignments(text: text)
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
            notePair(bracket: text[index])
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
            notePair(key: name, at: start)
            isLineStart = false
        }
    }

    private mutating func notePair(bracket: Unicode.Scalar) {
        if bracket == "{", pairs.count < Self.deepest {
            pairs.append(Pair())
        } else if bracket == "}" {
            pairs.removeLast()
            if pairs.isEmpty { pairs.append(Pair()) }
        }
    }

    /// Marks a value as secret if the name next to it is the name of a secret.
    private mutating func notePair(key: ArraySlice<Unicode.Scalar>, at start: Int) {
        let isValue = Self.isWord("value", key)
        guard isValue || Self.isWord("name", key) else { return }
        let colon = skipBlanks(from: endOfName(at: start))
        guard has(":", at: colon) else { return }
        let place = skipBlanks(from: colon + 1)
        var pair = pairs.removeLast()
        if !isValue {
            let word = end(from: place) { !Self.isQuote($0) && $0 != "\\" }
            let isSecret = SecretName(text[word...].prefix(while: Self.isName)) != nil
            if isSecret, let value = pair.value { ranges.append(extent(of: .secret, from: value)) }
            pair = Pair(isSecret: isSecret)
        } else if pair.isSecret == true {
            let value = extent(of: .secret, from: place)
            ranges.append(value)
            index = max(index, value.upperBound)
        } else if pair.isSecret == nil {
            pair.value = place
        }
        pairs.append(pair)
    }

    /// Skips the closing quote, if any, of the name that ends at ``index``.
    private func endOfName(at start: Int) -> Int {
        var place = index
        while has("\\", at: place) { place += 1 }
        let isQuoted = start > 0 && Self.isQuote(text[start - 1]) && has(text[start - 1], at: place)
        return isQuoted ? place + 1 : index
    }

    /// The value of the name that ends at ``index``; nil if nothing is assigned.
    private func value(of kind: SecretName, nameAt start: Int) -> Range<Int>? {
        let end = endOfName(at: start)
        var place = skipBlanks(from: end)
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
        let sign = sign(before: start)
        let holdsSpaces = kind == .secret && sign == ":"
        let first = has("{", at: start) || has("[", at: start) ? afterBrackets(from: start) : start
        if sign == "=", kind != .connectionString, !isLineStart,
            let stop = semicolon(after: first)
        {
            return start..<stop
        }
        let stop = end(from: first) { scalar in
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

    /// Skips `Bearer`, `Basic` or another scheme if something follows.
    private func afterScheme(from start: Int) -> Int {
        var place = start
        while place < text.count, Self.isName(text[place]) { place += 1 }
        let next = skipBlanks(from: place)
        return next > place && next < text.count && text[next] != "\n" ? next : start
    }

    /// The position of the quote that ends a value, or the end of the text.
    private func closing(_ quote: Unicode.Scalar, from start: Int, isEscaped: Bool) -> Int {
        var place = start
        while place < text.count {
            if text[place] == quote {
                // A doubled quote is part of the value.
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

    /// The position after the matching bracket, or the end of the text.
    private func afterBrackets(from start: Int) -> Int {
        var depth = 0
        var place = start
        while place < text.count {
            switch text[place] {
            case "{", "[": depth += 1
            case "}", "]":
                depth -= 1
                if depth == 0 { return place + 1 }
            case "\"", "'":
                let isEscaped = text[place - 1] == "\\"
                let quote = closing(text[place], from: place + 1, isEscaped: isEscaped)
                place = isEscaped ? quote + 1 : quote
            default: break
            }
            place += 1
        }
        return text.count
    }

    /// The character before a value.
    ///
    /// After a colon, the value may contain spaces; after `=`, it may extend to a `;`.
    private func sign(before start: Int) -> Unicode.Scalar {
        text[endOfText(before: start, downTo: 0) - 1]
    }

    /// The `;` that ends an assignment, as in `Password=two words;Port=1`.
    private func semicolon(after start: Int) -> Int? {
        let stop = text[min(start, text.count)...].prefix(Self.reach).firstIndex {
            ";\"'\n\r".unicodeScalars.contains($0)
        }
        return stop.flatMap { text[$0] == ";" ? $0 : nil }
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

    private static func isWord(_ word: String, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
        name.count == word.utf8.count
            && zip(name, word.unicodeScalars).allSatisfy {
                $0.properties.lowercaseMapping == String($1)
            }
    }

    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "'"
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isAlphanumeric(or: "_-.")
    }
}
