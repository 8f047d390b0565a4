extension SourceText {
    /// The keys that lines begin with, for a text that cannot be read as YAML.
    ///
    /// - Parameter keys: those that are looked for, as they stand unquoted in front of a colon.
    /// - Returns: one for every such line, in order, found as they are asked for.
    package func lineBeginnings(among keys: [String]) -> some Sequence<String> {
        let wanted = keys.map { ($0, Array($0.utf8)) }
        var start = contentStart
        return AnyIterator {
            while start < bytes.count {
                let rest = bytes[start...]
                start = min(endOfLine(at: start) + 1, bytes.count)
                let key = wanted.first { _, letters in
                    guard rest.starts(with: letters) else { return false }
                    let colon = rest.startIndex + letters.count
                    guard colon < bytes.count, bytes[colon].is(":") else { return false }
                    return colon + 1 == bytes.count || bytes[colon + 1].isWhitespace
                }
                if let key { return key.0 }
            }
            return nil
        }
    }
}
