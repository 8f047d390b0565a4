extension MappingReader {
    /// Reports missing keys that are only required under a condition.
    func require(_ keys: [String]) {
        guard !isPartial else { return }
        for key in keys where !has(key) && !isMeant(key) {
            findings.error(
                .missingKey, at: keyRange, "The key \"\(name(of: key))\" is missing.",
                help: remedy(key))
        }
    }

    func check(_ relation: MappingShape.Relation) {
        switch relation {
        case .exactlyOne(let keys):
            let keys = keys.filter { shape.has($0, for: kind) }
            let isKnown = kind != nil || keys.allSatisfy { shape[$0]?.isForAllKinds == true }
            if let first = keys.first, isKnown, !isPartial,
                !keys.contains(where: { has($0) || isMeant($0) })
            {
                findings.error(
                    shape.choiceRule ?? .missingKey, at: keyRange,
                    keys.count == 1
                        ? "The key \"\(name(of: first))\" is missing."
                        : "One of the keys \(Self.list(keys.map(name))) is missing.",
                    help: remedy(first))
            }
            refuseSecond(of: keys, shape.choiceRule ?? .conflictingKeys)
        case .atMostOne(let keys): refuseSecond(of: keys, .conflictingKeys)
        case .needs(let key, let other):
            guard has(key), !has(other), !isMeant(other), !isPartial else { return }
            findings.error(
                .conflictingKeys, at: range(ofKey: key),
                "\"\(name(of: key))\" has no effect without \"\(name(of: other))\".",
                help: line(other).map { "Add \($0), or delete the key." })
        case .needsAny(let key, let others):
            guard let place = place(of: key), !others.contains(where: mayHave) else { return }
            findings.error(
                .missingKey, at: place,
                "\"\(key)\" requires \(others.count == 1 ? "" : "one of the keys ")\(Self.list(others)).",
                help: line(atTop: others[0]).map { "Write, for example: \($0)" })
        }
    }

    private func refuseSecond(of keys: [String], _ rule: Rule) {
        let given = keys.filter(has).sorted {
            range(ofKey: $0).start < range(ofKey: $1).start
        }
        for key in given.dropFirst() {
            findings.error(
                rule, at: range(ofKey: key),
                "\"\(name(of: given[0]))\" and \"\(name(of: key))\" cannot be used together.",
                help: "Keep one of them.",
                related: ("The first key is here.", range(ofKey: given[0])))
        }
    }

    /// The range of a key here, or one level down.
    private func place(of path: String) -> SourceRange? {
        let names = path.split(separator: ".").map(String.init)
        guard names.count > 1 else { return has(path) ? range(ofKey: path) : nil }
        return self[names[0]]?.entry(at: names[1])?.key.range
    }

    /// Whether a key here or one level down exists, or may be in a part that is reported anyway.
    private func mayHave(_ path: String) -> Bool {
        let names = path.split(separator: ".").map(String.init)
        guard let section = self[names[0]] else { return isPartial || isMeant(names[0]) }
        guard case .mapping(let entries) = section.content, !section.isPlaceholder,
            let shape = shape[names[0]]?.value.keyed, names.count > 1
        else { return true }
        return shape[names[1]]?.isRequired == true
            || entries.contains { entry in
                entry.key.scalarText.map { $0 == names[1] || shape[$0] == nil } ?? true
            }
    }

    private static func list(_ keys: [String]) -> String {
        let quoted = keys.map { "\"\($0)\"" }
        return quoted.count < 2
            ? quoted.joined()
            : "\(quoted.dropLast().joined(separator: ", ")) or \(quoted[quoted.count - 1])"
    }
}
