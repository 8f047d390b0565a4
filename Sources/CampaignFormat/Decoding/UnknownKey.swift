import CampaignCore

struct UnknownKey {
    private let entry: YAMLNode.Entry
    private let key: String
    private let path: String
    private let shape: MappingShape
    private let file: FileShape
    /// The key of this mapping that was probably meant, or that contains the key that was meant.
    let meant: String?
    private let synonym: KeySynonyms.Meaning?
    /// The key that accepts the given word as one of its values.
    private let chosen: (key: String, word: String)?

    init(
        _ entry: YAMLNode.Entry, under path: String, in shape: MappingShape, of file: FileShape,
        kind: CampaignKind?
    ) {
        self.entry = entry
        key = entry.key.scalarText ?? ""
        self.path = path
        self.shape = shape
        self.file = file
        let value = entry.value.scalarText?.lowercased()
        let near = NearestName.nearest(to: key, among: shape.names)
        chosen = shape.keys.first { key in
            near == nil && value.map(key.value.hasChoice) == true
        }.flatMap { key in value.map { (key.name, $0) } }
        synonym =
            chosen == nil ? Self.synonym(of: key, under: path, in: file, kind: kind) : nil
        switch synonym {
        case .key(let target)?:
            let rest = target.dropFirst(path.isEmpty ? 0 : path.count + 1)
            meant = target.hasPrefix(path) ? String(rest.prefix { $0 != "." }) : nil
        case .nothing?: meant = nil
        case nil: meant = chosen?.key ?? near
        }
    }

    /// The `defaults` of a config have the same keys as campaigns.
    private static func synonym(
        of key: String, under path: String, in file: FileShape, kind: CampaignKind?
    ) -> KeySynonyms.Meaning? {
        let section = file.name == FileShape.campaign.name ? "" : "defaults."
        guard section.isEmpty || path == "defaults" || path.hasPrefix(section) else { return nil }
        let inner = section.isEmpty ? path : String(path.dropFirst(section.count))
        switch KeySynonyms.meaning(of: key, under: inner, kind: kind) {
        case .key(let target):
            return file[section + target].map { _ in .key(section + target) }
        case .nothing(let words): return .nothing(words)
        case nil: return nil
        }
    }

    func report(to findings: Findings) {
        let place = path.isEmpty ? "" : " in \"\(path)\""
        let isKnown = meant != nil || synonym != nil
        let name: DiagnosticMessage =
            PeopleLines.isName(key, near: isKnown ? key : nil, under: path, in: shape)
            ? "\(audience: key.shortened)" : "\(key.shortened)"
        findings.error(
            .unknownKey, at: entry.key.range, "There is no key \"\(name)\"\(place).", help: help)
    }

    private var help: DiagnosticMessage {
        if let reason = shape.refusals[key] { return "\(reason)" }
        if let chosen {
            return "hubsend calls it \"\(chosen.key)\" here. Write: \(chosen.key): \(chosen.word)"
        }
        switch synonym {
        case .key(let target)?: return help(for: target)
        case .nothing(let words)?: return "\(words)"
        case nil: break
        }
        if let meant { return NearestName.help(near: meant, among: shape.names) }
        let written = path.isEmpty ? key : path + "." + key
        if written.hasPrefix("defaults."),
            FileShape.campaign.paths.contains(String(written.dropFirst("defaults.".count)))
        {
            return "Every campaign must set this key itself."
        }
        // Never suggest moving a key out of an exclusion, because its people would become
        // recipients.
        let elsewhere = file.sections(with: key).filter { section in
            section != path
                && (!KeySynonyms.isExclusion(path) || KeySynonyms.isExclusion(section))
        }
        if let section = elsewhere.first {
            return section.isEmpty
                ? "It belongs at the top level of the file." : "It belongs under \"\(section)\"."
        }
        if path.isEmpty, file.name == FileShape.campaign.name,
            FileShape.config.root.names.contains(key)
        {
            return "It belongs in hubsend.yaml, not in a campaign."
        }
        return NearestName.help(near: nil, among: shape.names)
    }

    private func help(for target: String) -> DiagnosticMessage {
        let section = KeySynonyms.section(of: target)
        let name = section.isEmpty ? target : String(target.dropFirst(section.count + 1))
        let isHere = section == path
        let place =
            isHere
            ? " here"
            : section.isEmpty ? ", at the top level of the file" : ", under \"\(section)\""
        let remedy: DiagnosticMessage =
            if file[target]?.takesKeys(of: entry.value) == true {
                isHere ? "Rename it." : "Move it there."
            } else {
                file.line(for: target, in: path, fitting: entry.value).map { "Write: \($0)" } ?? ""
            }
        return "hubsend calls it \"\(name)\"\(place). \(remedy)"
    }
}

extension ValueShape {
    fileprivate func hasChoice(_ word: String) -> Bool {
        if case .choice(let choices) = self { choices.contains { $0.word == word } } else { false }
    }
}
