package enum NearestName {
    /// Returns nil if there are too many differences for a typo.
    package static func nearest(to name: String, among known: [String]) -> String? {
        guard name.count <= 64 else { return nil }
        let written = normalized(name)
        let letters = Array(written.unicodeScalars)
        let digits = digits(of: written)
        var best: (edits: Int, name: String)?
        for name in known {
            let other = normalized(name)
            let others = Array(other.unicodeScalars)
            // The lengths are compared first, because the number of edits is at least their
            // difference.
            guard !others.isEmpty, digits == self.digits(of: other),
                abs(letters.count - others.count) <= most(letters.count, others.count)
            else { continue }
            let edits = distance(letters, others)
            guard best.map({ edits < $0.edits }) ?? true,
                isTypo(of: edits, from: other, to: written, most(letters.count, others.count))
            else { continue }
            best = (edits, name)
        }
        return best?.name
    }

    /// Ignores case and quotes; an editor may have turned straight quotes into curly ones.
    private static func normalized(_ name: String) -> String {
        name.lowercased().replacing("-", with: "_").trimming {
            !$0.isLetter && !$0.isNumber && $0 != "_"
        }
    }

    /// Different digits make a different name: `user0002` is not a typo for `user0001`.
    private static func digits(of name: String) -> [Character] {
        name.filter { ("0"..."9").contains($0) }.sorted()
    }

    /// The maximum number of edits is a third of the shorter word's length; in a two-letter word,
    /// only one additional letter is allowed.
    private static func most(_ one: Int, _ other: Int) -> Int {
        let shorter = min(one, other)
        return shorter == 2 && one != other ? 1 : shorter / 3
    }

    /// A prefix, as in `apiVersion`, makes a different name and is not a typo.
    private static func isTypo(
        of edits: Int, from name: String, to written: String, _ most: Int
    ) -> Bool {
        edits <= most && (edits <= 1 || !written.hasSuffix(name))
    }

    /// Names the nearest name, or all names if none is near.
    static func help(for name: String, among known: [String]) -> DiagnosticMessage {
        help(near: nearest(to: name, among: known), among: known)
    }

    static func help(near: String?, among known: [String]) -> DiagnosticMessage {
        if let near { return "Did you mean \"\(near)\"?" }
        return "Use one of: \(known.joined(separator: ", "))."
    }

    static func edits(from one: String, to other: String) -> Int {
        distance(Array(one.unicodeScalars), Array(other.unicodeScalars))
    }

    /// Insertions, deletions, replacements and swaps of neighbours (Damerau, restricted).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[right.count]
    }
}
