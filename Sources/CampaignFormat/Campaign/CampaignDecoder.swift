import CampaignCore

struct CampaignDecoder {
    let findings: Findings
    let files: SafeFolder
    /// The files that the campaign may use; the campaign file itself is not excluded here.
    let scope: FileScope
    /// The path as a person would write it from the current folder.
    let folder: String
    let terms: CampaignTerms

    func decode(_ written: YAMLNode) -> LoadedCampaign {
        let root = terms.defaults.map { findings.join($0, to: written, in: files) } ?? written
        var loaded = LoadedCampaign(files: findings.files)
        if let reader = MappingReader(root, of: .campaign, findings: findings) {
            loaded.outline = KeyOutline.of(root)
            loaded.places = KeyPlaces(root)
            read(reader, of: root, into: &loaded)
        }
        loaded.diagnostics = findings.finished()
        loaded.withoutFiles = findings.lackOnlyFiles ? loaded.campaign : nil
        if loaded.diagnostics.hasErrors { loaded.campaign = nil }
        return loaded
    }

    private func read(_ reader: MappingReader, of root: YAMLNode, into loaded: inout LoadedCampaign)
    {
        _ = reader.integer("version")
        let name = reader.text("campaign").flatMap(name)
        let description = reader.text("description")?.value.text
        let kind = reader.choice("kind", as: CampaignKind.self)
        let platforms = PlatformsDecoder.decode(reader)
        let payload = reader.mapping("payload").map {
            PayloadDecoder(payload: $0, platforms: platforms, files: files, limits: terms.limits)
                .decode()
        }
        let delivery = DeliverySection(reader)
        let schedule = reader.mapping("schedule").map { ScheduleSection($0, zones: terms.zones) }
        var audience = reader.mapping("audience").map { audience in
            var decoder = AudienceDecoder(audience, files: files, scope: scope, folder: folder)
            return decoder.decode()
        }

        // All sections have been read separately; the following checks compare them.
        let limits = LimitCheck(limits: terms.limits, findings: findings)
        limits.check(kind)
        let rule = audience.map { limits.held($0.rule, of: $0) }
        var policy = delivery.policy
        if let payload {
            policy = delivery.policy(for: payload, findings: findings)
            delivery.checkFallback(
                of: kind?.value, payload, expiring: loaded.places["payload.expires_after"]?.value,
                findings: findings)
            if audience?.namesLanguages != true { payload.warnOfLanguages(findings) }
        }
        policy = limits.held(policy, of: delivery)
        schedule?.check(with: delivery)
        audience?.readZones(in: schedule?.zoneColumn(with: delivery), findings: findings)
        VariableCheck(
            texts: (payload?.texts ?? []) + [delivery.fallbackMessage].compactMap(\.self),
            audience: audience, findings: findings
        ).run()

        let sendTimes = schedule?.sendTimes(with: delivery.localTime)
        if let name, let kind, let payload, let rule {
            loaded.campaign = Campaign(
                name: name, description: description, kind: kind.value, platforms: platforms,
                audience: rule, payload: payload.payload, schedule: schedule?.schedule,
                sendTimes: sendTimes, fallback: delivery.fallback, delivery: policy,
                fingerprints: fingerprints(of: root, payload.payload))
        }
        loaded.start = schedule?.start
        if let audience {
            loaded.limit = audience.maximum == nil ? terms.limits.recipients?.note : nil
            loaded.readable = audience.readable
            loaded.conditions = audience.conditions(in: findings.files)
            loaded.people = AudienceFiles(
                named: audience.named, excluded: audience.excluded,
                exclusions: audience.exclusions, folders: audience.folders,
                variables: loaded.campaign?.variables ?? [], zones: terms.zones)
        }
        // These checks would report keys in an unreadable part as missing.
        guard !root.isPlaceholder else { return }
        let document = LintDocument(
            root: root, files: findings.files, hasErrors: findings.errors > 0, kind: kind?.value,
            platforms: platforms, payload: payload, audience: audience,
            schedule: schedule?.schedule, hasSendTimes: sendTimes != nil, delivery: policy)
        loaded.lint = CampaignLint(document, in: folder)
    }

    private func name(_ text: Located<YAMLScalar>) -> String? {
        let name = text.value.text
        guard !Campaign.isName(name) else { return name }
        let slug = CampaignSlug.slug(of: name)
        let advice: DiagnosticMessage = slug.map { "Write \($0). " } ?? ""
        findings.error(
            .invalidName, at: text.range, "The campaign's name is not valid.",
            help: "\(advice)A name consists of 1 to 60 of the characters a to z, 0 to 9 and -.")
        return nil
    }

    private func fingerprints(of root: YAMLNode, _ payload: Payload) -> [String: String] {
        guard case .mapping(let entries) = root.content else { return [:] }
        let pairs = entries.compactMap { entry in
            entry.key.scalarText.map { ($0, Fingerprint.of(entry.value)) }
        }
        var fingerprints = Dictionary(pairs) { first, _ in first }
        // The fingerprint of the key `file` covers the file's name but not its content.
        if case .file(let file)? = payload.content {
            fingerprints[Campaign.payloadFileKey] = Fingerprint.of(file.bytes)
        }
        return fingerprints
    }
}
