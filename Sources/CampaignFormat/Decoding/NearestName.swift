/// Finds what somebody probably meant to write.
package enum NearestName {
    /// The known name with the fewest edits, if they are few enough to be a slip.
    package static func nearest(to name: String, among known: [String]) -> String? {
        guard name.count <= 64 else { return nil }
        // Quotes and their like, which an editor may have made of straight ones, are no part of the name.
        let written = name.lowercased().replacing("-", with: "_").trimming {
            !$0.isLetter && !$0.isNumber && $0 != "_"
        }
        let letters = Array(written.unicodeScalars)
        var best: (edits: Int, name: String)?
        for name in known {
            let others = Array(name.unicodeScalars)
            // It takes as many edits at least as one is longer than the other.
            guard abs(letters.count - others.count) <= most(letters.count, others.count) else {
                continue
            }
            let edits = distance(letters, others)
            guard best.map({ edits < $0.edits }) ?? true,
                isSlip(of: edits, from: name, to: written, most(letters.count, others.count))
            else { continue }
            best = (edits, name)
        }
        return best?.name
    }

    /// The most edits that are a slip: a third of the shorter word.
    private static func most(_ one: Int, _ other: Int) -> Int { max(1, min(one, other) / 3) }

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
