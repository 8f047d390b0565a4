import CampaignCore
import YAMLSyntax

/// Turns the nodes of one campaign file into a campaign, one section after the other.
struct CampaignDecoder {
    var findings: Findings
    let files: SafeFolder
    let limits: CampaignLimits
    /// The campaign file's folder, as a person would name it from the current one.
    let folder: String
    var unsupportedKeys: [UnsupportedKey] = []
    /// Where keys stand that faults found later are about.
    var places: [String: SourceRange] = [:]
    /// Where people are named.
    var personal: [SourceRange] = []

    init(findings: Findings, files: SafeFolder, folder: String, limits: CampaignLimits) {
        self.findings = findings
        self.files = files
        self.limits = limits
        self.folder = folder
    }

    /// Reads the whole file; all that is wrong is reported in one pass.
    mutating func decode(_ root: YAMLNode) -> LoadedCampaign {
        let start = SourceRange(start: root.range.start, end: root.range.start)
        guard
            let reader = MappingReader(
                root, path: "", keyRange: start, known: CampaignKeys.top, findings: &findings)
        else { return loaded() }
        findings.require(
            ["campaign", "kind", "platforms", "audience", "payload"], of: reader, root: start)
        let name = self.name(reader)
        let description = findings.text("description", of: reader)?.value.text
        let kind = findings.choice("kind", of: reader, among: CampaignKind.allCases.map(\.rawValue))
            .flatMap { CampaignKind(rawValue: $0.value) }
        let platforms = self.platforms(reader)
        let payload = self.payload(reader, kind: kind, platforms: platforms)
        let audience = self.audience(reader)
        var delivery = self.delivery(reader)
        schedule(reader)
        let texts = payload?.texts ?? []
        checkVariables(texts.flatMap(\.variables), audience: audience)
        checkLookAlikes(texts, audience: audience)
        checkSharing(&delivery, payload: payload?.payload, in: reader)
        let campaign: Campaign? =
            if let name, let kind, let payload = payload?.payload, let audience {
                Campaign(
                    name: name, description: description, kind: kind, platforms: platforms,
                    audience: audience.rule, payload: payload, delivery: delivery,
                    fingerprints: fingerprints(of: root))
            } else {
                nil
            }
        return loaded(campaign, audience: audience)
    }

    private func loaded(_ campaign: Campaign? = nil, audience: AudienceSection? = nil)
        -> LoadedCampaign
    {
        let personal = self.personal
        let diagnostics = findings.finished { range in
            personal.contains { $0.start.line <= range.endLine && range.line <= $0.end.line }
        }
        let good = diagnostics.hasErrors ? nil : campaign
        let people = audience.map {
            AudienceFiles(
                named: $0.named, excluded: $0.excluded, folder: files,
                variables: campaign?.variables ?? [])
        }
        return LoadedCampaign(
            path: findings.file, source: findings.source, diagnostics: diagnostics,
            campaign: good, people: people, readable: audience?.readable ?? [],
            unsupportedKeys: unsupportedKeys, places: places)
    }

    private mutating func name(_ reader: MappingReader) -> String? {
        guard let text = findings.text("campaign", of: reader) else { return nil }
        places["campaign"] = text.range
        let name = text.value.text
        let isGood = name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "0"..."9", "-": true
            default: false
            }
        }
        guard isGood, name.utf8.count <= 60 else {
            findings.error(
                .invalidName, at: text.range, "The campaign's name cannot be used.",
                help: (CampaignSlug.slug(of: name).map { "Write \($0). " } ?? "")
                    + "A name has 1 to 60 of the characters a to z, 0 to 9 and -.")
            return nil
        }
        return name
    }

    private func fingerprints(of root: YAMLNode) -> [String: String] {
        guard case .mapping(let entries) = root.content else { return [:] }
        let pairs = entries.compactMap { entry -> (String, String)? in
            guard case .scalar(let key) = entry.key.content else { return nil }
            return (key.text, Fingerprint.of(entry.value))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Notes a key that the contract has and nothing acts on yet.
    mutating func notYetSupported(_ key: String, of reader: MappingReader) {
        guard reader.has(key) else { return }
        let (name, range) = (reader.name(of: key), reader.range(ofKey: key))
        findings.warning(
            .notYetSupported, at: range,
            "\"\(name)\" is not acted on yet; \"hubsend run\" refuses this campaign.",
            help: "Delete the key to send the campaign without it.")
        unsupportedKeys.append(UnsupportedKey(key: name, range: TextRange(range)))
    }
}
