/// Finds what somebody probably meant to write.
package enum NearestName {
    /// The known name with the fewest edits, if they are few enough to be a slip.
    package static func nearest(to name: String, among known: [String]) -> String? {
        guard name.count <= 64 else { return nil }
        let written = normalized(name)
        let letters = Array(written.unicodeScalars)
        let digits = digits(of: written)
        var best: (edits: Int, name: String)?
        for name in known {
            let other = normalized(name)
            let others = Array(other.unicodeScalars)
            // It takes as many edits at least as one is longer than the other.
            guard !others.isEmpty, digits == self.digits(of: other),
                abs(letters.count - others.count) <= most(letters.count, others.count)
            else { continue }
            let edits = distance(letters, others)
            guard best.map({ edits < $0.edits }) ?? true,
                isSlip(of: edits, from: other, to: written, most(letters.count, others.count))
            else { continue }
            best = (edits, name)
        }
        return best?.name
    }

    /// A name without what is no slip: case, and quotes and their like, which an editor may have made of straight ones.
    private static func normalized(_ name: String) -> String {
        name.lowercased().replacing("-", with: "_").trimming {
            !$0.isLetter && !$0.isNumber && $0 != "_"
        }
    }

    /// The digits of a name, in no order that counts: with other digits, as `user0002` for `user0001`, it is another name.
    private static func digits(of name: String) -> [Character] {
        name.filter { ("0"..."9").contains($0) }.sorted()
    }

    /// The most edits that are a slip: a third of the shorter word.
    ///
    /// A word of two letters may have one too many, but with another letter it is another word.
    private static func most(_ one: Int, _ other: Int) -> Int {
        let shorter = min(one, other)
        return shorter == 2 && one != other ? 1 : shorter / 3
    }

    /// Whether so few edits make one word of the other, and no word in front, which as in `apiVersion` makes it another thing.
    private static func isSlip(
        of edits: Int, from name: String, to written: String, _ most: Int
    ) -> Bool {
        edits <= most && (edits <= 1 || !written.hasSuffix(name))
    }

    /// A sentence with the nearest name, or with all.
    static func help(for name: String, among known: [String]) -> DiagnosticMessage {
        help(near: nearest(to: name, among: known), among: known)
    }

    /// A sentence with a nearest name that was found before, or with all.
    static func help(near: String?, among known: [String]) -> DiagnosticMessage {
        if let near { return "Did you mean \"\(near)\"?" }
        return "Known are: \(known.joined(separator: ", "))."
    }

    /// How many letters have to be changed.
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
