/// Masks what looks like a secret, character by character, so that columns stay true.
enum SecretMask {
    /// What stands in front of a secret, in lower case; the secret is what follows, up to a delimiter.
    private static let leads = [
        "sharedaccesskey", "sharedaccesssignature", "sig", "signature", "accountkey", "password",
        "passwd", "secret", "token", "access_token", "api_key", "apikey", "key", "bearer",
        "connection_string", "client_secret",
    ]
    /// Runs of base64 or hexadecimal digits from this length on are keys.
    private static let shortestKey = 40

    static func apply(to text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        let lower = scalars.map { $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 }
        for range in assignments(in: lower) + credentials(in: lower) + longRuns(in: scalars) {
            for index in range { scalars[index] = "*" }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// `lead=secret`, `lead: secret`, `Bearer secret`.
    private static func assignments(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            guard isWord(text[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < text.count, isWord(text[index]) { index += 1 }
            let word = string(text[start..<index])
            guard leads.contains(word) else { continue }
            var value = index
            let isBearer = word == "bearer" || word == "sharedaccesssignature"
            if value < text.count, text[value] == "=" {
                value += 1
            } else if word != "key", value + 1 < text.count, text[value] == ":",
                text[value + 1] == " "
            {
                value += 1
                while value < text.count, text[value] == " " { value += 1 }
            } else if isBearer, value < text.count, text[value] == " " {
                value += 1
            } else {
                continue
            }
            let quotes: [Unicode.Scalar] = ["\"", "'"]
            if value < text.count, quotes.contains(text[value]) { value += 1 }
            var end = value
            while end < text.count, !isDelimiter(text[end]) { end += 1 }
            // A connection string is a secret through all of its parts.
            if word == "connection_string" { end = endOfValue(in: text, from: value) }
            if end > value { ranges.append(value..<end) }
            index = max(index, end)
        }
        return ranges
    }

    /// `scheme://user:password@host`.
    private static func credentials(in text: [Unicode.Scalar]) -> [Range<Int>] {
        guard text.contains("@") else { return [] }
        var ranges: [Range<Int>] = []
        for index in text.indices.dropLast(2)
        where text[index] == ":" && text[index + 1] == "/" && text[index + 2] == "/" {
            let authority = text[(index + 3)...].prefix { !isDelimiter($0) && $0 != "/" }
            guard let at = authority.lastIndex(of: "@"),
                let colon = authority[..<at].firstIndex(of: ":")
            else { continue }
            ranges.append(colon + 1..<at)
        }
        return ranges
    }

    /// Long runs that mix upper case, lower case and digits, as keys in base64 do, and runs that begin as web tokens.
    private static func longRuns(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, isKeyDigit(text[index]) { index += 1 }
            if index - start >= shortestKey, looksRandom(text[start..<index]) {
                ranges.append(start..<index)
            }
            index = max(index, start + 1)
        }
        return ranges
    }

    private static func looksRandom(_ run: ArraySlice<Unicode.Scalar>) -> Bool {
        let digits = run.contains { ("0"..."9").contains($0) }
        let lower = run.contains { ("a"..."z").contains($0) }
        let upper = run.contains { ("A"..."Z").contains($0) }
        let isHexadecimal = run.allSatisfy { $0.properties.isASCIIHexDigit }
        return digits && ((lower && upper) || isHexadecimal)
    }

    private static func endOfValue(in text: [Unicode.Scalar], from start: Int) -> Int {
        let stops: [Unicode.Scalar] = [" ", "\"", "'", ",", "}"]
        return text[start...].firstIndex { stops.contains($0) } ?? text.endIndex
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar)
    }

    private static func isKeyDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "+", "/", "_", "-", ".": true
        default: false
        }
    }

    private static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\n", "\r", ";", "&", "\"", "'", ",", "}", "]", ")": true
        default: false
        }
    }
}
