import CampaignCore
import YAMLSyntax

struct CampaignDecoder {
    private let findings: Findings
    private let files: SafeFolder
    /// Without the campaign itself.
    private let scope: FileScope
    /// As a person would name it from the current folder.
    private let folder: String
    private let terms: CampaignTerms

    init(
        findings: Findings, files: SafeFolder, scope: FileScope, folder: String,
        terms: CampaignTerms
    ) {
        self.findings = findings
        self.files = files
        self.scope = scope
        self.folder = folder
        self.terms = terms
    }

    func decode(_ root: YAMLNode) -> LoadedCampaign {
        let root = terms.defaults.map { findings.join($0, to: root, in: files) } ?? root
        guard let reader = MappingReader(root, of: .campaign, findings: findings) else {
            return loaded(places: LoadedCampaign.Places())
        }
        let limits = LimitCheck(terms.limits, findings: findings)
        _ = reader.integer("version")
        let name = reader.text("campaign")
        let goodName = name.flatMap(checkedName)
        let description = reader.text("description")?.value.text
        let writtenKind = reader.choice("kind", as: CampaignKind.self)
        limits.check(writtenKind)
        let kind = writtenKind?.value
        let platforms = PlatformsDecoder.decode(reader)
        let payload = PayloadDecoder(
            reader, kind: kind, platforms: platforms, files: files,
            limits: terms.limits)?.decode()
        let delivery = DeliveryDecoder.decode(reader, kind: kind, payload: payload?.payload)
        let policy = limits.held(delivery.policy, asked: delivery.rate)
        limits.check(capOver: delivery.capPeriod)
        let schedule = self.schedule(reader, delivery, of: root)
        var audienceDecoder = AudienceDecoder(
            reader, files: files, scope: scope, folder: folder, zones: terms.zones,
            zoneColumn: schedule?.zoneColumn)
        let audience = audienceDecoder?.decode()
        let rule = audience.map { limits.held($0.rule, of: $0) }
        let texts = (payload?.texts ?? []) + [delivery.fallbackMessage].compactMap(\.self)
        VariableCheck(texts, audience: audience, findings: findings).run()
        let campaign: Campaign? =
            if let goodName, let kind, let payload = payload?.payload ?? payload?.withoutFile,
                let rule
            {
                Campaign(
                    name: goodName, description: description, kind: kind, platforms: platforms,
                    audience: rule, payload: payload, schedule: schedule?.schedule,
                    turns: schedule?.turns, fallback: delivery.fallback, delivery: policy,
                    fingerprints: fingerprints(of: root, payload))
            } else {
                nil
            }
        let parts = CampaignLint.Parts(
            kind: kind, platforms: platforms, payload: payload, audience: audience,
            schedule: schedule?.schedule, hasTurns: schedule?.turns != nil, delivery: policy)
        // What is in an unreadable part would be reported as missing.
        let lint: CampaignLint =
            root.isPlaceholder ? .none : CampaignLint(root, parts, in: folder, findings: findings)
        return loaded(
            campaign, audience: audience, lint: lint, outline: KeyOutline.of(root),
            places: LoadedCampaign.Places(
                name: name?.range, audience: audience?.place,
                minimum: audience?.minimum?.range, maximum: audience?.maximum?.range,
                limit: audience?.maximum == nil ? terms.limits.recipients?.note : nil,
                payload: payload?.place, message: payload?.message?.range,
                type: payload?.type?.range, rate: root.entry(at: "delivery", "rate")?.value.range,
                life: root.entry(at: "payload", "expires_after")?.value.range,
                finishWithin: root.entry(at: "delivery", "finish_within")?.value.range,
                fallback: delivery.fallbackMessage?.range,
                start: schedule.flatMap(ScheduledStart.init)))
    }

    private func schedule(
        _ reader: MappingReader, _ delivery: DeliverySection, of root: YAMLNode
    ) -> ScheduleSection? {
        if let decoder = ScheduleDecoder(reader, zones: terms.zones) {
            return decoder.decode(with: delivery)
        }
        if let localTime = delivery.localTime, !reader.has("schedule"), !root.isPlaceholder {
            findings.error(
                .missingKey, at: localTime.range,
                "\"delivery.local_time\" needs the key \"schedule.time_zone\", for people whose time zone no file says.",
                help: "Write: schedule: { time_zone: Europe/Berlin }")
        }
        return nil
    }

    private func checkedName(_ text: Located<YAMLScalar>) -> String? {
        let name = text.value.text
        guard Campaign.isName(name) else {
            let slug = CampaignSlug.slug(of: name)
            let advice: DiagnosticMessage = slug.map { "Write \($0). " } ?? ""
            findings.error(
                .invalidName, at: text.range, "The campaign's name cannot be used.",
                help: "\(advice)A name has 1 to 60 of the characters a to z, 0 to 9 and -.")
            return nil
        }
        return name
    }

    private func fingerprints(of root: YAMLNode, _ payload: Payload) -> [String: String] {
        guard case .mapping(let entries) = root.content else { return [:] }
        let pairs = entries.compactMap { entry -> (String, String)? in
            guard case .scalar(let key) = entry.key.content else { return nil }
            return (key.text, Fingerprint.of(entry.value))
        }
        var fingerprints = Dictionary(pairs) { first, _ in first }
        // The key itself only names the file.
        if case .file(let file)? = payload.content {
            fingerprints[Campaign.payloadFileKey] = Fingerprint.of(file.bytes)
        }
        return fingerprints
    }

    private func loaded(
        _ campaign: Campaign? = nil, audience: AudienceSection? = nil, lint: CampaignLint = .none,
        outline: [KeyText] = [], places: LoadedCampaign.Places
    ) -> LoadedCampaign {
        let diagnostics = findings.finished()
        let lacksOnlyFiles = findings.errors > 0 && findings.errors == findings.absences
        let people = audience.map {
            AudienceFiles(
                named: $0.named, excluded: $0.excluded, exclusions: $0.exclusions,
                folders: $0.folders, variables: campaign?.variables ?? [], zones: terms.zones)
        }
        return LoadedCampaign(
            files: findings.files, diagnostics: diagnostics,
            campaign: diagnostics.hasErrors ? nil : campaign,
            withoutFiles: lacksOnlyFiles ? campaign : nil, people: people,
            readable: audience?.readable ?? [],
            conditions: audience?.conditions(in: findings.files),
            lint: lint, outline: outline,
            places: places)
    }
}
